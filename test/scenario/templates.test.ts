import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { has, plain, rows, styleOf } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Texts that a chat keeps: listed, kept, replaced, deleted, and taken for a message. */

const { world, talk } = useWorld({}, { deliverySeconds: 0.2 });

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(language = 'en'): Promise<{ sara: Person; username: string }> {
  const sara = someone('Sara', language);
  const { username, password } = talk.account();
  await talk.connects(sara, { username, password });
  return { sara, username };
}

/** A group with a linked account, its owner, an operator and a viewer. */
async function staffed() {
  const [owner, omid, vida] = [someone('Olga'), someone('Omid'), someone('Vida')];
  const group = world.driver.group({ creator: owner, members: [omid, vida], bot: 'administrator' });
  const { apiKey, username } = talk.account();
  await talk.connects(owner, { apiKey }, { chat: group });
  await talk.gives('operator', omid, group);
  await talk.gives('viewer', vida, group);
  return { owner, omid, vida, group, username };
}

const kept = async (chat: number) =>
  await world.database.sql<{ name: string; text: string; created_by: number }[]>`
    select t.name, t.text, t.created_by from template t join chat c on c.id = t.chat_id
    where c.telegram_id = ${chat} order by t.name`;
const texts = async (chat: number) => (await kept(chat)).map(({ name, text }) => [name, text]);
const audited = async (chat: number) =>
  (
    await world.database.sql<{ action: string; details: { name: string }; person_id: number }[]>`
      select a.action, a.details, a.person_id from audit a join chat c on c.id = a.chat_id
      where c.telegram_id = ${chat} and a.action like 'template%' order by a.id`
  ).map(({ action, details, person_id: by }) => [action, details.name, by]);

const ASK_NUMBERS = 'To which numbers?';

describe.concurrent('a text that is the name of a template', () => {
  test.each([
    ['en', 'WELCOME', 'There is a template #welcome', '📄 Use #welcome'],
    ['fa', 'خوش_آمد', 'متن آماده‌ای به نام #خوش_آمد هست', '📄 متن آمادهٔ #خوش_آمد'],
  ])('goes as it is, unless its button is pressed, in %s', async (lang, typed, says, use) => {
    const sara = someone('Sara', lang);
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    await talk.asks(sara, sara, `/template ${typed.toLowerCase()} Hello there`, '📄');
    const card = await talk.asks(sara, sara, `/send 09121234567 ${typed}`, says);
    expect(plain(card)).toContain(`\n${typed}\n`);
    expect(styleOf(card)).toBe(undefined);
    await talk.presses(sara, card, use);
    const now = await talk.turns(card, '\nHello there\n');
    expect(plain(now)).not.toContain(says);
    await talk.asks(sara, sara, '/send 09121234567 Welcome back', (m) => !plain(m).includes(says));
  });
});

