import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readArguments } from './arguments.ts';
import { defineTarget, must } from './target.ts';
import { TARGETS, targetOf } from './targets.ts';
import { fuzz, inputAt, outcomeOf } from './work.ts';

const small = defineTarget({
  name: 'small',
  about: 'a number below a hundred',
  goal: 1,
  input: z.int(),
  make: (random) => random.int(0, 99),
  open: () => (input) => {
    must(input < 90, 'it is too large');
    return input < 50 ? 'low' : 'high';
  },
});
const order = { target: 'small', seed: 's', runs: 10_000, ms: 60_000 };

test.each(TARGETS.map((target) => ({ name: target.name, target })))(
  'inputs of $name are the same for the same seed, stay what they are in a file, and break nothing',
  async ({ target }) => {
    const check = target.open();
    for (let index = 0; index < 300; index += 1) {
      const input = inputAt(target, 's', index);
      expect(inputAt(target, 's', index)).toEqual(input);
      expect(target.read(JSON.parse(JSON.stringify(input)))).toEqual(input);
      expect(await check(input)).not.toBe('');
    }
  },
);

const KEPT = join(import.meta.dirname, 'kept');

/* What long runs have found, each as the file that they left. */
test.each(readdirSync(KEPT))('%s breaks nothing any more', async (name) => {
  const kept = z
    .looseObject({ target: z.string(), input: z.unknown() })
    .parse(JSON.parse(readFileSync(join(KEPT, name), 'utf8')));
  const target = targetOf(kept.target);
  const { problem } = await outcomeOf(target.open(), target.read(kept.input));
  expect(problem).toBeNull();
});

test('what breaks is found, with what it takes to make it again', async () => {
  const { findings, seen } = await fuzz(small, order, () => undefined);
  expect(findings).toHaveLength(5);
  for (const { seed, index, input, problem } of findings) {
    expect(inputAt(small, seed, index)).toBe(input);
    expect(input).toBeGreaterThanOrEqual(90);
    expect(problem).toContain('it is too large');
  }
  expect(Object.keys(seen).toSorted()).toEqual(['high', 'low', 'wrong']);
});

test('it ends after so many inputs, and tells which one it is at', async () => {
  const at: number[] = [];
  const { runs } = await fuzz(small, { ...order, runs: 3 }, (index) => at.push(index));
  expect(runs).toBe(3);
  expect(at).toEqual([0, 1, 2]);
});

test('the command line names targets and one end', () => {
  expect(readArguments(['answers', '--runs', '7', '--seed', 's'])).toEqual({
    targets: ['answers'],
    until: { runs: 7 },
    seed: 's',
    replay: undefined,
  });
  expect(readArguments(['--goals'])).toMatchObject({ targets: [], until: 'goal' });
  expect(() => readArguments(['--runs', '7', '--goals'])).toThrow('one at a time');
  expect(() => readArguments(['--seconds', '0'])).toThrow('from 1 on');
});
