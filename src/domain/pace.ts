import { isSameDay, localTimeOf } from './calendar.ts';
import { minuteOfDay, type SendingWindow } from './limits.ts';
import { fileOf, kindOf, namedBook, type Outgoing } from './kinds/index.ts';
import { RECIPIENTS_PER_CALL } from './interface-limits.ts';
import type { Call } from './kinds/kind.ts';
import { MESSAGES_PER_CALL } from './kinds/multi.ts';
import { nextOpening } from './next-opening.ts';

/** How fast a send leaves at most. */
export interface Pace {
  /** Recipients whose calls pass the fence in any 60 minutes, at most. */
  readonly perHour: number;
  /** Between which hours; null: at any time. */
  readonly window: SendingWindow | null;
}

/** The pace of a send, with all hours that it has to keep to: its own, the chat's and those of its lines. */
export interface HeldPace extends Pace {
  readonly hours: readonly SendingWindow[];
}

/** A call that was taken: how long ago by the send's own clock, and for how many. */
export interface TakenCall {
  readonly agoMs: number;
  readonly size: number;
}

export const PACE_LEAST = 50;
export const PACE_MOST = 100_000;

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** It ends at midnight, and the next one begins there. */
const WHOLE_DAY: SendingWindow = { from: 0, to: 0 };
/** So many small calls make an hour rather than one big one at its first minute. */
const CALLS_AN_HOUR = 12;
/** Whatever would take longer than so many times of opening has no end that anybody plans with. */
const MOST_OPENINGS = 400;

/**
 * The slowest pace that a send can have: the calls of a file are those that were reviewed, whatever its pace. Null: none at all,
 * for one that names a phonebook, or a time to the gateway, is one call, or too late.
 */
export function leastPace(outgoing: Outgoing): number | null {
  if (namedBook(outgoing) !== null || kindOf(outgoing).keptUntil(outgoing) !== null) return null;
  return fileOf(outgoing) === null ? PACE_LEAST : RECIPIENTS_PER_CALL;
}

/** How many recipients a call of a send has at its pace, the last one apart. */
export function callSizeOf(outgoing: Outgoing, pace: Pick<Pace, 'perHour'>): number {
  const file = fileOf(outgoing);
  if (file !== null) return file.summary?.perCall ?? MESSAGES_PER_CALL;
  const most = outgoing.kind === 'multi' ? MESSAGES_PER_CALL : RECIPIENTS_PER_CALL;
  return Math.min(callSizeAt(pace), most);
}

/** How many recipients a call of a send at a pace has at most. */
export function callSizeAt({ perHour }: Pick<Pace, 'perHour'>): number {
  return Math.max(1, Math.floor(perHour / CALLS_AN_HOUR));
}

/** The same calls in the same order, none of them larger than the pace has them. */
export function slowed(calls: readonly Call[], pace: Pick<Pace, 'perHour'>): Call[] {
  const size = callSizeAt(pace);
  return calls.flatMap(({ recipients, messages }) =>
    Array.from({ length: Math.ceil(recipients.length / size) }, (_, index) => ({
      recipients: recipients.slice(index * size, (index + 1) * size),
      messages: messages?.slice(index * size, (index + 1) * size) ?? null,
    })),
  );
}

/**
 * How long, in milliseconds, until a call for so many may be taken: what was taken in the last hour and this one are no
 * more than the hour lets through, and the calls are spread over it. 0: now.
 * @param taken newest first; those of more than an hour ago make no difference
 */
export function waitAt(
  { perHour }: Pick<Pace, 'perHour'>,
  taken: readonly TakenCall[],
  size: number,
): number {
  const [newest] = taken;
  if (size > perHour) return HOUR_MS;
  const gap = newest === undefined ? 0 : (newest.size * HOUR_MS) / perHour - newest.agoMs;
  let room = perHour - size;
  for (const each of taken) {
    room -= each.size;
    if (room < 0) return Math.ceil(Math.max(gap, HOUR_MS - each.agoMs, 0));
  }
  return Math.ceil(Math.max(gap, 0));
}

/** So many recipients that are to leave. */
export interface ToLeave {
  readonly left: number;
  readonly from: Date;
  readonly timeZone: string;
  /** Of its calls, where that is not what the pace has. */
  readonly callSize?: number;
}

/**
 * When so many will have left, about: at full pace through its hours. Null where these have no minute in common, or that
 * would take too long to say.
 */
export function throughAt(
  pace: HeldPace,
  { left, from, timeZone, callSize = callSizeAt(pace) }: ToLeave,
): Date | null {
  const perHour = Math.floor(pace.perHour / callSize) * callSize;
  if (perHour === 0) return null;
  let ahead = (Math.max(0, left - callSize) * HOUR_MS) / perHour;
  for (const { opens, openMs } of openings(pace.hours, from, timeZone)) {
    if (ahead <= openMs) return new Date(opens.getTime() + ahead);
    ahead -= openMs;
  }
  return null;
}

/** What leaves on one day. */
export interface DayShare {
  /** A moment of that day. */
  readonly at: Date;
  /** Recipients. */
  readonly size: number;
}

/**
 * How many of so many leave on which day at the most: at full pace through its hours, as `throughAt` has it. No days where
 * these have no minute in common.
 */
export function daysThrough(
  pace: HeldPace,
  { left, from, timeZone, callSize = callSizeAt(pace) }: ToLeave,
): DayShare[] {
  const days: DayShare[] = [];
  const calls = Math.floor(pace.perHour / callSize);
  let rest = calls === 0 ? 0 : left;
  for (const { opens, openMs } of openings([...pace.hours, WHOLE_DAY], from, timeZone)) {
    if (rest <= 0) break;
    const size = Math.min(rest, Math.ceil((openMs * calls) / HOUR_MS) * callSize);
    const last = days.at(-1);
    if (last !== undefined && isSameDay(localTimeOf(last.at, timeZone), localTimeOf(opens, timeZone)))
      days[days.length - 1] = { at: last.at, size: last.size + size };
    else days.push({ at: opens, size });
    rest -= size;
  }
  return days;
}

/** When all hours are open together, one opening after the other, and for how long. */
function* openings(
  hours: readonly SendingWindow[],
  from: Date,
  timeZone: string,
): Generator<{ readonly opens: Date; readonly openMs: number }> {
  let at = from;
  for (let count = 0; count < MOST_OPENINGS; count += 1) {
    const opens = nextOpening(hours, at, timeZone);
    if (opens === null) return;
    const openMs = openFor(hours, opens, timeZone);
    yield { opens, openMs };
    at = new Date(opens.getTime() + openMs);
  }
}

/** How long all hours stay open: for ever where there are none. */
function openFor(hours: readonly SendingWindow[], from: Date, timeZone: string): number {
  if (hours.length === 0) return Number.POSITIVE_INFINITY;
  const minute = minuteOfDay(from, timeZone);
  const minutes = Math.min(
    ...hours.map(({ to }) => (to - minute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES),
  );
  const openMs = minutes * MINUTE_MS - (from.getTime() % MINUTE_MS);
  // Where clocks are put forward meanwhile, it is over as much sooner.
  const shown = minuteOfDay(new Date(from.getTime() + openMs), timeZone);
  const skipped = (shown - minute - minutes + 2 * DAY_MINUTES) % DAY_MINUTES;
  return skipped < Math.min(minutes, DAY_MINUTES / 2) ? openMs - skipped * MINUTE_MS : openMs;
}
