import { expect, test } from 'vitest';
import { ATTEMPT_MOVES } from '../../src/domain/attempt.ts';
import { createDraws } from './draws.ts';
import { play } from './play.ts';
import { drawScript, type Script } from './script.ts';
import { shrink } from './shrink.ts';

const scriptOf = (seed: number): Script => drawScript(seed, createDraws(seed));

test('nothing is wrong under drawn schedules, in which messages leave, are in doubt, and end, and commits are lost', async () => {
  let [taken, doubted, lost] = [0, 0, 0];
  for (let seed = 1; seed <= 60; seed += 1) {
    const played = await play(scriptOf(seed));
    expect([seed, played.wrong]).toEqual([seed, null]);
    taken += played.taken;
    doubted += played.doubted;
    if (played.lost) lost += 1;
  }
  expect(taken).toBeGreaterThan(50);
  expect(doubted).toBeGreaterThan(3);
  expect(lost).toBeGreaterThan(1);
});

test('a seed gives the same schedule again, to the last step', async () => {
  const [one, again] = [await play(scriptOf(7), { tells: true }), await play(scriptOf(7), { tells: true })];
  expect(again).toEqual(one);
  expect(one.history.length).toBeGreaterThan(100);
});

test('a broken rule is found, and told by what it takes at the least', async () => {
  const { on_wire: sound } = ATTEMPT_MOVES.lose_owner;
  // What a dead process had on the wire is planned again.
  Reflect.set(ATTEMPT_MOVES.lose_owner, 'on_wire', 'planned');
  try {
    // What a script can do without depends on it: the shortest of some counts.
    const shrunk: Script[] = [];
    for (let seed = 1; shrunk.length < 3 && seed < 500; seed += 1)
      if ((await play(scriptOf(seed))).wrong !== null) shrunk.push(await shrink(scriptOf(seed)));
    const [least = expect.unreachable('a broken rule was not found')] = shrunk.toSorted(
      (one, other) => one.acts.length - other.acts.length,
    );
    const { wrong, history } = await play(least, { tells: true });
    expect(wrong).toMatch(/was sent \d times/u);
    expect(least.acts.length).toBeLessThanOrEqual(4);
    expect(history.at(-1)).toContain(wrong);
  } finally {
    Reflect.set(ATTEMPT_MOVES.lose_owner, 'on_wire', sound);
  }
});
