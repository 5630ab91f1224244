import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { PATIENCE } from '../support/patience.ts';
import { HELD, harm } from '../support/story.ts';
import { given, isFromBot, plain, rows, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Looking at phonebooks: the list, one book in pages, export, names that are nearly right, who may. */

const { world, talk } = useWorld();

const mobile = (index: number): string => `0912${String(index).padStart(7, '0')}`;
const mobiles = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => mobile(from + index));
const book = (title: string, numbers: readonly string[]) => ({
  title,
  flag: `flag of ${title}`,
  numbers: [...numbers],
});
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });
const hasFile = (message: Message): boolean => message.document !== undefined;

async function linked(
  seed: Partial<TestAccount>,
  language = 'en',
): Promise<{ sara: Person; account: TestAccount }> {
  const sara = someone('Sara', language);
  const account = talk.account(seed);
  await talk.connects(sara, { apiKey: account.apiKey });
  return { sara, account };
}

describe.concurrent('/books', () => {
  test('lists the books with their counts and shows the one that is pressed', async () => {
    const { sara } = await linked({
      phonebooks: [book('VIP', mobiles(3)), book('دوستان', mobiles(1)), book('<b>Shop & co</b>', mobiles(2))],
    });
    const list = await talk.asks(sara, sara, '/books', '📒 3 phonebooks');
    expect(plain(list)).toContain('VIP · 3 numbers');
    expect(plain(list)).toContain('دوستان · 1 number');
    expect(plain(list)).toContain('<b>Shop & co</b> · 2 numbers');
    expect(rows(list)).toEqual([['VIP · 3'], ['دوستان · 1'], ['<b>Shop & co</b> · 2'], ['➕ New']]);

    expect(await talk.presses(sara, list, 'VIP')).toBe('');
    const shown = await talk.hears(sara, '📒 VIP · 3 numbers', list.message_id);
    expect(plain(shown).split('\n').slice(1)).toEqual(mobiles(3));
    expect(shown.entities?.filter(({ type }) => type === 'code')).toHaveLength(3);
    expect(rows(shown)).toEqual([['⬇ CSV', '⬇ XLSX'], ['➕ Add', '➖ Remove'], ['🗑 Delete']]);
    // The list is there to be pressed again.
    expect(await talk.presses(sara, list, '<b>')).toBe('');
    await talk.hears(sara, '<b>Shop & co</b> · 2 numbers', shown.message_id);
  });

  test('turns its pages', async () => {
    const { sara } = await linked({
      phonebooks: Array.from({ length: 23 }, (_, index) => book(`Book ${index + 1}`, mobiles(1))),
    });
    const list = await talk.asks(sara, sara, '/books', '📒 23 phonebooks');
    expect(rows(list)).toHaveLength(12);
    expect(rows(list)[10]).toEqual(['1 / 3', '▶']);
    await talk.presses(sara, list, '▶');
    const second = await talk.turns(list, 'Book 11 ·');
    await talk.presses(sara, second, '▶');
    const third = await talk.turns(list, 'Book 23 ·');
    expect(rows(third)).toEqual([
      ['Book 21 · 1'],
      ['Book 22 · 1'],
      ['Book 23 · 1'],
      ['◀', '3 / 3'],
      ['➕ New'],
    ]);
    await talk.presses(sara, third, '◀');
    await talk.turns(list, 'Book 20 ·');
  });

  test('says that there is none, and how to make one', async () => {
    const { sara } = await linked({});
    const none = await talk.asks(sara, sara, '/books', 'no phonebook yet');
    expect(plain(none)).toContain('/book_new');
    await talk.presses(sara, none, '➕ New');
    await talk.hears(sara, 'What should the new phonebook be called?', none.message_id);
  });

  test('tells what the gateway says no to, and that it did not answer', async () => {
    const { sara, account } = await linked({ phonebooks: [book('VIP', mobiles(3))] });
    const at = { operation: 'phonebook-list', account: account.username } as const;
    const refused = world.sandbox.faults.add({ ...at, kind: 'error', code: 1000 });
    const told = await talk.asks(sara, sara, '/books', 'The gateway refused');
    expect(rows(told)).toEqual([]);
    world.sandbox.faults.remove(refused);
    const silent = world.sandbox.faults.add({ ...at, kind: 'drop' });
    await talk.asks(sara, sara, '/books', 'did not answer in time');
    world.sandbox.faults.remove(silent);
    await talk.asks(sara, sara, '/books', 'VIP · 3 numbers');
  });
});

