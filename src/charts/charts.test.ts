import { Resvg } from '@resvg/resvg-js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PICTURE, type BarChart, type Tone } from '../ports/charts.ts';
import { barChartSvg, COLORS } from './bar-chart.ts';
import { createCharts } from './charts.ts';
import { picture, text, widthOf } from './svg.ts';

const TONES = ['good', 'on_way', 'waiting', 'bad', 'blocked', 'unknown'] as const satisfies readonly Tone[];
const PAPER = '#fbfcfe';
const { width: WIDTH, height: HEIGHT } = PICTURE;
/** The units of the drawing: points of a phone. */
const POINTS = 300;
const BOLD = {
  loadSystemFonts: false,
  fontFiles: ['node_modules/vazirmatn/fonts/ttf/Vazirmatn-Bold.ttf'],
  defaultFontFamily: 'Vazirmatn',
};
const charts = createCharts();

function chartOf(bars: BarChart['bars'], more: Partial<BarChart> = {}): BarChart {
  return {
    direction: 'ltr',
    title: 'Report',
    subtitle: ['24 Nov 2026'],
    headline: { value: '94.3%', label: 'delivered' },
    tiles: [],
    tones: TONES,
    bars,
    line: null,
    shares: [],
    tick: String,
    empty: 'Nothing was sent.',
    ...more,
  };
}

const bar = (label: string, ...values: number[]) => ({
  label,
  values: [...values, 0, 0, 0, 0, 0, 0].slice(0, 6),
});

/** The picture as it is seen: colours as #rrggbb. */
async function seen(chart: BarChart) {
  const png = Buffer.from(await charts.draw(chart));
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><image href="${href}" width="${WIDTH}" height="${HEIGHT}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const at = (x: number, y: number): string => {
    const place = (Math.round(y) * WIDTH + Math.round(x)) * 4;
    return `#${pixels.toString('hex', place, place + 3)}`;
  };
  /** Colours down a column, each once. */
  const column = (x: number): string[] => {
    const found: string[] = [];
    for (let y = HEIGHT - 80; y > 290; y -= 1) if (found.at(-1) !== at(x, y)) found.push(at(x, y));
    return found;
  };
  const row = (y: number): string[] => {
    const found: string[] = [];
    for (let x = 0; x < WIDTH; x += 1) if (found.at(-1) !== at(x, y)) found.push(at(x, y));
    return found;
  };
  return { pixels, at, column, row };
}

