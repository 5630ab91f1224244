import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { post } from '../../src/playground/deliver.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { given, has, isFromBot, PATIENCE, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What people do in Telegram anyway, without a command: each leads to the same draft and the same press. */

const { world, talk, made } = useWorld();
const on = made(schedulesIn);

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(language_code = 'en'): Promise<Person> {
  const person = someone('Sara', language_code);
  await talk.connects(person, { apiKey: talk.account().apiKey });
  return person;
}

/** A message of somebody's in a group of people, forwarded to the bot. */
function forwarded(person: Person, text: string): Message {
  const group = world.driver.group({ creator: person, members: [], bot: 'left', type: 'supergroup' });
  return person.forward(person.send(group, text), person);
}

/** No draft was made of what was said so far, and nothing has been sent. */
async function nothingMade(person: Person): Promise<void> {
  await talk.settled(person, person);
  const drafts = await world.database.sql`
    select 1 from draft d join chat c on c.id = d.chat_id where c.telegram_id = ${person.id}`;
  expect(drafts).toHaveLength(0);
}

/** So many that an app sends them in two messages. */
function manyNumbers(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `0912${1_000_000 + from + index}`).join('\n');
}

describe.concurrent('what an app has sent in two, as it was too long', () => {
  test.each([
    ['en', 'To which numbers?', 'What should the message say?', '400 numbers → 400 to send'],
    ['fa', 'به کدام شماره‌ها', 'متن پیام چه باشد؟', '۴۰۰ شماره ← ۴۰۰ ارسال می‌شود'],
  ])('is one list and its text, whole, in %s', async (lang, which, what, all) => {
    const sara = await linked(lang);
    sara.send(sara, `/send ${manyNumbers(0, 320)}`);
    const rest = sara.send(sara, `${manyNumbers(320, 400)}\nHello friends`);
    const card = await talk.hears(sara, has('✅'), rest.message_id);
    expect(plain(card)).toContain('\nHello friends\n');
    expect(plain(card)).toContain(all);

    await talk.asks(sara, sara, '/send', which);
    sara.send(sara, manyNumbers(0, 330));
    const more = sara.send(sara, manyNumbers(330, 400));
    const asked = await talk.hears(sara, /are added|هم اضافه شد/u, more.message_id);
    expect(plain(asked)).toContain(what);
    expect(plain(await talk.asks(sara, sara, 'Hi', has('✅')))).toContain(all);
  });

  test('is told apart from a text that begins with a number and comes before it was asked for', async () => {
    const sara = await linked();
    sara.send(sara, '/send 09121234567');
    const text = sara.send(sara, '09350000000 is my new number');
    const card = await talk.hears(sara, has('✅'), text.message_id);
    expect(plain(card)).toContain('\n09350000000 is my new number\n');
    expect(plain(card)).toContain('1 number → 1 to send');
  });
});

describe.concurrent('a text that an app has sent in two', () => {
  test.each([
    ['en', 'That is 4,?096 characters', 'What should the message say?'],
    ['fa', 'این ۴٬۰۹۶ کاراکتر است', 'متن پیام چه باشد؟'],
  ])('is refused as one, and the question stays, in %s', async (lang, refused, asks) => {
    const sara = await linked(lang);
    const long = 'A very long text. '.repeat(300);
    await talk.asks(sara, sara, '/send 09121234567', asks);
    for (const line of ['', '/send 09121234567 ']) {
      sara.send(sara, `${line}${long}`.slice(0, 4096));
      const rest = sara.send(sara, `${line}${long}`.slice(4096));
      const told = await talk.hears(sara, asks, rest.message_id);
      if (line === '') expect(plain(told)).toMatch(new RegExp(refused, 'u'));
      await on.calm(sara.id);
      expect(world.driver.messages(sara).at(-1)?.message_id).toBe(told.message_id);
    }
    // What is sent in answer to the refusal is an answer.
    expect(plain(await talk.asks(sara, sara, 'Hello', has('✅')))).toContain('\nHello\n');
  });
});

