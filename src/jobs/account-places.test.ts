import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAccountPlaces } from './account-places.ts';

test('an account has two places, others have theirs, and one that was left is free again', () => {
  const places = createAccountPlaces();
  expect([places.take('a'), places.take('a'), places.take('a')]).toEqual([true, true, false]);
  expect([places.take('b'), places.take('b')]).toEqual([true, true]);
  places.leave('a');
  expect(places.take('a')).toBe(true);
});

test('an account’s first job finds a place where those of others leave none for its second', () => {
  const places = createAccountPlaces();
  for (const account of ['a', 'a', 'b', 'b']) expect(places.take(account)).toBe(true);
  expect([places.take('c'), places.take('c'), places.take('d'), places.take('e')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('the more of an account are put off, the later each comes again, up to a minute, until one has its place', () => {
  const places = createAccountPlaces();
  places.take('a');
  const waits = Array.from({ length: 1000 }, () => places.waitMs('a'));
  expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  expect([waits[0], waits.at(-1)]).toEqual([1000, 60_000]);
  places.leave('a');
  places.take('a');
  expect(places.waitMs('a')).toBe(1000);
});

test('whatever comes and goes, nobody has more than there is, and all that was left can be taken again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c', 'd', 'e'), takes: fc.boolean() })),
      (steps) => {
        const places = createAccountPlaces();
        const taken: string[] = [];
        for (const { account, takes } of steps) {
          const at = taken.indexOf(account);
          if (takes && places.take(account)) taken.push(account);
          else if (!takes && at !== -1) {
            taken.splice(at, 1);
            places.leave(account);
          }
          expect(taken.length).toBeLessThanOrEqual(6);
          expect(taken.filter((each) => each === account).length).toBeLessThanOrEqual(2);
        }
        for (const account of taken) places.leave(account);
        for (const account of ['a', 'a', 'b', 'b', 'c', 'd']) expect(places.take(account)).toBe(true);
      },
    ),
  );
});
