import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { pictureOf } from './picture-card.ts';
import { arrivalShape, countShown, shapeOf, SHOWN, shownOf } from './shape.ts';
import { RECIPIENT_STATUSES } from './recipient-status.ts';

const FROM = Date.UTC(2026, 10, 24) / 1000;
const NOW = new Date((FROM + 86_400) * 1000);
const ctx = { locale: 'en', format: createFormat('en', 'UTC') } as unknown as RequestContext;

const points = fc.array(
  fc.record({
    at: fc.integer({ min: FROM, max: FROM + 3 * 86_400 }),
    shown: fc.constantFrom(...SHOWN),
    count: fc.nat(1000),
  }),
  { maxLength: 200 },
);

describe('the shape of a time', () => {
  it('keeps every message, in the piece of time in which it left', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 60, max: 3 * 86_400 }), (given, length) => {
        const { counts, buckets } = shapeOf({ from: FROM, to: FROM + length }, 'Asia/Tehran', 60, given);
        expect(counts).toHaveLength(buckets.starts.length);
        for (const shown of SHOWN)
          expect(counts.reduce((sum, each) => sum + each[shown], 0)).toBe(countShown(given)[shown]);
      }),
    );
  });

  it('has a place for every standing', () => {
    expect(RECIPIENT_STATUSES.map((status) => shownOf(status)).every((shown) => SHOWN.includes(shown))).toBe(
      true,
    );
  });
});

describe('the shape of the reports of a send', () => {
  const delivered = (at: number, count: number) => ({ at: FROM + at, shown: 'delivered' as const, count });

  it('is by the minute, and its few stragglers are one piece that has no end', () => {
    const shape = arrivalShape('UTC', [
      delivered(0, 400),
      delivered(60, 500),
      delivered(240, 80),
      delivered(5 * 3600, 7),
      delivered(9 * 3600, 3),
    ]);
    expect(shape).toMatchObject({ by: 'reported', isOpen: true, buckets: { unit: 'minutes' } });
    expect(shape?.counts.map(({ delivered: count }) => count)).toEqual([400, 500, 0, 0, 80, 10]);
    expect(shape?.buckets.starts).toEqual([0, 60, 120, 180, 240, 300].map((at) => FROM + at));
  });

  it('has an end where the last came soon, or so many came late that they are no stragglers', () => {
    const soon = arrivalShape('UTC', [delivered(0, 400), delivered(1740, 3)]);
    expect(soon).toMatchObject({ isOpen: false, buckets: { unit: 'minutes' } });
    expect(soon?.counts).toHaveLength(30);
    const late = arrivalShape('UTC', [delivered(0, 100), delivered(10 * 3600, 100)]);
    expect(late).toMatchObject({ isOpen: false, buckets: { unit: 'hours' } });
    expect(late?.counts.map(({ delivered: count }) => count)).toEqual([100, ...Array(9).fill(0), 100]);
  });

  it('keeps every report, in pieces that follow each other', () => {
    const given = fc.array(fc.record({ at: fc.nat(3 * 1440), count: fc.integer({ min: 1, max: 900 }) }), {
      minLength: 2,
      maxLength: 60,
    });
    fc.assert(
      fc.property(given, (some) => {
        const sorted = some
          .map(({ at, count }) => delivered(at * 60, count))
          .toSorted((one, other) => one.at - other.at);
        const shape = arrivalShape('Asia/Tehran', sorted);
        if (shape === null) return;
        expect(shape.counts.reduce((sum, each) => sum + each.delivered, 0)).toBe(
          sorted.reduce((sum, { count }) => sum + count, 0),
        );
        const { starts } = shape.buckets;
        expect(starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? 0))).toBe(true);
      }),
    );
  });

  it('is none where they are few, or came all at once', () => {
    expect(arrivalShape('UTC', [])).toBeNull();
    expect(arrivalShape('UTC', [delivered(0, 60), delivered(60, 39)])).toBeNull();
    expect(arrivalShape('UTC', [delivered(0, 4000)])).toBeNull();
  });
});

describe('the picture of a report', () => {
  it('of when reports came in has no colour for what none has settled', () => {
    const given = [
      { at: FROM, shown: 'delivered' as const, count: 200 },
      { at: FROM + 60, shown: 'failed' as const, count: 9 },
    ];
    const counts = { ...countShown(given), waiting: 40 };
    const shape = arrivalShape('UTC', given);
    const { tiles, bars, subtitle } = pictureOf(
      ctx,
      { title: '', subtitle: [], counts, shape, operators: [] },
      NOW,
    );
    expect(tiles.map(({ label, tone }) => [label, tone])).toEqual([
      ['delivered', 'good'],
      ['waiting', null],
      ['not delivered', 'bad'],
    ]);
    expect(bars.map(({ label }) => label)).toEqual(['00:00', '00:01']);
    expect(subtitle).toEqual(['by the minute reported', 'as of 00:00 (\u2066UTC\u2069)']);
  });

  it('holds the numbers of its words: in its figures, and in its bars over time', () => {
    fc.assert(
      fc.property(points, (given) => {
        const counts = countShown(given);
        const shape = shapeOf({ from: FROM, to: FROM + 3 * 86_400 }, 'UTC', 900, given);
        const chart = pictureOf(ctx, { title: '', subtitle: [], counts, shape, operators: [] }, NOW);
        const sums = chart.tones.map((_, index) =>
          chart.bars.reduce((sum, bar) => sum + (bar.values[index] ?? 0), 0),
        );
        expect(sums).toEqual(SHOWN.map((shown) => counts[shown]));
        expect(chart.tiles.map(({ value }) => value)).toEqual(
          sums.filter((sum) => sum > 0).map((sum) => ctx.format.number(sum)),
        );
        const all = sums.reduce((sum, each) => sum + each, 0);
        expect(chart.headline?.value).toBe(
          all === 0 ? undefined : ctx.format.percent(counts.delivered / all),
        );
      }),
    );
  });

  it('sets what became of them side by side where all left in one moment, or nobody knows when', () => {
    const given = [
      { at: FROM, shown: 'delivered' as const, count: 57 },
      { at: FROM + 9, shown: 'failed' as const, count: 3 },
    ];
    const counts = countShown(given);
    for (const shape of [shapeOf({ from: FROM, to: FROM + 59 }, 'UTC', 60, given), null]) {
      const { bars, subtitle } = pictureOf(
        ctx,
        { title: '', subtitle: [], counts, shape, operators: [] },
        NOW,
      );
      expect(bars.map(({ label, values }) => [label, values.filter((value) => value > 0)])).toEqual([
        ['delivered', [57]],
        ['not delivered', [3]],
      ]);
      expect(subtitle.join('')).not.toContain('minute');
      // Like the figures above them, they begin where reading does.
      const persian = pictureOf(
        { ...ctx, locale: 'fa' },
        { title: '', subtitle: [], counts, shape, operators: [] },
        NOW,
      );
      expect(persian.bars.map(({ label }) => label)).toEqual(['تحویل نشد', 'تحویل شد']);
    }
  });
});
