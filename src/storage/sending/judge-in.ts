import { UNWRITTEN } from '../../domain/attempt.ts';
import { isSameDay, localTimeOf } from '../../domain/calendar.ts';
import { SELF_STARTING } from '../../domain/job.ts';
import type { Outgoing } from '../../domain/kinds/index.ts';
import {
  decide,
  minuteOfDay,
  overCaps,
  type DayLoad,
  type LineFindings,
  type Limits,
  type LimitVerdict,
  type OverCap,
  type Spent,
} from '../../domain/limits.ts';
import { heldToLines } from '../../domain/line-rules.ts';
import { callSizeOf, daysThrough, type DayShare, type HeldPace } from '../../domain/pace.ts';
import type { Queryable } from '../database/database.ts';
import { knownBefore } from './held-up.ts';
import { readOutgoing } from './kinds/details.ts';
import { SPENT } from './job-charge.ts';
import { listed } from '../move.ts';
import { heldPace, readPace, type DayRoom, type PaceRow } from './pace-in.ts';
import type { Row } from '../row.ts';

/** How a send with a pace leaves: its rest of all its recipients, which may be many days' worth. */
export interface Slow {
  readonly pace: HeldPace;
  readonly callSize: number;
  /** Recipients that are to leave. */
  readonly left: number;
  /** Recipients that its parts and its price are for. */
  readonly all: number;
  /** The job that goes on, of which some have left. */
  readonly goesOn?: string | undefined;
}

/** Whose sends count; without a person, those of all. */
interface Of {
  readonly personId?: number | undefined;
  /** The job that is decided about anew. */
  readonly exceptJob?: string | undefined;
  readonly onlyJob?: string;
  /** What has left alone counts of those with a pace, or is about to, and not what their hours let leave yet. */
  readonly hasLeft?: boolean;
}

/**
 * Decides by a chat's limits about what is due at a moment: by the hour of that moment, and by what else leaves on its day, or
 * on each of the days on which one with a pace leaves. The limits are held, so nothing else is confirmed or begins meanwhile.
 */
export async function judgeIn(
  tx: Queryable,
  {
    limits,
    found,
    chatId,
    parts,
    priceRial,
    slow,
    personId,
    timeZone,
    leavesAt,
    approved,
    exceptJob,
  }: {
    readonly limits: Limits;
    /** By the rules of its lines. */
    readonly found: LineFindings;
    readonly chatId: string;
    readonly parts: number;
    readonly priceRial: number | null;
    /** Null: it leaves at once. */
    readonly slow: Slow | null;
    /** Whoever has confirmed it. */
    readonly personId: number;
    readonly timeZone: string;
    readonly leavesAt: Date;
    readonly approved: boolean;
    /** The job that is decided about anew. */
    readonly exceptJob?: string | undefined;
  },
): Promise<LimitVerdict> {
  const counted = { chatId, timeZone, limits };
  const load = async ({ at, size }: DayShare): Promise<DayLoad> => {
    const own =
      slow?.goesOn === undefined ? NOTHING : await spentOnDayIn(tx, counted, at, { onlyJob: slow.goesOn });
    const share = shareOf({ parts, priceRial }, size, slow?.all ?? size);
    return {
      at,
      parts: share.parts + own.parts,
      // What has left without a price counts as the cap was worth, and what is to leave with it.
      priceRial: share.priceRial === null || own.unpricedParts > 0 ? null : share.priceRial + own.rial,
      spent: limits.cap === null ? NOTHING : await spentOnDayIn(tx, counted, at, { exceptJob }),
      spentByPerson:
        limits.personCap === null ? NOTHING : await spentOnDayIn(tx, counted, at, { exceptJob, personId }),
    };
  };
  const days: DayLoad[] = [];
  // What has no cap is not counted: most chats have none.
  if (limits.cap !== null || limits.personCap !== null)
    for (const day of daysOf(slow, leavesAt, timeZone)) days.push(await load(day));
  return decide({ limits, found, parts, days, now: minuteOfDay(leavesAt, timeZone), approved });
}

/** How a send leaves that has a pace; null: it has none. */
export function slowOf(
  row: PaceRow,
  {
    limits,
    found,
    outgoing,
    left,
    all,
    goesOn,
  }: Omit<Slow, 'pace' | 'callSize'> & {
    readonly limits: Pick<Limits, 'window'>;
    readonly found: LineFindings;
    readonly outgoing: Outgoing;
  },
): Slow | null {
  const pace = readPace(row);
  if (pace === null) return null;
  return { pace: heldPace(pace, limits, found), callSize: callSizeOf(outgoing, pace), left, all, goesOn };
}

/** The days on which a send leaves. One whose hours never come is refused for them, or waits: it counts where it begins. */
function daysOf(slow: Slow | null, leavesAt: Date, timeZone: string): DayShare[] {
  const whole = { at: leavesAt, size: slow?.all ?? 1 };
  if (slow === null) return [whole];
  const days = daysThrough(slow.pace, { ...slow, from: leavesAt, timeZone });
  return days.length === 0 ? [whole] : days;
}