describe.concurrent('a text is kept', () => {
  test('in one line, and shown with its size and who kept it', async () => {
    const { owner, omid, group } = await staffed();
    const card = await talk.asks(omid, group, '/template Welcome Hello & <b>welcome</b>\nto Nik', 'Saved as');
    expect(plain(card).split('\n').slice(0, -1)).toEqual([
      '✅ Saved as #Welcome',
      '📄 #Welcome',
      'Hello & <b>welcome</b>',
      'to Nik',
      '29 characters · 1 part',
    ]);
    expect(plain(card)).toMatch(/\nSaved by Omid, \d+ \w+ \d{4}$/);
    expect(rows(card)).toEqual([['✉️ Use', '🗑 Delete'], ['▫️ Offer for answers']]);
    expect(await texts(group)).toEqual([['Welcome', 'Hello & <b>welcome</b>\nto Nik']]);
    const shown = await talk.asks(owner, group, '/template #wELCOME', '📄 #Welcome');
    expect(plain(shown)).not.toContain('Saved as');
    expect(await audited(group)).toEqual([['template_saved', 'Welcome', omid.id]]);
    await talk.asks(owner, group, '/audit', 'Omid: saved the template «Welcome»');
  });

  test('by questions, with the names that are there as answers', async () => {
    const { sara } = await linked();
    await talk.asks(sara, sara, '/template offer 20% off', 'Saved as #offer');
    const which = await talk.asks(sara, sara, '/template', 'Which template?');
    expect(rows(which)).toEqual([['#offer'], ['✖ Cancel']]);
    const again = await talk.asks(sara, sara, 'two words', 'cannot be the name of a template');
    const ask = await talk.asks(sara, sara, 'news', 'There is no template #news yet');
    expect(again.message_id).toBeLessThan(ask.message_id);
    const long = await talk.asks(sara, sara, 'x'.repeat(901), 'That is 901 characters');
    expect(plain(long)).toContain('at most 900');
    await talk.asks(sara, sara, '#offer', 'cannot be just the name of another');
    const card = await talk.asks(sara, sara, 'Dear {name}, order {order} left. {name}!', 'Saved as #news');
    expect(plain(card)).toContain('Fields, filled by /bulk row by row: {name} {order}\n');
    expect(await texts(sara.id)).toEqual([
      ['news', 'Dear {name}, order {order} left. {name}!'],
      ['offer', '20% off'],
    ]);
    await talk.asks(sara, sara, '/template', 'Which template?');
    const asked = await talk.asks(sara, sara, '/template', 'Which template?');
    await talk.presses(sara, asked, '#offer');
    await talk.hears(sara, '📄 #offer', asked.message_id);
  });

  test('in the place of another only when that is wanted, and only of the one that was seen', async () => {
    const { owner, omid, group } = await staffed();
    await talk.asks(omid, group, '/template offer one', 'Saved as #offer');
    await talk.asks(omid, group, '/template OFFER one', 'already has this text');
    const first = await talk.asks(omid, group, '/template OFFER two', 'already exists');
    expect(plain(first)).toBe('#offer already exists. It says:\none\nReplace it with your text?');
    expect(await talk.presses(owner, first, '♻️ Replace')).toContain('Only the person who asked');
    const second = await talk.asks(omid, group, '/template offer three', 'already exists');
    await talk.presses(omid, second, '♻️ Replace');
    await talk.hears(group, '#offer is replaced', second.message_id);
    expect(await texts(group)).toEqual([['offer', 'three']]);

    // The first question still says "one": what is there now is shown, and asked about again.
    await talk.presses(omid, first, '♻️ Replace');
    const third = await talk.hears(group, 'It says:\nthree', second.message_id);
    expect(await texts(group)).toEqual([['offer', 'three']]);
    await talk.presses(omid, third, '✖ Keep it');
    await talk.turns(third, 'Nothing was changed.');
    expect(await texts(group)).toEqual([['offer', 'three']]);
    expect(await audited(group)).toEqual([
      ['template_saved', 'offer', omid.id],
      ['template_replaced', 'offer', omid.id],
    ]);
  });

  test('up to two hundred of them in a chat', async () => {
    const { sara } = await linked();
    await world.database.sql`
      insert into template (chat_id, name, text, created_by)
      select id, 'n' || n, 'text', ${sara.id} from chat, generate_series(1, 200) as n where telegram_id = ${sara.id}`;
    const full = await talk.asks(sara, sara, '/template more text', '200 templates here');
    expect(plain(full)).toContain('Nothing was saved');
    expect(await kept(sara.id)).toHaveLength(200);
  });

  test('without an account too, by nobody', async () => {
    const nobody = someone('Nobody');
    await talk.asks(nobody, nobody, '/template welcome Hello', 'No gateway account is linked');
    await talk.asks(nobody, nobody, '/templates', 'No gateway account is linked');
    expect(await kept(nobody.id)).toEqual([]);
  });
});

