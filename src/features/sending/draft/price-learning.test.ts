import { describe, expect, test } from 'vitest';
import { AppError } from '../../../domain/errors.ts';
import { NOTHING_PAID } from '../../../domain/price.ts';
import { DAY_SECONDS } from '../../../domain/time-range.ts';
import type { SentMessage, TimeRange } from '../../../ports/gateway.ts';
import { learnPrices } from './price-learning.ts';

const NOW = 1_800_000_000;
const LATIN = 'Hello';
const PERSIAN = 'سلام';
const RIAL = { [LATIN]: 2840, [PERSIAN]: 1420 };

interface Left {
  readonly secondsAgo: number;
  readonly text: keyof typeof RIAL;
  readonly count: number;
  /** To whom; absent: the list does not say. */
  readonly to?: 'mci' | 'irancell';
}

const NUMBERS = { mci: '989121111111', irancell: '989351111111' };

/** An account that has sent this, and the calls that were made to learn from it. */
function account(
  left: readonly Left[],
  habits: {
    readonly hidden?: number;
    readonly dated?: boolean;
    readonly longestDays?: number;
    /** What is taken off or put on for a part, in rial. */
    readonly extra?: (of: Left) => number;
  } = {},
) {
  const { hidden = 0, dated = true, longestDays = 400, extra = () => 0 } = habits;
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
        for (const each of within(range)) {
          const { text, count } = each;
          sum.parts += count;
          sum.messages += count;
          sum.cost += count * (RIAL[text] + extra(each));
        }
        return await Promise.resolve(sum);
      },
    },
    outbox: {
      inRange: async (range: TimeRange): Promise<SentMessage[]> => {
        asked.push('list');
        if (days(range) > 1) throw new AppError('bad_input', 'the range is over a day');
        const rows = within(range).flatMap(({ secondsAgo, text, count, to }) =>
          Array.from({ length: count }, (_, index) => ({
            id: String(index),
            state: { raw: 4, text: '', kind: 'delivered' as const },
            text,
            ...(to === undefined ? {} : { recipient: NUMBERS[to] }),
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
    expect(learned).toEqual({ prices: { gsm7: paid(0, 0), ucs2: paid(42_600, 30) }, rialPerDay: 6086 });
    expect(asked).toEqual(['count 7', 'count 1', 'list']);
  });

  test('of two encodings counts a time of each alone', async () => {
    const { counts, outbox, asked } = account([
      { secondsAgo: 300, text: LATIN, count: 5 },
      { secondsAgo: 200, text: PERSIAN, count: 40 },
      { secondsAgo: 100, text: LATIN, count: 25 },
    ]);
    const { prices } = await learnPrices(counts, outbox, NOW);
    expect(prices).toEqual({ gsm7: paid(71_000, 25), ucs2: paid(56_800, 40) });
    expect(asked).toEqual(['count 7', 'count 1', 'list', 'count run', 'count run']);
  });

  test('takes nothing for the price of an encoding where the list is not whole or has no times', async () => {
    for (const habits of [{ hidden: 1 }, { dated: false }]) {
      const { counts, outbox } = account([{ secondsAgo: 60, text: PERSIAN, count: 30 }], habits);
      expect((await learnPrices(counts, outbox, NOW)).prices).toEqual(NOTHING_PAID);
    }
  });

  test('goes back day by day from the newest, until both encodings are known or nothing is left', async () => {
    const day = (daysAgo: number, text: Left['text'], count: number): Left => ({
      secondsAgo: daysAgo * DAY_SECONDS + 60,
      text,
      count,
    });
    const both = account([day(0, PERSIAN, 250), day(1, PERSIAN, 9), day(2, LATIN, 3), day(5, LATIN, 9)]);
    expect((await learnPrices(both.counts, both.outbox, NOW)).prices).toEqual({
      gsm7: paid(8520, 3),
      ucs2: paid(355_000, 250),
    });
    expect(both.asked.filter((each) => each === 'list')).toHaveLength(3);
    const once = account([day(5, LATIN, 3)]);
    expect(await learnPrices(once.counts, once.outbox, NOW)).toEqual({
      prices: { gsm7: paid(8520, 3), ucs2: paid(0, 0) },
      rialPerDay: 1218,
    });
    expect(once.asked).toEqual(['count 7', ...Array.from({ length: 6 }, () => 'count 1'), 'list']);
  });

  test('reads the newest part of a day that has very many, and nothing of a second that has', async () => {
    const many = account([
      { secondsAgo: 40_000, text: PERSIAN, count: 90_000 },
      { secondsAgo: 20_000, text: PERSIAN, count: 1500 },
      { secondsAgo: 10_000, text: LATIN, count: 10 },
    ]);
    expect((await learnPrices(many.counts, many.outbox, NOW)).prices).toEqual({
      gsm7: paid(28_400, 10),
      ucs2: paid(2_130_000, 1500),
    });
    expect(many.asked.filter((each) => each === 'list')).toHaveLength(1);
    const early = account([
      { secondsAgo: 80_000, text: PERSIAN, count: 90_000 },
      { secondsAgo: 70_000, text: LATIN, count: 10 },
    ]);
    expect((await learnPrices(early.counts, early.outbox, NOW)).prices.gsm7).toEqual(paid(28_400, 10));
    const full = account([{ secondsAgo: 60, text: PERSIAN, count: 2000 }]);
    expect((await learnPrices(full.counts, full.outbox, NOW)).prices.ucs2).toEqual(paid(2_840_000, 2000));
    const crowded = account([{ secondsAgo: 60, text: PERSIAN, count: 2001 }]);
    expect((await learnPrices(crowded.counts, crowded.outbox, NOW)).prices).toEqual(NOTHING_PAID);
    expect(crowded.asked.length).toBeLessThan(25);
    expect(crowded.asked).not.toContain('list');
  });

  test('tells operators apart by seconds that were mixed otherwise, and asks for those alone', async () => {
    const left = [
      { secondsAgo: 300, text: PERSIAN, count: 30, to: 'mci' },
      { secondsAgo: 300, text: PERSIAN, count: 10, to: 'irancell' },
      { secondsAgo: 200, text: PERSIAN, count: 5, to: 'irancell' },
    ] as const;
    const dearer = ({ to }: Left): number => (to === 'irancell' ? 680 : 0);
    const { counts, outbox, asked } = account(left, { extra: dearer });
    const { prices } = await learnPrices(counts, outbox, NOW);
    const operators = { mci: paid(1_420_000, 1000), irancell: paid(2_100_000, 1000) };
    expect(prices.ucs2).toEqual({ ...paid(45 * 1420 + 15 * 680, 45), operators });
    expect(asked).toEqual(['count 7', 'count 1', 'list', 'count run', 'count run']);
    // Where something else has left in a second that is asked for, nothing is made of it.
    const unlisted = {
      sent: async (range: TimeRange) => {
        const sent = await counts.sent(range);
        return range.from === NOW - 200 && range.to === range.from
          ? { ...sent, parts: sent.parts + 1 }
          : sent;
      },
    };
    expect((await learnPrices(unlisted, outbox, NOW)).prices.ucs2).not.toHaveProperty('operators');
    // Where all cost the same, or what a part costs has another reason, there is one price.
    for (const extra of [undefined, ({ secondsAgo }: Left) => (secondsAgo === 300 ? 90 : 0)]) {
      const more = [...left, { secondsAgo: 100, text: PERSIAN, count: 20, to: 'mci' }] as const;
      const alike = account(more, extra === undefined ? {} : { extra });
      expect((await learnPrices(alike.counts, alike.outbox, NOW)).prices.ucs2).not.toHaveProperty(
        'operators',
      );
    }
  });

  test('keeps what it knew of operators as long as that explains what is paid', async () => {
    const dearer = ({ to }: Left): number => (to === 'irancell' ? 680 : 0);
    const operators = { irancell: paid(2_100_000, 1000), rightel: paid(9, 1) };
    const known = { ...NOTHING_PAID, ucs2: { ...paid(1420, 1), operators } };
    const learn = async (left: readonly Left[], extra = dearer) => {
      const { counts, outbox } = account(left, { extra });
      return (await learnPrices(counts, outbox, NOW, known)).prices.ucs2.operators;
    };
    const one = { secondsAgo: 60, text: PERSIAN, count: 30, to: 'mci' } as const;
    expect(await learn([one])).toEqual({ ...operators, mci: paid(42_600, 30) });
    const mixed = [one, { ...one, to: 'irancell' }] as const;
    expect(await learn([{ ...one, to: 'irancell' }], () => 9)).toEqual({ irancell: paid(30 * 1429, 30) });
    expect(await learn([{ ...one, to: 'irancell', count: 60 }])).toEqual({
      ...operators,
      irancell: paid(60 * 2100, 60),
    });
    // One second does not tell them apart, but it may tell that they are others.
    expect(await learn(mixed, () => 690)).toEqual(operators);
    expect(await learn(mixed, ({ to }) => (to === 'irancell' ? 5000 : 0))).toBeUndefined();
  });

  test('asks for no days of a week that had nothing', async () => {
    const quiet = account([{ secondsAgo: 20 * DAY_SECONDS, text: LATIN, count: 3 }]);
    expect(await learnPrices(quiet.counts, quiet.outbox, NOW)).toEqual({
      prices: NOTHING_PAID,
      rialPerDay: null,
    });
    expect(quiet.asked).toEqual(['count 7']);
  });

  test('adds the days of the week up where the gateway refuses longer times', async () => {
    const { counts, asked } = account(
      [
        { secondsAgo: 60, text: PERSIAN, count: 300 },
        { secondsAgo: 6 * DAY_SECONDS, text: PERSIAN, count: 50 },
      ],
      { longestDays: 1 },
    );
    expect(await learnPrices(counts, null, NOW)).toEqual({ prices: NOTHING_PAID, rialPerDay: 71_000 });
    expect(asked).toEqual(['count 7', ...Array.from({ length: 7 }, () => 'count 1')]);
    const both = ([LATIN, PERSIAN] as const).map((text, nth) => ({ secondsAgo: 60 + nth, text, count: 3 }));
    const refusing = account(both, { longestDays: 1 });
    await learnPrices(refusing.counts, refusing.outbox, NOW);
    expect(refusing.asked.filter((each) => each === 'list')).toHaveLength(1);
    const telling = account(both);
    await learnPrices(telling.counts, null, NOW);
    expect(telling.asked).toEqual(['count 7']);
  });

  test('is silent about encodings when the list fails, and fails as the counts do', async () => {
    const { counts } = account([{ secondsAgo: 60, text: PERSIAN, count: 30 }]);
    const mute = { inRange: () => Promise.reject(new AppError('gateway_no_answer', 'no answer')) };
    expect(await learnPrices(counts, mute, NOW)).toEqual({ prices: NOTHING_PAID, rialPerDay: 6086 });
    const broken = { inRange: () => Promise.reject(new TypeError('a mistake of ours')) };
    await expect(learnPrices(counts, broken, NOW)).rejects.toThrow('a mistake of ours');
    const dead = { sent: () => Promise.reject(new AppError('gateway_no_answer', 'no answer')) };
    await expect(learnPrices(dead, null, NOW)).rejects.toMatchObject({ code: 'gateway_no_answer' });
    let questions = 0;
    const dumb = {
      sent: async (range: TimeRange) => await ((questions += 1) === 1 ? dead : counts).sent(range),
    };
    await expect(learnPrices(dumb, null, NOW)).rejects.toMatchObject({ code: 'gateway_no_answer' });
  });
});
