import type { BarChart } from '../ports/charts.ts';
import type { Frame } from './plot.ts';
import { stack } from './scale.ts';
import { LABEL, rect, text, widthOf, type Svg } from './svg.ts';

const MOST = 4;
const ROW = 22;
const BAR = 12;
const GAP = 8;
const WIDEST_LABEL = 110;

/** How much of the height of a picture its shares take. */
export function heightOfShares({ shares }: Pick<BarChart, 'shares'>): number {
  return shares.length === 0 ? 0 : Math.min(shares.length, MOST) * ROW + GAP;
}

/** One below the other: what it is of where reading begins, its bar, and its figure at the end. */
export function shareBars(chart: BarChart, frame: Frame, top: number): Svg[] {
  const { direction, tones } = chart;
  const { box, colors, ink, pale } = frame;
  const isRtl = direction === 'rtl';
  const shown = chart.shares.slice(0, MOST);
  const widest = (of: readonly string[]): number => Math.max(0, ...of.map(widthOf)) * LABEL;
  const label = Math.min(widest(shown.map((each) => each.label)), WIDEST_LABEL);
  const value = widest(shown.map((each) => each.value));
  const width = box.right - box.left - label - value - 2 * GAP;
  const mirrored = (x: number): number => (isRtl ? box.left + box.right - x : x);
  const [near, far] = isRtl ? (['end', 'start'] as const) : (['start', 'end'] as const);
  return shown.flatMap((each, index) => {
    const y = top + index * ROW;
    const line = { y: y + BAR - 1, size: LABEL, direction } as const;
    const all = each.values.reduce((sum, one) => sum + one, 0);
    return [
      text(each.label, { ...line, x: mirrored(box.left), anchor: near, fill: pale, width: label }),
      ...(all === 0 ? [] : stack(each.values, all, width)).map((piece) => {
        // From where reading begins, what a stack has at its bottom comes first.
        const from = box.left + label + GAP + (width - piece.y - piece.height);
        return rect({
          x: mirrored(from) - (isRtl ? piece.height : 0),
          y,
          width: piece.height - (piece.height > 6 ? 1 : 0),
          height: BAR,
          fill: colors[tones[piece.index] ?? 'unknown'],
        });
      }),
      text(each.value, { ...line, x: mirrored(box.right), anchor: far, fill: ink, bold: true }),
    ];
  });
}
