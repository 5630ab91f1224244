import { describe, expect, test } from 'vitest';
import { createAccountRoom } from './account-room.ts';

function room() {
  let now = 1000;
  return { ...createAccountRoom({ monotonic: () => now }), pass: (ms: number) => void (now += ms) };
}

describe('the room of an account', () => {
  test('has four places, and sixteen for all accounts together', () => {
    const { enter, leave } = room();
    expect(Array.from({ length: 5 }, () => enter('a'))).toEqual([true, true, true, true, false]);
    const others = ['b', 'c', 'd', 'e'].flatMap((account) => Array.from({ length: 4 }, () => enter(account)));
    expect(others.filter(Boolean)).toHaveLength(12);
    leave('a');
    expect(enter('e')).toBe(true);
    expect(enter('a')).toBe(false);
  });

  test('remembers who waits while somebody is in it, each once', () => {
    const { enter, leave, wait, next } = room();
    enter('a');
    wait('a', 'first');
    wait('a', 'second');
    wait('a', 'first');
    expect([next('a'), next('b'), next('a'), next('a')]).toEqual(['first', undefined, 'second', undefined]);
    wait('a', 'third');
    leave('a');
    expect(next('a')).toBeUndefined();
  });

  test('rests as long as the longest rest that was asked for, and no other account does', () => {
    const { rest, restMs, pass } = room();
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
