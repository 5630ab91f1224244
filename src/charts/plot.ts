import type { BarChart, Tone } from '../ports/charts.ts';
import { labelStride, roundScale, stack, type Scale } from './scale.ts';
import { LABEL, level, rect, text, widthOf, type Svg } from './svg.ts';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Frame {
  /** Where bars and scale are; the labels of the bars stand below. */
  readonly box: Box;
  readonly colors: Readonly<Record<Tone, string>>;
  readonly paper: string;
  readonly ink: string;
  readonly pale: string;
}

const WIDEST_BAR = 36;
/** A label of a bar may be so much wider than its place, where there are few. */
const NARROWEST_LABEL = 80;
/** A label may stand so far outside the plot, and so far from the next. */
const OVERHANG = 6;
const GAP = 7;
/** So many bars have room for their sums; of more only the highest has one. */
const SUMMED_BARS = 16;

/** Scale, bars and their labels; or the word for nothing. */
export function plot(chart: BarChart, frame: Frame): Svg[] {
  const sums = chart.bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(0, ...sums);
  if (most === 0) return nothing(chart, frame);
  const scale = roundScale(Math.max(most, chart.line ?? 0));
  const gutter = Math.max(...scale.ticks.map((value) => widthOf(chart.tick(value)))) * LABEL + 8;
  // The scale stands where reading begins. Time goes to the right in both languages: so it does in what Persian
  // readers know of newspapers, markets and school.
  const isRtl = chart.direction === 'rtl';
  const box: Box = {
    ...frame.box,
    left: frame.box.left + (isRtl ? 0 : gutter),
    right: frame.box.right - (isRtl ? gutter : 0),
  };
  return [
    ...grid(chart, frame, box, scale),
    ...bars(chart, frame, box, scale),
    ...(chart.line === null
      ? []
      : [
          level({
            ...across(box),
            y: heightAt(box, scale, chart.line),
            color: frame.ink,
            width: 1.5,
            dash: '5 4',
          }),
        ]),
    ...barLabels(chart, frame, box),
    ...sumLabels({ chart, frame, box, scale, sums }),
  ];
}

function nothing({ empty, direction }: BarChart, { box, pale }: Frame): Svg[] {
  const { from, to } = across(box);
  return [
    level({ from, to, y: box.bottom, color: '#aab6c2', width: 1.5 }),
    text(empty, {
      x: (from + to) / 2,
      y: (box.top + box.bottom) / 2,
      size: 16,
      anchor: 'middle',
      fill: pale,
      direction,
      width: to - from,
    }),
  ];
}

function grid({ direction, tick }: BarChart, { pale }: Frame, box: Box, scale: Scale): Svg[] {
  const isRtl = direction === 'rtl';
  return scale.ticks.flatMap((value) => {
    const y = heightAt(box, scale, value);
    const look = value === 0 ? { color: '#aab6c2', width: 1.5 } : { color: '#e1e7ed', width: 1 };
    const at = { x: isRtl ? box.right + 6 : box.left - 6, y: y + 4.5 };
    return [
      level({ ...across(box), y, ...look }),
      text(tick(value), { ...at, size: LABEL, anchor: isRtl ? 'start' : 'end', fill: pale, direction }),
    ];
  });
}

function bars(chart: BarChart, { colors }: Frame, box: Box, scale: Scale): Svg[] {
  const { slot, middle } = slots(chart, box);
  const width = Math.min(slot * 0.74, WIDEST_BAR);
  return chart.bars.flatMap(({ values }, index) =>
    stack(values, scale.top, box.bottom - box.top).map((piece) =>
      rect({
        x: middle(index) - width / 2,
        y: box.top + piece.y,
        width,
        // A line of paper between two colours that are thick enough for it.
        height: piece.height - (piece.height > 6 ? 1 : 0),
        radius: width > 8 ? 2 : 0,
        fill: colors[chart.tones[piece.index] ?? 'unknown'],
      }),
    ),
  );
}

function barLabels(chart: BarChart, frame: Frame, box: Box): Svg[] {
  const { slot, middle } = slots(chart, box);
  const edges = { left: frame.box.left - OVERHANG, right: frame.box.right + OVERHANG };
  const widest = Math.max(...chart.bars.map(({ label }) => widthOf(label))) * LABEL;
  // The outermost may have to step inwards, towards the next.
  const step = Math.max(0, (widest - slot) / 2 - OVERHANG);
  const needed = Math.min(widest + step + GAP, NARROWEST_LABEL);
  const stride = labelStride(chart.bars.length, box.right - box.left, needed);
  const most = Math.max(slot * stride, NARROWEST_LABEL);
  return chart.bars.flatMap(({ label }, index) => {
    // The last one is now, or what came later: it is always said.
    if ((chart.bars.length - 1 - index) % stride !== 0) return [];
    const style = { size: LABEL, anchor: 'middle', fill: frame.pale, direction: chart.direction } as const;
    const half = Math.min(widthOf(label) * LABEL, most) / 2;
    const x = Math.max(edges.left + half, Math.min(middle(index), edges.right - half));
    return [text(label, { ...style, x, y: box.bottom + 19, width: most })];
  });
}

/** What each bar comes to, where there is room, else the highest one. */
function sumLabels(drawn: {
  readonly chart: BarChart;
  readonly frame: Frame;
  readonly box: Box;
  readonly scale: Scale;
  readonly sums: readonly number[];
}): Svg[] {
  const { chart, frame, box, scale, sums } = drawn;
  const { slot, middle } = slots(chart, box);
  const isRtl = chart.direction === 'rtl';
  // Beside the scale a sum that stepped out of the plot would lie on what the scale says.
  const edges = {
    left: box.left - (isRtl ? OVERHANG : 0),
    right: box.right + (isRtl ? 0 : OVERHANG),
  };
  const widest = Math.max(...sums.map((sum) => widthOf(chart.tick(sum)))) * LABEL;
  const isRoom = sums.length <= SUMMED_BARS && widest <= slot;
  const peak = sums.indexOf(Math.max(...sums));
  return sums.flatMap((sum, index) => {
    if (sum === 0 || !(isRoom || index === peak)) return [];
    const y =
      box.top + (stack(chart.bars[index]?.values ?? [], scale.top, box.bottom - box.top).at(-1)?.y ?? 0);
    const style = { size: LABEL, anchor: 'middle', bold: true, fill: frame.ink, rim: frame.paper } as const;
    const half = (widthOf(chart.tick(sum)) * LABEL) / 2;
    const x = Math.max(edges.left + half, Math.min(middle(index), edges.right - half));
    return [text(chart.tick(sum), { ...style, x, y: y - 5, direction: chart.direction })];
  });
}

function slots({ bars: all }: BarChart, { left, right }: Box) {
  const slot = (right - left) / all.length;
  return { slot, middle: (index: number): number => left + (index + 0.5) * slot };
}

function heightAt({ top, bottom }: Box, scale: Scale, value: number): number {
  return bottom - (value / scale.top) * (bottom - top);
}

function across({ left, right }: Box): { readonly from: number; readonly to: number } {
  return { from: left, to: right };
}
