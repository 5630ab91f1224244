import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { createTables } from '../../src/tables/tables.ts';
import { dataOf, given, has, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { book, mobile, mobiles, phonebooksIn } from '../support/phonebooks.ts';
import { useWorld } from '../support/use-world.ts';

/* Making a phonebook, putting numbers in and taking them out: typed, by a form, from a file; preview and press. */

const { world, talk, made } = useWorld();
const on = made(phonebooksIn);

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const hasFile = (message: Message): boolean => message.document !== undefined;

describe.concurrent('/book_new', () => {
  test('shows what would be made, and makes it when that is pressed', async () => {
    const { sara, account } = await on.linked();
    const preview = await talk.asks(
      sara,
      sara,
      '/book_new "My friends" 09120000001, ۰۹۱۲۰۰۰۰۰۰۲ +98 912 000 0001 0912x hello',
      '📒 New phonebook My friends',
    );
    expect(
      plain(preview)
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      '📒 New phonebook My friends',
      '✅ 2 numbers to add',
      '♻️ 1 repeated, counted once',
      '🚫 2 invalid',
      '0912x: not a number',
      'hello: not a number',
    ]);
    expect(rows(preview)).toEqual([['✅ Create with 2'], ['✖ Cancel']]);
    expect(on.changeCalls(account)).toEqual([]);
    expect(await talk.presses(sara, preview, '✅')).toBe('');
    const made = await talk.turns(preview, '📒 My friends · created by Sara · 2 numbers');
    expect(rows(made)).toEqual([]);
    expect(on.inBook(account, 'My friends')).toEqual(mobiles(2));
    expect(on.changeCalls(account)).toEqual(['phonebook-create']);
    expect(await on.audited(sara)).toEqual([
      { action: 'book_created', details: { title: 'My friends', asked: 2, done: 2, unknown: 0 } },
    ]);
  });

  test.each([
    ['version 3', false],
    ['version 1', true],
  ])('is the book that the answer names, also where no list can be had: %s', async (_, byToken) => {
    const { sara, account } = await on.linked({}, { byToken });
    const line = `/book_new Friends ${mobiles(3).join(' ')}`;
    const preview = await talk.asks(sara, sara, line, '📒 New phonebook Friends');
    for (const operation of ['phonebook-list', 'phonebook-by-name'])
      world.sandbox.faults.add({ kind: 'drop', operation, account: account.username });
    await talk.presses(sara, preview, '✅ Create with 3');
    await talk.turns(preview, '📒 Friends · created by Sara · 3 numbers');
    expect(on.inBook(account, 'Friends')).toEqual(mobiles(3));
  });

  test('asks for the name and the numbers, and comes to the same', async () => {
    const { sara, account } = await on.linked();
    await talk.asks(sara, sara, '/book_new', 'What should the new phonebook be called?');
    await talk.asks(sara, sara, '«دوستان  من»', 'Which numbers for «دوستان من»?');
    await talk.asks(sara, sara, 'nobody', 'I found no mobile number in «nobody»');
    const preview = await talk.asks(sara, sara, mobiles(3).join('\n'), '3 numbers to add');
    await talk.presses(sara, preview, '✅ Create with 3');
    await talk.turns(preview, '📒 دوستان من · created by Sara');
    expect(on.inBook(account, 'دوستان من')).toEqual(mobiles(3));
  });

  test('refuses a name that is taken, before anything is asked of the gateway', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const taken = await talk.asks(sara, sara, '/book_new VIP 09121111111', 'a phonebook named «VIP» already');
    expect(plain(taken)).toContain('/book_add');
    expect(rows(taken)).toEqual([]);
    expect(on.changeCalls(account)).toEqual([]);
  });

  test('of a name that is taken between preview and press makes nothing and says so', async () => {
    const { sara, account } = await on.linked();
    const preview = await talk.asks(sara, sara, '/book_new VIP 09121111111', 'New phonebook VIP');
    given(world.sandbox.world.account(account.username)).phonebooks.create(book('VIP', mobiles(2)));
    await talk.presses(sara, preview, '✅');
    const over = await talk.turns(preview, 'a phonebook named «VIP» already');
    expect(rows(over)).toEqual([]);
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(2));
    expect(await on.audited(sara)).toEqual([]);
  });

  test('is left by Cancel, and an old press afterwards makes nothing', async () => {
    const { sara, account } = await on.linked();
    const preview = await talk.asks(sara, sara, '/book_new VIP 09121111111', 'New phonebook VIP');
    expect(await talk.presses(sara, preview, '✖')).toBe('');
    const left = await talk.turns(preview, 'VIP · cancelled, nothing was changed');
    expect(rows(left)).toEqual([]);
    sara.forge(left, dataOf(preview, '✅'));
    await talk.hears(sara, 'no longer open', preview.message_id);
    expect(on.changeCalls(account)).toEqual([]);
  });

  test('in one call takes 200 numbers, and puts the others in after it', async () => {
    const { sara, account } = await on.linked();
    const preview = await said(
      sara,
      '/book_new Many',
      'many.txt',
      mobiles(450).join('\n'),
      '450 numbers to add',
    );
    await talk.presses(sara, preview, '✅ Create with 450');
    await talk.turns(preview, '📒 Many · created by Sara · 450 numbers');
    expect(on.inBook(account, 'Many')).toEqual(mobiles(450));
    expect(on.changeCalls(account)).toEqual(['phonebook-create', 'phonebook-add', 'phonebook-add']);
  });
});

