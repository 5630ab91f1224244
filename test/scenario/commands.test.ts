import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, dataOf, has, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* The commands that everybody has, the buttons of a draft, and texts that are meant to do harm. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(first_name = 'Sara', seed: Parameters<typeof talk.account>[0] = {}) {
  const person = someone(first_name);
  const account = talk.account(seed);
  await talk.connects(person, { apiKey: account.apiKey });
  return { person, account };
}

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^\/([a-z_]+)/gmu)].map(([, name = '']) => name);

const OPEN = ['start', 'help', 'cancel', 'whoami', 'lang'];
/** What an API key adds for an owner: all but what version 1 alone does. */
const BY_KEY = [
  'send multi bulk schedule scheduled dates pattern booksend line templates template unknown',
  'status latest track outbox count report tag inbox receive find reply name rules rule',
  'people books book book_new book_add book_remove book_delete',
  'blocked isblocked block unblock',
  'account credit register role team limits timezone alerts audit',
].flatMap((names) => names.split(' '));

/** What people want, as /start and /help offer it. */
const WANTS = [
  ['✉️ Send an SMS', '📄 Send from a file'],
  ['📥 Inbox', '📊 Reports'],
  ['💳 Credit', '👥 The team'],
];

describe.concurrent('the greeting', () => {
  test('offers the link and both languages, until an account is linked', async () => {
    const sara = someone('Sara');
    const said = sara.start();
    const hello = await talk.hears(sara, 'I am Peyk', said.message_id);
    expect(rows(hello)).toEqual([['🔗 Link an account'], ...WANTS, ['English', 'فارسی']]);
    expect(plain(hello)).toContain('/send 09121234567 Hello');
    await talk.presses(sara, hello, '🔗');
    const question = await talk.hears(sara, 'Send the API key', hello.message_id);
    expect(rows(question)).toEqual([['Username and password'], ['Version 1 token'], ['✖ Cancel']]);
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    const again = await talk.asks(sara, sara, '/start', 'I am Peyk');
    expect(rows(again)).toEqual([...WANTS, ['English', 'فارسی']]);
  });

  test('speaks the other language once its button was pressed', async () => {
    const sara = someone('Sara');
    const said = sara.start();
    const hello = await talk.hears(sara, 'I am Peyk', said.message_id);
    await talk.presses(sara, hello, 'فارسی');
    await talk.hears(sara, 'با شما فارسی حرف می‌زنم', hello.message_id);
    const help = await talk.asks(sara, sara, '/help همه', 'کارهایی که اینجا می‌توانید انجام دهید');
    expect(plain(help)).toContain('/connect: وصل‌کردن حساب');
  });
});

