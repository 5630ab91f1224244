import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stripBidi } from '../../src/i18n/format.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { workbook } from '../../src/tables/testing/files.ts';
import { createTables } from '../../src/tables/tables.ts';
import { inAnyOrder, ordersIn } from '../support/orders.ts';
import { dataOf, given, has, PATIENCE, plain, rows } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* /bulk: a file of recipients on one card, from the upload to the gateway. */

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
  on = ordersIn(world);
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

const mobile = (index: number): string => `0912${String(index).padStart(7, '0')}`;
const csv = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));
const WRITE = /What should the message say\?|متن پیام چه باشد؟/u;

const shown = (message: Message): string[] => plain(message).split('\n');

/** Uploads a file and waits for what its card makes of it. */
async function opens(
  person: Person,
  name: string,
  bytes: Uint8Array,
  says: Parameters<typeof on.talk.hears>[1] = has('▶'),
): Promise<Message> {
  const after = person.upload(person, name, bytes, '/bulk').message_id;
  return await on.talk.hears(person, says, after);
}

/** Answers the question for the text, and waits until the rows are counted. */
async function writes(person: Person, card: Message, text: string): Promise<Message> {
  await on.talk.hears(person, WRITE, card.message_id);
  person.send(person, text);
  return await on.talk.turns(card, has('✅'));
}

/** The card with the buttons that only look. */
async function looks(person: Person, card: Message): Promise<Message> {
  await on.talk.presses(person, card, '👀');
  return await on.talk.turns(card, has('⬅'));
}

/** The card with those that let it leave again. */
async function returns(person: Person, card: Message): Promise<Message> {
  await on.talk.presses(person, card, '⬅');
  return await on.talk.turns(card, has('👀'));
}

/** The card with those that change it. */
async function edits(person: Person, card: Message, button: string): Promise<void> {
  await on.talk.presses(person, card, '✏️ Edit');
  await on.talk.presses(person, await on.talk.turns(card, has(button)), button);
}

/** The card as it is now. */
const present = (card: Message): Message =>
  given(world.driver.messages(card.chat.id).find(({ message_id: id }) => id === card.message_id));

/** From the upload to the rows that would leave. */
async function drafts(person: Person, bytes: Uint8Array, text: string): Promise<Message> {
  const card = await opens(person, 'people.csv', bytes);
  expect(await on.talk.presses(person, card, '▶')).toBe('');
  return await writes(person, card, text);
}

