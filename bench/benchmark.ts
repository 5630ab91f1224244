/** One line of a benchmark's table. */
export interface Figure {
  readonly what: string;
  readonly measure: string;
  readonly figure: number;
  /** Digits after the point. Default 2. */
  readonly digits?: number;
  readonly unit?: string;
  /** Absent: told for context, nothing to meet. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

/** A program that measures. It ends what it starts, and is bounded in count and time. */
export interface Benchmark {
  readonly about: string;
  readonly run: (say: (progress: string) => void) => Promise<Figure[]>;
}

/** Null where there is no goal. */
export function isMet({ figure, goal }: Figure): boolean | null {
  if (goal === undefined) return null;
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
}

/** The figures as a table of Markdown. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((row) => [row.what, row.measure, goalOf(row), shown(row), verdict(row)]);
  const all = [['what', 'measure', 'goal', 'figure', 'met'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function shown({ figure, digits = 2, unit }: Figure): string {
  const number = figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === undefined ? number : `${number} ${unit}`;
}

function goalOf({ goal, unit }: Figure): string {
  if (goal === undefined) return '';
  const suffix = unit === undefined ? '' : ` ${unit}`;
  return 'atLeast' in goal ? `≥ ${goal.atLeast}${suffix}` : `≤ ${goal.atMost}${suffix}`;
}

function verdict(figure: Figure): string {
  const met = isMet(figure);
  if (met === null) return '';
  return met ? 'yes' : 'no';
}