/**
 * Sees what the caps leave of today for a running send with a pace. It was judged by the days on which it was to leave, and
 * one that is behind comes to more on another. Null: there is no cap.
 */
export async function dayRoomIn(
  tx: Queryable,
  {
    jobId,
    chatId,
    limits,
    timeZone,
  }: {
    readonly jobId: string;
    readonly chatId: string;
    readonly limits: Limits;
    readonly timeZone: string;
  },
): Promise<DayRoom | null> {
  if (limits.cap === null && limits.personCap === null) return null;
  const midnight = tx`date_trunc('day', now() at time zone ${timeZone})`;
  const [own] = await tx<
    (Row<'job', 'parts' | 'price_rial' | 'confirmed_by'> & {
      readonly whole: number;
      readonly gone: number;
      readonly now: Date;
      readonly ends: Date;
    })[]
  >`
    select j.parts, j.price_rial, j.confirmed_by, now() as now, (${midnight} + interval '1 day') at time zone ${timeZone} as ends,
      ${countedIn(tx)} as whole,
      coalesce(sum(a.size) filter (where a.state = 'reserved'
        or (a.state in ${listed(tx, SPENT)} and a.on_wire_at >= ${midnight} at time zone ${timeZone})), 0)::int as gone
    from job j join attempt a on a.job_id = j.id where j.id = ${jobId} group by j.id`;
  if (own === undefined) return null;
  const { parts, price_rial: priceRial, confirmed_by: personId, whole, gone, now: at, ends } = own;
  const counted = { chatId, timeZone, limits };
  const of = { exceptJob: jobId, hasLeft: true };
  const spent = await spentOnDayIn(tx, counted, at, of);
  const spentByPerson = await spentOnDayIn(tx, counted, at, { ...of, personId });
  return {
    ends,
    fits: (size) =>
      overCaps(limits, { at, ...shareOf({ parts, priceRial }, gone + size, whole), spent, spentByPerson }) ===
      null,
  };
}

/** Which cap leaves no room for any call that is left of a running send with a pace, were nothing else sent that day; null: none. */
export async function outgrownIn(sql: Queryable, jobId: string, limits: Limits): Promise<OverCap | null> {
  if (limits.cap === null && limits.personCap === null) return null;
  const [left] = await sql<
    (Row<'job', 'parts' | 'price_rial'> & { whole: number; least: number; at: Date })[]
  >`
    select j.parts, j.price_rial, now() as at, ${countedIn(sql)} as whole,
      coalesce(min(a.size) filter (where a.state = 'planned'), 0)::int as least
    from job j join attempt a on a.job_id = j.id where j.id = ${jobId} group by j.id`;
  if (left === undefined) return null;
  const share = shareOf({ parts: left.parts, priceRial: left.price_rial }, left.least, left.whole);
  return overCaps(limits, { at: left.at, ...share, spent: NOTHING, spentByPerson: NOTHING });
}

/**
 * For how many recipients of its calls `a` that is what a job `j` counts. Of one that has not ended for all who were to be sent
 * to when it last began, whatever the gateway has refused since, and whoever was left out since.
 */
function countedIn(sql: Queryable) {
  const isCounted = sql`(a.state in ${listed(sql, SPENT)} or (j.ended_at is null and not ${knownBefore(sql)}))`;
  return sql`(coalesce(sum(a.size) filter (where ${isCounted}), 0) + coalesce(sum(cardinality(a.blocked) - a.uncounted)
    filter (where j.ended_at is null and a.reserved_at >= j.started_at), 0))::int`;
}

/** What so many of all recipients of a send come to, rounded up. */
function shareOf(
  { parts, priceRial }: { readonly parts: number; readonly priceRial: number | null },
  size: number,
  all: number,
) {
  const share = (whole: number) => (size >= all ? whole : Math.ceil((whole * size) / all));
  if (size === 0) return { parts: 0, priceRial: priceRial === null ? null : 0 };
  return { parts: share(parts), priceRial: priceRial === null ? null : share(priceRial) };
}

const NOTHING: Spent = { parts: 0, rial: 0, unpricedParts: 0 };
const NO_MORE = { parts: 0, priceRial: 0, spentByPerson: NOTHING };

/**
 * What was confirmed and not undone that leaves on the day of a moment (null: today) in a time zone. What was missed
 * leaves by a new confirmation alone. Of a send with a pace, what has left on that day and what its hours let leave then:
 * of one that is behind, no more than the cap leaves for it beside all else, as what is decided about anew.
 */
