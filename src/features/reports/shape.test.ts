import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import type { Turn } from '../../telegram/turn.ts';
import { pictureOf } from './picture-card.ts';
import { countShown, shapeOf, SHOWN, shownOf } from './shape.ts';
import { STANDINGS } from './standing.ts';

const FROM = Date.UTC(2026, 10, 24) / 1000;
const NOW = new Date((FROM + 86_400) * 1000);
const turn = { locale: 'en', format: createFormat('en', 'UTC') } as unknown as Turn;

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
    expect(STANDINGS.map((standing) => shownOf(standing)).every((shown) => SHOWN.includes(shown))).toBe(true);
  });
});

describe('the picture of a report', () => {
  it('holds the numbers of its words: in its figures, and in its bars over time', () => {
    fc.assert(
      fc.property(points, (given) => {
        const counts = countShown(given);
        const shape = shapeOf({ from: FROM, to: FROM + 3 * 86_400 }, 'UTC', 900, given);
        const chart = pictureOf(turn, { title: '', subtitle: [], counts, shape }, NOW);
        const sums = chart.tones.map((_, index) =>
          chart.bars.reduce((sum, bar) => sum + (bar.values[index] ?? 0), 0),
        );
        expect(sums).toEqual(SHOWN.map((shown) => counts[shown]));
        expect(chart.tiles.map(({ value }) => value)).toEqual(
          sums.filter((sum) => sum > 0).map((sum) => turn.format.number(sum)),
        );
        const all = sums.reduce((sum, each) => sum + each, 0);
        expect(chart.headline?.value).toBe(
          all === 0 ? undefined : turn.format.percent(counts.delivered / all),
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
      const { bars, subtitle } = pictureOf(turn, { title: '', subtitle: [], counts, shape }, NOW);
      expect(bars.map(({ label, values }) => [label, values.filter((value) => value > 0)])).toEqual([
        ['delivered', [57]],
        ['not delivered', [3]],
      ]);
      expect(subtitle).not.toContain('minute');
      // Like the figures above them, they begin where reading does.
      const persian = pictureOf({ ...turn, locale: 'fa' }, { title: '', subtitle: [], counts, shape }, NOW);
      expect(persian.bars.map(({ label }) => label)).toEqual(['نرسید', 'رسید']);
    }
  });
});
