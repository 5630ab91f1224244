/** Markup of an SVG, in which nothing is left to escape. */
export interface Svg {
  readonly markup: string;
}

/** The size of the smallest text: the picture's units are points of a phone, and less than 12 nobody reads there. */
export const LABEL = 13;

export interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly fill: string;
  readonly bold?: boolean;
  readonly direction: 'ltr' | 'rtl';
  /** A rim in this colour, for a text that lies over bars. */
  readonly rim?: string;
  /** What is wider is cut. */
  readonly width?: number;
}

/** The anchor is that of the picture: start is its left. */
export function text(content: string, style: TextStyle): Svg {
  const { x, y, size, anchor, fill, bold = false, direction, rim, width } = style;
  const shown = width === undefined ? content : cut(content, width / size);
  // The renderer knows no `direction`: without these a line of two scripts is ordered by whatever comes first.
  const isolated = `${direction === 'rtl' ? '\u2067' : '\u2066'}${shown}\u2069`;
  const around =
    rim === undefined ? '' : ` stroke="${rim}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`;
  return {
    markup: `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${bold ? 700 : 400}" text-anchor="${anchor}" fill="${fill}"${around}>${escapeText(isolated)}</text>`,
  };
}

export function rect(box: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly radius?: number;
}): Svg {
  const { x, y, width, height, fill, radius = 0 } = box;
  return {
    markup: `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${fill}"/>`,
  };
}

/** A level line; `dash` as SVG writes it. */
export function level(line: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly color: string;
  readonly width: number;
  readonly dash?: string;
}): Svg {
  const { from, to, y, color, width, dash } = line;
  return {
    markup: `<line x1="${round(from)}" x2="${round(to)}" y1="${round(y)}" y2="${round(y)}" stroke="${color}" stroke-width="${width}"${dash === undefined ? '' : ` stroke-dasharray="${dash}"`}/>`,
  };
}

export function picture(width: number, height: number, font: string, parts: readonly Svg[]): string {
  const content = parts.map(({ markup }) => markup).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${font}">${content}</svg>`;
}

/** How wide a text is at size 1, a little on the wide side: there are no metrics of a font here. */
export function widthOf(content: string): number {
  let width = 0;
  for (const char of content) width += charWidth(char);
  return width;
}

/** Pieces as lines of at most `width` at size 1. What the last of `most` lines has no room for is its to cut. */
export function wrap(pieces: readonly string[], gap: string, width: number, most: number): string[] {
  const found: string[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    const joined = last === undefined ? piece : `${last}${gap}${piece}`;
    if (last === undefined || (found.length < most && widthOf(joined) > width)) found.push(piece);
    else found[found.length - 1] = joined;
  }
  return found;
}

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\p{M}\p{Cf}\p{Cc}]/u, 0],
  [/[\s.,:;·'’!|٬٫،ilاآأ]/u, 0.3],
  [/[frtjI()-]/u, 0.38],
  [/[mMwW%@…]/u, 0.9],
  [/\p{Lu}/u, 0.7],
  [/[صضسشثک]/u, 0.8],
  [/٪/u, 1.2],
  [/[۰-۹]/u, 0.57],
  [/\p{Script=Arabic}/u, 0.47],
  [/[\p{Ll}\p{N}]/u, 0.57],
];

function charWidth(char: string): number {
  return WIDTHS.find(([kind]) => kind.test(char))?.[1] ?? 1;
}

function cut(content: string, most: number): string {
  if (widthOf(content) <= most) return content;
  let width = charWidth('…');
  let shown = '';
  for (const { segment } of SEGMENTER.segment(content)) {
    width += widthOf(segment);
    if (width > most) break;
    shown += segment;
  }
  return `${shown}…`;
}

const SEGMENTER = new Intl.Segmenter();
const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** For the inside of an element. What XML cannot hold at all becomes a sign for that. */
function escapeText(content: string): string {
  return content
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[<>&"']/gu, (char) => ESCAPES[char] ?? char);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