describe.concurrent('the templates of a chat', () => {
  test('are listed page by page, and none is', async () => {
    const { sara } = await linked();
    const none = await talk.asks(sara, sara, '/templates', 'This chat has no templates yet');
    expect(rows(none)).toEqual([]);
    for (const name of ['g', 'f', 'e', 'd', 'c', 'b', 'a'])
      await talk.asks(sara, sara, `/template ${name} The  text\nof ${name}`, `Saved as #${name}`);
    const list = await talk.asks(sara, sara, '/templates', '7 templates here');
    expect(plain(list).split('\n').slice(0, 3)).toEqual([
      '📄 7 templates here',
      '#a: The text of a',
      '#b: The text of b',
    ]);
    expect(rows(list)).toEqual([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`✉️ #${name}`, '🗑']),
      ['1 / 2', '▶'],
    ]);
    await talk.presses(sara, list, '▶');
    const last = await talk.turns(list, '#g: The text of g');
    expect(rows(last)).toEqual([
      ['✉️ #g', '🗑'],
      ['◀', '2 / 2'],
    ]);
  });

  test('are only its own', async () => {
    const [one, other] = [await linked(), await linked()];
    await talk.asks(one.sara, one.sara, '/template secret mine', 'Saved as #secret');
    await talk.asks(other.sara, other.sara, '/templates', 'This chat has no templates');
    await talk.asks(other.sara, other.sara, '/template secret', 'There is no template #secret yet');
    expect(await kept(other.sara.id)).toEqual([]);
  });

  test('are deleted after a question, once', async () => {
    const { owner, omid, vida, group } = await staffed();
    const card = await talk.asks(omid, group, '/template bye See you', 'Saved as #bye');
    expect(await talk.presses(vida, card, '🗑')).toContain('Your role in this chat does not allow this');
    await talk.presses(omid, card, '🗑');
    const question = await talk.hears(group, 'Delete #bye?', card.message_id);
    expect(plain(question)).toBe('Delete #bye?\nSee you');
    await talk.presses(omid, question, '✖ Keep it');
    await talk.turns(question, 'Nothing was changed.');
    expect(await texts(group)).toEqual([['bye', 'See you']]);

    await talk.presses(owner, card, '🗑');
    const again = await talk.hears(group, 'Delete #bye?', question.message_id);
    expect(await talk.presses(omid, again, '🗑')).toContain('Only the person who asked');
    await talk.presses(owner, again, '🗑');
    await talk.turns(again, '#bye is deleted');
    expect(await kept(group)).toEqual([]);
    expect(await audited(group)).toEqual([
      ['template_saved', 'bye', omid.id],
      ['template_deleted', 'bye', owner.id],
    ]);
    await talk.presses(omid, card, '🗑');
    await talk.hears(group, 'is gone or was replaced', again.message_id);
    const gone = await talk.asks(omid, group, '/templates', 'This chat has no templates');
    await talk.presses(omid, card, '✉️ Use');
    await talk.hears(group, 'is gone or was replaced', gone.message_id);
  });

  test('are not deleted by a question that showed another text', async () => {
    const { sara } = await linked();
    const card = await talk.asks(sara, sara, '/template x one', 'Saved as #x');
    await talk.presses(sara, card, '🗑');
    const question = await talk.hears(sara, 'Delete #x?', card.message_id);
    const taken = await talk.asks(sara, sara, '/template x two', 'already exists');
    await talk.presses(sara, taken, '♻️ Replace');
    await talk.hears(sara, '#x is replaced', taken.message_id);
    await talk.presses(sara, question, '🗑');
    await talk.turns(question, 'is gone or was replaced');
    expect(await texts(sara.id)).toEqual([['x', 'two']]);
  });

  test('are for operators and above', async () => {
    const { vida, group } = await staffed();
    for (const line of ['/templates', '/template', '/template x', '/template x text'])
      await talk.asks(vida, group, line, 'needs the role operator');
    expect(await kept(group)).toEqual([]);
  });

  test('speak Persian with those who do', async () => {
    const { sara } = await linked('fa');
    const card = await talk.asks(sara, sara, '/template خوش‌آمد سلام {نام} عزیز', 'ذخیره شد');
    expect(plain(card)).toContain('فیلدهایی که /bulk ردیف به ردیف پر می‌کند: {نام}');
    // Another keyboard, other letters: the same name.
    await talk.asks(sara, sara, '/template پيك متن', '✅ با نام #پیک ذخیره شد');
    const list = await talk.asks(sara, sara, '/templates', '۲ متن آماده');
    expect(plain(list)).toContain('#خوش‌آمد: سلام {نام} عزیز');
    await talk.asks(sara, sara, '/template #پيک', '📄 #پیک');
  });
});