describe('a picture', () => {
  it('shows the colours of a bar from the bottom upwards, on a paper of its own', async () => {
    const { at, column } = await seen(chartOf([bar('14:00', 50, 40, 30, 20, 10, 5)]));
    expect([at(0, 0), at(WIDTH - 1, 0), at(WIDTH - 1, HEIGHT - 1)]).toEqual([PAPER, PAPER, PAPER]);
    const hues = column(530).filter((color) => Object.values(COLORS).includes(color));
    expect(hues).toEqual(TONES.map((tone) => COLORS[tone]));
  });

  it('has time go to the right and the scale where reading begins', async () => {
    const two = [bar('1', 9), bar('2', 0, 0, 0, 9)];
    for (const direction of ['ltr', 'rtl'] as const) {
      const { column, pixels } = await seen(chartOf(two, { direction }));
      expect(column(270)).toContain(COLORS.good);
      expect(column(690)).toContain(COLORS.bad);
      const ink = (from: number, to: number): number => {
        let count = 0;
        for (let y = 290; y < 1220; y += 1)
          for (let x = from; x < to; x += 1) if ((pixels[(y * WIDTH + x) * 4] ?? 255) < 0x90) count += 1;
        return count;
      };
      const [left, right] = [ink(32, 64), ink(WIDTH - 64, WIDTH - 32)];
      expect(direction === 'ltr' ? left : right).toBeGreaterThan(20);
      expect(direction === 'ltr' ? right : left).toBe(0);
    }
  });

  it('uses all the width that the scale leaves', () => {
    for (const [direction, edge] of [
      ['ltr', /x2="290"/u],
      ['rtl', /x1="10"/u],
    ] as const) {
      const lines = barChartSvg(chartOf([bar('1', 9)], { direction })).match(/<line [^>]+>/gu) ?? [];
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.every((line) => edge.test(line))).toBe(true);
    }
  });

  it('has no text that is smaller than 12 points where a phone of 390 shows it', () => {
    const tiles = TONES.map((tone, index) => ({ value: '1,234', label: `figure ${index}`, tone }));
    const bars = Array.from({ length: 30 }, (_, index) => bar(`14:${10 + index}`, index));
    for (const chart of [chartOf(bars, { tiles }), chartOf([], { tiles })]) {
      const svg = barChartSvg(chart);
      expect(svg).toContain(`width="${POINTS}"`);
      const sizes = [...svg.matchAll(/font-size="([\d.]+)"/gu)].map(([, size]) => Number(size));
      expect(sizes.length).toBeGreaterThan(10);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    }
  });

  it.each([
    '18 Nov 2026, 03:12 – 24 Nov 2026, 14:12',
    '۲۷ آبان ۱۴۰۵ تا ۳ آذر ۱۴۰۵، ۰۸:۳۷',
    '۹۴٫۲٪',
    '۱۲٬۳۴۵٬۶۷۸ ریال',
    'با این روند کفاف می‌دهد',
    '≈ 1,234,567 rial',
  ])('takes «%s» for as wide as it is, in bold too', (content) => {
    const only = picture(POINTS, POINTS, 'Vazirmatn', [
      text(content, { x: 0, y: 50, size: 40, anchor: 'start', fill: '#000', bold: true, direction: 'ltr' }),
    ]);
    const { width = 0 } = new Resvg(only, { font: BOLD }).innerBBox() ?? {};
    expect(width).toBeGreaterThan(0);
    expect(width).toBeLessThanOrEqual(40.8 * widthOf(content));
  });

  it('goes on in another line with a piece that has no room, and cuts none of many figures', () => {
    const subtitle = ['24 November 2026', '12,345 recipients', 'by the minute sent', 'as of 14:12'];
    const tiles = [...TONES, 'not_sent' as const].map((tone) => ({
      value: '1,234,567',
      label: 'not delivered',
      tone,
    }));
    const svg = barChartSvg(chartOf([bar('1', 9)], { subtitle, tiles }));
    const lines = [...svg.matchAll(/>\u2066([^<]*)\u2069</gu)].map(([, line]) => line);
    expect(lines).toContain(subtitle.slice(0, 2).join(' · '));
    expect(lines).toContain(subtitle.slice(2).join(' · '));
    expect(lines.filter((line) => line === 'not delivered')).toHaveLength(tiles.length);
    expect(svg).not.toContain('…');
  });

  it('keeps the names of the outermost bars within its edges', () => {
    for (const direction of ['ltr', 'rtl'] as const) {
      const bars = Array.from({ length: 14 }, (_, index) => bar(`${10 + index} November`, 9));
      const labels = [
        ...barChartSvg(chartOf(bars, { direction })).matchAll(/x="([\d.]+)"[^>]+>\W*(\d+ November)/gu),
      ];
      expect(labels.length).toBeGreaterThan(2);
      let end = 0;
      for (const [, x, label = ''] of labels) {
        const half = (widthOf(label) * 13) / 2;
        expect(Number(x) - half).toBeGreaterThan(end);
        end = Number(x) + half;
      }
      expect(end).toBeLessThan(POINTS);
    }
  });

  it('keeps the sum of the highest bar off the scale, and within the edges', () => {
    for (const direction of ['ltr', 'rtl'] as const)
      for (const peak of [0, 29]) {
        const bars = Array.from({ length: 30 }, (_, index) => bar('14:00', index === peak ? 1234567 : 9));
        const svg = barChartSvg(chartOf(bars, { direction, tick: (value) => value.toLocaleString('en') }));
        const [, x] = /<text x="([\d.]+)"[^>]+>\W*1,234,567\W*</u.exec(svg) ?? [];
        const [, from, to] = /<line x1="([\d.]+)" x2="([\d.]+)"/u.exec(svg) ?? [];
        const half = (widthOf('1,234,567') * 13) / 2;
        const [left, right] = [Number(x) - half, Number(x) + half];
        const scale = direction === 'ltr' ? left - Number(from) : Number(to) - right;
        const edge = direction === 'ltr' ? POINTS - right : left;
        expect(scale).toBeGreaterThan(-0.01);
        expect(edge).toBeGreaterThan(0);
      }
  });

  it('names the last bar, however few have room for their names', () => {
    for (const count of [11, 12, 30]) {
      const bars = Array.from({ length: count }, (_, index) =>
        bar(index === count - 1 ? 'later' : '14:00', 9),
      );
      expect(barChartSvg(chartOf(bars))).toContain('later');
    }
  });

  it('joins Persian letters and puts two scripts in their order', async () => {
    const width = (content: string): number => {
      const chart = chartOf([], {
        direction: 'rtl',
        title: content,
        subtitle: [],
        headline: null,
        empty: '',
      });
      const only = barChartSvg(chart).replace(/<rect[^>]*>|<line[^>]*>/gu, '');
      return new Resvg(only, { font: BOLD }).innerBBox()?.width ?? 0;
    };
    // Apart, the letters of a word are much wider.
    expect(width('گزارش')).toBeLessThan(0.9 * width('گ\u200cز\u200cا\u200cر\u200cش'));
    expect(width('سفینه')).toBeLessThan(0.7 * width('س\u200cف\u200cی\u200cن\u200cه'));
    // What comes first stands on the right.
    const { pixels } = await seen(
      chartOf([], { direction: 'rtl', title: '| سلام گزارش', headline: null, subtitle: [] }),
    );
    const darkRows = (x: number): number => {
      let count = 0;
      for (let y = 20; y < 110; y += 1) if ((pixels[(y * WIDTH + x) * 4] ?? 255) < 0x60) count += 1;
      return count;
    };
    const tall = Array.from({ length: 30 }, (_, index) => darkRows(WIDTH - 32 - index));
    expect(Math.max(...tall)).toBeGreaterThan(40);
  });

  it('says what is missing where there is nothing to draw', () => {
    for (const bars of [[], [bar('00:00', 0)], Array.from({ length: 24 }, (_, hour) => bar(String(hour)))]) {
      const svg = barChartSvg(chartOf(bars));
      expect(svg).toContain('Nothing was sent.');
      expect(svg).not.toContain('NaN');
    }
  });

  it('shows below the bars how each share is made up, from where reading begins', async () => {
    const share = (label: string, value: string, ...values: number[]) => ({
      ...bar(label, ...values),
      value,
    });
    const shares = [share('MCI', '50%', 9, 0, 0, 9), share('RighTel', '0%', 0, 0, 0, 1), share('none', '0%')];
    for (const direction of ['ltr', 'rtl'] as const) {
      const chart = chartOf([bar('1', 9)], { direction, shares });
      const { row } = await seen(chart);
      const at = (index: number): string[] =>
        row((400 - 74 + index * 22 + 6) * 3.2).filter((color) => Object.values(COLORS).includes(color));
      const halves = [COLORS.good, COLORS.bad];
      expect(at(0)).toEqual(direction === 'ltr' ? halves : halves.toReversed());
      expect(at(1)).toEqual([COLORS.bad]);
      expect(at(2)).toEqual([]);
      for (const said of ['MCI', 'RighTel', '50%']) expect(barChartSvg(chart)).toContain(said);
    }
    const wide = barChartSvg(chartOf([], { shares: [share('W'.repeat(99), '100%', 1)] }));
    const [, x, width] = /<rect x="([\d.]+)" y="370" width="([\d.]+)"/u.exec(wide) ?? [];
    expect(Number(x)).toBeGreaterThan(100);
    expect(Number(x) + Number(width)).toBeLessThan(POINTS - 30);
  });

  it('marks a level across the bars', () => {
    const svg = barChartSvg(
      chartOf([bar('1', 4)], { line: 3, tiles: [{ value: '3', label: 'on average', tone: 'line' }] }),
    );
    expect(svg).toMatch(/y1="190.5" y2="190.5"[^>]+stroke-dasharray/u);
  });

  it('keeps all it draws within its edges, and nothing of it is no number', () => {
    const bars = fc.array(
      fc.record({
        label: fc.string({ unit: 'grapheme', maxLength: 60 }),
        values: fc.array(fc.oneof(fc.constant(0), fc.nat(9), fc.nat(10 ** 9)), {
          minLength: 6,
          maxLength: 6,
        }),
      }),
      { maxLength: 90 },
    );
    fc.assert(
      fc.property(
        bars,
        fc.constantFrom('ltr', 'rtl'),
        fc.option(fc.nat(10 ** 9)),
        (given, direction, line) => {
          const svg = barChartSvg(chartOf(given, { direction, line }));
          expect(svg).not.toMatch(/NaN|Infinity|="-/u);
          for (const [, x, y, width, height] of svg.matchAll(
            /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/gu,
          )) {
            expect(Number(x) + Number(width)).toBeLessThanOrEqual(POINTS + 0.01);
            expect(Number(y) + Number(height)).toBeLessThanOrEqual(Number(y) === 0 ? 400 : 372.01);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([1, 24, 31, 90])('draws %d bars of up to a thousand million', async (count) => {
    const bars = Array.from({ length: count }, (_, index) =>
      bar(`${index} a label that is long`, 10 ** 9 - index, 1, 0, index),
    );
    const { row } = await seen(chartOf(bars, { tick: (value) => value.toLocaleString('en') }));
    expect(row(900).filter((color) => color === COLORS.good)).toHaveLength(count);
  });
});
