import { afterAll, beforeAll, expect } from 'vitest';
import { talkIn } from './talk.ts';
import { startWorld, type World } from './world.ts';

type Talk = ReturnType<typeof talkIn>;

/**
 * The world of a file of tests: there from the first of them on, stopped after the last; no line of its log may be an
 * error. All of it is filled in when it has started, so that nothing is to be taken out of it before.
 */
export function useWorld(...given: Parameters<typeof startWorld>) {
  /** What is made of the world; no function, which cannot be filled in. */
  const made = <T extends Record<string, unknown>>(make: (world: World, talk: Talk) => T | Promise<T>): T => {
    const held = {} as T;
    beforeAll(async () => void Object.assign(held, await make(world, talk)));
    return held;
  };
  const world = {} as World;
  const talk = {} as Talk;
  beforeAll(async () => {
    Object.assign(world, await startWorld(...given));
    Object.assign(talk, talkIn(world));
  });
  afterAll(async () => {
    expect(talk.errors()).toEqual([]);
    await world.stop();
  });
  return { world, talk, made };
}
