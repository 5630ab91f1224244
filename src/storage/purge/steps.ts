import type { TransactionSql } from 'postgres';
import { GONE, IN_DOUBT } from '../../domain/attempt.ts';
import { TAKEN_UP_SECONDS, UNDECIDED } from '../../domain/draft.ts';
import { NOT_STARTED } from '../../domain/job.ts';
import { listed } from '../move.ts';
import type { Row } from '../row.ts';

/** Rows in one batch. */
export const BATCH = 500;

/** One kind of thing that goes. Its batch is run again as long as there may be more. */
export interface Step {
  readonly name: string;
  readonly batch: (tx: TransactionSql) => Promise<Batch>;
}

interface Batch {
  readonly removed: number;
  readonly more: boolean;
}

/** What is needed for days at most: updates, hashes of messages, tokens, links and forms past use, and credentials that nobody confirmed. */
export function passingSteps(): readonly Step[] {
  return [
    rowsOf(
      'updates',
      (tx) => tx`
        delete from update where (bot_id, update_id) in (
          select bot_id, update_id from update
          where received_at < now() - interval '8 days' and done_at is not null
          order by received_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    // What is in doubt is left to a person by then, who may have it looked for anew: beside it they stay.
    rowsOf(
      'hashes of messages',
      (tx) => tx`
        update attempt set message_keys = '{}'
        where id in (
          select a.id from attempt a
          where a.message_keys <> '{}' and a.ended_at < now() - interval '30 days'
            and a.state in ${listed(tx, GONE)} and not exists (
              select from attempt d where d.state in ${listed(tx, IN_DOUBT)}
                and d.on_wire_at between a.on_wire_at - interval '1 day' and a.ended_at + interval '1 day')
          order by a.ended_at limit ${BATCH} for update of a skip locked)
        returning 1`,
    ),
    rowsOf(
      'buttons',
      (tx) => tx`
        delete from button where token_hash in (
          select token_hash from button where expires_at < now() - interval '7 days'
          order by expires_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'links',
      (tx) => tx`
        delete from deep_link where token_hash in (
          select token_hash from deep_link where expires_at < now() - interval '7 days'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'forms',
      (tx) => tx`
        delete from form where key in (
          select key from form where updated_at < now() - interval '1 day'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    // A credential that nobody confirmed: its buttons are dead by now.
    rowsOf(
      'credentials',
      (tx) => tx`
        update binding set state = 'gone', credentials = null, ended_at = now()
        where id in (
          select id from binding where state = 'pending' and created_at < now() - interval '1 day'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
  ];
}

/** Calls whose job has ended so long ago are looked at by nobody. */
const KEPT_DAYS = 7;

type DraftId = Row<'draft', 'id'>;

/** Rows of files whose drafts were confirmed, cancelled or have expired, and calls that nothing needs any more: a draft at a time. */
export function fileSteps(): readonly Step[] {
  return [
    {
      name: 'rows of files',
      batch: async (tx) => {
        // What waits for its time can be taken back, and those that follow it in its series have the same rows.
        const [draft] = await tx<DraftId[]>`
          select d.id from draft d where d.id in (select draft_id from bulk_source) and (${isOver(tx)}
            or (d.state = 'confirmed' and not exists (
              select from job j where j.draft_id = d.id and j.state in ${listed(tx, NOT_STARTED)})))
          limit 1 for update of d skip locked`;
        if (draft === undefined) return { removed: 0, more: false };
        const gone = await tx`delete from bulk_source where draft_id = ${draft.id} returning 1`;
        await tx`update draft set details = details || '{"head": []}' where id = ${draft.id}`;
        return { removed: gone.length, more: true };
      },
    },
    {
      name: 'calls of files',
      batch: async (tx) => {
        const [draft] = await tx<DraftId[]>`
          select d.id from draft d left join job j on j.draft_id = d.id
          where d.id in (select draft_id from bulk_call union select draft_id from bulk_skipped) and (${isOver(tx)}
            or (j.ended_at < now() - ${KEPT_DAYS} * interval '1 day' and not exists (
              select from attempt a where a.job_id = j.id and a.state = 'planned' and a.message_keys = '{}')))
          limit 1 for update of d skip locked`;
        if (draft === undefined) return { removed: 0, more: false };
        const calls = await tx`delete from bulk_call where draft_id = ${draft.id} returning 1`;
        const skipped = await tx`delete from bulk_skipped where draft_id = ${draft.id} returning 1`;
        return { removed: calls.length + skipped.length, more: true };
      },
    },
  ];
}

/** Whether a draft `d` is one that nobody will confirm. */
function isOver(tx: TransactionSql) {
  return tx`(
    (d.state = 'cancelled' and d.expires_at <= now())
    or (d.state in ${listed(tx, UNDECIDED)} and d.expires_at < now() - ${TAKEN_UP_SECONDS} * interval '1 second'))`;
}

/**
 * Received messages, with all that was told of them, and conversations of which none is left. A day later than no more
 * are taken in that are so old (`inbound-store.ts`), or what has gone would come again. Where the gateway tells no time
 * that can be read, nobody could know it again: it stays.
 */
export function inboxSteps(days: number): readonly Step[] {
  if (days === 0) return [];
  let passed = 0;
  return [
    {
      name: 'received messages',
      batch: async (tx) => {
        // Ids rise as messages are captured, so it is only ever the beginning that is looked at.
        const page = await tx<(Row<'inbound', 'id'> & { is_dated: boolean })[]>`
          select p.id, p.is_dated from (
            select id, captured_at, sent_at is not null as is_dated from inbound
            where id > ${passed} order by id limit ${BATCH}) as p
          where p.captured_at < now() - ${days + 1} * interval '1 day' order by p.id`;
        passed = page.at(-1)?.id ?? passed;
        const ids = page.filter((each) => each.is_dated).map(({ id }) => id);
        const held = await tx<Row<'inbound', 'id'>[]>`
          select id from inbound where id = any(${ids}::bigint[]) for update skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from notice where inbound_id = any(${past}::bigint[])`;
        await tx`delete from auto_answer where inbound_id = any(${past}::bigint[])`;
        await tx`delete from inbound where id = any(${past}::bigint[])`;
        return { removed: past.length, more: page.length === BATCH };
      },
    },
    {
      name: 'conversations',
      batch: async (tx) => {
        const held = await tx<Row<'talk', 'id'>[]>`
          select t.id from talk t where t.last_in_at < now() - ${days + 1} * interval '1 day'
            and not exists (select from inbound i where i.talk_id = t.id)
          limit ${BATCH} for update of t skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from talk_topic where talk_id = any(${past}::uuid[])`;
        return upTo(BATCH, await tx`delete from talk where id = any(${past}::uuid[]) returning 1`);
      },
    },
  ];
}

/** For a year of people's, a month and more before or after its day; nobody is written to twice. */
const WRITTEN_DAYS = 730;
/** By then the buttons of its card are dead. */
const PROPOSED_DAYS = 7;

/** What else ends: drafts that were not confirmed, alerts, and what was asked of phonebooks and of new users. */
export function otherSteps(days: number): readonly Step[] {
  if (days === 0) return [];
  return [
    {
      name: 'drafts',
      batch: async (tx) => {
        const held = await tx<Row<'draft', 'id'>[]>`
          select d.id from draft d where d.state <> 'confirmed' and d.expires_at < now() - ${days} * interval '1 day'
            and not exists (select from job j where j.draft_id = d.id)
          order by d.expires_at limit ${BATCH} for update of d skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from notice where draft_id = any(${past}::uuid[])`;
        return upTo(BATCH, await tx`delete from draft where id = any(${past}::uuid[]) returning 1`);
      },
    },
    // What was told of a received message goes with that.
    rowsOf(
      'notifications',
      (tx) => tx`
        delete from notice where id in (
          select id from notice where inbound_id is null and created_at < now() - ${days} * interval '1 day'
            and state in ('sent', 'folded', 'dropped')
          order by created_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'alarms',
      (tx) => tx`
        delete from alarm where id in (
          select a.id from alarm a where a.ended_at < now() - ${days} * interval '1 day'
            and not exists (select from notice n where n.alarm_id = a.id)
          limit ${BATCH} for update of a skip locked)
        returning 1`,
    ),
    rowsOf(
      'whom sends by dates have written to',
      (tx) => tx`
        delete from date_sent where ctid in (
          select s.ctid from date_sent s join date_run r on r.id = s.run_id join date_send o on o.id = s.order_id
          where r.made_at < now() - ${WRITTEN_DAYS} * interval '1 day'
            or (o.state = 'ended' and o.ended_at < now() - ${days} * interval '1 day')
          limit ${BATCH} for update of s skip locked)
        returning 1`,
    ),
    rowsOf(
      'sends by dates',
      (tx) => tx`
        delete from date_send where id in (
          select o.id from date_send o
          where ((o.state = 'ended' and o.ended_at < now() - ${days} * interval '1 day')
              or (o.state = 'proposed' and o.created_at < now() - ${PROPOSED_DAYS} * interval '1 day'))
            and not exists (select from date_sent s where s.order_id = o.id)
          limit ${BATCH} for update of o skip locked)
        returning 1`,
    ),
    rowsOf(
      'changes of phonebooks',
      (tx) => tx`
        delete from book_change where id in (
          select id from book_change where created_at < now() - ${days} * interval '1 day' and state <> 'running'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'registrations',
      (tx) => tx`
        delete from registration where id in (
          select id from registration where created_at < now() - ${days} * interval '1 day' and state <> 'on_wire'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
  ];
}

/** Of a statement that takes out at most so many rows: full, there may be more. */
export function upTo(most: number, rows: readonly unknown[]): Batch {
  return { removed: rows.length, more: rows.length === most };
}

/** A step whose batch is one statement: it takes out at most {@link BATCH} rows and returns one for each. */
function rowsOf(name: string, remove: (tx: TransactionSql) => PromiseLike<readonly unknown[]>): Step {
  return { name, batch: async (tx) => upTo(BATCH, await remove(tx)) };
}