/** A file with a command as its caption. */
async function said(person: Person, caption: string, name: string, text: string | Uint8Array, fits: string) {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  const sent = person.upload(person, name, bytes, caption);
  return await talk.hears(person, fits, sent.message_id);
}

describe.concurrent('/book_add', () => {
  test('compares with the book as it is, and adds what is new', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(3))] });
    const preview = await talk.asks(
      sara,
      sara,
      `/book_add VIP ${mobiles(5, 2).join(' ')} 0912 ${mobile(6)}`,
      '📒 VIP · 3 numbers now',
    );
    expect(
      plain(preview)
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      '📒 VIP · 3 numbers now',
      '➕ 3 new',
      '☑️ 2 already there',
      '♻️ 1 repeated, counted once',
      '🚫 1 invalid',
      '0912: too few digits',
    ]);
    await talk.presses(sara, preview, '✅ Add 3');
    const done = await talk.turns(preview, '📒 VIP · 6 numbers (+3, by Sara)');
    expect(rows(done)).toEqual([]);
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(6));
    const calls = world.sandbox.ledger.hits().filter(({ account: name }) => name === account.username);
    expect(calls.filter(({ operation }) => operation === 'phonebook-add')).toHaveLength(1);
    const again = await talk.asks(sara, sara, `/book_add VIP ${mobile(1)}`, 'There is nothing to add.');
    expect(rows(again)).toEqual([]);
    const [entry, ...others] = await on.audited(sara);
    expect(entry).toEqual({
      action: 'book_numbers_added',
      details: { title: 'VIP', asked: 3, done: 3, unknown: 0 },
    });
    expect(others).toEqual([]);
  });

  test('by its form offers the books, and takes a file as the answer', async () => {
    const { sara, account } = await on.linked({
      phonebooks: [book('VIP', mobiles(1)), book('Staff', [mobile(900)])],
    });
    const which = await talk.asks(sara, sara, '/book_add', 'Which phonebook?');
    expect(rows(which)).toEqual([['VIP · 1 number'], ['Staff · 1 number'], ['✖ Cancel']]);
    await talk.presses(sara, which, 'VIP');
    const asked = await talk.hears(sara, 'Which numbers for «VIP»?', which.message_id);
    expect(plain(asked)).toContain('At most 5 MB and 20,000 rows');
    const preview = await said(
      sara,
      '',
      'vip.csv',
      'name,mobile\nAli,09120000001\nSara,0912 000 0002\nOmid,\nReza,9.12E+09\n',
      '📒 VIP · 1 number now',
    );
    expect(plain(preview)).toContain('➕ 1 new\n☑️ 1 already there\n🚫 2 invalid');
    expect(plain(preview)).toContain('Omid: no number in its row');
    expect(plain(preview)).toContain('9.12E+09: not a number');
    await talk.presses(sara, preview, '✅ Add 1');
    await talk.turns(preview, '📒 VIP · 2 numbers (+1, by Sara)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(2));
  });

  test('from a button below the book asks for the numbers alone', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('My friends', mobiles(1))] });
    const shown = await talk.asks(sara, sara, '/book My friends', '📒 My friends');
    await talk.presses(sara, shown, '➕ Add');
    await talk.hears(sara, 'Which numbers for «My friends»?', shown.message_id);
    const preview = await talk.asks(sara, sara, mobile(2), '➕ 1 new');
    await talk.presses(sara, preview, '✅ Add 1');
    await talk.turns(preview, '(+1, by Sara)');
    await talk.presses(sara, shown, '➖ Remove');
    await talk.hears(sara, 'I remove from «My friends»?', preview.message_id);
    const out = await talk.asks(sara, sara, mobile(1), '➖ 1 to remove');
    await talk.presses(sara, out, '✅ Remove 1');
    await talk.turns(out, '📒 My friends · 1 number (−1, by Sara)');
    expect(on.inBook(account, 'My friends')).toEqual([mobile(2)]);
  });

  test('of an XLSX file takes the column with most mobiles', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const content = await createTables().write(
      {
        header: ['کد', 'تلفن همراه', 'معرف'],
        rows: [
          ['1', mobile(1), ''],
          ['2', mobile(2), mobile(77)],
          ['3', '۰۹۱۲۰۰۰۰۰۰۳', ''],
        ],
      },
      'xlsx',
    );
    const preview = await said(sara, '/book_add VIP', 'vip.xlsx', content, '📒 VIP · 1 number now');
    expect(plain(preview)).toContain('➕ 2 new\n☑️ 1 already there');
    await talk.presses(sara, preview, '✅ Add 2');
    await talk.turns(preview, '📒 VIP · 3 numbers (+2, by Sara)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(3));
  });

  test('gives all that it leaves out as a file, when that is more than it shows', async () => {
    const { sara } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const bad = Array.from({ length: 9 }, (_, index) => `person ${index + 1},0912${index}`);
    const text = ['name,phone', ...bad, `Ali,${mobile(2)}`, `Sara,${mobile(2)}`].join('\n');
    const preview = await said(sara, '/book_add VIP', 'people.csv', text, '🚫 9 invalid');
    expect(plain(preview)).toContain('… and 4 more');
    expect(rows(preview)).toEqual([['✅ Add 1'], ['⬇ Skipped', '✖ Cancel']]);
    await talk.presses(sara, preview, '⬇ Skipped');
    const file = await talk.hears(sara, hasFile, preview.message_id);
    expect(file.document?.file_name).toBe('skipped.csv');
    const left = talk.fileOf(file).toString('utf8');
    expect(left.trim().split(/\r?\n/)).toHaveLength(11);
    expect(left).toContain('09128');
    expect(left).toContain('the same number as above');
  });

  test.each([
    [
      'with too many rows',
      'rows.csv',
      () => utf8(`${mobiles(20_001).join('\n')}\n`),
      'more than 20,000 rows',
    ],
    ['of more than 5 MB', 'big.csv', () => Buffer.alloc(5_000_001, 0x39), 'at most 5 MB'],
    ['without a number', 'words.csv', () => utf8('name,city\nAli,Yazd\n'), 'no mobile number in the file'],
    [
      'that is no table',
      'old.xls',
      () => Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
      'I cannot read this file',
    ],
    ['that is damaged', 'vip.xlsx', () => Buffer.from('504b0304ffffffffffff', 'hex'), 'This file is damaged'],
  ])('of a file %s says so and asks again', async (_what, name, content, why) => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const told = await said(sara, '/book_add VIP', name, content(), why);
    await talk.hears(sara, 'Which numbers for «VIP»?', told.message_id);
    const preview = await talk.asks(sara, sara, mobile(2), '➕ 1 new');
    await talk.presses(sara, preview, '✅ Add 1');
    await talk.turns(preview, '(+1, by Sara)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(2));
  });

  test('means the book with the longest title that stands before the numbers, or on a file', async () => {
    const { sara, account } = await on.linked({
      phonebooks: [
        book('VIP', mobiles(1)),
        book('VIP customers', mobiles(1)),
        book('VIP customers 1405', mobiles(1)),
      ],
    });
    for (const [title, size] of [
      ['VIP', 2],
      ['VIP customers', 3],
      ['VIP customers 1405', 4],
    ] as const) {
      const preview = await talk.asks(sara, sara, `/book_add ${title} ${mobile(size)}`, '➕ 1 new');
      await talk.presses(sara, preview, '✅ Add 1');
      await talk.turns(preview, `📒 ${title} · 2 numbers (+1, by Sara)`);
    }
    expect(on.inBook(account, 'VIP customers')).toEqual([mobile(1), mobile(3)]);
    const file = `Customers of March\n\nname,mobile\nAli,${mobile(7)}\n`;
    const preview = await said(
      sara,
      '/book_add VIP customers',
      'vip.csv',
      file,
      '📒 VIP customers · 2 numbers now',
    );
    expect(plain(preview)).toContain('➕ 1 new');
    expect(plain(preview)).not.toContain('🚫');
    const near = await talk.asks(sara, sara, `/book_add VIP people ${mobile(8)}`, 'Is it one of these?');
    expect(rows(near).flat()).toContain('VIP · 2 numbers');
  });

  test('goes on with the numbers when a near name is pressed', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('Customers 1405', mobiles(1))] });
    const near = await talk.asks(sara, sara, `/book_add Customers ${mobile(2)}`, 'Is it one of these?');
    await talk.presses(sara, near, 'Customers 1405');
    const preview = await talk.hears(sara, '📒 Customers 1405 · 1 number now', near.message_id);
    await talk.presses(sara, preview, '✅ Add 1');
    await talk.turns(preview, '(+1, by Sara)');
    expect(on.inBook(account, 'Customers 1405')).toEqual(mobiles(2));
    const none = await talk.asks(sara, sara, `/book_add Nobody ${mobile(2)}`, 'no phonebook named «Nobody»');
    await talk.presses(sara, none, '➕ Create «Nobody»');
    await talk.hears(sara, has('✅ Create'), none.message_id);
  });

  test.each([
    [
      'en',
      'Stuff',
      'There is no phonebook named «Stuff»',
      'Which phonebook?',
      '➕ New',
      'Which numbers',
    ] as const,
    ['fa', 'Stuff', 'دفترچه‌ای به نام «Stuff»', 'کدام دفترچه؟', '➕ دفترچهٔ جدید', 'کدام شماره‌ها'] as const,
  ])('says that there is no such book before it asks for numbers, in %s', async (...told) => {
    const [language, name, none, which, fresh, numbers] = told;
    const { sara } = await on.linked(
      { phonebooks: [book('Staff', mobiles(1)), book('VIP 2024', [mobile(5)])] },
      { language },
    );
    const asked = await talk.asks(sara, sara, `/book_add ${name}`, none);
    expect(plain(asked)).toContain(which);
    expect(rows(asked).flat()).toEqual([
      expect.stringContaining('Staff'),
      fresh,
      expect.stringContaining('✖'),
    ]);
    await talk.presses(sara, asked, fresh);
    const next = await talk.hears(sara, numbers, asked.message_id);
    expect(plain(next)).toContain(name);
    // The front of a title may have its number behind it; and a book that there is, is asked for its numbers.
    for (const there of ['VIP', 'staff'])
      expect(plain(await talk.asks(sara, sara, `/book_add ${there}`, numbers))).toContain(`«${there}»`);
    await talk.asks(sara, sara, `/book_remove ${name}`, none);
  });

  test('adds once, however often it is pressed and by whomever', async () => {
    const [owner, other] = [someone('Olga'), someone('Omid')];
    const group = world.driver.group({ creator: owner, members: [other], bot: 'administrator' });
    const account = talk.account({ phonebooks: [book('VIP', mobiles(1))] });
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await talk.gives('admin', other, group);
    const preview = await talk.asks(owner, group, `/book_add VIP ${mobile(2)}`, '➕ 1 new');
    expect(plain(preview)).toContain('Only whoever asked can press the buttons.');
    expect(await talk.presses(other, preview, '✅ Add')).toContain('Only the person who asked');
    expect(await talk.presses(other, preview, '✖')).toContain('Only the person who asked');
    const taps = [owner.tap(preview, '✅ Add'), owner.tap(preview, '✅ Add')];
    const told = await Promise.all(taps.map((tap) => world.driver.waitForAnswer(tap)));
    expect(told.filter(({ text }) => text !== undefined)).toHaveLength(1);
    await talk.turns(preview, '📒 VIP · 2 numbers (+1, by Olga)');
    expect(on.changeCalls(account)).toEqual(['phonebook-add']);
    expect(await on.audited(owner, group)).toHaveLength(1);
  });

  test('in a group takes a file as the reply to its question', async () => {
    const owner = someone('Olga');
    const group = world.driver.group({ creator: owner, bot: 'administrator' });
    const account = talk.account({ phonebooks: [book('VIP', mobiles(1))] });
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    const asked = await talk.asks(owner, group, '/book_add VIP', 'Which numbers for «VIP»?');
    owner.upload(group, 'a.txt', utf8(mobile(2)), undefined, { replyTo: asked });
    const preview = await talk.hears(group, '➕ 1 new', asked.message_id);
    await talk.presses(owner, preview, '✅ Add 1');
    await talk.turns(preview, '📒 VIP · 2 numbers (+1, by Olga)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(2));
  });
});