describe.concurrent('/book', () => {
  test('shows the numbers of a book in pages, in full and in one order', async () => {
    const all = mobiles(120);
    const { sara } = await linked({ phonebooks: [book('My friends', all.toReversed())] });
    const first = await talk.asks(sara, sara, '/book My friends', '📒 My friends · 120 numbers');
    expect(plain(first).split('\n').slice(1)).toEqual(all.slice(0, 50));
    expect(rows(first)[0]).toEqual(['1 / 3', '▶']);
    await talk.presses(sara, first, '▶');
    const second = await talk.turns(first, given(all[50]));
    await talk.presses(sara, second, '▶');
    const third = await talk.turns(first, given(all[119]));
    expect(plain(third).split('\n').slice(1)).toEqual(all.slice(100));
    expect(rows(third)[0]).toEqual(['◀', '3 / 3']);
    await talk.asks(sara, sara, '/book "my  FRIENDS"', '📒 My friends · 120 numbers');
  });

  test('sends all of it as CSV and as XLSX, under the name of the book made safe', async () => {
    const { sara } = await linked({ phonebooks: [book('a/b: «دوستان»', mobiles(70))] });
    const shown = await talk.asks(sara, sara, '/book a/b: «دوستان»', '· 70 numbers');
    await talk.presses(sara, shown, '⬇ CSV');
    const csv = await talk.hears(sara, hasFile, shown.message_id);
    expect(csv.document?.file_name).toBe('a_b_ «دوستان».csv');
    expect(plain(csv)).toBe('📒 a/b: «دوستان» · 70 numbers');
    const text = talk.fileOf(csv).toString('utf8');
    expect(text.match(/09\d{9}/g)).toEqual(mobiles(70));
    expect(text).toContain('mobile');
    await talk.presses(sara, shown, '⬇ XLSX');
    const xlsx = await talk.hears(sara, hasFile, csv.message_id);
    expect(xlsx.document?.file_name).toBe('a_b_ «دوستان».xlsx');
    expect(talk.fileOf(xlsx).subarray(0, 2).toString('latin1')).toBe('PK');
  });

  test('where there is none leads to the first one', async () => {
    const { sara } = await linked({ phonebooks: [] });
    const which = await talk.asks(sara, sara, '/book', 'There is no phonebook yet');
    await talk.presses(sara, which, '➕');
    const form = await talk.hears(sara, 'new phonebook', which.message_id);
    expect(form.message_id).toBeGreaterThan(which.message_id);
  });

  test('without a name asks which, and takes a press or a name', async () => {
    const { sara } = await linked({ phonebooks: [book('VIP', mobiles(2)), book('Staff', mobiles(3))] });
    const which = await talk.asks(sara, sara, '/book', 'Which phonebook?');
    expect(rows(which)).toEqual([['VIP · 2 numbers'], ['Staff · 3 numbers'], ['✖ Cancel']]);
    await talk.presses(sara, which, 'Staff');
    await talk.hears(sara, '📒 Staff · 3 numbers', which.message_id);
    const again = await talk.asks(sara, sara, '/book', 'Which phonebook?');
    expect(again.message_id).toBeGreaterThan(which.message_id);
    await talk.asks(sara, sara, 'x'.repeat(101), 'A name has 1 to 100 characters');
    await talk.asks(sara, sara, 'vip', '📒 VIP · 2 numbers');
  });

  test('offers what is near to a name that is not there', async () => {
    const { sara } = await linked({
      phonebooks: [
        book('Customers 1405', mobiles(2)),
        book('Customers 1404', mobiles(1)),
        book('Staff', mobiles(1)),
      ],
    });
    const near = await talk.asks(sara, sara, '/book customers', 'Is it one of these?');
    expect(rows(near)).toEqual([['Customers 1405 · 2 numbers'], ['Customers 1404 · 1 number']]);
    await talk.presses(sara, near, 'Customers 1405');
    await talk.hears(sara, '📒 Customers 1405 · 2 numbers', near.message_id);
    const none = await talk.asks(sara, sara, '/book nobody', 'no phonebook named «nobody»');
    expect(rows(none)).toEqual([['➕ Create «nobody»']]);
    await talk.presses(sara, none, '➕ Create');
    await talk.hears(sara, 'Which numbers for «nobody»?', none.message_id);
    // Numbers behind the name are to be put in: that is shown, and confirmed.
    const preview = await talk.asks(sara, sara, `/book staff ${mobile(9)}`, '📒 Staff · 1 number now');
    expect(rows(preview).flat()).toContain('✅ Add 1');
  });

  test.each([
    ['en', 'VIP · 1 number', '📒 VIP'],
    ['fa', 'VIP · ۱ شماره', '📒 VIP'],
  ])(
    'is shown once to whoever presses twice while it is read, and again later, in %s',
    async (language, row, shows) => {
      const { sara, account } = await linked({ phonebooks: [book('VIP', mobiles(1))] }, language);
      const { sara: other } = await linked({});
      const list = await talk.asks(sara, sara, '/books', row);
      const { struck, heal } = harm(world, account, { operation: 'phonebook-numbers', ...HELD });
      const shown = (): Message[] => world.driver.messages(sara).filter((m) => plain(m).startsWith(shows));
      sara.tap(list, 'VIP');
      await struck();
      const second = sara.tap(list, 'VIP');
      // Updates come in their order: the second press has arrived.
      await talk.settled(other, other);
      heal();
      await world.driver.waitForAnswer(second, PATIENCE);
      await talk.settled(sara, sara);
      expect(shown()).toHaveLength(1);
      await talk.presses(sara, list, 'VIP');
      await talk.settled(sara, sara);
      expect(shown()).toHaveLength(2);
    },
  );

  test('of an empty book and of one that is gone says so', async () => {
    const { sara, account } = await linked({ phonebooks: [book('VIP', mobiles(1))] });
    const books = given(world.sandbox.world.account(account.username)).phonebooks;
    const vip = given(books.all()[0]);
    const list = await talk.asks(sara, sara, '/books', 'VIP · 1 number');
    books.removeNumbers(vip.id, mobiles(1));
    const empty = await talk.asks(sara, sara, '/book VIP', 'The book is empty.');
    expect(rows(empty)).toEqual([['➕ Add', '➖ Remove'], ['🗑 Delete']]);
    books.remove(vip.id);
    await talk.presses(sara, list, 'VIP');
    await talk.hears(sara, 'The gateway refused: there is no such record', empty.message_id);
  });

  test('in Persian speaks Persian, in its digits, with numbers that can be copied', async () => {
    const { sara } = await linked({ phonebooks: [book('مشتری‌ها', mobiles(60))] }, 'fa');
    const list = await talk.asks(sara, sara, '/books', '📒 ۱ دفترچه');
    expect(plain(list)).toContain('مشتری‌ها · ۶۰ شماره');
    const shown = await talk.asks(sara, sara, '/book مشتريها', '📒 مشتری‌ها · ۶۰ شماره');
    expect(plain(shown)).toContain(mobile(1));
    expect(rows(shown)).toEqual([
      ['◀', '۱ / ۲'],
      ['⬇ XLSX', '⬇ CSV'],
      ['➖ برداشتن', '➕ افزودن'],
      ['🗑 حذف'],
    ]);
    await talk.asks(sara, sara, '/book هیچ', 'دفترچه‌ای به نام «هیچ» نیست');
  });
});

