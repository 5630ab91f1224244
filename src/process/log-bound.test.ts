import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogBound, MAX_LINES, MAX_SOURCES, WINDOW_MS, type LeftOut } from './log-bound.ts';

/** A bound by a clock that the test sets, with its timers. */
function bound() {
  let now = 0;
  const timers: { at: number; work: () => void }[] = [];
  const told: LeftOut[] = [];
  const { passes, close } = createLogBound({
    now: () => now,
    later: (ms, work) => void timers.push({ at: now + ms, work }),
    tell: (leftOut) => told.push(leftOut),
  });
  const ring = (): void => {
    for (const due of timers.splice(0))
      if (due.at <= now) due.work();
      else timers.push(due);
  };
  return {
    close,
    told,
    passes,
    timers,
    /** How many of so many lines pass. */
    log: (lines: number, sentence = 'it failed', level = 40): number =>
      Array.from({ length: lines }, () => passes(level, sentence)).filter(Boolean).length,
    /** Lets time go on; `late`: timers come after what is logged then. */
    wait(ms: number, late = false): void {
      now += ms;
      if (!late) ring();
    },
    ring,
  };
}

describe('one source of log lines', () => {
  it('passes so often in ten seconds, and again in the next ten', () => {
    const { log, wait } = bound();
    expect(log(MAX_LINES)).toBe(MAX_LINES);
    expect(log(50)).toBe(0);
    wait(WINDOW_MS - 1);
    expect(log(50)).toBe(0);
    wait(1);
    expect(log(MAX_LINES + 1)).toBe(MAX_LINES);
  });

  it('says how much of it was left out when the ten seconds are over, also when nothing follows', () => {
    const { log, wait, told, timers } = bound();
    log(MAX_LINES);
    expect(timers).toHaveLength(0);
    log(30);
    expect(timers).toHaveLength(1);
    expect(told).toEqual([]);
    wait(WINDOW_MS);
    expect(told).toEqual([{ level: 40, sentence: 'it failed', lines: 30 }]);
    wait(WINDOW_MS);
    expect(told).toHaveLength(1);
    expect(timers).toHaveLength(0);
  });

  it('takes nothing from another, nor from the same words at another level', () => {
    const { log } = bound();
    log(MAX_LINES + 5);
    expect(log(5, 'something else')).toBe(5);
    expect(log(5, 'it failed', 30)).toBe(5);
    expect(log(5)).toBe(0);
  });

  it('says what was left out when the process ends before', () => {
    const { log, wait, told, close } = bound();
    log(MAX_LINES + 3);
    close();
    expect(told).toEqual([{ level: 40, sentence: 'it failed', lines: 3 }]);
    wait(WINDOW_MS);
    expect(told).toHaveLength(1);
  });

  it('is never ended early by the timer of the ten seconds before', () => {
    const { log, wait, ring, told } = bound();
    log(MAX_LINES + 1);
    wait(WINDOW_MS, true);
    expect(log(MAX_LINES + 2)).toBe(MAX_LINES);
    ring();
    expect(log(1)).toBe(0);
    wait(WINDOW_MS);
    expect(told.map(({ lines }) => lines)).toEqual([1, 3]);
  });
});

it('sources beyond so many are one together, at their level', () => {
  const { log, wait, told } = bound();
  for (let n = 0; n < MAX_SOURCES; n += 1) expect(log(1, `sentence ${n}`)).toBe(1);
  let passed = 0;
  for (let n = 0; n < MAX_LINES * 2; n += 1) passed += log(1, `another ${n}`);
  expect(passed).toBe(MAX_LINES);
  expect(log(1, 'one more', 50)).toBe(1);
  expect(log(1, 'sentence 7')).toBe(1);
  wait(WINDOW_MS);
  expect(told).toEqual([{ level: 40, sentence: '', lines: MAX_LINES }]);
  expect(log(1, 'another 1')).toBe(1);
});

it('whatever is logged whenever, no more than the bound passes in any ten seconds that it counts, and all else is told', () => {
  const step = fc.record({
    ms: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: WINDOW_MS * 2 })),
    late: fc.boolean(),
    lines: fc.integer({ min: 0, max: MAX_LINES * 2 }),
    sentence: fc.constantFrom('a', 'b'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const one = bound();
      const passed = new Map<string, number[]>([
        ['a', []],
        ['b', []],
      ]);
      let now = 0;
      let logged = 0;
      for (const { ms, late, lines, sentence } of steps) {
        now += ms;
        one.wait(ms, late);
        logged += lines;
        const times = passed.get(sentence) ?? [];
        times.push(...Array.from({ length: one.log(lines, sentence) }, () => now));
        one.ring();
      }
      one.wait(WINDOW_MS);
      const all = [...passed.values()];
      // Ten seconds may lie across two of those that are counted.
      for (const times of all)
        for (const [index, at] of times.entries())
          expect((times[index + 2 * MAX_LINES] ?? Infinity) - at).toBeGreaterThanOrEqual(WINDOW_MS);
      const told = one.told.reduce((sum, { lines }) => sum + lines, 0);
      expect(all.flat().length + told).toBe(logged);
    }),
  );
});