describe.concurrent('/book_remove', () => {
  test('says what is there, and takes it out', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(5))] });
    const preview = await talk.asks(
      sara,
      sara,
      `/book_remove VIP ${mobiles(3, 4).join(' ')}`,
      '📒 VIP · 5 numbers now',
    );
    expect(plain(preview)).toContain('➖ 2 to remove\n☑️ 1 not in the book');
    expect(on.changeCalls(account)).toEqual([]);
    await talk.presses(sara, preview, '✅ Remove 2');
    await talk.turns(preview, '📒 VIP · 3 numbers (−2, by Sara)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(3));
    expect(await on.audited(sara)).toEqual([
      { action: 'book_numbers_removed', details: { title: 'VIP', asked: 2, done: 2, unknown: 0 } },
    ]);
    const none = await talk.asks(sara, sara, `/book_remove VIP ${mobile(5)}`, 'nothing to remove');
    expect(rows(none)).toEqual([]);
  });

  test('of numbers that somebody else took out meanwhile comes to the same end', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(3))] });
    const preview = await talk.asks(sara, sara, `/book_remove VIP ${mobiles(2).join(' ')}`, '➖ 2 to remove');
    const books = given(world.sandbox.world.account(account.username)).phonebooks;
    books.removeNumbers(given(books.all()[0]).id, mobiles(2));
    await talk.presses(sara, preview, '✅ Remove 2');
    await talk.turns(preview, '📒 VIP · 1 number (−2, by Sara)');
    expect(on.changeCalls(account)).toEqual([]);
  });
});

