export const SEPARATORS = [',', ';', '\t', '|', '،', '؛'] as const;

export type Separator = (typeof SEPARATORS)[number];

export interface Separated {
  readonly separator: Separator;
  /** Where the rows begin: behind the line with which Excel names a separator, if there is one. */
  readonly start: number;
}

/**
 * Finds out what stands between the cells: the sign that most lines have equally often, outside of quotes.
 * Of several such signs the one that comes first: texts, which have commas too, stand behind numbers and names.
 */
export function detectSeparator(text: string): Separated {
  const named = /^sep=([,;\t|،؛])(?:\r\n?|\n)/i.exec(text);
  const separator = SEPARATORS.find((each) => each === named?.[1]);
  if (named !== null && separator !== undefined) return { separator, start: named[0].length };

  const sample = text.slice(0, SAMPLE_LENGTH).replaceAll(QUOTED, '');
  const lines = sample.split(/[\r\n]+/).slice(0, SAMPLE_LINES);
  const [best] = SEPARATORS.map((each) => ({
    separator: each,
    agreeing: agreeing(lines.map((line) => line.split(each).length - 1)),
    first: sample.indexOf(each),
  }))
    .filter(({ agreeing: count }) => count > 0)
    .toSorted((left, right) => right.agreeing - left.agreeing || left.first - right.first);
  return { separator: best?.separator ?? ',', start: 0 };
}

const SAMPLE_LENGTH = 65_536;
const SAMPLE_LINES = 100;

const QUOTED = /"[^"]*"/g;

/** How many lines share the most common number of separators, lines without any aside. */
function agreeing(counts: readonly number[]): number {
  const lines = new Map<number, number>();
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1);
  return Math.max(0, ...lines.values());
}
