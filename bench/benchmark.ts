import { inLoops, type Loop } from './calibration.ts';
import { goalNamed, isReached, toldGoal, type GoalName } from './goals.ts';
import type { Compared } from './pairs.ts';

/** One line of a benchmark's table. */
export interface Figure {
  readonly what: string;
  readonly measure: string;
  readonly figure: number;
  /** Digits after the point. Default 2. */
  readonly digits?: number;
  readonly unit?: string;
  /** It is the median of so many pairs, which lie so far apart: see `ratioOf`. */
  readonly pairs?: Compared['pairs'];
  /** What somebody must know who judges it; stands beside the verdict. */
  readonly note?: string;
  /** The goal that it is the figure of. Absent: told for context, nothing to meet. */
  readonly goal?: GoalName;
  /** Stands in the document too, beside the goals. */
  readonly isTold?: boolean;
}

/** A program that measures. It ends what it starts, and is bounded in count and time. */
export interface Benchmark {
  readonly about: string;
  readonly run: (say: (progress: string) => void) => Promise<Figure[]>;
}

/** The figures as a table of Markdown, each in milliseconds also as a multiple of the loop. */
export function toTable(figures: readonly Figure[], loop: Loop): string {
  const rows = figures.map((row) => [
    row.what,
    row.measure,
    goalOf(row),
    `${toldFigure(row)}${toldLoops(row, loop)}`,
    toldPairs(row),
    verdict(row),
  ]);
  return markdownTable(['what', 'measure', 'goal', 'figure', 'pairs', 'met'], rows);
}

/** A table of Markdown whose columns are as wide as what stands in them. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

interface Told {
  readonly digits?: number | undefined;
  readonly unit?: string | undefined;
}

/** With its digits and its unit. */
export function toldFigure({ figure, digits = 2, unit }: Told & { readonly figure: number }): string {
  const number = figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === undefined ? number : `${number} ${unit}`;
}

/** Behind a figure in milliseconds: ` = 0.7 loops`. */
export function toldLoops(
  figure: { readonly figure: number; readonly unit?: string | undefined },
  loop: Loop,
): string {
  const loops = inLoops(figure, loop);
  return loops === null ? '' : ` = ${loops.toLocaleString('en', { maximumSignificantDigits: 2 })} loops`;
}

/** `5, 0.70 to 0.79` */
export function toldPairs({
  pairs,
  digits,
}: Told & { readonly pairs?: Figure['pairs'] | undefined }): string {
  if (pairs === undefined) return '';
  const told = (figure: number): string => toldFigure({ figure, digits });
  return `${pairs.count}, ${told(pairs.lowest)} to ${told(pairs.highest)}`;
}

function goalOf({ goal }: Figure): string {
  const found = goal === undefined ? null : goalNamed(goal);
  return found === null ? '' : toldGoal(found);
}

function verdict({ goal, figure, note }: Figure): string {
  const found = goal === undefined ? null : goalNamed(goal);
  if (found === null) return '';
  return `${isReached(found, figure) ? 'yes' : 'no'}${note === undefined ? '' : `; ${note}`}`;
}
