import type { TransactionSql } from 'postgres';
import { UNWRITTEN } from '../../domain/attempt.ts';
import type { LineFindings, Limits, SendingWindow } from '../../domain/limits.ts';
import { heldToLines } from '../../domain/line-rules.ts';
import { nextOpening } from '../../domain/next-opening.ts';
import type { Payload } from '../../domain/outgoing.ts';
import { HOUR_MS, waitAt, type HeldPace, type Pace, type TakenCall } from '../../domain/pace.ts';
import { cardJob, enqueueAll } from '../enqueue.ts';
import { listed } from '../move.ts';
import type { Row } from '../row.ts';

/*
 * A send with a pace takes its calls one by one, each under the lock of its account. What has passed is counted here, from
 * the rows of its calls, so no process can get round it.
 *
 * The hour is measured by a clock of the send's own, which goes on only by what some process has surely lived through by
 * its monotonic clock. It never runs ahead of the real time, whatever the clocks of the day say: at worst it stands
 * still while no process is there, and the send is slower.
 */

/** One that waits is looked at so often at least: a restart loses what its clock has gone on since. */
const LOOK_MS = 300_000;
/** A wait that moves by less is no other one to whoever reads the card. */
const SAME_MS = 60_000;

export type PaceRow = Row<'draft', 'pace_per_hour' | 'pace_from' | 'pace_to'>;

/** Reads the pace of a draft; null: it has none. */
export function readPace({ pace_per_hour: perHour, pace_from: from, pace_to: to }: PaceRow): Pace | null {
  if (perHour === null) return null;
  return { perHour, window: from === null || to === null ? null : { from, to } };
}

/** A pace with all hours that a send has to keep to: its own, the chat's and those of its lines. */
export function heldPace(
  pace: Pace,
  { window }: Pick<Limits, 'window'>,
  { windows }: Pick<LineFindings, 'windows'>,
): HeldPace {
  const bounds = ({ from, to }: SendingWindow): SendingWindow => ({ from, to });
  const hours = [pace.window, window, ...windows].filter((each) => each !== null).map(bounds);
  return { ...pace, hours };
}

/** What one process knows of the clocks of sends. */
export interface PaceClocks {
  /** How far a send's clock has surely come, in whole milliseconds; 0 where this process has never seen it. */
  least(jobId: string): number;
  saw(jobId: string, ms: number): void;
}

/** @param monotonic milliseconds that no change of the time of day moves, and that never run ahead */
export function createPaceClocks(monotonic: () => number = () => performance.now()): PaceClocks {
  const seen = new Map<string, { readonly ms: number; readonly at: number }>();
  return {
    least(jobId) {
      const last = seen.get(jobId);
      return last === undefined ? 0 : Math.floor(last.ms + monotonic() - last.at);
    },
    // As it was before now: what lies between is lost, and not counted twice.
    saw(jobId, ms) {
      seen.set(jobId, { ms, at: monotonic() });
    },
  };
}

/** What is left of a day for a send with a pace. */
export interface DayRoom {
  readonly ends: Date;
  /** Whether so many more of its recipients may leave on it. */
  fits(size: number): boolean;
}

/** What stands against calls of a send with a pace now. */
export interface PaceGate {
  /** How long until a call for so many may be taken; 0: now. */
  wait(size: number): number;
  /** A call for so many is taken now. */
  take(size: number): void;
  /** Notes how long the next call has to wait; that is how long to look again, too. */
  shut(waitMs: number): Promise<number>;
}

/** Sees what of a send has passed within the hour, while nobody else takes its calls. */
export async function openPace(
  tx: TransactionSql,
  {
    jobId,
    draftId,
    pace,
    limits,
    room,
    payload,
    timeZone,
    clocks,
  }: {
    readonly jobId: string;
    readonly draftId: string;
    readonly pace: Pace;
    /** Of its chat. */
    readonly limits: Limits;
    /** What the caps leave of today for it. */
    readonly room: DayRoom | null;
    readonly payload: Payload;
    readonly timeZone: string;
    readonly clocks: PaceClocks;
  },
): Promise<PaceGate> {
  const [clock] = await tx<(Row<'job', 'pace_until'> & { readonly ms: number; readonly now: Date })[]>`
    update job set pace_ms = greatest(coalesce(pace_ms, 0), ${clocks.least(jobId)}::bigint) where id = ${jobId}
    returning pace_ms as ms, pace_until, now() as now`;
  if (clock === undefined) throw new Error('a job is gone whose calls are being taken');
  clocks.saw(jobId, clock.ms);
  // Whoever was let through since the last look passed before now: to count from now is to count longer.
  await tx`
    update attempt set pace_ms = ${clock.ms}
    where job_id = ${jobId} and pace_ms is null and state not in ${listed(tx, UNWRITTEN)}`;
  const taken: TakenCall[] = [
    ...(await tx<{ agoMs: number; size: number }[]>`
      select case when state = 'reserved' then 0 else ${clock.ms}::bigint - pace_ms end as "agoMs", size from attempt
      where job_id = ${jobId} and size > 0
        and (state = 'reserved' or (state <> 'planned' and pace_ms > ${clock.ms}::bigint - ${HOUR_MS}))
      order by 1, 2`),
  ];
  const { hours } = heldPace(pace, limits, heldToLines(limits.lines, payload));
  const closedUntil = (from: Date) =>
    (nextOpening(hours, from, timeZone)?.getTime() ?? from.getTime() + HOUR_MS) - clock.now.getTime();
  const closedMs = closedUntil(clock.now);
  let takenNow = 0;
  return {
    wait: (size) =>
      Math.max(
        room === null || room.fits(takenNow + size) ? closedMs : closedUntil(room.ends),
        waitAt(pace, taken, size),
      ),
    take(size) {
      taken.unshift({ agoMs: 0, size });
      takenNow += size;
    },
    async shut(waitMs) {
      const until = clock.now.getTime() + waitMs;
      await tx`update job set pace_until = ${new Date(until).toISOString()} where id = ${jobId}`;
      const before = clock.pace_until?.getTime() ?? 0;
      if (Math.abs(until - before) > SAME_MS) await enqueueAll(tx, cardJob(draftId));
      return Math.min(waitMs, LOOK_MS);
    },
  };
}