describe.concurrent('the rows of a file', () => {
  test('get a text each, are looked at one by one, and leave a hundred in a call', async () => {
    const { sara, account } = await on.linked();
    const people = Array.from({ length: 450 }, (_, index) => `${mobile(index)},Name${index},${index}`);
    const card = await opens(sara, 'people.csv', csv('mobile,name,order', ...people));
    expect(shown(card)).toEqual([
      '✉️ Draft #A1 · line 3000123456',
      '📄 people.csv · 450 rows',
      '📱 Phone column: «mobile» (found)',
      '🏷 Fields for the text: {mobile} {name} {order}',
      '✅ 450 good numbers',
      'The first rows:',
      '2: 09120000000 | Name0 | 0',
      '3: 09120000001 | Name1 | 1',
      '4: 09120000002 | Name2 | 2',
      'The first row names the columns; it is not a recipient.',
    ]);
    expect(rows(card)).toEqual([
      ['▶ Continue'],
      ['👥 Keep these people'],
      ['📱 Change column', '☝ Row of names'],
      ['✖ Cancel'],
    ]);

    await on.talk.presses(sara, card, '▶');
    const question = await on.talk.hears(sara, WRITE, card.message_id);
    expect(plain(question)).toContain('You can use these fields in it: {mobile} {name} {order}');
    expect(on.calls(account, 'multi')).toEqual([]);
    const ready = await writes(sara, card, 'Hello {name}, order {order}');
    expect(shown(ready)).toEqual([
      '✉️ Draft #A1 · line 3000123456',
      '📄 people.csv · 450 rows',
      '450 rows → 450 to send',
      'Message 1 of 450 · row 2 of the file · 09120000000',
      'Hello Name0, order 0',
      '20 characters · Latin · 1 part',
      '450 parts in all · the price is not known yet',
    ]);
    expect(rows(ready)[0]).toEqual(['✅ Send 450 · 450 parts']);
    await on.talk.presses(sara, await looks(sara, card), '◀');
    const last = await on.talk.turns(card, 'Message 450 of 450 · row 451 of the file');
    expect(plain(last)).toContain('Hello Name449, order 449');
    await on.talk.presses(sara, last, '▶');
    await on.talk.turns(card, 'Message 1 of 450');
    await on.talk.presses(sara, present(card), '🎲');
    await on.talk.hears(sara, 'Some messages of #A1, picked at random', card.message_id);
    await returns(sara, card);

    const done = await on.ships(sara, present(card), '450 accepted');
    expect(shown(done).slice(1, 3)).toEqual(['📄 people.csv', 'Hello {name}, order {order}']);
    await on.settled(sara);
    expect(on.calls(account, 'multi')).toHaveLength(5);
    expect(on.calls(account, 'send')).toEqual([]);
    const sent = on.sent(account);
    expect(sent.map(({ recipients }) => `0${recipients.join()}`).toSorted()).toEqual(
      people.map((_, index) => mobile(index)),
    );
    for (const { recipients, text, line } of sent) {
      const index = Number(recipients.join().slice(3));
      expect([text, line]).toEqual([`Hello Name${index}, order ${index}`, '3000123456']);
    }
    const report = await on.talk.asks(sara, sara, '/report A1', '450 recipients');
    // By the time of the question their first report may be there.
    expect(plain(report)).toMatch(/(?:⏳ waiting for a report|📤 with the network): 450 · 100%/u);
  });

  test('take their text from a template of the chat, whose fields are filled', async () => {
    const { sara, account } = await on.linked();
    await on.talk.asks(sara, sara, '/template welcome Welcome, {name}!', 'welcome');
    const card = await opens(
      sara,
      'people.csv',
      csv('mobile,name', `${mobile(1)},Mina`, `${mobile(2)},Reza`),
    );
    await on.talk.presses(sara, card, '▶');
    await on.talk.hears(sara, WRITE, card.message_id);
    await on.talk.asks(sara, sara, '#nothing', 'There is no template');
    const ready = await writes(sara, card, '#welcome');
    expect(plain(ready)).toContain('Welcome, Mina!');
    // Both leave by one call, and a closer look is at messages, not at calls.
    await on.talk.presses(sara, await looks(sara, card), '🎲');
    const closer = await on.talk.hears(sara, 'Some messages of #A1, picked at random', card.message_id);
    await returns(sara, card);
    expect(plain(closer)).toMatch(/Welcome, Mina![^]*Welcome, Reza!/u);
    await on.ships(sara, present(card), '2 accepted');
    expect(
      on
        .sent(account)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['Welcome, Mina!', 'Welcome, Reza!']);
  });

  test('ask for the text at once where the template that was named is not there, by one message', async () => {
    const { sara } = await on.linked();
    const people = csv('mobile,name', `${mobile(1)},Mina`);
    const { message_id: after } = sara.upload(sara, 'people.csv', people, '/bulk #nothing');
    const told = await on.talk.hears(sara, 'There is no template #nothing', after);
    expect(plain(told)).toMatch(WRITE);
    const card = await on.talk.asks(sara, sara, 'Welcome, {name}!', has('▶'));
    expect(card.message_id).toBe(told.message_id + 2);
    expect(plain(card)).toContain('Welcome, {name}!');
  });

  test('leave two hundred in a call where all get the same text', async () => {
    const { sara, account } = await on.linked();
    const question = await on.talk.asks(sara, sara, '/bulk', 'Which file?');
    expect(rows(question)).toEqual([['✖ Cancel']]);
    // Without names, and with one that is there twice.
    const numbers = Array.from({ length: 450 }, (_, index) => mobile(index));
    const after = sara.upload(sara, 'numbers.txt', csv(...numbers, '0912 000 0007', 'nobody')).message_id;
    const card = await on.talk.hears(sara, has('▶'), after);
    expect(plain(card)).toContain('📱 Phone column: «column 1» (found)');
    expect(plain(card)).toContain('✅ 450 good numbers · ♻️ 1 repeated · 🚫 1 invalid');
    expect(plain(card)).toContain('The first row is a recipient like the others.');
    await on.talk.presses(sara, card, '▶');
    const ready = await writes(sara, card, 'The same for all');
    expect(plain(ready)).toContain('452 rows → 450 to send, ♻️ 1 repeated, 🚫 1 invalid');

    await on.talk.presses(sara, await looks(sara, card), '🚫');
    const told = await on.talk.hears(sara, 'Left out of #A1: 2 rows', after);
    expect(plain(told)).toContain('451: 09120000007 · the same number as above');
    expect(plain(told)).toContain('452: nobody · not a number');
    await on.talk.presses(sara, ready, '⬇');
    const file = await on.talk.hears(sara, (m) => m.document?.file_name === 'skipped-A1.csv', after);
    expect(on.talk.fileOf(file).toString('utf8')).toBe(
      '\ufeffrow,value,why\r\n451,0912 000 0007,the same number as above\r\n452,nobody,not a number\r\n',
    );

    const done = await on.ships(sara, await returns(sara, card), '450 accepted');
    expect(plain(done)).toContain('🚫 2 rows left out');
    await on.settled(sara);
    expect(
      inAnyOrder(
        on.sent(account).map(({ recipients, text, operation }) => [recipients.length, text, operation]),
      ),
    ).toEqual([
      [200, 'The same for all', 'send'],
      [200, 'The same for all', 'send'],
      [50, 'The same for all', 'send'],
    ]);
    expect(new Set(on.sent(account).flatMap(({ recipients }) => recipients)).size).toBe(450);
  });

  test('of an Excel of Iran are read in windows-1256 with semicolons', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    const bytes = inWindows1256(['نام;همراه', 'سارا;۰۹۱۲۱۲۳۴۵۶۷', 'لاله;0935 111 2233', 'ندا;'].join('\r\n'));
    const card = await opens(sara, 'مشتری‌ها.csv', bytes);
    expect(shown(card)).toEqual([
      '✉️ پیش‌نویس #A1 · خط 3000123456',
      '📄 مشتری‌ها.csv · ۳ ردیف',
      '📱 ستون شماره‌ها: «همراه» (پیدا شد)',
      '🏷 فیلدها برای متن: {نام} {همراه}',
      '✅ ۲ شمارهٔ درست · 🚫 ۱ نامعتبر',
      'ردیف‌های اول:',
      '۲: سارا | 09121234567',
      '۳: لاله | 09351112233',
      '۴: ندا | ',
      'ردیف اول نام ستون‌هاست و گیرنده نیست.',
    ]);
    expect(rows(card)).toEqual([
      ['▶ ادامه'],
      ['👥 ثبت این مخاطبان'],
      ['☝ ردیف نام‌ها', '📱 ستون دیگر'],
      ['✖ انصراف'],
    ]);
    await on.talk.presses(sara, card, '▶');
    const ready = await writes(sara, card, 'سلام {نام} عزیز');
    expect(shown(ready)).toEqual([
      '✉️ پیش‌نویس #A1 · خط 3000123456',
      '📄 مشتری‌ها.csv · ۳ ردیف',
      '۳ ردیف ← ۲ ارسال می‌شود، 🚫 ۱ نامعتبر',
      'پیام ۱ از ۲ · ردیف ۲ فایل · 09121234567',
      'سلام سارا عزیز',
      '۱۴ کاراکتر · یونیکد · ۱ پارت',
      'روی هم ۲ پارت · قیمت هنوز معلوم نیست',
    ]);
    await on.ships(sara, ready, '۲ پذیرفته شد');
    expect(on.sent(account).map(({ text, recipients }) => [text, recipients])).toEqual([
      ['سلام سارا عزیز', ['9121234567']],
      ['سلام لاله عزیز', ['9351112233']],
    ]);
  });

  test('of a workbook are read, but for numbers that Excel has rounded', async () => {
    const { sara, account } = await on.linked();
    const book = await createTables().write(
      {
        header: ['name', 'phone', 'city'],
        rows: [
          ['Sara', '09121234567', 'Tehran'],
          ['Lena', '9.12E+09', 'Qom'],
          ['Omid', '9351112233', 'Yazd'],
        ],
      },
      'xlsx',
    );
    const card = await opens(sara, 'people.xlsx', book);
    expect(plain(card)).toMatch(/📄 people\.xlsx · 3 rows · sheet «.+»/u);
    expect(plain(card)).toContain('✅ 2 good numbers · 🚫 1 invalid');
    await on.talk.presses(sara, card, '▶');
    const ready = await writes(sara, card, '{name} from {city}');
    await on.talk.presses(sara, await looks(sara, ready), '🚫');
    await on.talk.hears(sara, /3: 9\.12E\+09 · Excel has rounded the number/u, card.message_id);
    await on.ships(sara, await returns(sara, ready), '2 accepted');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['Sara from Tehran', 'Omid from Yazd']);
  });

  test('may hold anything in their cells: it is sent as it stands, and does no harm on the way', async () => {
    const { sara, account } = await on.linked();
    const names = [
      '<b>bold</b> &amp; {mobile}',
      '=HYPERLINK("http://x.y")',
      '👩‍👩‍👧 family',
      'a\u202ereversed\u2066',
      "O'Neil; DROP TABLE draft",
      'line\none',
      '}}{{',
    ];
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const bad = '=1+1|cmd';
    const bytes = csv(
      'mobile,name',
      ...quoted.map((name, index) => `${mobile(index)},${name}`),
      `"${bad}",x`,
    );
    const ready = await drafts(sara, bytes, '{name}!');
    await looks(sara, ready);
    for (let index = 1; index < names.length; index += 1) {
      await on.talk.presses(sara, present(ready), '▶');
      await on.talk.turns(ready, `Message ${index + 1} of ${names.length}`);
    }
    await on.talk.presses(sara, present(ready), '⬇');
    const file = await on.talk.hears(
      sara,
      (m) => m.document !== undefined && m.from?.is_bot === true,
      ready.message_id,
    );
    expect(on.talk.fileOf(file).toString('utf8')).toContain(`"'${bad}"`);
    await on.ships(sara, await returns(sara, ready), `${names.length} accepted`);
    expect(on.sent(account).map(({ text }) => text)).toEqual(names.map((name) => `${name}!`));
  });
});