describe.concurrent('help', () => {
  test.each([
    { locale: 'en', more: 'More commands appear once', head: 'What you can do here' },
    { locale: 'fa', more: 'دستورهای بیشتری در دسترس است', head: 'کارهایی که اینجا می‌توانید انجام دهید' },
  ])('in $locale lists what works here and now, before and after linking', async ({ locale, more, head }) => {
    const sara = someone('Sara', locale);
    const before = await talk.asks(sara, sara, '/help all', head);
    expect(commandsIn(plain(before)).toSorted()).toEqual([...OPEN, 'connect'].toSorted());
    expect(plain(before)).toContain(more);

    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const after = await talk.asks(sara, sara, '/help all', head);
    const all = [...OPEN, 'connect', 'disconnect', ...BY_KEY].toSorted();
    expect(commandsIn(plain(after)).toSorted()).toEqual(all);
    expect(plain(after)).not.toContain(more);
  });

  test('is shorter for a viewer than for an operator, and longest for the owner', async () => {
    const { person: owner } = { person: someone('Olga') };
    const viewer = someone('Vida');
    const operator = someone('Omid');
    const group = world.driver.group({ creator: owner, members: [viewer, operator] });
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    await talk.gives('operator', operator, group);
    const shown = async (person: Person) =>
      new Set(commandsIn(plain(await talk.asks(person, group, '/help all', 'What you can do here'))));
    const [few, some, all] = [await shown(viewer), await shown(operator), await shown(owner)];
    expect(few.has('credit') && !few.has('send') && !few.has('disconnect')).toBe(true);
    expect(some.has('send') && !some.has('disconnect')).toBe(true);
    expect(all.has('send') && all.has('disconnect')).toBe(true);
  });

  test('begins with what people want: each page has an example that is tried by a press', async () => {
    const { person: sara } = await linked();
    const help = await talk.asks(sara, sara, '/help', 'What you can do here');
    expect(rows(help)).toEqual([...WANTS, ['☰ All commands']]);
    const tried = [
      ['✉️', '▶ Try it with your own number', 'To which numbers?'],
      ['📄', '▶ Try it with a file', 'Which file?'],
      ['📥', '▶ Show the inbox', 'No unread messages'],
      ['📊', '▶ Show the last 7 days', /2026|14\d\d/u],
      ['💳', '▶ Show the credit', 'rial'],
      ['👥', '▶ My role here', 'Role: owner'],
    ] as const;
    for (const [want, label, says] of tried) {
      await talk.presses(sara, help, want);
      await talk.turns(help, (m) => rows(m).flat().includes(label));
      const { message_id: after } = given(world.driver.messages(sara).at(-1));
      await talk.presses(sara, help, label);
      await talk.hears(sara, says, after);
      await talk.presses(sara, help, '‹');
      await talk.turns(help, (m) => rows(m).length === 4);
    }
    await talk.presses(sara, help, '☰');
    await talk.hears(sara, '/help: what you can do here', help.message_id);
  });

  test('its example of a send asks for a number, and sends nothing by itself', async () => {
    const { person: sara } = await linked();
    const help = await talk.asks(sara, sara, '/help', 'What you can do here');
    await talk.presses(sara, help, '✉️');
    await talk.presses(sara, await talk.turns(help, 'Nothing is sent before you press'), '▶');
    await talk.hears(sara, 'To which numbers?', help.message_id);
    const card = await talk.asks(sara, sara, '09121234567', '#A1');
    expect(plain(card)).toContain('this is a test');
    expect(
      rows(card)
        .flat()
        .some((each) => each.startsWith('✅')),
    ).toBe(true);
  });

  test('before an account is linked leads there, and tells what a role still lacks', async () => {
    const nobody = someone('Nobody');
    const help = await talk.asks(nobody, nobody, '/help', 'What you can do here');
    await talk.presses(nobody, help, '📄');
    const page = await talk.turns(help, 'It works once an account is linked here');
    expect(rows(page)).toEqual([['🔗 Link an account'], ['📖 A whole run, step by step'], ['‹ Back']]);
    await talk.presses(nobody, page, '📖');
    await talk.hears(nobody, /A whole run:[\s\S]*7\. At the end/u, page.message_id);
    await talk.presses(nobody, page, '🔗');
    await talk.hears(nobody, 'Send the API key', page.message_id);
  });

  test('of one command gives its usage, with or without the slash; of none it says so', async () => {
    const { person: sara } = await linked();
    const one = await talk.asks(sara, sara, '/help send', '/send <numbers> <text>');
    expect(plain(one)).toContain('preview first');
    await talk.asks(sara, sara, '/help /STATUS', '/status <ids or card>');
    await talk.asks(sara, sara, '/help <b>me</b>', 'no command <b>me</b>');
  });
});

