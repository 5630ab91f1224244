/** A source with one place changed, and whether a test was red with it. */
export interface Changed {
  readonly file: string;
  readonly line: number;
  /** The lines of that place as they read then, in one. */
  readonly reads: string;
  readonly noticed: boolean;
}

/** How the lines of a place read with a change, in one. */
export function readChanged(text: string, [start, end]: readonly [number, number], put: string): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const after = text.slice(end, to === -1 ? text.length : to);
  return `${text.slice(from, start)}${put}${after}`.replaceAll(/\s+/gu, ' ').trim();
}