describe.concurrent('the columns', () => {
  test('are chosen by a person where no column looks like numbers, or another was meant', async () => {
    const { sara, account } = await on.linked();
    const people = Array.from(
      { length: 5 },
      (_, index) => `${mobile(index)},${mobile(index + 50)},P${index}`,
    );
    const card = await opens(sara, 'two.csv', csv('buyer,seller,name', ...people));
    expect(plain(card)).toContain('📱 Phone column: perhaps «buyer», but I am not sure. Please check it.');
    await on.talk.presses(sara, card, '📱 Change column');
    const question = await on.talk.hears(sara, 'Which column holds the mobile numbers?', card.message_id);
    expect(rows(question)).toEqual([['1 · buyer'], ['2 · seller'], ['3 · name'], ['✖ Cancel']]);
    await on.talk.asks(sara, sara, 'selller', 'There is no column «selller»');
    sara.send(sara, 'Seller');
    const chosen = await on.talk.turns(
      card,
      (m) => plain(m).includes('«seller» (chosen by you)') && has('▶')(m),
    );
    expect(plain(chosen)).toContain('✅ 5 good numbers');
    await on.talk.presses(sara, chosen, '▶');
    const ready = await writes(sara, card, 'For {name}');
    await on.ships(sara, ready, '5 accepted');
    expect(on.sent(account).map(({ recipients }) => recipients.join())).toEqual(
      people.map((_, index) => mobile(index + 50).slice(1)),
    );
  });

  test('are asked for where none is found, and a wrong one shows that it is', async () => {
    const { sara } = await on.linked();
    const card = await opens(
      sara,
      'words.csv',
      csv('name,city', 'Sara,Tehran', 'Lena,Qom'),
      'I found no column of',
    );
    expect(rows(card)).toEqual([['column 1 · name'], ['column 2 · city'], ['☝ Row of names'], ['✖ Cancel']]);
    await on.talk.presses(sara, card, 'column 2');
    const chosen = await on.talk.turns(card, has('▶'));
    expect(plain(chosen)).toContain('✅ 0 good numbers · 🚫 3 invalid');
    await on.talk.presses(sara, chosen, '▶');
    await on.talk.hears(sara, WRITE, card.message_id);
    sara.send(sara, 'Hello {1}');
    const none = await on.talk.turns(card, 'Nothing here can be sent as it is');
    expect(
      rows(none)
        .flat()
        .some((label) => label.startsWith('✅')),
    ).toBe(false);
    expect(plain(none)).toContain('3 rows → 0 to send, 🚫 3 invalid');
  });

  test('have their names in the first row, or not, as somebody says', async () => {
    const { sara, account } = await on.linked();
    const card = await opens(sara, 'numbers.csv', csv('09121234567,Sara', '09351112233,Lena'));
    expect(plain(card)).toContain('Fields for the text: {1} {2}');
    await on.talk.presses(sara, card, '☝ Row of names');
    const question = await on.talk.hears(sara, 'Which row names the columns?', card.message_id);
    expect(rows(question)).toEqual([
      ['1 · 09121234567 · Sara'],
      ['2 · 09351112233 · Lena'],
      ['None: all rows are recipients'],
      ['✖ Cancel'],
    ]);
    await on.talk.presses(sara, question, '1 ·');
    const named = await on.talk.turns(card, (m) => plain(m).includes('{09121234567} {Sara}') && has('▶')(m));
    expect(plain(named)).toContain('✅ 1 good number');
    await on.talk.presses(sara, named, '☝ Row of names');
    await on.talk.hears(sara, 'Which row names the columns?', named.message_id);
    sara.send(sara, 'none');
    const back = await on.talk.turns(card, (m) => plain(m).includes('✅ 2 good numbers') && has('▶')(m));
    await on.talk.presses(sara, back, '▶');
    const ready = await writes(sara, card, 'Dear {2}');
    await on.ships(sara, ready, '2 accepted');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['Dear Sara', 'Dear Lena']);
  });
});