describe.concurrent('a forwarded text', () => {
  test('becomes an SMS by one press and a number, whole, with whatever number it begins', async () => {
    const sara = await linked();
    const text = '09350000000 is my new number, @PeykSandboxBot knows it.\nAli';
    const told = await talk.hears(sara, 'This was forwarded', forwarded(sara, text).message_id);
    expect(rows(told)[0]).toEqual(['✉️ Make it an SMS']);
    await nothingMade(sara);
    await talk.presses(sara, told, '✉️');
    await talk.hears(sara, 'To which numbers?', told.message_id);
    const card = await talk.asks(sara, sara, '۰۹۱۲۱۲۳۴۵۶۷', has('✅'));
    expect(plain(card)).toContain(text);
    expect(plain(card)).toContain('1 number → 1 to send');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, 'accepted');
  });

  test.each(['/send 09121234567 Hello', 'send 09121234567 Hello', '/connect', '/ stop', '#A1'])(
    'is no command, whatever it looks like: %s',
    async (text) => {
      const sara = await linked();
      const told = await talk.hears(sara, 'This was forwarded', forwarded(sara, text).message_id);
      expect(rows(told)[0]).toEqual(['✉️ Make it an SMS']);
      await nothingMade(sara);
      if (text === '#A1') return;
      await talk.presses(sara, told, '✉️');
      await talk.hears(sara, 'To which numbers?', told.message_id);
      expect(plain(await talk.asks(sara, sara, '09351112233', has('✅')))).toContain(text);
    },
  );

  test('is the answer to what is asked, and leaves no question as a command would', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send 09121234567', 'What should the message say?');
    const card = await talk.hears(sara, has('✅'), forwarded(sara, '/cancel your order here').message_id);
    expect(plain(card)).toContain('/cancel your order here');
  });

  test('that is too long or from nobody with an account is told so, in Persian too', async () => {
    const sara = await linked('fa');
    const long = 'س'.repeat(2000);
    const told = await talk.hears(sara, 'این پیام فوروارد شده', forwarded(sara, long).message_id);
    await talk.presses(sara, told, '✉️');
    const question = await talk.hears(sara, 'به کدام', told.message_id);
    const answer = await talk.asks(sara, sara, '09121234567', 'بیش از ۹۰۰');
    expect(answer.message_id).toBeGreaterThan(question.message_id);
    await nothingMade(sara);

    const nobody = someone('Nobody', 'fa');
    nobody.start();
    const link = await talk.hears(nobody, 'من با دستورها کار می‌کنم', forwarded(nobody, 'سلام').message_id);
    expect(rows(link).flat()).toContain('🔗 وصل‌کردن حساب');
  });

  test('in a group is talk, whatever stands in it', async () => {
    const olga = someone('Olga');
    const group = world.driver.group({ creator: olga, members: [], bot: 'administrator' });
    await talk.connects(olga, { apiKey: talk.account().apiKey }, { chat: group });
    const elsewhere = world.driver.group({ creator: olga, members: [], bot: 'left', type: 'supergroup' });
    const since = (await talk.settled(olga, group)).length;
    for (const text of ['/send@PeykSandboxBot 09121234567 Hi', '/send 09121234567 Hi', '@PeykSandboxBot ok'])
      olga.forward(olga.send(elsewhere, text), group);
    const heard = (await talk.settled(olga, group)).filter((each) => !plain(each).includes(`id ${olga.id}`));
    expect(heard.slice(since).map(plain)).toEqual([]);
  });
});

