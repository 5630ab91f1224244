import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { FRESH, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const NUMBERS = ['989121110001', '989121110002', '989121110003'];
const WRITERS = FRESH.filter(({ version }) => version !== 4);

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
  await bench.addFresh();
});
afterEach(() => bench.close());

/** Books are made by version 3, which every bench has, and looked at by the version of the test. */
async function createBook(name: string, numbers = NUMBERS): Promise<void> {
  const [writer] = WRITERS;
  if (writer === undefined) throw new Error('no writer');
  await bench
    .open(writer)
    .use('phonebookWrite')
    .create({ name, numbers, flag: `flag of ${name}` });
}

describe.each(FRESH)('phonebooks read with $title', (account) => {
  test('are none, then those that were made', async () => {
    const books = bench.open(account).use('phonebookRead');
    expect(await books.list()).toEqual([]);
    await createBook('مشتری‌ها');
    await createBook('همکاران', NUMBERS.slice(0, 1));

    const list = await books.list();

    expect(list.map(({ title, count, owner }) => [title, count, owner])).toEqual(
      expect.arrayContaining([
        ['مشتری‌ها', 3, 'fresh'],
        ['همکاران', 1, 'fresh'],
      ]),
    );
    expect(list).toHaveLength(2);
  });

  test('are found by name, also with signs that an address gives a meaning', async () => {
    const books = bench.open(account).use('phonebookRead');
    const names = ['a/b?c&d=e %2F', 'مشتری‌ها'];
    for (const name of names) await createBook(name);

    for (const name of names) {
      expect((await books.byName(name))?.title).toBe(name);
      expect((await books.list({ name })).map(({ title }) => title)).toContain(name);
    }
    expect(await books.byName('nobody')).toBeUndefined();
  });

  test('hold their numbers', async () => {
    const books = bench.open(account).use('phonebookRead');
    await createBook('a');
    const book = await books.byName('a');

    const numbers = await books.numbers(book?.id ?? '');

    expect(numbers.map(({ number }) => number).toSorted()).toEqual(NUMBERS);
  });
});

describe.each(WRITERS)('phonebooks changed with $title', (account) => {
  test('numbers come and go, and the book with all of them', async () => {
    const gateway = bench.open(account);
    const [read, write] = [gateway.use('phonebookRead'), gateway.use('phonebookWrite')];
    const made = await write.create({ name: 'a', numbers: NUMBERS.slice(0, 1), flag: 'f' });
    const id = made.id ?? '';
    expect((await read.byName('a'))?.id).toBe(id);

    // Version 1 tells no more than the id of a new book.
    const told = (count: number) => (account.version === 1 ? {} : { id, count });
    expect(await write.addNumbers(id, NUMBERS.slice(1))).toEqual(told(3));
    expect((await read.numbers(id)).map(({ number }) => number).toSorted()).toEqual(NUMBERS);
    expect(await write.removeNumbers(id, NUMBERS.slice(0, 2))).toEqual(told(1));
    expect((await read.numbers(id)).map(({ number }) => number)).toEqual(NUMBERS.slice(2));
    expect((await read.byName('a'))?.count).toBe(1);
    await write.remove(id);
    expect(await read.list()).toEqual([]);
  });

  test('a name is taken once', async () => {
    const write = bench.open(account).use('phonebookWrite');
    await write.create({ name: 'a', numbers: NUMBERS, flag: 'f1' });

    await expect(write.create({ name: 'a', numbers: NUMBERS, flag: 'f2' })).rejects.toMatchObject({
      code: 'gateway_refused',
      params: { code: 41, name: 'phonebook_exists', mayHaveActed: false },
    });
  });

  test('what was deleted cannot be deleted again', async () => {
    const gateway = bench.open(account);
    await gateway.use('phonebookWrite').create({ name: 'a', numbers: NUMBERS, flag: 'f' });
    const id = (await gateway.use('phonebookRead').byName('a'))?.id ?? '';
    await gateway.use('phonebookWrite').remove(id);

    await expect(gateway.use('phonebookWrite').remove(id)).rejects.toMatchObject({
      params: { code: 40, name: 'no_such_record', mayHaveActed: false },
    });
  });

  test('after a lost answer the book is there, and a repeat with its flag is recognised', async () => {
    const gateway = bench.open(account);
    const book = { name: 'a', numbers: NUMBERS, flag: 'attempt-1' };
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    await expect(gateway.use('phonebookWrite').create(book)).rejects.toMatchObject({
      code: 'gateway_no_answer',
      params: { mayHaveActed: true },
    });
    await expect(gateway.use('phonebookWrite').create(book)).rejects.toMatchObject({
      code: 'gateway_refused',
    });
    expect(await gateway.use('phonebookRead').byName('a')).toMatchObject({ count: 3 });
  });
});

test.each(WRITERS.filter(({ version }) => version === 3))(
  'a flag is taken once with $title',
  async (account) => {
    const write = bench.open(account).use('phonebookWrite');
    await write.create({ name: 'a', numbers: NUMBERS, flag: 'f' });

    await expect(write.create({ name: 'b', numbers: NUMBERS, flag: 'f' })).rejects.toMatchObject({
      params: { code: 45, name: 'flag_taken' },
    });
  },
);
