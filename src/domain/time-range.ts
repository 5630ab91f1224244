/** Epoch seconds, both ends included: the gateway says neither whether an end is. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** What of a span is past, for words: what is asked for to the end of today is known until now. */
export function soFar({ from, to }: TimeSpan, now: Date): TimeSpan {
  return { from, to: Math.min(to, Math.floor(now.getTime() / 1000)) };
}

/** The gateway lists its outbox for at most one day at a time. */
export const DAY_SECONDS = 86_400;

/**
 * A span as pieces of at most one day, oldest first, that meet without overlapping: what lies on a border is in
 * the earlier piece alone. An empty or reversed span has no pieces.
 */
export function splitDays({ from, to }: TimeSpan): TimeSpan[] {
  const pieces: TimeSpan[] = [];
  for (let start = from; start <= to; start += DAY_SECONDS) {
    pieces.push({ from: start, to: Math.min(start + DAY_SECONDS - 1, to) });
  }
  return pieces;
}