describe.concurrent('who may do what', () => {
  test('a viewer looks, an operator changes, an admin deletes', async () => {
    const [owner, viewer, operator, admin, nobody] = ['Olga', 'Vida', 'Omid', 'Ada', 'Nima'].map((name) =>
      someone(name),
    ) as [Person, Person, Person, Person, Person];
    const group = world.driver.group({ creator: owner, members: [viewer, operator, admin, nobody] });
    const account = talk.account({ phonebooks: [book('VIP', mobiles(2))] });
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    await talk.gives('operator', operator, group);
    await talk.gives('admin', admin, group);

    await talk.asks(nobody, group, '/books', 'needs the role viewer');
    await talk.asks(nobody, group, '/book VIP', 'needs the role viewer');
    const seen = await talk.asks(viewer, group, '/book VIP', '📒 VIP · 2 numbers');
    expect(rows(seen)).toEqual([['⬇ CSV', '⬇ XLSX']]);
    for (const line of [
      '/book_new X 09121111111',
      '/book_add VIP 09121111111',
      '/book_remove VIP 09120000001',
    ])
      await talk.asks(viewer, group, line, 'needs the role operator');
    await talk.asks(viewer, group, '/book_delete VIP', 'needs the role admin');
    const mine = await talk.asks(operator, group, '/book VIP', '📒 VIP · 2 numbers');
    expect(rows(mine)).toEqual([
      ['⬇ CSV', '⬇ XLSX'],
      ['➕ Add', '➖ Remove'],
    ]);
    await talk.asks(operator, group, '/book_delete VIP', 'needs the role admin');
    const whole = await talk.asks(admin, group, '/book VIP', '📒 VIP · 2 numbers');
    expect(rows(whole).at(-1)).toEqual(['🗑 Delete']);
    // Somebody else's button, pressed by one who may look and no more.
    expect(await talk.presses(viewer, whole, '➕')).toContain('does not allow');
    expect(await talk.presses(operator, whole, '🗑')).toContain('does not allow');
    expect(await talk.presses(viewer, whole, '⬇ CSV')).toBe('');
    await talk.hears(group, hasFile, whole.message_id);
    const changing = talk
      .hits(account.username)
      .filter(({ operation }) => /create|add|remove|delete/.test(operation ?? ''));
    expect(changing).toEqual([]);
  });

  test('without an account there is nothing to look at', async () => {
    const sara = someone('Sara');
    for (const line of [
      '/books',
      '/book VIP',
      '/book_new X 09121111111',
      '/book_add X 09121111111',
      '/book_remove X 09121111111',
      '/book_delete X',
    ])
      await talk.asks(sara, sara, line, 'No gateway account is linked');
    expect(world.driver.messages(sara).filter(isFromBot)).toHaveLength(6);
  });
});