describe.concurrent('the text', () => {
  test('names the nearest column for a field that there is none of, and is asked for again', async () => {
    const { sara } = await on.linked();
    const card = await opens(sara, 'a.csv', csv('mobile,name', `${mobile(1)},Sara`));
    await on.talk.presses(sara, card, '▶');
    await on.talk.hears(sara, WRITE, card.message_id);
    const told = await on.talk.asks(sara, sara, 'Hi {nmae}, {colour}', 'There is no field {nmae}');
    expect(shown(told)).toEqual([
      '🏷 There is no field {nmae} here. Did you mean {name}?',
      '🏷 There is no field {colour} here.',
      'For a brace itself, write it twice: {{ and }}.',
    ]);
    await on.talk.hears(sara, WRITE, told.message_id);
    await on.talk.asks(sara, sara, `{name}${'x'.repeat(901)}`, '901 characters');
    sara.send(sara, 'Hi {Name} {{x}}');
    const ready = await on.talk.turns(card, has('✅'));
    expect(plain(ready)).toContain('Hi Sara {x}');
  });

  test('and the line can be changed after the review: what was counted by then does not hold', async () => {
    const { sara, account } = await on.linked();
    const bytes = csv('mobile,name', `${mobile(1)},Sara`, `${mobile(2)},Lena`);
    const first = await drafts(sara, bytes, 'Hello {name}');
    const old = dataOf(first, '✅');
    await edits(sara, first, '✏️ Text');
    await on.talk.hears(sara, WRITE, first.message_id);
    sara.send(sara, 'Bye {name}');
    await on.talk.turns(first, (m) => plain(m).includes('Bye Sara') && has('✅')(m));
    const late = await world.driver.waitForAnswer(sara.forge(first, old), PATIENCE);
    expect(stripBidi(late.text ?? '')).toContain('The card has changed since');

    const second = present(first);
    await edits(sara, second, '📞');
    const question = await on.talk.hears(sara, 'From which sender line?', first.message_id);
    sara.send(sara, '50001234');
    await on.talk.turns(question, () => true);
    const ready = await on.talk.turns(first, (m) => plain(m).includes('line 50001234') && has('✅')(m));
    // The columns once more: the text that is there fits them, so it is not asked for again.
    await edits(sara, ready, '🗂');
    const columns = await on.talk.turns(first, has('▶ Continue'));
    expect(plain(columns)).toContain('✅ 2 good numbers');
    await on.talk.presses(sara, columns, '▶ Continue');
    const again = await on.talk.turns(first, has('✅'));
    expect(on.sent(account)).toEqual([]);
    await on.ships(sara, again, '2 accepted');
    expect(on.sent(account).map(({ text, line }) => [text, line])).toEqual([
      ['Bye Sara', '50001234'],
      ['Bye Lena', '50001234'],
    ]);
  });

  test('comes to oneself first, as the row that is shown', async () => {
    const { sara, account } = await on.linked();
    const ready = await drafts(
      sara,
      csv('mobile,name', `${mobile(1)},Sara`, `${mobile(2)},Lena`),
      'Hello {name}',
    );
    await on.talk.presses(sara, await looks(sara, ready), '▶');
    const second = await on.talk.turns(ready, 'Message 2 of 2');
    await on.talk.presses(sara, second, '🧪');
    await on.talk.hears(sara, 'Your own mobile number', ready.message_id);
    sara.send(sara, '09190000001');
    await on.talk.hears(sara, '1 accepted', ready.message_id);
    expect(on.sent(account).map(({ text, recipients }) => [text, recipients])).toEqual([
      ['Hello Lena', ['9190000001']],
    ]);
  });
});

