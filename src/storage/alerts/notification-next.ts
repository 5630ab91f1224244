import type { TransactionSql } from 'postgres';
import { FOLDED_KINDS, UNSAID } from '../../domain/alerts.ts';
import type { NextNotification, Notification } from '../../ports/alerts.ts';
import type { Queryable } from '../database/database.ts';
import { listed } from '../move.ts';
import type { Row } from '../row.ts';

/** More received messages than this in a minute are told as one. */
const PER_MINUTE = 10;
/** More than so many that have waited are told as one. */
const FEW = 3;
/** What is older was kept back: by quiet hours, a dead destination, or because nothing was said at all. */
const WAITED_SECONDS = 300;
/** Whoever says something is taken for dead after this. */
export const SAYING_SECONDS = 60;
/** A destination that is switched off is tried again after as long as it has been off, within these. */
const RETRY_SECONDS = { least: 15, most: 1800 } as const;
const MAX_FOLDED = 5000;

/** Yesterday's digest is of no use today. */
const STALE_DIGEST_SECONDS = 20 * 3600;

interface DestinationState {
  readonly quiet_ms: number;
  readonly off_ms: number;
  readonly busy_ms: number;
}

interface Waiting {
  readonly due: number;
  readonly waited: number;
  readonly oldest: string | null;
  readonly oldest_other: string | null;
  readonly lately: number;
  readonly next_single_ms: number;
  readonly next_fold_ms: number;
  readonly next_due_ms: number | null;
}

/** Decides what is said next in a destination and marks it, under the lock of the destination. */
export async function nextIn(
  tx: TransactionSql,
  destinationId: string,
  timeZone: string,
): Promise<NextNotification> {
  // A statement of its own: what follows then sees what the one before us has marked.
  const held = await tx`select 1 from sink where id = ${destinationId} for update`;
  if (held.length === 0) return { kind: 'wait', ms: null };
  const [destination] = await tx<DestinationState[]>`
    select
      case when q.is_quiet then ((s.quiet_to - q.minute + 1440) % 1440) * 60000 - q.into_minute else 0 end as quiet_ms,
      greatest(0, coalesce(extract(epoch from t.at - now()) * 1000 + 1000 * least(${RETRY_SECONDS.most},
        greatest(${RETRY_SECONDS.least}, extract(epoch from t.at - s.off_at))), 0))::float8 as off_ms,
      coalesce((select greatest(0, extract(epoch from max(n.not_before) - now()) * 1000) from notice n
        where n.sink_id = s.id and n.state = 'sending'), 0)::float8 as busy_ms
    from sink s join chat c on c.id = s.chat_id
    cross join lateral (
      select greatest(s.off_at, max(n.sent_at)) as at from notice n
      where n.sink_id = s.id and n.state = 'queued' and s.off_at is not null) t
    cross join lateral (select now() at time zone coalesce(c.time_zone, ${timeZone}) as at) l
    cross join lateral (
      select (extract(hour from l.at) * 60 + extract(minute from l.at))::int as minute,
        (extract(second from l.at) * 1000)::int as into_minute) m
    cross join lateral (
      select m.*, case
        when s.quiet_from is null or s.quiet_to is null or s.quiet_from = s.quiet_to then false
        when s.quiet_from < s.quiet_to then m.minute >= s.quiet_from and m.minute < s.quiet_to
        else m.minute >= s.quiet_from or m.minute < s.quiet_to end as is_quiet) q
    where s.id = ${destinationId}`;
  if (destination === undefined) return { kind: 'wait', ms: null };
  await dropUselessIn(tx, destinationId);
  const later = Math.max(destination.quiet_ms, destination.off_ms, destination.busy_ms);
  if (later > 0) return { kind: 'wait', ms: later };

  const now = await waitingIn(tx, destinationId);
  if (now.due === 0) return { kind: 'wait', ms: now.next_due_ms };
  if (now.waited > FEW) return await foldIn(tx, destinationId, foldable(tx));
  if (now.lately < PER_MINUTE) return await sayIn(tx, now.oldest);
  if (now.oldest_other !== null) return await sayIn(tx, now.oldest_other);
  if (now.next_fold_ms <= 0) return await foldIn(tx, destinationId, tx`n.inbound_id is not null`);
  return { kind: 'wait', ms: Math.max(100, Math.min(now.next_fold_ms, now.next_single_ms)) };
}

/** Notifications that a condition on `n` picks, the oldest first. */
export async function readNotifications(
  db: Queryable,
  where: ReturnType<Queryable>,
  most = 10_000,
): Promise<Notification[]> {
  return await db<Notification[]>`
    select ${notificationColumns(db)} from notice n where ${where} order by n.id limit ${most}`;
}

