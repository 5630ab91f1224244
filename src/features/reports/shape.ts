import { bucketOf, timeBuckets, type TimeBuckets } from '../../domain/time-buckets.ts';
import type { JobState } from '../../domain/job.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import type { LeftTally } from '../../ports/reports.ts';
import { recipientStatus, type JobSummary, type RecipientStatus } from './recipient-status.ts';

/** What a picture tells apart, from the bottom of a bar upwards. */
export const SHOWN = ['delivered', 'sent', 'waiting', 'failed', 'blocked', 'not_sent', 'unknown'] as const;
export type Shown = (typeof SHOWN)[number];
export type ShownCounts = Readonly<Record<Shown, number>>;

/** Messages over time. */
export interface Shape {
  /** When they left, or when their last report came in. */
  readonly by: 'left' | 'reported';
  readonly buckets: TimeBuckets;
  /** The last bucket has no end: all that came later is in it. */
  readonly isOpen: boolean;
  /** One for each bucket. */
  readonly counts: readonly ShownCounts[];
}

/** What happened to some at a moment, in epoch seconds. */
interface Point {
  readonly at: number;
  readonly shown: Shown;
  readonly count: number;
}

const OF_STANDING: Readonly<Record<RecipientStatus, Shown>> = {
  delivered: 'delivered',
  sent: 'sent',
  waiting: 'waiting',
  on_wire: 'waiting',
  to_leave: 'waiting',
  failed: 'failed',
  blocked: 'blocked',
  // The gateway has it, and its report is still to be explained.
  unexplained: 'waiting',
  in_doubt: 'unknown',
  refused: 'not_sent',
  absent: 'not_sent',
  left_out: 'not_sent',
};

export function shownOf(status: RecipientStatus): Shown {
  return OF_STANDING[status];
}

export function countShown(points: readonly Pick<Point, 'shown' | 'count'>[]): Record<Shown, number> {
  const counts = noCounts();
  for (const { shown, count } of points) counts[shown] += count;
  return counts;
}

/** When messages left, in pieces that fit the span; none finer than `finest` seconds. */
export function shapeOf(span: TimeSpan, timeZone: string, finest: number, points: readonly Point[]): Shape {
  const buckets = timeBuckets(span, timeZone, finest);
  return { by: 'left', buckets, isOpen: false, counts: fill(buckets, points) };
}

const MINUTE = 60;

/** The same of the recipients of jobs, oldest first, to the minute; null where nothing has left. */
export function leftShape(
  timeZone: string,
  left: readonly (LeftTally & { readonly job: JobState })[],
): Shape | null {
  const points = left.map((each) => ({
    at: each.at,
    count: each.recipients,
    shown: shownOf(recipientStatus(each, each.job)),
  }));
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  return shapeOf({ from: first.at, to: last.at + MINUTE - 1 }, timeZone, MINUTE, points);
}

/** How many of a summary's recipients a picture shows as what. */
export function shownIn({ statuses }: Pick<JobSummary, 'statuses'>): ShownCounts {
  return countShown(
    statuses.map(({ status, recipients }) => ({ shown: shownOf(status), count: recipients })),
  );
}

/** So many reports of a send, and how they came in is worth a look. */
const MANY = 100;
/** Of those that come last, hours after the others, so few do not decide how wide a bar is. */
const STRAGGLERS = 0.05;

/**
 * When the reports of a send came in, oldest first, to the minute where they came fast. The last few that were long in
 * coming are one piece at its end. Null where they are too few, or came all in one minute.
 */
export function arrivalShape(timeZone: string, points: readonly Point[]): Shape | null {
  const [first, last] = [points[0], points.at(-1)];
  const all = points.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || last === undefined || all < MANY || first.at === last.at) return null;
  let seen = 0;
  const most = points.find(({ count }) => (seen += count) >= all * (1 - STRAGGLERS)) ?? last;
  const whole = timeBuckets({ from: first.at, to: last.at + MINUTE - 1 }, timeZone);
  const early = timeBuckets({ from: first.at, to: most.at + MINUTE - 1 }, timeZone);
  const isOpen = stepOf(early) < stepOf(whole);
  const buckets = isOpen
    ? { ...early, starts: [...early.starts, (early.starts.at(-1) ?? 0) + stepOf(early)] }
    : whole;
  return { by: 'reported', buckets, isOpen, counts: fill(buckets, points) };
}

/** How long a piece is, in seconds; a minute of a time that is one piece. */
function stepOf({ starts: [first = 0, second = first + MINUTE] }: TimeBuckets): number {
  return second - first;
}

function fill(buckets: TimeBuckets, points: readonly Point[]): ShownCounts[] {
  const counts = buckets.starts.map(noCounts);
  for (const { at, shown, count } of points) {
    const bucket = counts[bucketOf(buckets, at)];
    if (bucket !== undefined) bucket[shown] += count;
  }
  return counts;
}

function noCounts(): Record<Shown, number> {
  return { delivered: 0, sent: 0, waiting: 0, failed: 0, blocked: 0, not_sent: 0, unknown: 0 };
}
