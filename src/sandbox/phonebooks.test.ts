import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { PLAIN, remove, v1, v3, v4 } from './testing.ts';

type Book = { book_id: number; uname: string; title: string; count: number };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

const NEW = { name: 'تازه', numbers: [PLAIN, '+989122222222'], flag: 'f1' };
const OK = { status: 200, message: 'تایید شد' };
const WRITERS = [3, 1] as const;

/** The operations that change books, and what success and a code look like, on either version. */
function books(version: 3 | 1) {
  const path = (id: number) => `phonebook/${id}/number`;
  const old = version === 1;
  return {
    create: async (book: object) =>
      (await (old ? v1(sandbox, 'phonebook', book) : v3(sandbox, 'phonebook/new', book))).json,
    delete: async (id: number) =>
      (
        await (old
          ? remove(1, sandbox, `phonebook/${id}`)
          : remove(3, sandbox, 'phonebook/delete', { book_id: id }))
      ).json,
    add: async (id: number, numbers: string[]) =>
      (
        await (old
          ? v1(sandbox, path(id), { numbers })
          : v3(sandbox, 'phonebook/number/add', { book_id: id, numbers }))
      ).json,
    take: async (id: number, numbers: string[]) =>
      (
        await (old
          ? remove(1, sandbox, path(id), { numbers })
          : remove(3, sandbox, 'phonebook/number/delete', { book_id: id, numbers }))
      ).json,
    ok: old ? { status: 200, result: { status: 0 } } : { return: OK },
    refused: (code: number) =>
      old
        ? { status: 200, result: { status: code } }
        : { return: { status: 400, message: `خطا در دفترچه تلفن: کد ${code}` } },
  };
}

async function list(name = ''): Promise<Book[]> {
  const { json } = await v4(sandbox, 'phonebook/list.json', { name });
  return (json as { entries: Book[] }).entries;
}

async function idOf(title: string): Promise<number> {
  return (await list()).find((book) => book.title === title)?.book_id ?? 0;
}

async function numbersOf(id: number): Promise<string[]> {
  const { json } = await v4(sandbox, 'phonebook/numbers.json', { bookId: String(id) });
  return (json as { entries: { number: string }[] }).entries.map(({ number }) => number);
}

test('the three versions list the same books, all of them or by a part of the name', async () => {
  const entries = [
    { book_id: expect.any(Number), uname: 'demo', title: 'مشتریان', count: 3 },
    { book_id: expect.any(Number), uname: 'demo', title: 'Staff', count: 2 },
  ];
  expect((await v4(sandbox, 'phonebook/list.json')).json).toEqual({ return: OK, entries });
  expect((await v3(sandbox, 'my/phonebook', [])).json).toEqual({ return: OK, entries });
  expect((await v1(sandbox, 'my/phonebook')).json).toEqual({
    status: 200,
    result: { status: 0, result: entries },
  });
  const [, staff] = entries;
  expect((await v4(sandbox, 'phonebook/list.json', { name: 'taf' })).json).toEqual({
    return: OK,
    entries: [staff],
  });
  expect((await v3(sandbox, 'my/phonebook', { name: 'nobody' })).json).toEqual({ return: OK, entries: [] });
  expect((await v1(sandbox, 'my/phonebook?name=Staff')).json).toMatchObject({ result: { result: [staff] } });
});

test('version 1 finds one book by its whole name, whatever signs are in it', async () => {
  const title = 'الف/ب ?&#%20';
  await v1(sandbox, 'phonebook', { ...NEW, name: title });
  expect((await v1(sandbox, `my/phonebook/${encodeURIComponent(title)}`)).json).toEqual({
    status: 200,
    result: { status: 0, result: [{ book_id: await idOf(title), uname: 'demo', title, count: 2 }] },
  });
  expect((await v1(sandbox, 'my/phonebook/Staf')).json).toEqual({ status: 200, result: { status: 40 } });
});

test('the three versions list the numbers of a book with their ids', async () => {
  const id = await idOf('Staff');
  const entries = ['09121110004', '09121110005'].map((number) => ({ number_id: expect.any(Number), number }));
  expect((await v4(sandbox, 'phonebook/numbers.json', { bookId: String(id) })).json).toEqual({
    return: OK,
    entries,
  });
  expect((await v3(sandbox, 'phonebook/number', { book_id: id })).json).toEqual({ return: OK, entries });
  expect((await v1(sandbox, `phonebook/${id}/number`)).json).toEqual({
    status: 200,
    result: { status: 0, result: entries },
  });
});

test('a book that is not there, or is somebody else’s, is no record', async () => {
  sandbox.world.addAccount({
    username: 'other',
    password: 'p',
    apiKey: 'other-key',
    phonebooks: [{ title: 'theirs', flag: 'x', numbers: ['9121111111'] }],
  });
  const theirs = sandbox.world.account('other')?.phonebooks.all()[0]?.id ?? 0;
  const none = { return: { status: 400, message: 'خطا در دفترچه تلفن: کد 40' } };
  for (const id of [5, theirs]) {
    expect((await v4(sandbox, 'phonebook/numbers.json', { bookId: String(id) })).json).toEqual(none);
    expect((await v3(sandbox, 'phonebook/number', { book_id: id })).json).toEqual(none);
    expect((await v1(sandbox, `phonebook/${id}/number`)).json).toEqual({
      status: 200,
      result: { status: 40 },
    });
  }
  expect((await v1(sandbox, 'phonebook/abc/number')).json).toEqual({ status: 200, result: { status: 40 } });
});