describe.concurrent('an answer to a message with a command', () => {
  test('sends what that message says, as it stands, and what was quoted of it', async () => {
    const [olga, ali] = [someone('Olga'), someone('Ali')];
    const group = world.driver.group({ creator: olga, members: [ali] });
    await talk.connects(olga, { apiKey: talk.account().apiKey }, { chat: group });
    const said = ali.send(group, 'The shop is closed\ntomorrow. Ask for 09350000000.');
    const card = await talk.asks(olga, group, '/send 09121234567', has('✅'), { replyTo: said });
    expect(plain(card)).toContain('The shop is closed\ntomorrow. Ask for 09350000000.');
    expect(plain(card)).toContain('1 number → 1 to send');
    const other = await talk.asks(olga, group, '/send 09121234567 Only this', has('✅'), { replyTo: said });
    expect(plain(other)).toContain('Only this');

    await talk.asks(olga, group, '/send', 'To which numbers?', { replyTo: said });
    const state = given(world.playground.emulator.world.chats.get(String(group)));
    const question = given(world.driver.messages(group).findLast(isFromBot));
    const third = await talk.asks(olga, group, '09121234567', '#A3', { replyTo: question });
    expect(plain(third)).toContain('The shop is closed');

    const quoting = post(world.playground.emulator, state, {
      from: olga.user,
      replyTo: said.message_id,
      content: {
        text: '/send 09121234567',
        entities: [{ type: 'bot_command', offset: 0, length: 5 }],
        quote: { text: 'Ask for 09350000000.', position: 30, is_manual: true },
      },
    });
    const quoted = await talk.hears(group, has('✅'), quoting.wire.message_id);
    expect(plain(quoted)).toContain('Ask for 09350000000.');
    expect(plain(quoted)).not.toContain('The shop is closed');
  });

  test('of the bot’s own is asked for its text, and an edit of it keeps to what it answers', async () => {
    const sara = await linked();
    const hello = await talk.asks(sara, sara, '/whoami', 'id');
    await talk.asks(sara, sara, '/send 09121234567', 'What should the message say?', { replyTo: hello });
    await talk.asks(sara, sara, '/cancel', 'Question cancelled');
    const note = sara.send(sara, 'We open at nine.');
    const command = sara.send(sara, '/send 09121234567', { replyTo: note });
    const card = await talk.hears(sara, has('✅'), command.message_id);
    sara.edit(command, '/send 09121234567, 09351112233');
    const again = await talk.hears(sara, '2 numbers', card.message_id - 1);
    expect(plain(again)).toContain('We open at nine.');
    expect(plain(again)).toContain('#A1');
  });
});

describe.concurrent('the same once more', () => {
  test.each([
    ['en', 'send it again', 'Do you mean #A1, «Hello, you»?', '✉️ The same again'],
    ['en', 'same as yesterday', 'Do you mean #A1', '✉️ The same again'],
    ['fa', 'دوباره همون رو بفرست', 'منظورتان #A1 است، «Hello, you»؟', '✉️ همان دوباره'],
    ['fa', 'دوباره همون', 'منظورتان #A1 است', '✉️ همان دوباره'],
  ])(
    'is offered for the newest send, and is shown before it leaves: %s %s',
    async (lang, words, says, label) => {
      const sara = await linked(lang);
      const card = await talk.asks(sara, sara, '/send 09121234567, 09351112233 Hello, you', has('✅'));
      await talk.presses(sara, card, '✅');
      await talk.turns(card, '🏁');
      const told = await talk.asks(sara, sara, words, says);
      expect(rows(told)).toEqual([[label]]);
      await talk.presses(sara, told, label);
      const again = await talk.hears(sara, '#A2', told.message_id);
      expect(plain(again)).toContain('\nHello, you\n');
      expect(plain(again)).toContain('09351112233');
    },
  );

  test('shows the card of a draft that is still open', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', has('✅'));
    const said = sara.send(sara, 'again please');
    await talk.hears(sara, has('✅'), said.message_id);
    expect(card.message_id).toBeLessThan(said.message_id);
  });
});

describe.concurrent('a number behind a name or a comma', () => {
  test.each([
    ['en', '09121234567 Mary, 09351112233 Ali', '⚠️ 09351112233 stands in the text and gets no message'],
    ['en', '09121234567 Hello, 09351112233', '⚠️ 09351112233 stands in the text'],
    ['fa', '۰۹۱۲۱۲۳۴۵۶۷ مریم، ۰۹۳۵۱۱۱۲۲۳۳ علی', '⚠️ ۰۹۳۵۱۱۱۲۲۳۳ داخل متن است و پیامکی نمی‌گیرد'],
  ])('that has come into the text is pointed at before it is sent: %s %s', async (lang, line, warning) => {
    const sara = await linked(lang);
    expect(plain(await talk.asks(sara, sara, `/send ${line}`, has('✅')))).toContain(warning);
  });

  test('is none where a text says whom to call', async () => {
    const sara = await linked('fa');
    const texts = [
      'با ۰۹۳۵۱۱۱۲۲۳۳ تماس بگیرید',
      'سفارش شما رسید از تهران، ۰۹۳۵۱۱۱۲۲۳۳',
      'Call us at 09351112233',
      'It is here from Tehran, 09351112233',
      // Of whoever gets it, nothing is to be said.
      'Mary 09121234567',
    ];
    for (const text of texts) {
      const card = await talk.asks(sara, sara, `/send 09121234567 ${text}`, has('✅'));
      expect(plain(card)).not.toContain('⚠️');
    }
  });
});