describe.concurrent('rows that do not simply leave', () => {
  test('miss a value: they are left out, filled, or stop everything', async () => {
    const { sara, account } = await on.linked();
    const bytes = csv('mobile,name', `${mobile(1)},Sara`, `${mobile(2)},`, `${mobile(3)}, `);
    const ready = await drafts(sara, bytes, 'Hello {name}');
    expect(plain(ready)).toContain('3 rows → 1 to send, 🕳 2 with an empty field');
    expect(plain(ready)).toContain('🕳 2 rows with an empty field: left out.');
    expect(rows(ready)).toEqual([
      ['✅ Send 1 · 1 part'],
      ['✔ Leave them out'],
      ['Fill in a word', 'Send nothing'],
      ['🕐 When', '✏️ Edit', '👀 Look'],
      ['✖ Cancel'],
    ]);
    await on.talk.presses(sara, await looks(sara, ready), '🚫');
    await on.talk.hears(sara, '3: 09120000002 · nothing in «name»', ready.message_id);

    await on.talk.presses(sara, await returns(sara, ready), 'Send nothing');
    const stopped = await on.talk.turns(ready, '✋ 2 rows with an empty field');
    expect(rows(stopped).slice(0, 3)).toEqual([
      ['Leave them out'],
      ['Fill in a word', '✔ Send nothing'],
      ['✏️ Edit', '👀 Look'],
    ]);
    await on.talk.presses(sara, stopped, 'Fill in a word');
    await on.talk.hears(sara, 'What should be used where a row has no value?', ready.message_id);
    sara.send(sara, 'friend');
    const filled = await on.talk.turns(ready, (m) => plain(m).includes('«friend» is used') && has('✅')(m));
    expect(plain(filled)).toContain('3 rows → 3 to send');
    await on.ships(sara, filled, '3 accepted');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['Hello Sara', 'Hello friend', 'Hello friend']);
  });

  test('are blocked on the line, and become too long by what stands in them', async () => {
    const { sara, account } = await on.linked();
    given(world.sandbox.world.account(account.username)).blacklist.add('3000123456', [mobile(2).slice(1)], {
      setter: 'owner',
      at: 0,
    });
    const bytes = csv(
      'mobile,name',
      `${mobile(1)},Sara`,
      `${mobile(2)},Lena`,
      `${mobile(3)},${'x'.repeat(900)}`,
    );
    const ready = await drafts(sara, bytes, 'Hello {name}');
    expect(plain(ready)).toContain(
      '3 rows → 1 to send, ⛔ 1 on the blacklist, ✂ 1 with a text that cannot be sent',
    );
    await on.ships(sara, ready, '1 accepted');
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[mobile(1).slice(1)]]);
  });

  test.each([
    ['has no blacklist', 'token', false],
    ['does not tell it', 'pair', true],
  ] as const)('are looked up right before each call where the account %s', async (_name, by, refuses) => {
    const { sara, account } = await on.linked({ by });
    if (refuses) on.harm(account, 'blacklist-exists', { kind: 'error', status: 400 });
    const ready = await drafts(sara, csv('mobile,name', `${mobile(1)},Sara`), 'Hello {name}');
    expect(plain(ready)).toContain('⛔ The blacklist of this line is checked right before sending.');
  });
});

