import type { Fragment, TransactionSql } from 'postgres';
import { IN_HAND } from '../../domain/attempt.ts';
import type { CallStore } from '../../ports/jobs.ts';
import { stampCorrelation } from '../../ports/correlation.ts';
import { askAboutBookIn, nameNumbersIn } from './book-change.ts';
import { fence, nameOf, recordAll, releaseAll, type CallRecord, type HeldCall } from './call-writes.ts';
import { type CallsInHand, createCallsInHand } from '../restore/calls-in-hand.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueue, enqueueReconcile } from '../enqueue.ts';
import { createBatch } from '../database/batch.ts';
import { jsonText } from '../json.ts';
import { readMessages } from './kinds/details.ts';
import { listed, move } from '../move.ts';
import { createPaceClocks, type PaceClocks } from './pace-in.ts';
import { holdResendsIn, recordLateIn } from './record-late.ts';
import { reserveIn } from './reserve-in.ts';
import { knowsAll } from '../database/server-start.ts';
import type { Row } from '../row.ts';

/** Calls whose fence, outcome or return go into one commit. */
const MAX_TOGETHER = 64;
/** A call waits for its fence: while one commit is on its way the next may begin. */
const FENCE_LANES = 3;
/** Nobody waits for an outcome to be written: so soon after the last ones the next wait for more. */
const RECORD_PACE_MS = 12;
/**
 * A reservation whose commit was not heard of belongs to nobody who knows of it. It lasts longer than any
 * call takes to reach its fence, and the new epoch keeps out whoever may still come.
 */
export const FORGOTTEN_SECONDS = 300;
/** A process that was only cut off comes back to its row within this time. */
export const PROCESS_DAYS = 7;

/**
 * The calls of jobs. Their states and the moves between them are those of domain/attempt.ts; each move here is one
 * compare-and-set on (state, epoch), so that of several processes exactly one wins.
 * @param timeZone of chats that have none of their own
 * @param hand what this process knows of its own calls
 * @param clocks and of the clocks of sends with a pace
 */
export function createCallStore(
  { sql }: Database,
  timeZone: string,
  hand: CallsInHand = createCallsInHand(),
  clocks: PaceClocks = createPaceClocks(),
): CallStore {
  const goOnWire = createBatch(async (calls: readonly HeldCall[]) => await fence(sql, calls, hand.server), {
    most: MAX_TOGETHER,
    lanes: FENCE_LANES,
  });

  const release = createBatch(
    async (calls: readonly HeldCall[]) => {
      const done = await releaseAll(sql, calls);
      return calls.map((each) => done.has(nameOf(each)));
    },
    { most: MAX_TOGETHER },
  );

  /** Whether each was written. */
  const recordTogether = createBatch(
    async (records: readonly CallRecord[]) => {
      const once = new Set(new Map(records.toReversed().map((each) => [nameOf(each), each])).values());
      const done = await recordAll(sql, [...once]).catch(() => new Set<string>());
      return records.map((each) => once.has(each) && done.has(nameOf(each)));
    },
    { most: MAX_TOGETHER, paceMs: RECORD_PACE_MS },
  );

  return {
    async reserve(jobId, owner, most = 1, from = 0) {
      return await sql.begin(
        async (tx) => await reserveIn(tx, { jobId, owner, most, from, timeZone, clocks }),
      );
    },

    async dropBlocked(attemptId, epoch, numbers) {
      // Of a call that has left before the database forgot it nobody may say that it did not.
      const row = await leaveOut(
        sql,
        { id: attemptId, epoch },
        {
          isOut: sql`number = any(${[...numbers]}::text[])`,
          may: sql`${move(sql, 'attempt', 'leave_out', 'a').may}
          and not exists (select 1 from deployment where held_at is not null) and ${knowsAll(sql, hand.server)}`,
        },
      );
      return row === undefined ? null : { recipients: row.recipients, messages: readMessages(row.messages) };
    },

    nameNumbers: async (id, epoch, recipients) =>
      await sql.begin(async (tx) => await nameNumbersIn(tx, { id, epoch }, recipients)),
    askAboutBook: async (id, epoch, recipients) =>
      await sql.begin(async (tx) => await askAboutBookIn(tx, { id, epoch }, recipients)),

    async goOnWire(id, epoch) {
      const call = { id, epoch };
      hand.take(call);
      const passed = await goOnWire(call);
      if (passed) hand.left(call);
      return passed;
    },

    async release(id, epoch) {
      const call = { id, epoch };
      hand.back(call);
      if (!(await release(call)))
        await recordAlone({ ...call, result: { outcome: 'not_sent', reason: 'fence' } });
      hand.drop(call);
    },

    async record(id, epoch, result) {
      const given = { id, epoch, result, from: stampCorrelation({}) };
      if (result.outcome === 'not_sent') hand.back(given);
      // What was passed over, came twice or failed with the others holds up nobody.
      const isWritten = (await recordTogether(given)) || (await recordAlone(given));
      if (!isWritten && hand.has(given) && result.outcome !== 'not_sent') hand.miss({ id, epoch });
      hand.drop(given);
    },

    async owners() {
      const rows = await sql<{ owner: string }[]>`
        select owner from attempt where state in ${listed(sql, IN_HAND)} and owner is not null
        union select id from process where gone_at is null`;
      return rows.map((row) => row.owner);
    },

    async abandon(owners) {
      return await sql.begin(async (tx) => {
        await tx`update process set gone_at = now() where id = any(${[...owners]}::text[]) and gone_at is null`;
        await tx`delete from process where gone_at < now() - ${PROCESS_DAYS} * interval '1 day'`;
        return await giveUpIn(tx, tx`a.owner = any(${[...owners]}::text[])`);
      });
    },

    async takeUp(owner) {
      const held = await sql<Row<'attempt', 'id' | 'epoch' | 'state'>[]>`
        select id, epoch, state from attempt where owner = ${owner} and (state = 'on_wire'
          or (state = 'reserved' and reserved_at < now() - ${FORGOTTEN_SECONDS} * interval '1 second'))`;
      // Asked only now: what is at the fence was in hand before its row said so.
      const lost = held.filter((call) => !hand.has(call));
      if (lost.length === 0) return [];
      const calls = jsonText(lost);
      return await sql.begin(
        async (tx) =>
          await giveUpIn(
            tx,
            tx`a.owner = ${owner} and (a.id, a.epoch, a.state) in (
              select id, epoch, state from json_to_recordset(${calls}::text::json) as g(id uuid, epoch int, state text))`,
          ),
      );
    },
  };

  /** Waits for whoever holds the row, and looks at what has become of it. Whether there was one to write to. */
  async function recordAlone(given: CallRecord): Promise<boolean> {
    return await sql.begin(async (tx) => {
      if (given.result.outcome === 'accepted') await holdResendsIn(tx, given);
      await tx`select 1 from attempt where id = ${given.id} for update`;
      await leaveOutForgottenIn(tx, given);
      const done = await recordAll(tx, [given]);
      if (done.size === 0) await recordLateIn(tx, given);
      return done.size > 0;
    });
  }
}

