import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJobConcurrency } from './account-concurrency.ts';

test('an account has two places, others have theirs, and one that was left is free again', () => {
  const concurrency = createJobConcurrency();
  expect([concurrency.take('a'), concurrency.take('a'), concurrency.take('a')]).toEqual([true, true, false]);
  expect([concurrency.take('b'), concurrency.take('b')]).toEqual([true, true]);
  concurrency.leave('a');
  expect(concurrency.take('a')).toBe(true);
});

test('an account’s first job finds a place where those of others leave none for its second', () => {
  const concurrency = createJobConcurrency();
  for (const account of ['a', 'a', 'b', 'b']) expect(concurrency.take(account)).toBe(true);
  expect([
    concurrency.take('c'),
    concurrency.take('c'),
    concurrency.take('d'),
    concurrency.take('e'),
  ]).toEqual([true, false, true, false]);
});

test('the more of an account are put off, the later each comes again, up to a minute, until one has its place', () => {
  const concurrency = createJobConcurrency();
  concurrency.take('a');
  const waits = Array.from({ length: 1000 }, () => concurrency.waitMs('a'));
  expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  expect([waits[0], waits.at(-1)]).toEqual([1000, 60_000]);
  concurrency.leave('a');
  concurrency.take('a');
  expect(concurrency.waitMs('a')).toBe(1000);
});

test('whatever comes and goes, nobody has more than there is, and all that was left can be taken again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c', 'd', 'e'), takes: fc.boolean() })),
      (steps) => {
        const concurrency = createJobConcurrency();
        const taken: string[] = [];
        for (const { account, takes } of steps) {
          const at = taken.indexOf(account);
          if (takes && concurrency.take(account)) taken.push(account);
          else if (!takes && at !== -1) {
            taken.splice(at, 1);
            concurrency.leave(account);
          }
          expect(taken.length).toBeLessThanOrEqual(6);
          expect(taken.filter((each) => each === account).length).toBeLessThanOrEqual(2);
        }
        for (const account of taken) concurrency.leave(account);
        for (const account of ['a', 'a', 'b', 'b', 'c', 'd']) expect(concurrency.take(account)).toBe(true);
      },
    ),
  );
});