describe.concurrent('a number that was cut short', () => {
  test.each([
    [
      'en',
      '⚠️ The text begins with 0935111. If that was meant as a recipient: too few digits',
      '1 number → 1 to send',
      '2 numbers → 2 to send',
    ],
    ['fa', '⚠️ متن با 0935111 شروع می‌شود. اگر گیرنده است، رقم‌هایش کم است', '۱ شماره', '۲ شماره'],
  ])(
    'between a number and the text is pointed at, and mended in the message: %s',
    async (lang, warning, one, both) => {
      const sara = await linked(lang);
      const card = await talk.asks(sara, sara, '/send 09121234567 0935111 Hello', has('✅'));
      expect(plain(card)).toContain(warning);
      expect(plain(card)).toContain(one);
      const command = given(world.driver.messages(sara).findLast((m) => m.text?.startsWith('/send')));
      sara.edit(command, '/send 09121234567 09351112233 Hello');
      const mended = await talk.hears(sara, both, card.message_id);
      expect(plain(mended)).toContain('\nHello\n');
      expect(plain(mended)).not.toContain('⚠️');
    },
  );
});

describe.concurrent('words about a send', () => {
  test.each([
    ['en', 'did it go?', '/schedule tomorrow 9 09121234567 Hello'],
    ['fa', 'رفت؟', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['en', 'When does it leave?', '/schedule tomorrow 9 09121234567 Hello'],
    ['fa', 'کی ارسال می‌شود؟', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['en', 'Who didn’t get it?', '/schedule tomorrow 9 09121234567 Hello'],
    ['fa', 'به کیا نرسید؟', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['en', 'Change the text', '/schedule tomorrow 9 09121234567 Hello'],
    ['en', 'please edit it', '/schedule tomorrow 9 09121234567 Hello'],
    ['en', 'move it to tomorrow 10:00', '/schedule tomorrow 9 09121234567 Hello'],
    ['en', 'can you change the time?', '/schedule tomorrow 9 09121234567 Hello'],
    ['en', '/pause', '/schedule tomorrow 9 09121234567 Hello'],
    ['fa', 'متنشو عوض کن', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['fa', 'لطفا زمانش رو تغییر بده', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['fa', 'ببرش ساعت ۱۰', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
    ['fa', 'مکث', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام'],
  ])('that ask how it went, or for another, bring its card to the end: %s', async (lang, words, line) => {
    const sara = await linked(lang);
    const card = await talk.asks(sara, sara, line, '#A1');
    if (!words.startsWith('/')) await talk.asks(sara, sara, words, has('✅'), { replyTo: card });
    await talk.presses(sara, card, '✅');
    await talk.turns(card, has('🗑'));
    await talk.asks(sara, sara, '/credit', /rial|ریال/u);
    const told = await talk.asks(sara, sara, words, has('🗑'));
    expect(told.message_id).toBeGreaterThan(card.message_id);
  });

  test.each([
    ['en', 'cancel A1'],
    ['en', 'change #a1 please'],
    ['fa', 'A۱ رو لغو کن'],
    ['fa', 'متن A۱ رو عوض کن'],
  ])('that name a card are about no other: in %s %s', async (lang, words) => {
    const sara = await linked(lang);
    const card = await talk.asks(sara, sara, '/schedule tomorrow 9 09121234567 Hello', has('✅'));
    await talk.presses(sara, card, '✅');
    await talk.turns(card, has('🗑'));
    const other = await talk.asks(sara, sara, '/send 09351112233 Another', has('✅'));
    await talk.asks(sara, sara, words, (m) => plain(m).includes('A1') && has('🗑')(m));
    const { messages } = world.driver;
    expect(rows(given(messages(sara).find((m) => m.message_id === other.message_id)))).not.toEqual([]);
  });

  test('show nobody a card without a role', async () => {
    const [owner, outsider] = [someone('Olga'), someone('Sam')];
    const group = world.driver.group({ creator: owner, members: [outsider], bot: 'administrator' });
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    const card = await talk.asks(owner, group, '/send 09121234567 Private words', '#A1');
    outsider.send(group, '@PeykSandboxBot cancel A1');
    const after = (await talk.settled(outsider, group)).filter((m) => m.message_id > card.message_id);
    expect(after.map(plain).join('\n')).not.toContain('Private words');
  });

  test.each([
    ['en', '/schedule tomorrow 9 09121234567 Hello', 'The meeting is off', 'Should this be the text of #A2?'],
    ['fa', '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام', 'جلسه لغو شد', 'متن #A2 شود؟'],
  ])('that is being changed are offered as its text: %s', async (lang, line, words, offer) => {
    const sara = await linked(lang);
    const card = await talk.asks(sara, sara, line, '#A1');
    await talk.presses(sara, card, '✅');
    await talk.presses(sara, await talk.turns(card, has('🗑')), '✏️');
    const change = await talk.hears(sara, has('✅'), card.message_id);
    const offered = await talk.asks(sara, sara, words, offer);
    expect(offered.message_id).toBeGreaterThan(change.message_id);
    await talk.presses(sara, offered, '✏️');
    await talk.hears(sara, `\n${words}\n`, offered.message_id);
  });
});

describe.concurrent('numbers with a word between them', () => {
  test.each([
    ['en', '/send 09121234567 and 09351112233 Hello', '2 numbers → 2 to send'],
    ['fa', '/send ۰۹۱۲۱۲۳۴۵۶۷ و ۰۹۳۵۱۱۱۲۲۳۳ Hello', '۲ شماره ← ۲ ارسال می‌شود'],
    ['fa', '/send ۰۹۱۲۱۲۳۴۵۶۷و۰۹۳۵۱۱۱۲۲۳۳ Hello', '۲ شماره ← ۲ ارسال می‌شود'],
  ])('are all written to: %s', async (lang, words, counted) => {
    const sara = await linked(lang);
    const card = await talk.asks(sara, sara, words, has('✅'));
    expect(plain(card)).toContain(counted);
    expect(plain(card)).toContain('\nHello\n');
  });
});

describe.concurrent('two commands in one message', () => {
  test.each([
    ['en', 'reads as a command: /send 09351112233 Bye'],
    ['fa', 'شبیه دستور است: /send 09351112233 Bye'],
  ])('are one draft, whose card says what the second became: %s', async (lang, said) => {
    const sara = await linked(lang);
    const both = '/send 09121234567 Hello\n/send 09351112233 Bye';
    const card = await talk.asks(sara, sara, both, has('✅'));
    expect(plain(card)).toContain(said);
  });
});

describe.concurrent('a message that is edited', () => {
  test.each([
    [
      'en',
      'To which numbers?',
      'What should the message say?',
      'Should this be the text of #A1?',
      '✏️ Use it',
      'use the buttons on the card of #A1',
    ],
    ['fa', 'به کدام شماره', 'متن پیام', 'متن #A1 شود؟', '✏️ استفاده', 'از دکمه‌های کارتش'],
  ])(
    'and was an answer is followed, by question and card: %s',
    async (lang, to, what, offer, use, byButtons) => {
      const sara = await linked(lang);
      await talk.asks(sara, sara, '/send', to);
      const number = sara.send(sara, '0912123456');
      const refused = await talk.hears(sara, '0912123456', number.message_id);
      sara.edit(number, '09121234567');
      const asked = await talk.hears(sara, what, refused.message_id);
      sara.edit(number, '09351112233');
      await talk.hears(sara, what, asked.message_id);
      const text = sara.send(sara, 'Helo');
      const card = await talk.hears(sara, has('✅'), text.message_id);
      expect(plain(card)).toContain('09351112233');
      sara.edit(text, 'Hello');
      const offered = await talk.hears(sara, offer, card.message_id);
      expect(offered.reply_to_message?.message_id).toBe(text.message_id);
      await talk.presses(sara, offered, use);
      const again = await talk.hears(sara, has('✅'), offered.message_id);
      expect(plain(again)).toContain('\nHello\n');
      sara.edit(text, '09351112233');
      await talk.hears(sara, byButtons, again.message_id);
    },
  );

  test.each([
    ['en', '✏️ Text', 'What should the message say?', 'Should this be the text of #A1?', '✏️ Use it'],
    ['fa', '✏️ متن', 'متن پیام چه باشد', 'متن #A1 شود؟', '✏️ استفاده'],
  ])(
    'and was the new text that the card had asked for is offered as the text once more: %s',
    async (lang, button, what, offer, use) => {
      const sara = await linked(lang);
      const command = sara.send(sara, '/send 09121234567 Helo');
      const card = await talk.hears(sara, has('✅'), command.message_id);
      await talk.presses(sara, card, button);
      const asked = await talk.hears(sara, what, card.message_id);
      const text = sara.send(sara, 'Helo again');
      const second = await talk.hears(sara, '\nHelo again\n', asked.message_id);
      sara.edit(text, 'Hello again');
      const offered = await talk.hears(sara, offer, second.message_id);
      expect(offered.reply_to_message?.message_id).toBe(text.message_id);
      await talk.presses(sara, offered, use);
      const third = await talk.hears(sara, '\nHello again\n', offered.message_id);
      // So is what was said below the card and taken from there.
      const below = sara.send(sara, 'Hello al', { replyTo: third });
      const asText = await talk.hears(sara, offer, below.message_id);
      await talk.presses(sara, asText, use);
      const fourth = await talk.hears(sara, '\nHello al\n', asText.message_id);
      sara.edit(below, 'Hello all');
      const once = await talk.hears(sara, offer, fourth.message_id);
      expect(once.reply_to_message?.message_id).toBe(below.message_id);
      // The command that began it is followed as before.
      sara.edit(command, '/send 09351112233 Bye');
      const last = await talk.hears(sara, '\nBye\n', once.message_id);
      expect(plain(last)).toContain('#A1');
      await talk.presses(sara, last, '✅');
      await talk.turns(last, /accepted|پذیرفته/u);
      sara.edit(below, 'Hello once more');
      await talk.hears(sara, /no longer followed|دیگر اثری ندارد/u, last.message_id);
    },
  );

  test.each([
    ['en', 'Nothing was changed'],
    ['fa', 'چیزی تغییر نکرد'],
  ])('and changes nothing any more is told so in private: %s', async (lang, told) => {
    const sara = await linked(lang);
    const number = sara.send(sara, '/send 09121234567');
    await talk.hears(sara, has('✖'), number.message_id);
    await talk.asks(sara, sara, 'Hello', has('✅'));
    sara.edit(number, '/send 09351112233');
    const said = await talk.hears(sara, told, number.message_id);
    expect(said.reply_to_message?.message_id).toBe(number.message_id);
  });

  test('and was the command a question came of begins the draft once nothing is missing', async () => {
    const sara = await linked();
    const command = sara.send(sara, '/send 0912123456');
    const refused = await talk.hears(sara, '0912123456', command.message_id);
    sara.edit(command, '/send 09121234567 Hello');
    const card = await talk.hears(sara, has('✅'), refused.message_id);
    expect(plain(card)).toContain('\nHello\n');
    sara.edit(command, '/send 09121234567 Hello again');
    const again = await talk.hears(sara, '\nHello again\n', card.message_id);
    expect(plain(again)).toContain('#A1');
  });
});

describe.concurrent('a shared contact', () => {
  const VCARD = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Reza Ahmadi',
    'TEL;TYPE=CELL:+98 912 123 4567',
    'item1.TEL:۰۹۳۵۱۱۱۲۲۳۳',
    'TEL;TYPE=HOME:021 8888 7777',
    'END:VCARD',
  ].join('\n');
  const REZA = { phone_number: '989121234567', first_name: 'Reza', last_name: 'Ahmadi', vcard: VCARD };

  test('is offered as a recipient, by each of its mobile numbers, and what is none is told', async () => {
    const sara = await linked();
    const told = await talk.hears(
      sara,
      'Send an SMS to Reza Ahmadi?',
      sara.shareContact(sara, REZA).message_id,
    );
    expect(plain(told)).toContain('No mobile number: 021 8888 7777');
    expect(rows(told).slice(0, 6)).toEqual([
      ['✉️ SMS to 09121234567'],
      ['🔎 Messages with 09121234567'],
      ['👥 Keep 09121234567 among the people'],
      ['✉️ SMS to 09351112233'],
      ['🔎 Messages with 09351112233'],
      ['👥 Keep 09351112233 among the people'],
    ]);
    await nothingMade(sara);
    await talk.presses(sara, told, '✉️ SMS to 0935');
    await talk.hears(sara, 'What should the message say?', told.message_id);
    const card = await talk.asks(sara, sara, 'Hello Reza', has('✅'));
    expect(plain(card)).toContain('1 number → 1 to send\n09351112233');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, 'accepted');
  });

  test('answers the question for the numbers; of several one is chosen, and what is no mobile is told', async () => {
    const sara = await linked('fa');
    await talk.asks(sara, sara, '/send', 'به کدام شماره‌ها');
    const office = sara.shareContact(sara, { phone_number: '+982188887777', first_name: 'دفتر' });
    const again = await talk.hears(sara, '+982188887777', office.message_id);
    expect(plain(again)).toContain('به کدام شماره‌ها');
    const which = await talk.hears(sara, 'کدام؟', sara.shareContact(sara, REZA).message_id);
    expect(rows(which)).toEqual([['09121234567'], ['09351112233'], ['✖ انصراف']]);
    await talk.presses(sara, which, '0912');
    await talk.hears(sara, 'متن پیام چه باشد؟', which.message_id);
    expect(plain(await talk.asks(sara, sara, 'سلام رضا', has('✅')))).toContain('09121234567');

    const none = sara.shareContact(sara, { phone_number: '021', first_name: 'دفتر' });
    const told = await talk.hears(sara, 'شمارهٔ موبایلی نیست', none.message_id);
    expect(rows(told)).toHaveLength(1);
  });

  test.each([
    ['en', 'To which numbers?', 'is added', 'What should the message say?', '2 numbers → 2 to send'],
    ['fa', 'به کدام شماره‌ها', 'هم اضافه شد', 'متن پیام چه باشد؟', '۲ شماره ← ۲ ارسال می‌شود'],
  ])('goes with another that was sent with it, in %s', async (lang, which, added, what, both) => {
    const sara = await linked(lang);
    await talk.asks(sara, sara, '/send', which);
    sara.shareContact(sara, { phone_number: '+989121234567', first_name: 'Ali' });
    const second = sara.shareContact(sara, { phone_number: '09351112233', first_name: 'Mina' });
    const told = await talk.hears(sara, added, second.message_id);
    expect(plain(told)).toContain(`09351112233 ${added}`);
    expect(plain(told)).toContain(what);
    // One that comes after the question is no answer to it.
    const late = sara.shareContact(sara, { phone_number: '09361112233', first_name: 'Late' });
    await talk.hears(sara, what, late.message_id);
    const card = await talk.asks(sara, sara, 'سلام', has('✅'));
    expect(plain(card)).toContain(`${both}\n09121234567 09351112233`);
  });

  test('in a group answers the question, is taken beside it by a press, and is talk elsewhere', async () => {
    const [olga, ali] = [someone('Olga'), someone('Ali')];
    const group = world.driver.group({ creator: olga, members: [ali], bot: 'administrator' });
    await talk.connects(olga, { apiKey: talk.account().apiKey }, { chat: group });
    const mina = { phone_number: '+989351112233', first_name: 'Mina' };
    ali.shareContact(group, mina);
    const asked = await talk.asks(olga, group, '/send', 'To which numbers?');
    expect(world.driver.messages(group).filter((m) => plain(m).includes('Mina'))).toEqual([]);
    const aside = await talk.hears(
      group,
      'Is this the answer to my question?',
      olga.shareContact(group, REZA).message_id,
    );
    await talk.presses(olga, aside, '✅');
    const which = await talk.hears(group, 'Which one?', aside.message_id);
    expect(rows(which)[0]).toEqual(['0912•••4567']);
    await talk.presses(olga, which, '0912');
    await talk.hears(group, 'What should the message say?', which.message_id);
    await talk.asks(olga, group, '/cancel', 'cancelled');
    expect(asked.message_id).toBeLessThan(which.message_id);

    const next = await talk.asks(olga, group, '/send', 'To which numbers?');
    const text = await talk.hears(
      group,
      'What should the message say?',
      olga.shareContact(group, mina, { replyTo: next }).message_id,
    );
    const card = await talk.asks(olga, group, 'Hello', has('✅'), { replyTo: text });
    expect(plain(card)).toContain('0935•••2233');
  });
});

describe.concurrent('contacts that are shared at once', () => {
  test.each([
    ['en', '✉️ SMS to all 2', 'What should the message say?'],
    ['fa', '✉️ پیامک به هر ۲ شماره', 'متن پیام چه باشد؟'],
  ])('get one answer, with all of them, in %s', async (lang, label, asks) => {
    const sara = await linked(lang);
    const ali = sara.shareContact(sara, { phone_number: '+989121234567', first_name: 'Ali' });
    sara.shareContact(sara, { phone_number: '+989351112233', first_name: 'Mina' });
    const told = await talk.hears(sara, 'Ali, Mina', ali.message_id);
    expect(rows(told).map(([first = '']) => first.slice(0, 4))).toEqual([
      label.slice(0, 4),
      expect.stringContaining('👥'),
      expect.stringContaining('👥'),
      expect.stringContaining('❓'),
    ]);
    await talk.settled(sara, sara);
    const answers = world.driver.messages(sara).filter((m) => isFromBot(m) && m.message_id > ali.message_id);
    expect(answers.filter((m) => plain(m).includes('Ali'))).toHaveLength(1);
    await talk.presses(sara, told, label);
    await talk.hears(sara, asks, told.message_id);
    const card = plain(await talk.asks(sara, sara, 'Hello', has('✅')));
    for (const number of ['09121234567', '09351112233']) expect(card).toContain(number);
  });
});

describe.concurrent('an address book', () => {
  const BOOK = [['رضا', '0912 123 4567'], ['Mina', '+98-935-111-2233', '021 8888 7777'], ['Office']]
    .flatMap(([name, ...numbers]) => [
      'BEGIN:VCARD',
      `FN:${name}`,
      ...numbers.map((number) => `TEL:${number}`),
      'END:VCARD',
    ])
    .join('\r\n');

  test.each(['en', 'fa'] as const)(
    'is a file whose numbers get a text with their names: %s',
    async (lang) => {
      const sara = await linked(lang);
      const file = sara.upload(sara, 'contacts.vcf', Buffer.from(BOOK), 'Hello {name}!');
      const asked = await talk.hears(sara, 'contacts.vcf', file.message_id);
      await talk.presses(sara, asked, '✉️');
      const card = await talk.hears(sara, has('▶'), asked.message_id);
      await talk.presses(sara, card, '▶');
      const review = await talk.turns(card, has('✅'));
      expect(plain(review)).toContain('Hello رضا!');
      await talk.presses(sara, review, '👀');
      const more = await talk.hears(sara, has('🚫'), card.message_id - 1);
      await talk.presses(sara, more, '🚫');
      const skipped = plain(await talk.hears(sara, '021 8888 7777', card.message_id));
      expect(skipped).toContain('021 8888 7777 Mina');
      expect(skipped).toContain('Office');
      await talk.presses(sara, more, lang === 'en' ? '⬅' : '➡');
      await talk.turns(card, has('✅'));
      await talk.presses(sara, review, '✅');
      await talk.turns(review, lang === 'en' ? 'accepted' : 'پذیرفت');
    },
  );
});

describe.concurrent('an old button', () => {
  test.each([
    ['en', '✖ Cancel', /^You pressed this already, at \d/u, '✅ Send', 'Use the newest buttons of the card'],
    ['fa', '✖ انصراف', /^خودتان ساعت \S+ آن را زده‌اید/u, '✅ ارسال', 'دکمه‌های جدید کارت را بزنید'],
  ])('says what was done with it, and what to press, in %s', async (lang, cancel, own, send, newest) => {
    const sara = await linked(lang);
    const twice = await talk.asks(sara, sara, '/send 9121234567 pressed twice', has('✅'));
    const taps = [sara.tap(twice, cancel), sara.tap(twice, cancel)];
    const [first, second] = await Promise.all(
      taps.map(async (tap) => (await world.driver.waitForAnswer(tap, PATIENCE)).text ?? ''),
    );
    expect(first).toBe('');
    expect(second).toMatch(own);

    const over = await talk.asks(sara, sara, '/send 9121234567 lapsed', has('✅'));
    const { sql } = world.database;
    await sql`update button b set expires_at = now() from chat c where c.id = b.chat_id and c.telegram_id = ${sara.id}`;
    expect(await talk.presses(sara, over, send)).toContain(newest);
  });
});
