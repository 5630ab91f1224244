import { describe, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import type { Clock } from '../../ports/runtime.ts';
import { createBurns } from './burn.ts';

const NOON = Date.parse('2026-11-24T08:30:00Z');
const DAY = 86_400;
const TEHRAN = { bindingId: 'b', timeZone: 'Asia/Tehran' };

function clockAt(now: () => number, isLate = false): Clock {
  const forever = new Promise<void>(() => undefined);
  return {
    now: () => new Date(now()),
    monotonic: () => 0,
    sleep: () => (isLate ? Promise.resolve() : forever),
  };
}

function countsOf(costOf: (day: TimeSpan) => number) {
  const asked: TimeSpan[] = [];
  return {
    asked,
    sent: async (day: TimeSpan) => {
      asked.push({ from: day.from, to: day.to });
      return { messages: 1, parts: 1, cost: costOf(day) };
    },
  };
}

describe('what was paid day by day', () => {
  it('is asked for 14 days of the zone that meet, three at a time', async () => {
    let [open, most] = [0, 0];
    const counts = countsOf(() => 5);
    const slow = {
      sent: async (day: TimeSpan) => {
        most = Math.max(most, (open += 1));
        await Promise.resolve();
        open -= 1;
        return await counts.sent(day);
      },
    };
    const days = await createBurns(clockAt(() => NOON)).of(slow, TEHRAN);
    expect(days).toHaveLength(14);
    expect(most).toBeLessThanOrEqual(3);
    expect(counts.asked[0]?.from).toBe(Date.parse('2026-11-10T20:30:00Z') / 1000);
    expect(counts.asked.at(-1)?.to).toBe(NOON / 1000);
    for (const [index, { from }] of counts.asked.slice(1).entries())
      expect(from).toBe((counts.asked[index]?.to ?? 0) + 1);
  });

  it('asks for a day that is over once, and for the others again', async () => {
    let now = NOON;
    const counts = countsOf(() => 5);
    const burns = createBurns(clockAt(() => now));
    await burns.of(counts, TEHRAN);
    await burns.of(counts, TEHRAN);
    expect(counts.asked).toHaveLength(15);
    await burns.of(counts, { ...TEHRAN, bindingId: 'another' });
    expect(counts.asked).toHaveLength(29);
    now += DAY * 1000;
    await burns.of(counts, TEHRAN);
    expect(counts.asked).toHaveLength(31);
  });

  it('does not keep yesterday while the gateway may still count it', async () => {
    const counts = countsOf(() => 5);
    const burns = createBurns(clockAt(() => Date.parse('2026-11-23T20:40:00Z')));
    await burns.of(counts, TEHRAN);
    await burns.of(counts, TEHRAN);
    expect(counts.asked).toHaveLength(16);
  });

  it('is nothing to show where something was paid on one day at most', async () => {
    expect(
      await createBurns(clockAt(() => NOON)).of(
        countsOf(() => 0),
        TEHRAN,
      ),
    ).toBeNull();
    const today = countsOf(({ to }) => (to === NOON / 1000 ? 9 : 0));
    expect(await createBurns(clockAt(() => NOON)).of(today, TEHRAN)).toBeNull();
  });

  it('is left alone after the first answer that does not come, and when it takes too long', async () => {
    const error = new AppError('gateway_no_answer', 'no answer');
    const counts = countsOf(() => {
      throw error;
    });
    expect(await createBurns(clockAt(() => NOON)).of(counts, TEHRAN)).toBeNull();
    expect(counts.asked).toHaveLength(3);
    const silent = { sent: () => new Promise<never>(() => undefined) };
    expect(await createBurns(clockAt(() => NOON, true)).of(silent, TEHRAN)).toBeNull();
  });

  it('never hides a mistake of ours', async () => {
    const broken = { sent: () => Promise.reject(new TypeError('ours')) };
    await expect(createBurns(clockAt(() => NOON)).of(broken, TEHRAN)).rejects.toThrow('ours');
  });
});