const EMPTY_CELLS = Buffer.from(await workbook({ rows: `<row>${'<c/>'.repeat(16_000_000)}</row>` }));

describe.concurrent('a file that is none', () => {
  test.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]), 'this is neither'],
    ['nothing', Buffer.from('\n\n'), 'There is nothing in it'],
    ['an open quotation', csv('mobile', '09121234567', '"09'), 'In row 3 a quotation mark is opened'],
    ['too many columns', csv(Array.from({ length: 300 }, () => 'x').join(',')), 'more than 256 columns'],
    ['sixteen million empty cells', EMPTY_CELLS, 'more than 1,000,000 cells and formats'],
  ])('%s: is told on the card, with what to do next', async (_name, bytes, says) => {
    const { sara } = await on.linked();
    const card = await opens(sara, 'file.csv', bytes, says);
    expect(plain(card)).toContain('❌ This file cannot be used, and nothing was sent.');
    expect(plain(card)).toContain('Then send it with /bulk again.');
    expect(rows(card)).toEqual([['✖ Cancel']]);
    await on.talk.presses(sara, card, '✖');
    await on.talk.turns(card, 'cancelled, none of it was sent');
  });

  test('is asked for, and larger than Telegram hands out', async () => {
    const { sara } = await on.linked();
    await on.talk.asks(sara, sara, '/bulk 09121234567', 'Which file?');
    await on.talk.asks(sara, sara, '09121234567', 'That is neither a file nor a tag.');
    const after = sara.upload(sara, 'huge.csv', Buffer.alloc(20 * 2 ** 20 + 1, 0x39)).message_id;
    await on.talk.hears(sara, 'This file is larger than I can read', after);
    expect(world.driver.messages(sara).filter((m) => plain(m).includes('Draft'))).toEqual([]);
  });
});