async function waitingIn(tx: TransactionSql, destinationId: string): Promise<Waiting> {
  const [row] = await tx<Waiting[]>`
    with open as (
      select n.id, n.kind = 'inbound' and n.inbound_id is not null as is_one, n.created_at, n.not_before,
        ${foldable(tx)} as folds from notice n
      where n.sink_id = ${destinationId} and n.state in ${listed(tx, UNSAID)}
    ), due as (select * from open where not_before <= now()),
    said as (
      select sent_at, state from notice
      where sink_id = ${destinationId} and message_id is not null and kind = 'inbound' and sent_at > now() - interval '1 minute'
    )
    select (select count(*) from due)::int as due,
      (select count(*) from due where folds and created_at < now() - ${WAITED_SECONDS} * interval '1 second')::int as waited,
      (select min(id) from due) as oldest,
      (select min(id) from due where not is_one) as oldest_other,
      (select count(*) from said where state = 'sent')::int as lately,
      coalesce((select extract(epoch from min(sent_at) + interval '1 minute' - now()) * 1000 from said where state = 'sent'), 0)::float8 as next_single_ms,
      coalesce((select extract(epoch from max(sent_at) + interval '1 minute' - now()) * 1000 from said where state = 'folded'), 0)::float8 as next_fold_ms,
      (select case when count(*) > 0 then greatest(0, extract(epoch from min(not_before) - now()) * 1000) end from open)::float8
        as next_due_ms`;
  if (row === undefined) throw new Error('a count has no row');
  return row;
}

async function sayIn(tx: TransactionSql, id: string | null): Promise<NextNotification> {
  const [notification] = await markIn(tx, tx`n.id = ${id}`);
  return notification === undefined ? { kind: 'wait', ms: null } : { kind: 'say', notification };
}

async function foldIn(
  tx: TransactionSql,
  destinationId: string,
  which: ReturnType<TransactionSql>,
): Promise<NextNotification> {
  const notifications = await markIn(
    tx,
    tx`n.id in (
      select n.id from notice n where n.sink_id = ${destinationId} and n.state in ${listed(tx, UNSAID)} and n.not_before <= now()
        and ${which} order by n.id limit ${MAX_FOLDED})`,
  );
  const [only] = notifications;
  if (only === undefined) return { kind: 'wait', ms: null };
  return notifications.length === 1 ? { kind: 'say', notification: only } : { kind: 'fold', notifications };
}

/** Whatever was being said when its process ended may be there already: it is counted, and said again. */
async function markIn(tx: TransactionSql, where: ReturnType<TransactionSql>) {
  const rows = await tx<Row<'notice', 'id'>[]>`
    update notice n set state = 'sending', tries = tries + 1, doubtful = doubtful + (state = 'sending')::int,
      not_before = now() + ${SAYING_SECONDS} * interval '1 second', sent_at = now()
    where ${where} returning n.id`;
  if (rows.length === 0) return [];
  return await readNotifications(tx, tx`n.id = any(${rows.map((row) => row.id)}::bigint[])`);
}

/** A condition on a notification `n`; alarms that are over meet it too. One that stands for many received messages is told by itself. */
function foldable(tx: TransactionSql): ReturnType<TransactionSql> {
  return tx`((n.kind = any(${[...FOLDED_KINDS]}::text[]) and (n.kind <> 'inbound' or n.inbound_id is not null))
    or exists (select 1 from alarm a where a.id = n.alarm_id and a.ended_at is not null))`;
}

async function dropUselessIn(tx: TransactionSql, destinationId: string): Promise<void> {
  await tx`
    update notice set state = 'dropped'
    where sink_id = ${destinationId} and state = 'queued' and kind = 'digest'
      and created_at < now() - ${STALE_DIGEST_SECONDS} * interval '1 second'`;
  await tx`
    update notice n set state = 'dropped' from alert_setting m, sink s
    where n.sink_id = ${destinationId} and n.state = 'queued' and s.id = n.sink_id and m.chat_id = s.chat_id
      and m.kind = n.kind and m.muted_until > now()`;
}

/** The columns of a {@link Notification} over `notice n`. */
function notificationColumns(db: Queryable) {
  return db`
    n.id::float8 as id, n.sink_id as "destinationId", n.kind, n.inbound_id::float8 as "inboundId", n.alarm_id as "alarmId",
    n.draft_id as "draftId", n.facts, n.tries, n.message_id as "messageId", n.thread_id as "threadId",
    n.created_at as "createdAt"`;
}
