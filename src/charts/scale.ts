/** A scale from 0 to `top`, with the values that are marked on it, 0 first. */
export interface Scale {
  readonly top: number;
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
const MAX_STEPS = 4;

/** Round marks that reach at least `most`; what is counted has no marks between whole numbers. */
export function roundScale(most: number): Scale {
  const rough = Math.max(most, 1) / MAX_STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((each) => each * power >= rough) ?? 10;
  const step = Math.max(1, Math.ceil(factor * power));
  const steps = Math.max(1, Math.ceil(most / step));
  return { top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

/** A piece of a bar: its upper edge and height, measured downwards from the top of the plot. */
export interface Piece {
  /** Place among the values. */
  readonly index: number;
  readonly y: number;
  readonly height: number;
}

/** Thinner than this and nobody sees it. */
const THINNEST = 2.5;

/**
 * The pieces of one bar from the bottom upwards, within `height`. Their heights are as the values; what is there but
 * too little to be seen is shown all the same, at the expense of those that can be.
 */
export function stack(values: readonly number[], top: number, height: number): Piece[] {
  const shown = values.flatMap((value, index) => (value > 0 ? [{ index, value }] : []));
  const thin = Math.min(THINNEST, height / Math.max(1, shown.length));
  const sum = shown.reduce((total, { value }) => total + value, 0);
  let room = Math.min(height, Math.max((sum / top) * height, thin * shown.length));
  let left = sum;
  const heights = new Map<number, number>();
  // From the smallest: what it lacks is missing to all that are larger.
  for (const { index, value } of shown.toSorted((one, other) => one.value - other.value)) {
    const own = Math.max(thin, (value / left) * room);
    heights.set(index, own);
    room -= own;
    left -= value;
  }
  let y = height;
  return shown.map(({ index }) => {
    const own = heights.get(index) ?? 0;
    y = Math.max(0, y - own);
    return { index, y, height: own };
  });
}

const STRIDES = [1, 2, 3, 4, 6, 7, 8, 12, 14, 24, 28, 30];

/** Each how-many-th of `count` labels is shown, so that none of `width` meets the next. */
export function labelStride(count: number, room: number, width: number): number {
  const needed = Math.max(1, Math.ceil((count * width) / room));
  return STRIDES.find((each) => each >= needed) ?? needed;
}