describe.concurrent('who and in which language', () => {
  test('/whoami names person, id and role, and what the role allows', async () => {
    const { person: sara } = await linked();
    const told = await talk.asks(sara, sara, '/whoami', `Sara · id ${sara.id}`);
    expect(plain(told)).toContain('Role: owner');
    expect(plain(told)).toMatch(/You may use: .*\/send.*\/disconnect/);
    const nobody = someone('Nobody');
    const none = await talk.asks(nobody, nobody, '/whoami', 'No role in this chat');
    expect(plain(none)).not.toContain('You may use');
  });

  test('/lang takes fa and en, asks when it is neither, and offers both as buttons', async () => {
    const sara = someone('Sara');
    await talk.asks(sara, sara, '/lang fa', 'با شما فارسی حرف می‌زنم');
    await talk.asks(sara, sara, '/lang EN', 'I write to you in English');
    const question = await talk.asks(sara, sara, '/lang klingon', 'I speak fa (Persian) and en');
    expect(rows(question)).toEqual([['English'], ['فارسی'], ['✖ Cancel']]);
    await talk.presses(sara, question, 'فارسی');
    await talk.hears(sara, 'با شما فارسی حرف می‌زنم', question.message_id);
  });

  test('an admin may set the language of the chat, which newcomers are then spoken to in', async () => {
    const owner = someone('Olga');
    const member = someone('Mina');
    const own = someone('Lena');
    const group = world.driver.group({ creator: owner, members: [member, own] });
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    const his = await talk.asks(own, group, '/lang en', 'I write to you in English');
    expect(rows(his)).toEqual([]);
    const offer = await talk.asks(owner, group, '/lang fa', 'برای همهٔ این گفتگو هم همین زبان باشد؟');
    expect(rows(offer)).toEqual([['برای همهٔ گفتگو']]);
    expect(await talk.presses(member, offer, 'برای')).not.toBe('');
    await talk.asks(member, group, '/whoami', 'No role');
    await talk.presses(owner, offer, 'برای');
    await talk.turns(offer, 'به همین زبان');
    await talk.asks(member, group, '/whoami', 'نقشی ندارید');
    // Whoever has chosen keeps the own language.
    await talk.asks(own, group, '/whoami', 'No role');
  });

  test('/line sets the line that the next draft leaves from', async () => {
    const { person: sara } = await linked();
    await talk.asks(sara, sara, '/line 12', 'has 5 to 14 digits');
    await talk.asks(sara, sara, '۵۰۰۰۱۲۳۴', 'Line 50001234 is used');
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    expect(plain(card)).toContain('line 50001234');
  });

  test('an unknown command is told in private; plain text starts nothing', async () => {
    const { person: sara } = await linked();
    await talk.asks(sara, sara, '/sned 09121234567 Hello', 'I do not know /sned');
    const said = sara.send(sara, '09121234567 Hello');
    await talk.settled(sara, sara);
    const after = world.driver.messages(sara).filter((m) => m.message_id > said.message_id);
    expect(after.map(plain).join('\n')).not.toContain('#A');
  });
});

describe.concurrent('a command before an account is linked', () => {
  test.each([
    ['en', 'No gateway account is linked', '🔗'],
    ['fa', 'هنوز حسابی', '🔗'],
  ])('says what is missing, with the button for it, in %s', async (language, told, button) => {
    const person = someone('Sara', language);
    person.start();
    for (const line of ['/send 09121234567 Hello', '/people 09121234567 Ali', '/team', '/alerts'])
      expect(rows(await talk.asks(person, person, line, told)).flat()[0]).toContain(button);
  });
});