export async function spentOnDayIn(
  tx: Queryable,
  {
    chatId,
    timeZone,
    limits,
  }: { readonly chatId: string; readonly timeZone: string; readonly limits: Limits },
  moment: Date | null,
  { personId, exceptJob, onlyJob, hasLeft = false }: Of = {},
): Promise<Spent> {
  const counts = tx`d.chat_id = ${chatId} and j.state not in ('undone', 'missed')
    and (${personId ?? null}::bigint is null or j.confirmed_by = ${personId ?? null}::bigint)
    and (${exceptJob ?? null}::uuid is null or j.id <> ${exceptJob ?? null}::uuid)
    and (${onlyJob ?? null}::uuid is null or j.id = ${onlyJob ?? null}::uuid)`;
  const midnight = tx`date_trunc('day', coalesce(${moment?.toISOString() ?? null}::timestamptz, now()) at time zone ${timeZone})`;
  const day = tx`(select ${midnight} at time zone ${timeZone} as began, (${midnight} + interval '1 day') at time zone ${timeZone} as ends) as day`;
  const [row] = await tx<{ parts: string; rial: string; unpriced: string }[]>`
    select coalesce(sum(j.parts), 0) as parts, coalesce(sum(j.price_rial), 0) as rial,
      coalesce(sum(j.parts) filter (where j.price_rial is null), 0) as unpriced
    from ${day}, job j join draft d on d.id = j.draft_id
    where j.chat_id = ${chatId} and ${counts} and d.pace_per_hour is null and j.leaves_at >= day.began and j.leaves_at < day.ends`;
  const slow = await tx<SlowRow[]>`
    select j.parts, j.price_rial, d.pace_per_hour, d.pace_from, d.pace_to, d.kind, d.details, d.text, d.line, d.flash,
      day.began, greatest(j.leaves_at, now()) as goes_on, a.whole, a.gone,
      case when j.state in ${listed(tx, SELF_STARTING)} and not ${hasLeft} then a.rest else 0 end as rest
    from ${day}, draft d join job j on j.draft_id = d.id, lateral (
      select ${countedIn(tx)} as whole,
        coalesce(sum(size) filter (where (state in ${listed(tx, SPENT)} and on_wire_at >= day.began and on_wire_at < day.ends)
          or (${hasLeft} and state = 'reserved')), 0)::int as gone,
        coalesce(sum(size) filter (where state in ${listed(tx, UNWRITTEN)}), 0)::int as rest
      from attempt a where job_id = j.id) as a
    where ${counts} and d.pace_per_hour is not null and j.leaves_at < day.ends and (j.ended_at is null or j.ended_at >= day.began)`;
  const cap = personId === undefined ? limits.cap : limits.personCap;
  const own =
    exceptJob === undefined || hasLeft || slow.length === 0
      ? NOTHING
      : await spentOnDayIn(tx, { chatId, timeZone, limits }, moment, { personId, onlyJob: exceptJob });
  const atOnce = {
    parts: Number(row?.parts ?? 0),
    rial: Number(row?.rial ?? 0),
    unpricedParts: Number(row?.unpriced ?? 0),
  };
  let spent = slow.reduce<Spent>((sum, each) => plus(sum, slowShare(each, each.gone)), atOnce);
  for (const each of slow) {
    const { gone, began: at } = each;
    const others = plus(spent, slowShare(each, gone), -1);
    const beside = (size: number) => plus(others, slowShare(each, gone + size));
    const fits = (size: number) =>
      overCaps({ cap, personCap: null }, { ...NO_MORE, at, spent: plus(beside(size), own) }) === null;
    spent = beside(mostOf(aheadOf(each, limits, timeZone), fits));
  }
  return spent;
}

type SlowRow = Row<'job', 'parts' | 'price_rial'> &
  PaceRow &
  Row<'draft', 'kind' | 'details' | 'text' | 'line' | 'flash'> & {
    readonly began: Date;
    /** From when its rest leaves. */
    readonly goes_on: Date;
    readonly whole: number;
    readonly gone: number;
    readonly rest: number;
  };

/** What so many of a send with a pace count. */
function slowShare({ parts: all, price_rial: price, whole }: SlowRow, size: number): Spent {
  const { parts, priceRial } = shareOf({ parts: all, priceRial: price }, size, whole);
  return { parts, rial: priceRial ?? 0, unpricedParts: priceRial === null ? parts : 0 };
}

function plus(one: Spent, other: Spent, times = 1): Spent {
  return {
    parts: one.parts + times * other.parts,
    rial: one.rial + times * other.rial,
    unpricedParts: one.unpricedParts + times * other.unpricedParts,
  };
}

/** How many of the rest of a send with a pace its hours let leave on a day. */
function aheadOf(row: SlowRow, limits: Limits, timeZone: string): number {
  const { began, goes_on: from, whole, rest: left } = row;
  const outgoing = readOutgoing(row);
  // Whom it goes to says nothing of its lines.
  const slow = slowOf(row, {
    limits,
    found: heldToLines(limits.lines, { ...row, outgoing, recipients: [] }),
    outgoing,
    left,
    all: whole,
  });
  const on = (at: Date) => localTimeOf(at, timeZone);
  const days = slow === null ? [] : daysThrough(slow.pace, { ...slow, from, timeZone });
  return days.find(({ at }) => isSameDay(on(at), on(began)))?.size ?? 0;
}

/** The most of so many that fit, where fewer do if more do. */
function mostOf(size: number, fits: (size: number) => boolean): number {
  let [most, over] = [0, size + 1];
  while (over - most > 1) {
    const middle = Math.floor((most + over) / 2);
    if (fits(middle)) most = middle;
    else over = middle;
  }
  return most;
}
