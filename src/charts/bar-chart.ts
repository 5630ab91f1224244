import type { BarChart, ChartTile, Tone } from '../ports/charts.ts';
import { plot, type Frame } from './plot.ts';
import { picture, rect, text, widthOf, type Svg } from './svg.ts';

const WIDTH = 1000;
const HEIGHT = 600;
export const FONT = 'Vazirmatn';
const MARGIN = 44;

/** Told apart by those who see no red or green, too: each is of another lightness. */
export const COLORS: Readonly<Record<Tone, string>> = {
  good: '#2fa36b',
  on_way: '#4a90d9',
  waiting: '#f2b632',
  bad: '#c8383f',
  blocked: '#6c4a9e',
  not_sent: '#8a6d5a',
  unknown: '#97a3b0',
  money: '#3a7bd5',
};
const PAPER = '#fbfcfe';
const INK = '#17212b';
const PALE = '#5d6b79';

/** A chart as SVG: title and headline, the figures below, then the bars. */
export function barChartSvg(chart: BarChart): string {
  const frame: Frame = {
    box: { left: MARGIN, right: WIDTH - MARGIN, top: 236, bottom: HEIGHT - 52 },
    colors: COLORS,
    paper: PAPER,
    ink: INK,
    pale: PALE,
  };
  return picture(WIDTH, HEIGHT, FONT, [
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT, fill: PAPER }),
    ...heading(chart),
    ...chart.tiles.slice(0, MOST_TILES).flatMap((tile, index, all) => figure(chart, tile, index, all.length)),
    ...plot(chart, frame),
  ]);
}

const MOST_TILES = 7;
const HEADLINE = { value: 46, label: 19 } as const;

function heading({ direction, title, subtitle, headline }: BarChart): Svg[] {
  const isRtl = direction === 'rtl';
  const near = { x: isRtl ? WIDTH - MARGIN : MARGIN, anchor: isRtl ? 'end' : 'start', direction } as const;
  const far = { x: isRtl ? MARGIN : WIDTH - MARGIN, anchor: isRtl ? 'start' : 'end', direction } as const;
  const all = WIDTH - 2 * MARGIN;
  const taken =
    headline === null
      ? 0
      : Math.min(
          all / 2,
          Math.max(widthOf(headline.value) * HEADLINE.value, widthOf(headline.label) * HEADLINE.label) + 24,
        );
  const room = all - taken;
  return [
    text(title, { ...near, y: 66, size: 32, bold: true, fill: INK, width: room }),
    text(subtitle, { ...near, y: 100, size: 19, fill: PALE, width: room }),
    ...(headline === null
      ? []
      : [
          text(headline.value, {
            ...far,
            y: 72,
            size: HEADLINE.value,
            bold: true,
            fill: INK,
            width: taken,
          }),
          text(headline.label, { ...far, y: 102, size: HEADLINE.label, fill: PALE, width: taken }),
        ]),
  ];
}

/** Where reading begins is the first of them. */
function figure(
  { direction }: BarChart,
  { value, label, tone }: ChartTile,
  index: number,
  all: number,
): Svg[] {
  const isRtl = direction === 'rtl';
  const each = Math.min((WIDTH - 2 * MARGIN) / all, 300);
  const edge = MARGIN + index * each;
  const mirrored = (x: number): number => (isRtl ? WIDTH - x : x);
  const inside = tone === null ? 0 : 15;
  const at = { x: mirrored(edge + inside), anchor: isRtl ? 'end' : 'start', direction } as const;
  const width = each - inside - 6;
  return [
    ...chip(tone, mirrored(edge) - (isRtl ? CHIP : 0)),
    text(value, { ...at, y: 156, size: 26, bold: true, fill: INK, width }),
    text(label, { ...at, y: 183, size: 16.5, fill: PALE, width }),
  ];
}

const CHIP = 6;

/** What a figure's colour, or the dashed line, looks like among the bars. */
function chip(tone: ChartTile['tone'], x: number): Svg[] {
  if (tone === null) return [];
  const piece = (y: number, height: number, radius: number): Svg =>
    rect({ x, y, width: CHIP, height, radius, fill: tone === 'line' ? INK : COLORS[tone] });
  if (tone !== 'line') return [piece(134, 52, 3)];
  return [134, 154, 174].map((y) => piece(y, 12, 1));
}