test('a call without an answer is not known, and a file is not sent twice', async () => {
  const { sara, account } = await on.linked();
  on.harm(account, 'multi', { kind: 'reset', when: 'after', times: 1 });
  const people = Array.from({ length: 120 }, (_, index) => `${mobile(index)},N${index}`);
  const ready = await drafts(sara, csv('mobile,name', ...people), 'Hello {name}');
  const card = await on.ships(sara, ready, /(?:100|20) unknown/u);
  expect(plain(card)).not.toMatch(/\d (?:not sent|failed)/u);
  // Either call may come first.
  await on.talk.turns(
    ready,
    /100 unknown[^]*20 accepted|20 unknown[^]*100 accepted|100 accepted[^]*20 unknown|20 accepted[^]*100 unknown/u,
  );
  await on.settled(sara);
  expect(on.calls(account, 'multi')).toHaveLength(2);
});

// Its fault meets the first file that anybody fetches.
test('a file can be cancelled while it is read, and nothing of it stays', async () => {
  const { sara } = await on.linked();
  world.playground.control.fault({ method: 'getFile', delay_ms: 3000 });
  const card = await opens(sara, 'slow.csv', csv('mobile', mobile(1)), '⏳ Reading the file…');
  await on.talk.presses(sara, card, '✖');
  await on.talk.turns(card, 'cancelled, none of it was sent');
  await on.settled(sara);
  const [left] = await world.database.sql<{ rows: number }[]>`
    select count(*)::int as rows from bulk_source s join draft d on d.id = s.draft_id
    join chat c on c.id = d.chat_id where c.telegram_id = ${sara.id}`;
  expect(left).toEqual({ rows: 0 });
});

