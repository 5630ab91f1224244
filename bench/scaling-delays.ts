/** Seconds, kept by size so that millions take no room; a percentile is right to 2 %. */
export interface Delays {
  readonly count: number;
  add(seconds: number): void;
  percentile(share: number): number;
}

const LEAST = 0.01;
const PER_DOUBLING = 32;

export function createDelays(): Delays {
  const counts = new Float64Array(PER_DOUBLING * 30);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(seconds) {
      const size = Math.floor(Math.log2(Math.max(seconds, LEAST) / LEAST) * PER_DOUBLING);
      const at = Math.min(counts.length - 1, size);
      counts[at] = (counts[at] ?? 0) + 1;
      count += 1;
    },
    percentile(share) {
      let left = Math.ceil(count * share);
      if (left === 0) return Number.NaN;
      const size = counts.findIndex((each) => (left -= each) <= 0);
      return LEAST * 2 ** ((size + 0.5) / PER_DOUBLING);
    },
  };
}
