/** What a colour says; which colour that is, is up to whoever draws. */
export type Tone = 'good' | 'on_way' | 'waiting' | 'bad' | 'blocked' | 'not_sent' | 'unknown' | 'money';

/** One figure below the title: `10,981`, `delivered`. It tells what a colour, or the line, stands for. */
export interface ChartTile {
  readonly value: string;
  readonly label: string;
  readonly tone: Tone | 'line' | null;
}

/** How one of several is made up: its `values` are one for each tone of the chart. */
export interface ShareBar {
  readonly label: string;
  /** What stands at its end: `97%`. */
  readonly value: string;
  readonly values: readonly number[];
}

/**
 * Bars in the order of time, each a stack of `tones`. Texts come as they are to be read, in the language's own digits,
 * with what is foreign to it isolated; one that is too long for its place is cut.
 */
export interface BarChart {
  /** Where reading begins: title, figures and scale stand by it. Time itself always goes to the right. */
  readonly direction: 'ltr' | 'rtl';
  readonly title: string;
  /** In pieces: those for which a line has no room begin the next. */
  readonly subtitle: readonly string[];
  /** The one figure to take away, opposite the title. */
  readonly headline: { readonly value: string; readonly label: string } | null;
  /** At most 7. */
  readonly tiles: readonly ChartTile[];
  /** From the bottom of a bar upwards. */
  readonly tones: readonly Tone[];
  /** `values` are one for each tone, 0 or more. */
  readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
  /** A level that is marked across all bars. */
  readonly line: number | null;
  /** Below the bars: each as wide as the others, whatever it comes to. At most 4. */
  readonly shares: readonly ShareBar[];
  /** A value of the scale, or of a bar, in words. */
  readonly tick: (value: number) => string;
  /** Said in place of the bars where there is nothing to draw. */
  readonly empty: string;
}

/** Pixels of a picture; Telegram makes none smaller that has at most 1280. */
export const PICTURE = { width: 960, height: 1280 } as const;

/** Pictures of numbers. */
export interface Charts {
  /** A PNG of the size of {@link PICTURE}, with a background of its own. */
  draw(chart: BarChart): Promise<Uint8Array>;
}