describe.concurrent('the buttons of a draft', () => {
  test.each([
    ['en', '/schedule tomorrow 9 09121234567 Hello', '#A1 is scheduled'],
    ['fa', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام', '#A1 زمان‌بندی شده است'],
  ])('/cancel brings the card of a send that can still be ended, in %s', async (language, line, told) => {
    const person = someone('Sara', language);
    await talk.connects(person, { apiKey: talk.account().apiKey });
    const card = await talk.asks(person, person, line, '#A1');
    await talk.presses(person, card, '✅');
    await talk.turns(card, has('🗑'));
    // It leaves in days, and nothing is known of what a mere no is about.
    await talk.asks(person, person, language === 'fa' ? 'نه' : 'no', /presses no button|دکمه‌ای زده نمی‌شود/u);
    const said = await talk.asks(person, person, '/cancel', told);
    const below = await talk.hears(person, has('🗑'), said.message_id);
    expect(below.message_id).toBeGreaterThan(said.message_id);
    await talk.presses(person, below, '🗑');
    await talk.turns(below, (now) => rows(now).length === 0);
    await talk.asks(person, person, '/cancel', /Nothing to cancel|چیزی برای لغو نیست/u);
  });

  test('/undo is of what was let go last: an older draft stays, and what follows by itself does not count', async () => {
    const { person: sara } = await linked();
    const older = await talk.asks(sara, sara, '/send 09121234567 One', '#A1');
    const card = await talk.asks(sara, sara, '/schedule every day at 9 09121234567 Two', '#A2');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, has('🗑'));
    const said = await talk.asks(sara, sara, '/undo', '#A2 is scheduled');
    await talk.hears(sara, has('🗑'), said.message_id);
    expect(rows(await talk.turns(older, 'Draft #A1')).flat()).toContain('✖ Cancel');
    // As the next one of the series is made, when this one leaves.
    await world.database.sql`update draft set source_update = null where text = 'Two'`;
    await talk.asks(sara, sara, '/undo', 'Draft #A1 is cancelled');
    await talk.asks(sara, sara, '/undo', '#A2 is scheduled');
  });

  test('/cancel ends the newest draft: its card says so and its buttons are gone', async () => {
    const { person: sara, account } = await linked();
    const first = await talk.asks(sara, sara, '/send 09121234567 One', '#A1');
    const second = await talk.asks(sara, sara, '/send 09121234567 Two', '#A2');
    await talk.asks(sara, sara, '/cancel', 'Draft #A2 is cancelled');
    const gone = await talk.turns(second, 'none of it was sent');
    expect(rows(gone)).toEqual([]);
    const query = sara.forge(second, dataOf(second, '✅'));
    const { text } = await world.driver.waitForAnswer(query);
    expect(text).toContain('has changed');
    expect(talk.sends(account.username)).toEqual([]);
    await talk.presses(sara, first, '✖');
    await talk.turns(first, 'cancelled');
    await talk.asks(sara, sara, '/cancel', 'Nothing to cancel');
  });

  test('Text, Line and Flash change the same card, and only its newest buttons count', async () => {
    const { person: sara, account } = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');

    await talk.presses(sara, card, '⚡ Flash: off');
    const flash = await talk.turns(card, '⚡ flash');
    expect(rows(flash).flat()).toContain('⚡ Flash: on');

    await talk.presses(sara, flash, '✏️');
    const askText = await talk.hears(sara, 'What should the message say?', card.message_id);
    sara.send(sara, 'Good morning');
    const retold = await talk.turns(card, 'Good morning');

    await talk.presses(sara, retold, '📞');
    await talk.hears(sara, 'From which sender line?', askText.message_id);
    sara.send(sara, '50001234');
    const moved = await talk.turns(card, 'line 50001234');
    expect(plain(moved)).toMatch(/⚡ flash[\s\S]*Good morning[\s\S]*12 characters/u);

    // A button of an earlier version changes nothing.
    const query = sara.forge(card, dataOf(card, '✅'));
    const { text } = await world.driver.waitForAnswer(query);
    expect(text).toMatch(/has changed|pressed already/);
    expect(talk.sends(account.username)).toEqual([]);

    await talk.presses(sara, moved, '✅');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toMatchObject([
      { text: 'Good morning', line: '50001234', flash: true, recipients: ['9121234567'] },
    ]);
  });

  test('a new text that will not do is asked again, and the card stays as it was', async () => {
    const { person: sara } = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.presses(sara, card, '✏️');
    await talk.hears(sara, 'What should the message say?', card.message_id);
    await talk.asks(sara, sara, 'x'.repeat(901), 'at most 900');
    // The first /cancel leaves the question and keeps the draft.
    await talk.asks(sara, sara, '/cancel', 'Draft #A1 stays open: /cancel again ends it.');
    expect(plain(await talk.turns(card, 'Draft #A1'))).toContain('Hello');
    await talk.asks(sara, sara, '/cancel', '#A1 is cancelled');
    expect(plain(await talk.turns(card, 'cancelled'))).not.toContain('xxx');
  });

  test('To me asks for the own mobile once, sends one message there, and keeps the draft', async () => {
    const { person: sara, account } = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.presses(sara, card, '🧪');
    await talk.hears(sara, 'Your own mobile number', card.message_id);
    await talk.asks(sara, sara, '021 1234', 'Type one mobile number');
    const test1 = await talk.asks(sara, sara, '۰۹۱۹۰۰۰۰۰۰۱', '#A2');
    await talk.turns(test1, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toMatchObject([{ text: 'Hello', recipients: ['9190000001'] }]);

    const fresh = await talk.turns(card, 'Draft #A1');
    await talk.presses(sara, fresh, '🧪');
    const test2 = await talk.hears(sara, '#A3', test1.message_id);
    await talk.turns(test2, /1 (accepted|delivered)/);
    expect(world.driver.messages(sara).filter((m) => plain(m).includes('Your own mobile'))).toHaveLength(2);
    expect(talk.sends(account.username)).toHaveLength(2);

    const still = await talk.turns(card, 'Draft #A1');
    await talk.presses(sara, still, '✅');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username).at(-1)?.recipients).toEqual(['9121234567']);
  });
});