describe.concurrent('a template is taken for a message', () => {
  test('by its button, which asks for the numbers, and leaves as it is kept', async () => {
    const { sara, username } = await linked();
    const card = await talk.asks(sara, sara, '/template hi Hello from Nik', 'Saved as #hi');
    await talk.presses(sara, card, '✉️ Use');
    await talk.hears(sara, ASK_NUMBERS, card.message_id);
    const draft = await talk.asks(sara, sara, '09121234567, 09351112233', 'Draft #A1');
    expect(plain(draft)).toContain('Hello from Nik');
    await talk.presses(sara, draft, '✅');
    await talk.turns(draft, '2 delivered');
    expect(talk.sends(username).map(({ text, recipients }) => [text, recipients.length])).toEqual([
      ['Hello from Nik', 2],
    ]);
  });

  test('by its name in the place of the text, in a line, a form and the text of a draft', async () => {
    const { sara } = await linked();
    await talk.asks(sara, sara, '/template hi Hello from Nik', 'Saved as #hi');
    const one = await talk.asks(sara, sara, '/send 09121234567 #HI', 'Draft #A1');
    expect(plain(one)).toContain('Hello from Nik');
    expect(plain(one)).not.toContain('#HI');
    await talk.asks(sara, sara, '/send 09121234567', 'What should the message say?');
    const two = await talk.asks(sara, sara, '#hi', 'Draft #A2');
    expect(plain(two)).toContain('Hello from Nik');

    await talk.asks(sara, sara, '/template bye See you', 'Saved as #bye');
    await talk.presses(sara, two, '✏️ Text');
    await talk.hears(sara, 'What should the message say?', two.message_id);
    sara.send(sara, '#bye');
    await talk.turns(two, 'See you');
    const later = await talk.asks(sara, sara, '/future in 2h 09121234567 #bye', '#A3');
    expect(plain(later)).toContain('See you');
  });

  test.each([
    ['en', 'greting', '#greeting', 'There is no template #greting yet'],
    ['fa', 'سلم', '#سلام', 'متن آمادهٔ #سلم هنوز نیست'],
  ])('is offered for a name that is nearly its own, in %s', async (language, typed, near, says) => {
    const { sara } = await linked(language);
    await talk.asks(sara, sara, `/template ${near.slice(1)} Hello`, has('✉️'));
    const asked = await talk.asks(sara, sara, `/template ${typed}`, says);
    expect(rows(asked)[0]).toEqual([near]);
    await talk.presses(sara, asked, near);
    expect(plain(await talk.hears(sara, has('✉️'), asked.message_id))).toContain(`📄 ${near}`);
  });

  test('is not found under another name: the text alone is asked for again, and nothing is drafted', async () => {
    const { sara } = await linked();
    await talk.asks(sara, sara, '/template hi Hello', 'Saved as #hi');
    const none = await talk.asks(
      sara,
      sara,
      '/send 0912x, 09121234567 #hello',
      'There is no template #hello',
    );
    // The question itself says so.
    expect(plain(none)).toContain('What should the message say?');
    const draft = await talk.asks(sara, sara, '#hi', 'Draft #A1');
    expect(plain(draft)).toContain('0912x');
    await talk.presses(sara, draft, '✏️ Text');
    const question = await talk.hears(sara, 'What should the message say?', draft.message_id);
    const wrong = await talk.asks(sara, sara, '#nothing', 'There is no template #nothing');
    expect(plain(wrong)).toContain('What should the message say?');
    expect(wrong.message_id).toBeGreaterThan(question.message_id);
    sara.send(sara, 'no #hi here');
    await talk.turns(draft, 'no #hi here');
    const later = await talk.asks(
      sara,
      sara,
      '/future in 2h 09121234567 #none',
      'There is no template #none',
    );
    expect(plain(later)).toContain('What should the message say?');
    await talk.asks(sara, sara, '#hi', '#A2');
  });

  test('with fields is a warning, because a message for all leaves them as they are', async () => {
    const { sara, username } = await linked();
    const card = await talk.asks(sara, sara, '/template dear Dear {name}, {{hi}}', 'Saved as #dear');
    await talk.presses(sara, card, '✉️ Use');
    await talk.hears(sara, ASK_NUMBERS, card.message_id);
    const draft = await talk.asks(sara, sara, '09121234567', 'Draft #A1');
    expect(plain(draft)).toContain('Dear {name}, {{hi}}');
    // The card itself says so, of a text that was typed as well.
    expect(plain(draft)).toContain('The fields in this message stay as they are: {name}');
    for (const text of ['#dear', 'Dear {name}'])
      await talk.asks(sara, sara, `/send 09121234567 ${text}`, /Draft #A[^]*The fields in this message/u);
    expect(talk.sends(username)).toEqual([]);
  });

  test('to a phonebook, by an account that has one', async () => {
    const sara = someone('Sara');
    const { username, password } = talk.account({
      phonebooks: [{ title: 'VIP', flag: 'vip', numbers: ['9121110001', '9351110002'] }],
    });
    await talk.connects(sara, { username, password });
    await talk.asks(sara, sara, '/template hi Hello', 'Saved as #hi');
    const none = await talk.asks(sara, sara, '/booksend VIP #hey', 'There is no template #hey');
    expect(plain(none)).toContain('What should the message say?');
    const draft = await talk.asks(sara, sara, '#hi', '#A1');
    expect(plain(draft)).toContain('Hello');
    expect(plain(draft)).not.toContain('#hi');
  });

  test('but not where no account is linked any more', async () => {
    const sara = someone('Sara');
    const { apiKey, username } = talk.account();
    await talk.connects(sara, { apiKey });
    const card = await talk.asks(sara, sara, '/template hi Hello', 'Saved as #hi');
    const question = await talk.asks(sara, sara, '/disconnect', /unlink/i);
    await talk.presses(sara, question, '🔌 Unlink');
    const before = talk.hits(username).length;
    await talk.presses(sara, card, '✉️ Use');
    await talk.hears(sara, 'No gateway account is linked to this chat yet', card.message_id);
    expect(talk.hits(username)).toHaveLength(before);
  });

  test('but not with an account whose credentials cannot send', async () => {
    const { sara, username } = await linked();
    const card = await talk.asks(sara, sara, '/template hi Hello', 'Saved as #hi');
    await world.database.sql`
      update binding set kinds = '{}' where chat_id in (select id from chat where telegram_id = ${sara.id})`;
    const before = talk.hits(username).length;
    await talk.presses(sara, card, '✉️ Use');
    await talk.hears(sara, 'The account linked here cannot do this', card.message_id);
    expect(talk.hits(username)).toHaveLength(before);
  });
});
