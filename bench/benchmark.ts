import { goalNamed, isReached, toldGoal, type GoalName } from './goals.ts';

/** One line of a benchmark's table. */
export interface Figure {
  readonly what: string;
  readonly measure: string;
  readonly figure: number;
  /** Digits after the point. Default 2. */
  readonly digits?: number;
  readonly unit?: string;
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

/** The figures as a table of Markdown. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((row) => [row.what, row.measure, goalOf(row), toldFigure(row), verdict(row)]);
  return markdownTable(['what', 'measure', 'goal', 'figure', 'met'], rows);
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

/** With its digits and its unit. */
export function toldFigure({ figure, digits = 2, unit }: Pick<Figure, 'figure' | 'digits' | 'unit'>): string {
  const number = figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === undefined ? number : `${number} ${unit}`;
}

function goalOf({ goal }: Figure): string {
  const found = goal === undefined ? null : goalNamed(goal);
  return found === null ? '' : toldGoal(found);
}

function verdict({ goal, figure }: Figure): string {
  const found = goal === undefined ? null : goalNamed(goal);
  if (found === null) return '';
  return isReached(found, figure) ? 'yes' : 'no';
}
