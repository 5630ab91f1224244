import { PICTURE, type BarChart, type ChartTile, type Tone } from '../ports/charts.ts';
import { plot, type Frame } from './plot.ts';
import { stack } from './scale.ts';
import { LABEL, picture, rect, text, widthOf, wrap, type Svg } from './svg.ts';

/** So wide a chat shows a picture on a phone that is 390 points wide: beside it are the margins of its message. */
const WIDTH = 300;
const HEIGHT = (WIDTH * PICTURE.height) / PICTURE.width;
export const FONT = 'Vazirmatn';
const MARGIN = 10;

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

/** A chart as SVG, in points of a phone: title and headline, the figures below, then the bars. */
export function barChartSvg(chart: BarChart): string {
  const head = heading(chart);
  const rows = figures(chart, head.bottom + 8);
  const bottom = HEIGHT - heightOfShares(chart);
  const frame: Frame = {
    box: { left: MARGIN, right: WIDTH - MARGIN, top: rows.bottom + 20, bottom: bottom - 28 },
    colors: COLORS,
    paper: PAPER,
    ink: INK,
    pale: PALE,
  };
  return picture(WIDTH, HEIGHT, FONT, [
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT, fill: PAPER }),
    ...head.parts,
    ...rows.parts,
    ...plot(chart, frame),
    ...shareBars(chart, frame, bottom),
  ]);
}

interface Block {
  readonly parts: readonly Svg[];
  /** Where it ends, from the top. */
  readonly bottom: number;
}

const ROOM = WIDTH - 2 * MARGIN;
const TITLE = { size: 16, line: 21, most: 2 } as const;
const HEADLINE = { value: 24, bottom: 48 } as const;
const SUBTITLE = { line: 17, most: 3 } as const;

function heading({ direction, title, subtitle, headline }: BarChart): Block {
  const isRtl = direction === 'rtl';
  const near = { x: isRtl ? WIDTH - MARGIN : MARGIN, anchor: isRtl ? 'end' : 'start', direction } as const;
  const far = { x: isRtl ? MARGIN : WIDTH - MARGIN, anchor: isRtl ? 'start' : 'end', direction } as const;
  const taken =
    headline === null
      ? 0
      : Math.min(
          ROOM / 2,
          Math.max(widthOf(headline.value) * HEADLINE.value, widthOf(headline.label) * LABEL) + 12,
        );
  const width = ROOM - taken;
  const titles = wrap(title.split(' '), ' ', width / TITLE.size, TITLE.most);
  const below = Math.max(6 + titles.length * TITLE.line, headline === null ? 0 : HEADLINE.bottom);
  const subtitles = wrap(subtitle, ' · ', ROOM / LABEL, SUBTITLE.most);
  return {
    parts: [
      ...titles.map((line, index) =>
        text(line, { ...near, y: 26 + index * TITLE.line, size: TITLE.size, bold: true, fill: INK, width }),
      ),
      ...(headline === null
        ? []
        : [
            text(headline.value, {
              ...far,
              y: 31,
              size: HEADLINE.value,
              bold: true,
              fill: INK,
              width: taken,
            }),
            text(headline.label, { ...far, y: HEADLINE.bottom, size: LABEL, fill: PALE, width: taken }),
          ]),
      ...subtitles.map((line, index) =>
        text(line, {
          ...near,
          y: below + (index + 1) * SUBTITLE.line,
          size: LABEL,
          fill: PALE,
          width: ROOM,
        }),
      ),
    ],
    bottom: below + subtitles.length * SUBTITLE.line,
  };
}

const MAX_FIGURES = 7;
const MAX_ROWS = 4;
const MAX_COLUMNS = 3;
const FIGURE = { value: 16, row: 37, inside: 10, gap: 4 } as const;
const CHIP = { width: 5, height: 31 } as const;

/** Where reading begins is the first of them; beside each other as many as have room. */
function figures(chart: BarChart, top: number): Block {
  const tiles = chart.tiles.slice(0, MAX_FIGURES);
  const widest = Math.max(
    0,
    ...tiles.map(({ value, label }) => Math.max(widthOf(value) * FIGURE.value, widthOf(label) * LABEL)),
  );
  const fitting = Math.floor(ROOM / (widest + FIGURE.inside + FIGURE.gap));
  const columns = Math.max(Math.ceil(tiles.length / MAX_ROWS), Math.min(fitting, MAX_COLUMNS), 1);
  const inside = tiles.every(({ tone }) => tone === null) ? 0 : FIGURE.inside;
  return {
    parts: tiles.flatMap((tile, index) =>
      figure(chart, tile, {
        inside,
        edge: MARGIN + (index % columns) * (ROOM / columns),
        top: top + Math.floor(index / columns) * FIGURE.row,
        room: ROOM / columns,
      }),
    ),
    bottom: top + Math.ceil(tiles.length / columns) * FIGURE.row,
  };
}

function figure(
  { direction }: BarChart,
  { value, label, tone }: ChartTile,
  {
    inside,
    edge,
    top,
    room,
  }: { readonly inside: number; readonly edge: number; readonly top: number; readonly room: number },
): Svg[] {
  const isRtl = direction === 'rtl';
  const mirrored = (x: number): number => (isRtl ? WIDTH - x : x);
  const at = { x: mirrored(edge + inside), anchor: isRtl ? 'end' : 'start', direction } as const;
  const width = room - inside - FIGURE.gap;
  return [
    ...chip(tone, { x: mirrored(edge) - (isRtl ? CHIP.width : 0), top }),
    text(value, { ...at, y: top + 14, size: FIGURE.value, bold: true, fill: INK, width }),
    text(label, { ...at, y: top + 30, size: LABEL, fill: PALE, width }),
  ];
}

/** What a figure's colour, or the dashed line, looks like among the bars. */
function chip(tone: ChartTile['tone'], { x, top }: { readonly x: number; readonly top: number }): Svg[] {
  if (tone === null) return [];
  const piece = (y: number, height: number, radius: number): Svg =>
    rect({ x, y, width: CHIP.width, height, radius, fill: tone === 'line' ? INK : COLORS[tone] });
  if (tone !== 'line') return [piece(top + 1, CHIP.height, 2)];
  return [0, 12, 24].map((down) => piece(top + 1 + down, 7, 1));
}

const MOST = 4;
const ROW = 22;
const BAR = 12;
const GAP = 8;
const WIDEST_LABEL = 110;

/** How much of the height of a picture its shares take. */
function heightOfShares({ shares }: Pick<BarChart, 'shares'>): number {
  return shares.length === 0 ? 0 : Math.min(shares.length, MOST) * ROW + GAP;
}

/** One below the other: what it is of where reading begins, its bar, and its figure at the end. */
function shareBars(chart: BarChart, frame: Frame, top: number): Svg[] {
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