describe('a second person', () => {
  test('sees what would leave, picked at random and one by one, and approves exactly that', async () => {
    const { driver } = world;
    const [owner, ann] = ['Olga', 'Ann'].map((first_name) =>
      driver.user({ first_name, language_code: 'en' }),
    ) as [Person, Person];
    const group = driver.group({ creator: owner, members: [ann], type: 'supergroup', bot: 'administrator' });
    const account = on.talk.account();
    const { username, password } = account;
    await on.talk.connects(owner, { username, password }, { chat: group });
    await on.talk.gives('approver', ann, group);
    await on.talk.asks(owner, group, '/limits approval 2', /Set by/u);

    const people = Array.from({ length: 8 }, (_, index) => `${mobile(index)},N${index}`);
    const after = owner.upload(group, 'people.csv', csv('mobile,name', ...people, 'x,y'), '/bulk').message_id;
    const card = await on.talk.hears(group, has('▶'), after);
    expect(await on.talk.presses(ann, card, '▶')).toContain('Only the person who asked');
    await on.talk.presses(owner, card, '▶');
    const question = await on.talk.hears(group, WRITE, card.message_id);
    owner.send(group, 'Hello {name}', { replyTo: question });
    const ready = await on.talk.turns(card, has('➡'));
    await on.talk.presses(owner, ready, '➡');
    const refused = await on.talk.turns(card, has('❌'));
    await on.talk.presses(ann, refused, '❌');
    await on.talk.presses(owner, await on.talk.turns(card, has('🔄')), '🔄');
    // With its rows, its columns and its text: nothing of it is asked for once more.
    const again = await on.talk.hears(group, has('➡'), card.message_id);
    expect(plain(again)).toContain('#A1 again, which Ann rejected');
    await on.talk.presses(owner, again, '➡');
    const asked = await on.talk.turns(again, has('❌'));
    expect(plain(asked)).toContain('#A2 waits for approval · asked by Olga');
    expect(plain(asked)).toContain('9 rows → 8 to send, 🚫 1 invalid');
    expect(rows(asked)[0]?.[0]).toBe('✅ Approve 8 · 8 parts');

    await on.talk.presses(ann, await looks(ann, asked), '🎲');
    const closer = await on.talk.hears(group, 'Some messages of #A2', again.message_id);
    expect(shown(closer).filter((line) => /0912•••\d{4}: Hello N\d/u.test(line))).toHaveLength(5);
    await on.talk.presses(ann, asked, '▶');
    await on.talk.turns(again, 'Message 2 of 8');
    await on.talk.presses(ann, present(again), '⬅');
    const turned = await on.talk.turns(again, has('❌'));
    await on.talk.presses(ann, turned, '✅');
    await on.talk.turns(again, '8 accepted');
    await on.settled(group);
    expect(on.sent(account).map(({ text }) => text)).toEqual(people.map((_, index) => `Hello N${index}`));
  });
});

test('an account that version 4 alone serves sends what fits into an address', async () => {
  const together = { world, on };
  await using apart = await startWorld({ GATEWAY_VERSIONS: '4' }, { deliverySeconds: 600 });
  world = apart;
  on = ordersIn(apart);
  const { sara, account } = await on.linked({ by: 'key' });
  const people = Array.from(
    { length: 40 },
    (_, index) => `${mobile(index)},${index === 3 ? '"a,b"' : `نام ${index}`}`,
  );
  const long = `{name} ${'سلام '.repeat(12)}`;
  const ready = await drafts(sara, csv('mobile,name', ...people), long);
  expect(plain(ready)).toContain('40 rows → 39 to send, ✂ 1 with a text that cannot be sent');
  await on.talk.presses(sara, await looks(sara, ready), '◀');
  await on.talk.turns(ready, 'Message 39 of 39 · row 41');
  await on.ships(sara, await returns(sara, ready), '39 accepted');
  expect(on.calls(account, 'multi').length).toBeGreaterThan(1);
  expect(on.sent(account)).toHaveLength(39);
  expect(on.talk.errors()).toEqual([]);
  ({ world, on } = together);
});

/** As an Excel that is set to Persian saves a CSV. */
function inWindows1256(text: string): Uint8Array {
  const decoder = new TextDecoder('windows-1256');
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code] as const),
  );
  return Uint8Array.from(text, (character) => codes.get(character) ?? latin(character));
}

/** The alphabet of that time has no Persian digits. */
function latin(character: string): number {
  const digit = '۰۱۲۳۴۵۶۷۸۹'.indexOf(character);
  if (digit < 0) throw new Error(`no ${character} in windows-1256`);
  return 0x30 + digit;
}