describe.concurrent('on version 1 alone, in Persian', () => {
  test('a book is made, filled, emptied and shown', async () => {
    const { sara, account } = await on.linked({}, { language: 'fa', byToken: true });
    await talk.asks(sara, sara, '/book_new', 'نام دفترچهٔ جدید چه باشد؟');
    await talk.asks(sara, sara, 'دوستان من', 'کدام شماره‌ها برای «دوستان من»؟');
    const preview = await talk.asks(
      sara,
      sara,
      `${mobile(1)} ${mobile(2)} 0912x`,
      '📒 دفترچهٔ جدید: دوستان من',
    );
    expect(plain(preview)).toContain('✅ ۲ شماره اضافه می‌شود\n🚫 ۱ نامعتبر');
    await talk.presses(sara, preview, '✅ ساخت با ۲');
    await talk.turns(preview, '📒 دوستان من · ساختهٔ Sara · ۲ شماره');
    const add = await talk.asks(sara, sara, `/book_add «دوستان من» ${mobile(2)} ${mobile(3)}`, '➕ ۱ جدید');
    expect(plain(add)).toContain('☑️ ۱ از قبل در دفترچه است');
    await talk.presses(sara, add, '✅ افزودن ۱');
    await talk.turns(add, '📒 دوستان من · ۳ شماره · Sara ۱ شماره اضافه کرد');
    const out = await talk.asks(sara, sara, `/book_remove "دوستان من" ${mobile(1)}`, '➖ ۱ برداشته می‌شود');
    await talk.presses(sara, out, '✅ برداشتن ۱');
    await talk.turns(out, '📒 دوستان من · ۲ شماره · Sara ۱ شماره برداشت');
    await talk.asks(sara, sara, '/book دوستان من', mobile(3));
    expect(on.inBook(account, 'دوستان من')).toEqual(mobiles(2, 2));
    expect(new Set(talk.hits(account.username).map(({ version }) => version))).toEqual(new Set([1]));
  });
});

test('an account that can only read is told what would let it write', async () => {
  await using reading = await startWorld({ GATEWAY_VERSIONS: '4,1' });
  const here = talkIn(reading);
  const sara = reading.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = here.account({ phonebooks: [book('VIP', mobiles(2))] });
  await here.connects(sara, { apiKey: account.apiKey });
  const shown = await here.asks(sara, sara, '/book VIP', '📒 VIP · 2 numbers');
  expect(rows(shown)).toEqual([['⬇ CSV', '⬇ XLSX']]);
  const list = await here.asks(sara, sara, '/books', 'VIP · 2 numbers');
  expect(rows(list)).toEqual([['VIP · 2']]);
  for (const line of [
    `/book_new X ${mobile(1)}`,
    `/book_add VIP ${mobile(9)}`,
    `/book_remove VIP ${mobile(1)}`,
    '/book_delete VIP',
  ]) {
    const told = await here.asks(sara, sara, line, 'cannot do this');
    expect(plain(told)).toMatch(/version 1 token/);
  }
  expect(phonebooksIn(reading, here).changeCalls(account)).toEqual([]);
});