/** Texts that have broken programs before; what Telegram lets people write. */
const HOSTILE: readonly string[] = [
  '<b>bold</b> & <i>not</i>',
  '</blockquote></b><a href="https://evil.example">click</a>',
  '&lt;&amp;&#x41;&quot;',
  '*_`[a](http://x)`_* ||spoiler||',
  "'; drop table draft; --",
  '${7*7} {{7*7}} %s %n \\u0041 \\x00',
  '\u202eevil\u202c \u2066open \u2067nested',
  'ab\u200b\u200d\ufeff\u00adcd',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349A\u0336\u0340L',
  '👨‍👩‍👧‍👦🏳️‍🌈🇮🇷👍🏽',
  'ﷺ﷽ٱلسَّلَامُ عَلَيْكُمْ',
  '𝕳𝖊𝖑𝖑𝖔 Ⓗⓔⓛⓛⓞ ﾊﾛｰ',
  'line one\nline two\n\tline three',
  '@everyone #tag /send 09120000000 $USD https://example.com tg://user?id=1',
  'null undefined NaN true -1 1e309 0x7f',
  '"quoted" «گیومه» “curly”',
  'x'.repeat(900),
  '🙂'.repeat(450),
];

describe.concurrent('texts that are meant to do harm', () => {
  test.each(HOSTILE.map((text, index) => ({ text, index, start: text.slice(0, 24) })))(
    'as the text of a send are shown as they are and sent as they are: $start',
    async ({ text, index }) => {
      const account = talk.account();
      const name = index % 2 === 0 ? text.slice(0, 60) : 'Sara';
      const person = world.driver.user({ first_name: name, language_code: 'en' });
      await talk.connects(person, { apiKey: account.apiKey });
      const card = await talk.asks(person, person, `/send 09121234567 ${text}`, '#A1');
      expect(quoteOf(card)).toBe(text);
      expect(rows(card)[0]?.[0]).toMatch(/^✅ Send 1/);
      expect((card.entities ?? []).map(({ type }) => type)).not.toContain('text_link');
      await talk.presses(person, card, '✅');
      await talk.turns(card, /1 (accepted|delivered)/);
      expect(talk.sends(account.username).map((send) => send.text)).toEqual([text]);
    },
  );

  test.each([
    { name: 'a NUL', text: 'be\0fore', says: 'broken character' },
    { name: 'a lone surrogate', text: 'half \ud83d here', says: 'broken character' },
    { name: 'nothing visible', text: '\u200b\u2060\u00ad', says: 'empty' },
    { name: '901 characters', text: 'x'.repeat(901), says: '901 characters; the gateway takes at most 900' },
    { name: '4,000 characters', text: 'ی'.repeat(4000), says: '4000 characters' },
  ])('as the text of a send are refused with the reason: $name', async ({ text, says }) => {
    const { person, account } = await linked();
    const told = await talk.asks(person, person, `/send 09121234567 ${text}`, says);
    expect(plain(told)).toContain('What should the message say?');
    await talk.asks(person, person, 'Hello', '#A1');
    expect(talk.sends(account.username)).toEqual([]);
  });

  test.each(HOSTILE.slice(0, 12).map((text) => ({ text: text.slice(0, 60) })))(
    'as names of people and chats do nothing: $text',
    async ({ text }) => {
      const owner = world.driver.user({ first_name: text, last_name: '<i>', language_code: 'en' });
      const group = world.driver.group({ creator: owner, title: text });
      await talk.asks(owner, group, '/whoami', `id ${owner.id}`);
      await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
      await talk.hears(group, 'Linked by');
      await talk.asks(owner, group, `/help ${text}`, 'no command');
      await talk.asks(owner, group, `/status ${text}`, 'a card is a letter');
      expect(await talk.bindings(group)).toMatchObject([{ state: 'live' }]);
    },
  );
});

/** What stands in the card's quotation. */
function quoteOf({ text = '', entities = [] }: Parameters<typeof plain>[0]): string {
  const quote = entities.find(({ type }) => type.endsWith('blockquote'));
  return quote === undefined ? '' : text.slice(quote.offset, quote.offset + quote.length);
}
