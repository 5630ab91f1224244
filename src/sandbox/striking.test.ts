import { beforeEach, expect, test } from 'vitest';
import { createFaults } from './striking.ts';
import type { Faults } from './striking.ts';

const SUBJECT = { version: 3, operation: 'send', account: 'demo' } as const;
const nothing = () => ({ numbers: [], texts: [] });

let faults: Faults;
beforeEach(() => {
  faults = createFaults({
    versions: [{ version: 3, operations: ['send', 'credit'] }],
    accounts: () => ['demo', 'other'],
  });
});

/** Which of so many requests are struck, by their numbers. */
function struck(calls: number, carried: () => { numbers: string[]; texts: string[] } = nothing): number[] {
  return Array.from({ length: calls }, (_, at) => at + 1).filter(
    () => faults.take({ ...SUBJECT, carried }) !== undefined,
  );
}

function delays(calls: number): number[] {
  return Array.from({ length: calls }, () => {
    const fault = faults.take({ ...SUBJECT, carried: nothing })?.fault;
    return fault?.kind === 'delay' ? fault.ms : -1;
  }).toSorted((one, other) => one - other);
}

test('a rule strikes those that name its recipient, in whatever way it is written', () => {
  faults.add({ kind: 'drop', recipient: '+98 9121111111'.replace(' ', '') });
  expect(struck(2, () => ({ numbers: ['9121111112'], texts: ['9121111111'] }))).toEqual([]);
  expect(struck(2, () => ({ numbers: ['9120000000', '9121111111'], texts: [] }))).toEqual([1, 2]);
  expect(() => faults.add({ kind: 'drop', recipient: 'nobody' })).toThrow('it must be a mobile number');
});

test('a rule strikes those whose text has its words', () => {
  faults.add({ kind: 'drop', containing: 'سلام' });
  expect(struck(1, () => ({ numbers: [], texts: ['x', 'به همه سلام!'] }))).toEqual([1]);
  expect(struck(1, () => ({ numbers: [], texts: ['hello'] }))).toEqual([]);
});

test('what a request names is read only when a rule asks for it', () => {
  faults.add({ kind: 'drop', account: 'other', containing: 'x' });
  const unread = () => {
    throw new Error('read');
  };
  expect(struck(1, unread)).toEqual([]);
});

test('a rule strikes every third after those that it lets pass, so often as it may', () => {
  faults.add({ kind: 'drop', every: 3, skip: 2, times: 2 });
  expect(struck(14)).toEqual([5, 8]);
});

test('chances are those of the probability, and the same again for a seed', () => {
  const rows = [7, 7, 8].map((seed) => {
    const id = faults.add({ kind: 'drop', probability: 0.25, seed });
    const row = struck(4000);
    faults.remove(id);
    return row;
  });
  expect(rows[0]).toEqual(rows[1]);
  expect(rows[0]).not.toEqual(rows[2]);
  expect(rows[0]?.length).toBeGreaterThan(900);
  expect(rows[0]?.length).toBeLessThan(1100);
});

test('a rule that misses leaves the request to the next', () => {
  faults.add({ kind: 'drop', probability: 0 });
  faults.add({ kind: 'reset' });
  expect(faults.take({ ...SUBJECT, carried: nothing })?.fault.kind).toBe('reset');
});

test('a delay between two bounds, and one around a middle with a long tail', () => {
  const even = faults.add({ kind: 'delay', ms: { from: 100, to: 200 } });
  const [least = 0, ...rest] = delays(1000);
  expect(least).toBeGreaterThanOrEqual(100);
  expect(rest.at(-1)).toBeLessThanOrEqual(200);
  expect(new Set(rest).size).toBeGreaterThan(50);
  faults.remove(even);

  faults.add({ kind: 'delay', ms: { median: 100, p95: 1000 } });
  const sorted = delays(4000);
  expect(sorted[2000]).toBeGreaterThan(90);
  expect(sorted[2000]).toBeLessThan(111);
  expect(sorted[3800]).toBeGreaterThan(800);
  expect(sorted[3800]).toBeLessThan(1250);
  expect(sorted.at(-1)).toBeLessThanOrEqual(600_000);
});

test.each([
  [{ kind: 'delay', ms: { from: 5, to: 1 } }, '`from` must not be above `to`'],
  [{ kind: 'delay', ms: { median: 5 } }, 'ms'],
  [{ kind: 'drop', probability: 1.5 }, 'probability'],
  [{ kind: 'drop', every: 0 }, 'every'],
  [{ kind: 'error', headers: { 'bad name': 'x' } }, 'Header name must be a valid HTTP token'],
  [{ kind: 'body', text: 'x', headers: { 'x-a': 'a\nb' } }, 'Invalid character in header content'],
  [{ kind: 'error', headers: { 'Content-Length': '5' } }, 'the answer has this header by itself'],
  [{ kind: 'error', headers: { 'transfer-encoding': 'chunked' } }, 'the answer has this header by itself'],
  [{ kind: 'body', text: 'x', contentType: 'a\nb' }, 'Invalid character in header content'],
] as const)('a rule that makes no sense is refused: %j', (rule, words) => {
  expect(() => faults.add(rule as never)).toThrow(words);
});

test('of a misspelt operation or account it asks what was meant', () => {
  expect(() => faults.add({ kind: 'drop', operation: 'sedn' })).toThrow(
    'no operation sedn: did you mean `send`?',
  );
  expect(() => faults.add({ kind: 'drop', account: 'Demo' })).toThrow(
    'no account Demo: did you mean `demo`?',
  );
  expect(faults.list()).toEqual([]);
});

test('rules of one account can be removed alone', () => {
  for (const account of ['demo', 'other']) faults.add({ kind: 'drop', account });
  faults.add({ kind: 'reset' });
  faults.clear('demo');
  expect(faults.list()).toMatchObject([{ account: 'other' }, { kind: 'reset' }]);
  faults.clear();
  expect(faults.list()).toEqual([]);
});
