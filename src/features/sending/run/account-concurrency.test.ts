import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAccountConcurrency } from './account-concurrency.ts';

function concurrency(mostCalls?: number) {
  let now = 1000;
  return {
    ...createAccountConcurrency({ monotonic: () => now }, mostCalls),
    pass: (ms: number) => void (now += ms),
  };
}

const asleep = (): void => undefined;

describe('the jobs of an account', () => {
  test('have four places, and ten beside those of others', () => {
    const { enter, leave } = concurrency();
    expect(Array.from({ length: 5 }, () => enter('a'))).toEqual([true, true, true, true, false]);
    const others = ['b', 'c', 'd', 'e'].flatMap((account) => Array.from({ length: 4 }, () => enter(account)));
    // Four of b, two of c; the first of d and e find room all the same.
    expect(others.filter(Boolean)).toHaveLength(8);
    leave('a');
    expect(enter('a')).toBe(false);
  });

  test('find a place for the first of each, eighteen in all', () => {
    const { enter, leave } = concurrency();
    const accounts = Array.from({ length: 20 }, (_, n) => `account ${n}`);
    expect(accounts.map((account) => enter(account)).filter(Boolean)).toHaveLength(18);
    leave('account 3');
    expect(enter('account 19')).toBe(true);
  });

  test('are remembered while somebody is there, each once', () => {
    const { enter, leave, wait, next } = concurrency();
    enter('a');
    wait('a', 'first');
    wait('a', 'second');
    wait('a', 'first');
    const taken = [next('a'), next('b'), next('a'), next('a')];
    expect(taken.map((job) => job?.jobId)).toEqual(['first', undefined, 'second', undefined]);
    enter('a');
    wait('a', 'third');
    wait('a', 'fourth');
    leave('a');
    expect(next('a')?.jobId).toBe('third');
    leave('a');
    expect(next('a')).toBeUndefined();
  });

  test('rest as long as the longest rest that was asked for, and no other account does', () => {
    const { rest, restMs, pass } = concurrency();
    expect(restMs('a')).toBe(0);
    rest('a', 60_000);
    pass(20_000);
    rest('a', 10_000);
    expect([restMs('a'), restMs('b')]).toEqual([40_000, 0]);
    pass(39_999);
    expect(restMs('a')).toBe(1);
    pass(1);
    expect(restMs('a')).toBe(0);
    rest('a', 5);
    expect(restMs('a')).toBe(5);
  });
});

describe('the calls of an account', () => {
  /** Good answers until so many calls may be out. */
  function grow({ begin, end, limit }: ReturnType<typeof concurrency>, account: string, to: number): void {
    while (limit(account) < to) {
      begin(account, asleep);
      end(account, 'good');
    }
  }

  test('are two at first, more as answers come, half after none', () => {
    const it = concurrency();
    expect([1, 2, 3].map(() => it.begin('a', asleep))).toEqual([true, true, false]);
    it.end('a', 'good');
    it.end('a', 'good');
    expect(it.limit('a')).toBe(3);
    expect([1, 2, 3, 4].map(() => it.begin('a', asleep))).toEqual([true, true, true, false]);
    it.end('a', 'bad');
    expect(it.limit('a')).toBe(1);
    it.end('a', 'local');
    expect([it.limit('a'), it.begin('a', asleep)]).toEqual([1, false]);
  });

  test('are no more than was said', () => {
    const it = concurrency(1);
    expect([it.begin('a', asleep), it.begin('a', asleep)]).toEqual([true, false]);
    it.end('a', 'good');
    it.end('b', 'good');
    expect([it.limit('a'), it.limit('b')]).toEqual([1, 1]);
  });

  test('that find no place are told of it once, whether they take it or not', () => {
    const it = concurrency(1);
    let told = 0;
    it.begin('a', asleep);
    it.begin('a', () => void (told += 1));
    for (let count = 0; count < 2; count += 1) it.end('a', 'good');
    expect(told).toBe(1);
  });

  test('that find no place are told when there is one, in their order, and go to the end of it', () => {
    const it = concurrency(1);
    const told: string[] = [];
    const waiter = (name: string) => {
      const wake = (): void => {
        told.push(name);
        if (it.begin('a', wake)) it.begin('a', wake);
      };
      return wake;
    };
    const [one, two] = [waiter('one'), waiter('two')];
    it.begin('a', asleep);
    it.begin('a', one);
    it.begin('a', two);
    it.begin('a', one);
    for (let count = 0; count < 4; count += 1) it.end('a', 'good');
    expect(told).toEqual(['two', 'one', 'two', 'one']);
  });

  test('of an account that hangs leave room for those of others', () => {
    const it = concurrency();
    const hanging = Array.from({ length: 6 }, (_, n) => `hanging ${n}`);
    for (const account of hanging) {
      grow(it, account, 32);
      while (it.begin(account, asleep));
    }
    const out = hanging.map((account) => {
      let count = 0;
      for (; it.begin(account, asleep); count += 1);
      return count;
    });
    expect(out).toEqual([0, 0, 0, 0, 0, 0]);
    expect([it.begin('another', asleep), it.begin('another', asleep)]).toEqual([true, false]);
    let woken = 0;
    it.begin('another', () => void (woken += 1));
    // Three went out beside the room that there is for all.
    for (const account of hanging.slice(0, 4)) {
      expect(woken).toBe(0);
      it.end(account, 'bad');
    }
    expect(woken).toBe(1);
  });

  test('begin anew when nobody has sent for ten minutes', () => {
    const it = concurrency();
    it.enter('a');
    grow(it, 'a', 9);
    it.leave('a');
    it.pass(600_000);
    it.enter('a');
    expect(it.limit('a')).toBe(9);
    it.leave('a');
    it.pass(600_001);
    it.enter('a');
    expect(it.limit('a')).toBe(2);
  });

  test('are never more than their limit, nor all of them together more than the room, whatever ends how', () => {
    const act = fc.record({
      account: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      how: fc.constantFrom('begin', 'begin', 'begin', 'good', 'good', 'bad', 'local' as const),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 3000, size: 'max' }), (acts) => {
        const it = concurrency();
        const out = new Map<string, number>();
        const total = () => [...out.values()].reduce((sum, count) => sum + count, 0);
        for (const { account, how } of acts) {
          const own = out.get(account) ?? 0;
          if (how === 'begin') {
            const fits = own < it.limit(account) && (own === 0 || total() < 128);
            expect(it.begin(account, asleep)).toBe(fits);
            if (fits) out.set(account, own + 1);
          } else if (own > 0) {
            it.end(account, how);
            out.set(account, own - 1);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
