import { expect, test } from 'vitest';
import { createBlacklist } from './blacklist.ts';
import { createLedger } from './ledger.ts';
import { createPhonebooks } from './phonebooks.ts';
import { createWorld } from './world.ts';

const NUMBERS = ['9120000001', '9120000002', '9120000003'] as const;

test('phonebooks hold no more books and numbers than they were told to', () => {
  let id = 0;
  const books = createPhonebooks({ nextId: () => (id += 1), keepBooks: 2, keepNumbers: 3 });
  const create = (title: string, ...numbers: string[]) => books.create({ title, flag: title, numbers });
  expect(create('a', ...NUMBERS, '9120000004')).toEqual({ refused: 'phonebook_failed' });
  expect(create('a', NUMBERS[0])).toMatchObject({ title: 'a' });
  expect(create('b', NUMBERS[1])).toMatchObject({ title: 'b' });
  expect(create('c', NUMBERS[2])).toEqual({ refused: 'phonebook_failed' });
  expect(books.addNumbers(1, [NUMBERS[1], NUMBERS[2]])).toEqual({ refused: 'phonebook_failed' });
  expect(books.addNumbers(1, [NUMBERS[1]])).toMatchObject({ title: 'a' });
  expect(books.all().map(({ numbers }) => numbers.size)).toEqual([2, 1]);
});

test('a number that is added again keeps its identifier', () => {
  let id = 0;
  const books = createPhonebooks({ nextId: () => (id += 1), keepBooks: 2, keepNumbers: 9 });
  books.create({ title: 'a', flag: 'a', numbers: [NUMBERS[0]] });
  books.addNumbers(1, [NUMBERS[1], `0${NUMBERS[0]}`]);
  expect([...(books.find(1)?.numbers ?? [])]).toEqual([
    [NUMBERS[0], 2],
    [NUMBERS[1], 3],
  ]);
});

test('a blacklist that is full refuses, and takes more once a number has left', () => {
  const blacklist = createBlacklist({ keepBlocked: 2 });
  const add = (...numbers: string[]) => blacklist.add('10001', numbers, { setter: 'one', at: 0 });
  expect(add(...NUMBERS)).toEqual({ refused: 'blacklist_full' });
  expect(add(NUMBERS[0], NUMBERS[1])).toHaveLength(2);
  expect(add(NUMBERS[2])).toEqual({ refused: 'blacklist_full' });
  blacklist.remove('10001', NUMBERS[0]);
  expect(add(NUMBERS[2])).toEqual([{ to: NUMBERS[2], added: true }]);
});

test('an account whose phonebook cannot be made is refused when it is added', () => {
  const ledger = createLedger({ keep: 10 });
  const here = createWorld({
    accounts: [],
    now: () => 0,
    deliveryMs: 0,
    keepMessages: 1,
    keepRecipients: 1,
    ledger,
  });
  const phonebooks = [{ title: 'a', flag: 'a', numbers: [] }];
  expect(() => here.addAccount({ username: 'one', password: 'p', phonebooks })).toThrow(
    'account one: phonebook a: no_number',
  );
  expect(here.accounts()).toEqual([]);
});
