import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { isAppError } from '../../src/domain/errors.ts';
import type { SmsGateway } from '../../src/ports/gateway.ts';
import { FRESH, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

/** What a person would expect the gateway to remember. */
interface Model {
  readonly blocked: Map<string, Set<string>>;
  readonly books: Map<string, { id: string; numbers: Set<string> }>;
  readonly inbox: { line: string; text: string; read: boolean }[];
  flags: number;
}

type Step = (real: Real, model: Model) => Promise<void>;

/** The account seen through several versions; a step names the one it uses by a number. */
interface Real {
  readonly bench: Bench;
  readonly username: string;
  readonly lines: readonly string[];
  readonly through: (
    choice: number,
    facet: 'blacklist' | 'phonebookRead' | 'phonebookWrite' | 'inbox',
  ) => SmsGateway;
}

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const numberAt = (at: number): string => `98912111000${at}`;
const choice = fc.nat({ max: 9 });
const lineAt = fc.nat({ max: 1 });
const numbersOf = fc.uniqueArray(fc.nat({ max: 9 }).map(numberAt), { minLength: 1, maxLength: 4 });
const name = fc.constantFrom('مشتری‌ها', 'a/b', 'c');

const blockedOf = (model: Model, line: string): Set<string> => {
  const found = model.blocked.get(line) ?? new Set<string>();
  model.blocked.set(line, found);
  return found;
};
const sorted = (values: Iterable<string>): string[] => [...values].toSorted();

/** Does what may be refused, and says with which code it was. */
async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isAppError(error, 'gateway_refused')) throw error;
    return error.params['code'];
  }
}

const block = fc.tuple(choice, lineAt, numbersOf).map(([via, at, numbers]): Step => async (real, model) => {
  const line = real.lines[at] ?? '';
  const known = blockedOf(model, line);
  const results = await real.through(via, 'blacklist').use('blacklist').add(line, numbers);
  expect(results.map(({ number, status }) => [number, status])).toEqual(
    numbers.map((number) => [number, known.has(number) ? 'duplicate' : 'added']),
  );
  for (const number of numbers) known.add(number);
});

const unblock = fc
  .tuple(choice, lineAt, fc.nat({ max: 9 }))
  .map(([via, at, which]): Step => async (real, model) => {
    const line = real.lines[at] ?? '';
    const number = numberAt(which);
    const code = await codeOf(real.through(via, 'blacklist').use('blacklist').remove(line, number));
    expect(code).toBe(blockedOf(model, line).delete(number) ? undefined : 400);
  });

const lookAtBlocked = fc.tuple(choice, lineAt).map(([via, at]): Step => async (real, model) => {
  const line = real.lines[at] ?? '';
  const { entries, paging } = await real.through(via, 'blacklist').use('blacklist').list({ line });
  const expected = sorted(blockedOf(model, line));
  expect(sorted(entries.map(({ number }) => number))).toEqual(expected);
  expect(paging.totalCount).toBe(expected.length);
});

const createBook = fc
  .tuple(choice, name, numbersOf)
  .map(([via, title, numbers]): Step => async (real, model) => {
    model.flags += 1;
    const book = { name: title, numbers, flag: `flag ${model.flags}` };
    const code = await codeOf(real.through(via, 'phonebookWrite').use('phonebookWrite').create(book));
    expect(code).toBe(model.books.has(title) ? 41 : undefined);
    if (code !== undefined) return;
    const found = await real
      .through(via + 1, 'phonebookRead')
      .use('phonebookRead')
      .byName(title);
    expect(found?.count).toBe(numbers.length);
    model.books.set(title, { id: found?.id ?? '', numbers: new Set(numbers) });
  });

const deleteBook = fc.tuple(choice, name).map(([via, title]): Step => async (real, model) => {
  const id = model.books.get(title)?.id ?? '424242';
  const code = await codeOf(real.through(via, 'phonebookWrite').use('phonebookWrite').remove(id));
  expect(code).toBe(model.books.delete(title) ? undefined : 40);
});

