import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { DAY_SECONDS } from '../../domain/time-range.ts';
import type { SentMessage, TimeRange } from '../../ports/gateway.ts';
import { learnPrices } from './price-learning.ts';

const NOW = 1_800_000_000;
const LATIN = 'Hello';
const PERSIAN = 'سلام';
const RIAL = { [LATIN]: 2840, [PERSIAN]: 1420 };

interface Left {
  readonly secondsAgo: number;
  readonly text: keyof typeof RIAL;
  readonly count: number;
}

/** An account that has sent this, and the calls that were made to learn from it. */
function account(
  left: readonly Left[],
  habits: { readonly hidden?: number; readonly dated?: boolean; readonly longestDays?: number } = {},
) {
  const { hidden = 0, dated = true, longestDays = 400 } = habits;
  const asked: string[] = [];
  const within = ({ from, to }: TimeRange) =>
    left.filter(({ secondsAgo }) => NOW - secondsAgo >= from && NOW - secondsAgo <= to);
  const days = ({ from, to }: TimeRange) => (to - from + 1) / DAY_SECONDS;
  return {
    asked,
    counts: {
      sent: async (range: TimeRange) => {
        asked.push(`count ${days(range) >= 1 ? days(range) : 'run'}`);
        if (days(range) > longestDays) throw new AppError('gateway_refused', 'the range is too long');
        const sum = { parts: 0, messages: 0, cost: 0 };
        for (const { text, count } of within(range)) {
          sum.parts += count;
          sum.messages += count;
          sum.cost += count * RIAL[text];
        }
        return await Promise.resolve(sum);
      },
    },
    outbox: {
      inRange: async (range: TimeRange): Promise<SentMessage[]> => {
        asked.push('list');
        if (days(range) > 1) throw new AppError('bad_input', 'the range is over a day');
        const rows = within(range).flatMap(({ secondsAgo, text, count }) =>
          Array.from({ length: count }, (_, index) => ({
            id: String(index),
            state: { raw: 4, text: '', kind: 'delivered' as const },
            text,
            ...(dated ? { date: NOW - secondsAgo } : {}),
          })),
        );
        return await Promise.resolve(rows.slice(hidden));
      },
    },
  };
}

const paid = (cost: number, parts: number) => ({ cost: BigInt(cost), parts: BigInt(parts) });

describe('learning what a part costs', () => {
  test('of one encoding is a count of the day and its list', async () => {
    const { counts, outbox, asked } = account([{ secondsAgo: 60, text: PERSIAN, count: 30 }]);
    const learned = await learnPrices(counts, outbox, NOW);
    expect(learned).toEqual({
      prices: { gsm7: paid(0, 0), ucs2: paid(42_600, 30), all: paid(42_600, 30) },
      rialPerDay: 6086,
    });
    expect(asked).toEqual(['count 7', 'count 1', 'list']);
  });

  test('of two encodings counts a time of each alone', async () => {
    const { counts, outbox, asked } = account([
      { secondsAgo: 300, text: LATIN, count: 5 },
      { secondsAgo: 200, text: PERSIAN, count: 40 },
      { secondsAgo: 100, text: LATIN, count: 25 },
    ]);
    const { prices } = await learnPrices(counts, outbox, NOW);
    expect(prices).toEqual({ gsm7: paid(71_000, 25), ucs2: paid(56_800, 40), all: paid(142_000, 70) });
    expect(asked).toEqual(['count 7', 'count 1', 'list', 'count run', 'count run']);
  });

  test('takes nothing for the price of an encoding where the list is not whole or has no times', async () => {
    for (const habits of [{ hidden: 1 }, { dated: false }]) {
      const { counts, outbox } = account([{ secondsAgo: 60, text: PERSIAN, count: 30 }], habits);
      const { prices } = await learnPrices(counts, outbox, NOW);
      expect(prices).toEqual({ gsm7: paid(0, 0), ucs2: paid(0, 0), all: paid(42_600, 30) });
    }
  });

  test('goes back day by day from the newest, and no further than enough was seen', async () => {
    const daily = (days: number, count: number): Left[] =>
      Array.from({ length: days }, (_, day) => ({
        secondsAgo: day * DAY_SECONDS + 60,
        text: PERSIAN,
        count,
      }));
    const much = account(daily(7, 250));
    expect((await learnPrices(much.counts, much.outbox, NOW)).prices.all.parts).toBe(250n);
    expect(much.asked).toEqual(['count 7', 'count 1', 'list']);
    const little = account(daily(7, 30));
    expect((await learnPrices(little.counts, little.outbox, NOW)).prices.all.parts).toBe(210n);
    expect(little.asked).toHaveLength(15);
    const once = account([{ secondsAgo: 5 * DAY_SECONDS, text: LATIN, count: 3 }]);
    const { prices, rialPerDay } = await learnPrices(once.counts, once.outbox, NOW);
    expect([prices.all, rialPerDay]).toEqual([paid(8520, 3), 1218]);
    expect(once.asked.filter((each) => each === 'list')).toHaveLength(1);
  });

  test('does not read the rows of a day that has very many', async () => {
    const { counts, outbox, asked } = account([{ secondsAgo: 60, text: PERSIAN, count: 2001 }]);
    expect((await learnPrices(counts, outbox, NOW)).prices.ucs2).toEqual(paid(0, 0));
    expect(asked).toEqual(['count 7', 'count 1']);
  });

  test('asks for the month where the week had nothing, and is content with nothing', async () => {
    const old = account([{ secondsAgo: 20 * DAY_SECONDS, text: LATIN, count: 3 }]);
    expect(await learnPrices(old.counts, old.outbox, NOW)).toEqual({
      prices: { gsm7: paid(0, 0), ucs2: paid(0, 0), all: paid(8520, 3) },
      rialPerDay: null,
    });
    expect(old.asked).toEqual(['count 7', 'count 30']);
    const fresh = account([]);
    expect((await learnPrices(fresh.counts, fresh.outbox, NOW)).prices.all).toEqual(paid(0, 0));
  });

  test('adds the days of the week up where the gateway refuses longer times', async () => {
    const { counts, asked } = account(
      [
        { secondsAgo: 60, text: PERSIAN, count: 300 },
        { secondsAgo: 6 * DAY_SECONDS, text: PERSIAN, count: 50 },
      ],
      { longestDays: 1 },
    );
    expect(await learnPrices(counts, null, NOW)).toEqual({
      prices: { gsm7: paid(0, 0), ucs2: paid(0, 0), all: paid(497_000, 350) },
      rialPerDay: 71_000,
    });
    expect(asked).toEqual(['count 7', ...Array.from({ length: 7 }, () => 'count 1')]);
  });

  test('is silent about encodings when the list fails, and fails as the counts do', async () => {
    const { counts } = account([{ secondsAgo: 60, text: PERSIAN, count: 30 }]);
    const mute = { inRange: () => Promise.reject(new AppError('gateway_no_answer', 'no answer')) };
    expect((await learnPrices(counts, mute, NOW)).prices).toEqual({
      gsm7: paid(0, 0),
      ucs2: paid(0, 0),
      all: paid(42_600, 30),
    });
    const dead = { sent: () => Promise.reject(new AppError('gateway_no_answer', 'no answer')) };
    await expect(learnPrices(dead, null, NOW)).rejects.toMatchObject({ code: 'gateway_no_answer' });
  });
});
