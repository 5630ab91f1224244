import { bucketOf, timeBuckets, type TimeBuckets } from '../../domain/time-buckets.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import type { Standing } from './standing.ts';

/** What a picture tells apart, from the bottom of a bar upwards. */
export const SHOWN = ['delivered', 'sent', 'waiting', 'failed', 'blocked', 'not_sent', 'unknown'] as const;
export type Shown = (typeof SHOWN)[number];
export type ShownCounts = Readonly<Record<Shown, number>>;

/** Messages by when they left. */
export interface Shape {
  readonly buckets: TimeBuckets;
  /** One for each bucket. */
  readonly counts: readonly ShownCounts[];
}

const OF_STANDING: Readonly<Record<Standing, Shown>> = {
  delivered: 'delivered',
  sent: 'sent',
  waiting: 'waiting',
  on_wire: 'waiting',
  to_leave: 'waiting',
  failed: 'failed',
  blocked: 'blocked',
  unexplained: 'unknown',
  in_doubt: 'unknown',
  refused: 'not_sent',
  absent: 'not_sent',
  left_out: 'not_sent',
};

export function shownOf(standing: Standing): Shown {
  return OF_STANDING[standing];
}

export function countShown(
  points: readonly { readonly shown: Shown; readonly count: number }[],
): Record<Shown, number> {
  const counts = noCounts();
  for (const { shown, count } of points) counts[shown] += count;
  return counts;
}

/** Points of time, in pieces that fit the span; none finer than `finest` seconds. */
export function shapeOf(
  span: TimeSpan,
  timeZone: string,
  finest: number,
  points: readonly { readonly at: number; readonly shown: Shown; readonly count: number }[],
): Shape {
  const buckets = timeBuckets(span, timeZone, finest);
  const counts = buckets.starts.map(noCounts);
  for (const { at, shown, count } of points) {
    const bucket = counts[bucketOf(buckets, at)];
    if (bucket !== undefined) bucket[shown] += count;
  }
  return { buckets, counts };
}

function noCounts(): Record<Shown, number> {
  return { delivered: 0, sent: 0, waiting: 0, failed: 0, blocked: 0, not_sent: 0, unknown: 0 };
}