test('creating answers with the book on version 3, and with its id on version 1', async () => {
  const made = (await v3(sandbox, 'phonebook/new', NEW)).json;
  expect(made).toEqual({
    return: OK,
    data: { book_id: await idOf('تازه'), uname: 'demo', title: 'تازه', count: 2 },
  });
  const old = (await v1(sandbox, 'phonebook', { ...NEW, name: 'دیگر', flag: 'f2' })).json;
  expect(old).toEqual({ status: 200, result: { status: 0, book_id: await idOf('دیگر') } });
});

describe.each(WRITERS)('version %i', (version) => {
  const { create, add, take, ok, refused, delete: drop } = books(version);

  test('a name is unique, and free again once its book is deleted', async () => {
    expect(await create(NEW)).toMatchObject(ok);
    expect(await create({ ...NEW, flag: 'f2' })).toEqual(refused(41));
    expect(await drop(await idOf('تازه'))).toEqual(ok);
    expect(await create(NEW)).toMatchObject(ok);
  });

  test('a flag is unique and not empty', async () => {
    await create(NEW);
    const again = { ...NEW, name: 'دیگر' };
    expect(await create(again)).toEqual(refused(version === 1 ? 43 : 45));
    expect(await create({ ...again, flag: '' })).toEqual(refused(version === 1 ? 43 : 44));
    expect(await create({ ...again, flag: 'f2' })).toMatchObject(ok);
    expect(await list()).toHaveLength(4);
  });

  test('a book needs a number, and numbers that are some', async () => {
    expect(await create({ ...NEW, numbers: [] })).toEqual(refused(42));
    expect(await create({ ...NEW, numbers: [PLAIN, '12'] })).toEqual(refused(43));
    expect(await list()).toHaveLength(2);
  });

  test('numbers are added once each, in the form they are dialled', async () => {
    const id = await idOf('Staff');
    expect(await add(id, ['+989121110004', '9122222222', '09122222222'])).toMatchObject(ok);
    expect(await numbersOf(id)).toEqual(['09121110004', '09121110005', '09122222222']);
    expect(await add(id, [])).toEqual(refused(42));
    expect(await add(id, ['09123333333', 'x'])).toEqual(refused(43));
    expect(await add(5, [PLAIN])).toEqual(refused(40));
    expect(await numbersOf(id)).toHaveLength(3);
  });

  test('numbers are deleted, and refused when none of them is there', async () => {
    const id = await idOf('Staff');
    expect(await take(id, ['09121110004', '09129999999'])).toMatchObject(ok);
    expect(await numbersOf(id)).toEqual(['09121110005']);
    expect(await take(id, ['09121110004'])).toEqual(refused(40));
    expect(await take(id, [])).toEqual(refused(42));
    expect(await take(5, [PLAIN])).toEqual(refused(40));
  });

  test('a book is deleted with its numbers, once', async () => {
    const id = await idOf('Staff');
    expect(await drop(id)).toEqual(ok);
    expect(await drop(id)).toEqual(refused(40));
    expect(await list()).toHaveLength(1);
  });
});

test('any sequence of changes leaves what a map of sets would hold', async () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const numbers = fc.array(
    fc.integer({ min: 0, max: 4 }).map((index) => `0912000000${index}`),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  const step = fc.record({
    version: fc.constantFrom(...WRITERS),
    kind: fc.constantFrom('create' as const, 'add' as const, 'take' as const, 'delete' as const),
    name,
    numbers,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      sandbox.world.reset();
      const model = new Map<string, Set<string>>();
      let flag = 0;
      for (const one of steps) {
        const here = books(one.version);
        const known = model.get(one.name);
        const id = await idOf(one.name);
        if (one.kind === 'create') {
          const answer = await here.create({ name: one.name, numbers: one.numbers, flag: `f${(flag += 1)}` });
          expect(answer).toMatchObject(known === undefined ? here.ok : here.refused(41));
          if (known === undefined) model.set(one.name, new Set(one.numbers));
          continue;
        }
        const answer = one.kind === 'delete' ? await here.delete(id) : await here[one.kind](id, one.numbers);
        const there = one.numbers.filter((number) => known?.has(number) === true);
        const fails = known === undefined || (one.kind === 'take' && there.length === 0);
        expect(answer).toMatchObject(fails ? here.refused(40) : here.ok);
        if (one.kind === 'delete') model.delete(one.name);
        if (one.kind === 'add') for (const number of one.numbers) known?.add(number);
        if (one.kind === 'take') for (const number of one.numbers) known?.delete(number);
      }
      const own = (await list()).filter(({ title }) => title.length === 1);
      expect(own.map(({ title }) => title).sort()).toEqual([...model.keys()].sort());
      for (const { book_id: id, title, count } of own) {
        expect(new Set(await numbersOf(id))).toEqual(model.get(title));
        expect(count).toBe(model.get(title)?.size);
      }
    }),
    { numRuns: 40 },
  );
});
