import type { AttemptResult } from '../../ports/jobs.ts';
import type { Queryable } from '../database/database.ts';
import { FIRST_LOOK_MS } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { move, moveBy } from '../move.ts';
import { heldWaiting } from '../../jobs/queue-tables.ts';
import { knowsAll } from '../database/server-start.ts';
import type { Row } from '../row.ts';

/*
 * One statement, and so one commit, for what happened to several calls. A row that somebody else holds is passed over:
 * nobody waits for it with the others.
 */

/** A call as its holder knows it. */
export interface HeldCall {
  readonly id: string;
  readonly epoch: number;
}

export interface CallRecord extends HeldCall {
  readonly result: AttemptResult;
  /** What has led to it, as the payload of a job has it: what comes of the call belongs to that too. */
  readonly from?: object;
}

/** A call in the hands of one holder. */
export function nameOf({ id, epoch }: HeldCall): string {
  return `${id} ${epoch}`;
}

/**
 * Takes calls to the wire: whether each may leave. Of several who ask for the same one, at most the first.
 * @param server the start of the server that this process has found to know all that it knows; null: any will do
 */
export async function fence(
  sql: Queryable,
  calls: readonly HeldCall[],
  server: string | null,
): Promise<boolean[]> {
  const { to, may } = move(sql, 'attempt', 'write_ahead', 'a');
  // An answer that comes soon brings the card along; one that does not must not leave it saying "waiting to be sent".
  const rows = await sql<Row<'attempt', 'id' | 'epoch'>[]>`
    with given as (
      select * from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ epoch }) => epoch)}::int[]) as g(id, epoch)
    ), held as (
      select a.id, a.epoch from attempt a join given g using (id, epoch) where ${may} for update of a skip locked
    ), shown as (
      update attempt a set state = ${to}, on_wire_at = now(), fenced = a.epoch
      from held h, job j, binding b
      where a.id = h.id and ${may} and a.epoch = h.epoch
        and j.id = a.job_id and j.state = 'running'
        and not exists (select 1 from chat_limits l where l.chat_id = j.chat_id and l.halted_at is not null)
        and not exists (select 1 from deployment where held_at is not null)
        and b.id = a.binding_id and b.state = 'live' and ${knowsAll(sql, server)}
      returning a.id, a.epoch, j.draft_id, j.state as job_state
    ), ${cards(sql)}
    select id, epoch, (select count(*) from cards) from shown`;
  const passed = new Set(rows.map(nameOf));
  return calls.map((call) => passed.delete(nameOf(call)));
}

const HEARD = ['hear_accepted', 'hear_rejected', 'hear_unknown', 'hear_not_sent'] as const;

/** Writes down what came of calls that are still in their holders' hands; the names of those for which that was done. */
export async function recordAll(
  sql: Queryable,
  records: readonly CallRecord[],
): Promise<ReadonlySet<string>> {
  const { to, may } = moveBy(sql, 'attempt', { names: HEARD, by: 'g.move', as: 'a' });
  // The job may have ended while a call was out: whoever looked for open reports then found none of it.
  const rows = await sql<Row<'attempt', 'id' | 'epoch'>[]>`
    with given as (
      select * from json_to_recordset(${jsonText(records.map(toRow))}::text::json)
        as g(id uuid, epoch int, move text, outcome text, code int, raw text, ids text[], size int, "from" jsonb)
    ), held as (
      select a.id, a.epoch from attempt a join given g using (id, epoch)
      where ${may} and coalesce(g.size = cardinality(a.recipients), true) for update of a skip locked
    ), shown as (
      update attempt a set state = ${to}, outcome = g.outcome, tries = a.tries + 1, gateway_code = g.code, raw = g.raw,
        message_ids = g.ids,
        ended_at = case g.move when 'hear_not_sent' then null else now() end,
        on_wire_at = case g.move when 'hear_not_sent' then null else a.on_wire_at end,
        owner = case g.move when 'hear_not_sent' then null else a.owner end
      from given g, held h, job j
      where a.id = h.id and a.epoch = h.epoch and g.id = a.id and ${may}
        and j.id = a.job_id
      returning a.id, a.epoch, a.job_id, a.state, j.state as job_state, j.draft_id, g."from"
    ), looked_for as (
      select enqueue_job('reconcile', (jsonb_build_object('attemptId', id) || "from")::json, 'reconcile:' || id,
        now() + ${FIRST_LOOK_MS}::float8 * interval '1 millisecond')
      from shown where state = 'unknown'
    ), tracked as (
      select enqueue_job('track', (jsonb_build_object('jobId', job_id) || "from")::json, 'track:' || job_id, now())
      from (select job_id, (array_agg("from"))[1] as "from" from shown where state = 'accepted' and job_state <> 'running' group by job_id) as late
    ), ${cards(sql)}
    select id, epoch, (select count(*) from cards), (select count(*) from looked_for), (select count(*) from tracked) from shown`;
  return new Set(rows.map(nameOf));
}

/** Gives reservations back; the names of those for which that was done. */
export async function releaseAll(sql: Queryable, calls: readonly HeldCall[]): Promise<ReadonlySet<string>> {
  const { to, may } = move(sql, 'attempt', 'hear_not_sent', 'a');
  // Who has not heard that the fence let a call through gives it back; the card of a job that was stopped says that it is waited for.
  const rows = await sql<Row<'attempt', 'id' | 'epoch'>[]>`
    with shown as (
      update attempt a set state = ${to}, owner = null, on_wire_at = null
      from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ epoch }) => epoch)}::int[]) as g(id, epoch), job j
      where a.id = g.id and a.epoch = g.epoch and ${may} and j.id = a.job_id
      returning a.id, a.epoch, j.draft_id, j.state as job_state
    ), ${cards(sql)}
    select id, epoch, (select count(*) from cards) from shown`;
  return new Set(rows.map(nameOf));
}

/**
 * Has the cards of what is `shown` looked at. The card of a running job waits a second, or until it may be edited again:
 * whoever finds it waiting holds it where it is, and so it is drawn after what is being written here. Otherwise every
 * call would ask for it anew.
 */
function cards(sql: Queryable) {
  return sql`waiting as (
      ${heldWaiting(sql, sql`select 'card:' || draft_id from shown`, 6)}
    ), cards as (
      select enqueue_job('card', json_build_object('draftId', draft_id), 'card:' || draft_id,
        case job_state when 'running' then now() + interval '1 second' else now() end,
        case job_state when 'running' then 'keep' else 'replace' end)
      from (select distinct draft_id, job_state from shown) as s
      where job_state <> 'running' or not exists (select 1 from waiting w where w.key = 'card:' || s.draft_id)
    )`;
}

export function toRow({ id, epoch, result, from = {} }: CallRecord) {
  return {
    id,
    epoch,
    move: `hear_${result.outcome}` as const satisfies (typeof HEARD)[number],
    outcome: outcomeOf(result),
    code: result.outcome === 'rejected' ? result.code : null,
    // The end of it may be half a character, and Postgres keeps no NUL.
    raw: 'raw' in result ? result.raw.toWellFormed().replaceAll('\0', '�') : null,
    ids: result.outcome === 'accepted' ? result.messageIds : null,
    size: result.outcome === 'accepted' ? (result.recipients?.length ?? null) : null,
    from,
  };
}

function outcomeOf(result: AttemptResult): string {
  if (result.outcome === 'rejected') return result.name;
  return result.outcome === 'accepted' ? 'accepted' : result.reason;
}