const changeBook = fc
  .tuple(choice, name, numbersOf, fc.boolean())
  .map(([via, title, numbers, adds]): Step => async (real, model) => {
    const book = model.books.get(title);
    if (book === undefined) return;
    const write = real.through(via, 'phonebookWrite').use('phonebookWrite');
    // What a repeated number does is not stated, so only what changes something is asked for.
    const changing = numbers.filter((number) => book.numbers.has(number) !== adds);
    if (changing.length === 0) return;
    await (adds ? write.addNumbers(book.id, changing) : write.removeNumbers(book.id, changing));
    for (const number of changing) {
      if (adds) book.numbers.add(number);
      else book.numbers.delete(number);
    }
  });

const lookAtBooks = choice.map((via): Step => async (real, model) => {
  const read = real.through(via, 'phonebookRead').use('phonebookRead');
  const list = await read.list();
  expect(sorted(list.map(({ title }) => title))).toEqual(sorted(model.books.keys()));
  for (const [title, { id, numbers }] of model.books) {
    expect(list.find((book) => book.title === title)).toMatchObject({ id, count: numbers.size });
    expect(sorted((await read.numbers(id)).map(({ number }) => number))).toEqual(sorted(numbers));
  }
});

const arrive = fc.tuple(lineAt, fc.nat({ max: 9 })).map(([at, which]): Step => async (real, model) => {
  const line = real.lines[at] ?? '';
  const text = `پیام ${model.inbox.length}`;
  await real.bench.admin('/inbound', {
    account: real.username,
    from: `0${numberAt(which).slice(2)}`,
    message: text,
    line,
  });
  real.bench.advance(1);
  model.inbox.push({ line, text, read: false });
});

const receive = fc.tuple(choice, fc.option(lineAt)).map(([via, at]): Step => async (real, model) => {
  const line = at === null ? undefined : real.lines[at];
  const query = line === undefined ? {} : { line };
  const received = await real.through(via, 'inbox').use('inbox').receive(query);
  const due = model.inbox.filter((message) => !message.read && (line === undefined || message.line === line));
  expect(sorted(received.map(({ text }) => text))).toEqual(sorted(due.map(({ text }) => text)));
  for (const message of due) message.read = true;
});

const lookAtInbox = fc
  .tuple(choice, fc.boolean(), fc.integer({ min: 1, max: 3 }))
  .map(([via, read, pageSize]): Step => async (real, model) => {
    const gateway = real.through(via, 'inbox');
    const texts: string[] = [];
    for (let page = 1; ; page += 1) {
      const { messages, paging } = await gateway.use('inbox').page({ read, page, pageSize });
      texts.push(...messages.map(({ text }) => text));
      if (page >= paging.totalPages) break;
    }
    const expected = model.inbox.filter((message) => message.read === read).map(({ text }) => text);
    expect(sorted(texts)).toEqual(sorted(expected));
    const counted = await gateway.use('counts').received({ from: 0, to: 4_000_000_000, read });
    expect(counted).toBe(expected.length);
  });

const steps = fc.array(
  fc.oneof(
    block,
    unblock,
    lookAtBlocked,
    createBook,
    deleteBook,
    changeBook,
    lookAtBooks,
    arrive,
    receive,
    lookAtInbox,
  ),
  { minLength: 5, maxLength: 30 },
);

test('any sequence of changes, through any of the versions, leaves what a person would expect', async () => {
  let accounts = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      accounts += 1;
      const username = `model${accounts}`;
      const lines = [`3000${10_000 + accounts}`, `5000${10_000 + accounts}`];
      const secrets = { password: `pass${accounts}`, apiKey: `key${accounts}`, token: `token${accounts}` };
      await bench.admin('/accounts', { username, ...secrets, lines, credit: 0 });
      const gateways = bench.openAll(FRESH, { username, ...secrets });
      const real: Real = {
        bench,
        username,
        lines,
        through(via, facet) {
          const able = gateways.filter((gateway) => gateway.has(facet));
          const gateway = able[via % able.length];
          if (gateway === undefined) throw new Error(`nothing has ${facet}`);
          return gateway;
        },
      };
      const model: Model = { blocked: new Map(), books: new Map(), inbox: [], flags: 0 };
      for (const step of sequence) await step(real, model);
      await Promise.all(gateways.map((gateway) => gateway.close()));
    }),
    { numRuns: 40 },
  );
  expect(accounts).toBeGreaterThanOrEqual(40);
});