/** Whom its holder had left out of an accepted call has not got it, whatever the database has forgotten since. */
async function leaveOutForgottenIn(tx: TransactionSql, { result, ...call }: CallRecord): Promise<void> {
  if (result.outcome !== 'accepted' || result.recipients === undefined) return;
  const sent = [...result.recipients];
  await leaveOut(tx, call, {
    isOut: tx`number <> all(${sent}::text[])`,
    may: tx`a.recipients @> ${sent}::text[] and cardinality(a.recipients) > ${sent.length}`,
  });
}

/** Nobody knows of these any more: reserved goes back to planned, on the wire becomes unknown. The jobs concerned. */
async function giveUpIn(tx: TransactionSql, which: ReturnType<TransactionSql>): Promise<string[]> {
  const lose = move(tx, 'attempt', 'lose_owner', 'a');
  const rows = await tx<(Row<'attempt', 'id' | 'job_id' | 'state'> & Row<'job', 'draft_id'>)[]>`
    update attempt a set
      state = ${lose.to},
      outcome = case a.state when 'on_wire' then 'owner_gone' else a.outcome end,
      ended_at = case a.state when 'on_wire' then now() else null end,
      epoch = case a.state when 'on_wire' then a.epoch else a.epoch + 1 end,
      owner = case a.state when 'on_wire' then a.owner else null end
    from job j
    where j.id = a.job_id and ${lose.may} and ${which}
    returning a.id, a.job_id, j.draft_id, a.state`;
  for (const { id, state } of rows) if (state === 'unknown') await enqueueReconcile(tx, id);
  const jobs = new Map(rows.map((row) => [row.job_id, row.draft_id]));
  for (const [jobId, draftId] of jobs) {
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
    await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}` });
  }
  return [...jobs.keys()];
}

/** Takes the numbers for which that is so out of a call, with what belongs to them. What is left of it. */
async function leaveOut(
  sql: Queryable,
  { id, epoch }: HeldCall,
  { isOut, may }: { readonly isOut: Fragment; readonly may: Fragment },
): Promise<Row<'attempt', 'recipients' | 'messages'> | undefined> {
  const leave = move(sql, 'attempt', 'leave_out', 'a');
  const [row] = await sql<Row<'attempt', 'recipients' | 'messages'>[]>`
    with parts as (
      select a.id,
        coalesce(array_agg(r.number order by r.place) filter (where not r.is_out), '{}') as recipients,
        coalesce(array_agg(r.key order by r.place) filter (where not r.is_out), '{}') as keys,
        coalesce(array_agg(r.number order by r.place) filter (where r.is_out), '{}') as blocked,
        coalesce(jsonb_agg(a.messages -> (r.place - 1)::int order by r.place) filter (where not r.is_out), '[]') as messages,
        coalesce(jsonb_agg(a.messages -> (r.place - 1)::int order by r.place) filter (where r.is_out), '[]') as blocked_messages
      from attempt a
      cross join lateral (
        select number, key, place, ${isOut} as is_out
        from unnest(a.recipients, a.message_keys) with ordinality as u(number, key, place)) as r
      where a.id = ${id} group by a.id
    )
    update attempt a set recipients = p.recipients, message_keys = p.keys, blocked = a.blocked || p.blocked,
      messages = case when a.messages is null then null else p.messages end,
      blocked_messages = case when a.messages is not null then coalesce(a.blocked_messages,
        to_jsonb(array_fill(null::text, array[cardinality(a.blocked)]))) || p.blocked_messages end,
      state = case p.recipients when '{}' then ${leave.to} else a.state end,
      outcome = case p.recipients when '{}' then 'blocked' else a.outcome end,
      ended_at = case p.recipients when '{}' then now() else a.ended_at end
    from parts p
    where a.id = p.id and a.epoch = ${epoch} and ${may}
    returning a.recipients, a.messages`;
  return row;
}
