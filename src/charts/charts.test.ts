import { Resvg } from '@resvg/resvg-js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BarChart, Tone } from '../ports/charts.ts';
import { barChartSvg, COLORS } from './bar-chart.ts';
import { createCharts } from './charts.ts';

const TONES = ['good', 'on_way', 'waiting', 'bad', 'blocked', 'unknown'] as const satisfies readonly Tone[];
const PAPER = '#fbfcfe';
const [WIDTH, HEIGHT] = [1280, 768];
const charts = createCharts();

function chartOf(bars: BarChart['bars'], more: Partial<BarChart> = {}): BarChart {
  return {
    direction: 'ltr',
    title: 'Report',
    subtitle: '24 Nov 2026',
    headline: { value: '94.3%', label: 'delivered' },
    tiles: [],
    tones: TONES,
    bars,
    line: null,
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
    for (let y = HEIGHT - 80; y > 300; y -= 1) if (found.at(-1) !== at(x, y)) found.push(at(x, y));
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
    const hues = column(670).filter((color) => Object.values(COLORS).includes(color));
    expect(hues).toEqual(TONES.map((tone) => COLORS[tone]));
  });

  it('has time go to the right and the scale where reading begins', async () => {
    const two = [bar('1', 9), bar('2', 0, 0, 0, 9)];
    for (const direction of ['ltr', 'rtl'] as const) {
      const { column, pixels } = await seen(chartOf(two, { direction }));
      expect(column(380)).toContain(COLORS.good);
      expect(column(940)).toContain(COLORS.bad);
      const ink = (from: number, to: number): number => {
        let count = 0;
        for (let y = 290; y < 720; y += 1)
          for (let x = from; x < to; x += 1) if ((pixels[(y * WIDTH + x) * 4] ?? 255) < 0x90) count += 1;
        return count;
      };
      const [left, right] = [ink(50, 75), ink(WIDTH - 75, WIDTH - 50)];
      expect(direction === 'ltr' ? left : right).toBeGreaterThan(20);
      expect(direction === 'ltr' ? right : left).toBe(0);
    }
  });

  it('uses all the width that the scale leaves', () => {
    for (const [direction, edge] of [
      ['ltr', /x2="956"/u],
      ['rtl', /x1="44"/u],
    ] as const) {
      const lines = barChartSvg(chartOf([bar('1', 9)], { direction })).match(/<line [^>]+>/gu) ?? [];
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.every((line) => edge.test(line))).toBe(true);
    }
  });

  it('joins Persian letters and puts two scripts in their order', async () => {
    const width = (content: string): number => {
      const chart = chartOf([], {
        direction: 'rtl',
        title: content,
        subtitle: '',
        headline: null,
        empty: '',
      });
      const font = {
        loadSystemFonts: false,
        fontFiles: ['node_modules/vazirmatn/fonts/ttf/Vazirmatn-Bold.ttf'],
        defaultFontFamily: 'Vazirmatn',
      };
      const only = barChartSvg(chart).replace(/<rect[^>]*>|<line[^>]*>/gu, '');
      return new Resvg(only, { font }).innerBBox()?.width ?? 0;
    };
    // Apart, the letters of a word are much wider.
    expect(width('گزارش')).toBeLessThan(0.9 * width('گ\u200cز\u200cا\u200cر\u200cش'));
    expect(width('سفینه')).toBeLessThan(0.7 * width('س\u200cف\u200cی\u200cن\u200cه'));
    // What comes first stands on the right.
    const { pixels } = await seen(
      chartOf([], { direction: 'rtl', title: '| سلام گزارش', headline: null, subtitle: '' }),
    );
    const darkRows = (x: number): number => {
      let count = 0;
      for (let y = 40; y < 100; y += 1) if ((pixels[(y * WIDTH + x) * 4] ?? 255) < 0x60) count += 1;
      return count;
    };
    const tall = Array.from({ length: 30 }, (_, index) => darkRows(WIDTH - 56 - index));
    expect(Math.max(...tall)).toBeGreaterThan(25);
  });

  it('says what is missing where there is nothing to draw', () => {
    for (const bars of [[], [bar('00:00', 0)], Array.from({ length: 24 }, (_, hour) => bar(String(hour)))]) {
      const svg = barChartSvg(chartOf(bars));
      expect(svg).toContain('Nothing was sent.');
      expect(svg).not.toContain('NaN');
    }
  });

  it('marks a level across the bars', () => {
    const svg = barChartSvg(
      chartOf([bar('1', 4)], { line: 3, tiles: [{ value: '3', label: 'on average', tone: 'line' }] }),
    );
    expect(svg).toMatch(/y1="314" y2="314"[^>]+stroke-dasharray/u);
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
            expect(Number(x) + Number(width)).toBeLessThanOrEqual(1000.01);
            expect(Number(y) + Number(height)).toBeLessThanOrEqual(Number(y) === 0 ? 600 : 548.01);
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
    expect(row(600).filter((color) => color === COLORS.good)).toHaveLength(count);
  });
});
