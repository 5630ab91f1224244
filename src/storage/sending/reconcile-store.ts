import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { MAY_BE_OUT } from '../../domain/attempt.ts';
import { kindsWith, kindOf } from '../../domain/kinds/index.ts';
import { messagesOf } from '../../domain/outgoing.ts';
import type {
  AcceptedCall,
  DoubtView,
  FoundMessage,
  ReconcileStore,
  UnnamedRow,
} from '../../ports/reconcile.ts';
import type { SeenCalls } from '../../ports/stores.ts';
import { writeAudit } from '../audit.ts';
import { copyRows } from '../database/copy-rows.ts';
import type { Database, Queryable } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { enqueue } from '../enqueue.ts';
import { bindingsOfUser, isSurelyOne } from '../accounts/gateway-user.ts';
import { tellJobIn, type ToldJob } from './job-notifications.ts';
import { jsonText } from '../json.ts';
import { readMessages, readOutgoing } from './kinds/details.ts';
import { nameCallsIn } from '../reports/call-reports.ts';
import { reportRows } from '../reports/reported.ts';
import { listed, move } from '../move.ts';
import type { Row } from '../row.ts';
import { callsTo } from '../reports/sent-numbers.ts';

type DoubtRow = Row<
  'attempt',
  'id as attempt_id' | 'job_id' | 'binding_id' | 'line' | 'recipients' | 'messages' | 'checks' | 'last_look'
> &
  Row<'binding', 'gateway_user as account'> &
  Row<'draft', 'kind' | 'details' | 'text' | 'flash'> & {
    readonly from_s: number;
    readonly to_s: number;
    readonly now_s: number;
  };

const lookSchema = z.object({ at: z.number(), absent: z.array(z.string()) }).nullable();
export const SAMPLES = 50;
/** A question that nobody has answered is brought up again after an hour and after a day. */
export const REMIND_AFTER_MS = [3_600_000, 86_400_000] as const;

/** What the gateway's lists say of attempts whose answer was lost. */
export function createReconcileStore(database: Database, decide = createDecide(database)): ReconcileStore {
  const { sql } = database;
  return {
    async doubt(attemptId) {
      const [row] = await sql<DoubtRow[]>`
        select a.id as attempt_id, a.job_id, a.binding_id, b.gateway_user as account, d.kind, d.details, a.line, d.text, d.flash, a.recipients,
          a.messages, extract(epoch from coalesce(a.on_wire_at, a.reserved_at))::float8 as from_s,
          extract(epoch from coalesce(a.ended_at, now()))::float8 as to_s, extract(epoch from now())::float8 as now_s,
          a.checks, a.last_look
        from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id join binding b on b.id = a.binding_id
        where a.id = ${attemptId} and a.state = 'unknown'`;
      return row === undefined ? null : toDoubt(row);
    },

    async acceptedCalls(bindingId) {
      return await sql<AcceptedCall[]>`
        select ids.first as "messageId", extract(epoch from a.on_wire_at)::float8 as from,
          extract(epoch from a.ended_at)::float8 as to, a.line, a.size as recipients, ids.different as ids,
          case when a.messages is null and dr.kind = any(${kindsWith('hasText')}) then dr.text end as text
        from attempt a join job j on j.id = a.job_id join draft dr on dr.id = j.draft_id
        cross join lateral (
          select min(id) as first, count(distinct id)::int as different from (
            select r.message_id as id from ${reportRows(sql, sql`select a.*`)} r
          ) as each
        ) as ids
        where a.binding_id in ${bindingsOfUser(sql, bindingId)} and a.state = 'accepted'
          and a.ended_at > now() - interval '7 days' and dr.kind = any(${kindsWith('tellsClock')}) and ids.first is not null
        order by a.ended_at desc limit ${SAMPLES}`;
    },

    claimed: async (attemptId, messages) => await claimedIn(sql, attemptId, messages),

    async unnamed(attemptId, { from, to }) {
      return await sql<UnnamedRow[]>`
        with mine as (
          select binding_id, message_keys as keys from attempt where id = ${attemptId}
        ), other as (
          select a.id, r.number as recipient, a.message_keys[r.place] = any(mine.keys) as is_equal,
            coalesce(r.message_id, '') as message_id, a.on_wire_at, a.ended_at, ${isSurelyOne(sql, 'my', 'their')} as is_sure
          from mine join binding my on my.id = mine.binding_id join binding their using (gateway_user)
          join attempt a on a.binding_id = their.id
          cross join lateral ${reportRows(sql, sql`select a.*`)} r
          where a.state = 'accepted' and a.message_keys && mine.keys
            and a.on_wire_at <= to_timestamp(${to}::float8) and a.ended_at >= to_timestamp(${from}::float8)
        ), counted as (
          select o.*, count(*) over (partition by o.id, o.message_id) as recipients from other o
        )
        select recipient, message_id as "messageId", extract(epoch from on_wire_at)::float8 as from,
          extract(epoch from ended_at)::float8 as to, is_sure as "isSure"
        from counted where is_equal and (recipients > 1 or message_id = '')`;
    },

    async keepOpen(attemptId, look, afterMs) {
      await sql.begin(async (tx) => {
        const rows = await tx`
          update attempt set checks = checks + 1, last_look = coalesce(${look === null ? null : jsonText(look)}::text::jsonb, last_look)
          where id = ${attemptId} and state = 'unknown' returning 1`;
        if (rows.length === 0) return;
        await enqueue(tx, 'reconcile', { attemptId }, { key: `reconcile:${attemptId}`, afterMs });
      });
    },

    async found(attemptId, messages, shared) {
      return await sql.begin(async (tx) => {
        if (await anyClaimed(tx, attemptId, messages)) return false;
        const { to, may } = move(tx, 'attempt', 'find');
        const [row] = await tx<Row<'attempt', 'job_id'>[]>`
          update attempt set state = ${to}, shared = ${shared}, checks = checks + 1
          where id = ${attemptId} and ${may} returning job_id`;
        if (row === undefined) return false;
        await deliver(tx, attemptId, messages);
        await show(tx, row.job_id);
        return true;
      });
    },

    async ask(attemptId, { found, blocked, absent, proven, look }) {
      return await sql.begin(async (tx) => {
        const ask = move(tx, 'attempt', 'ask');
        const [job] = await tx<ToldJob[]>`
          select j.id, j.chat_id, j.draft_id, d.details
          from attempt join job j on j.id = attempt.job_id join draft d on d.id = j.draft_id
          where attempt.id = ${attemptId} and ${ask.may} for update of attempt`;
        if (job === undefined || (await anyClaimed(tx, attemptId, found))) return false;
        const split = async (
          event: 'find' | 'find_blocked',
          recipients: readonly string[],
          outcome: string,
        ) => {
          if (recipients.length === 0) return null;
          const id = randomUUID();
          const { to, may } = move(tx, 'attempt', event);
          await copyRows(tx, 'attempt', {
            where: tx`id = ${attemptId} and ${may}`,
            given: {
              id: tx`${id}::uuid`,
              chunk: tx`(select max(last.chunk) + 1 from attempt last where last.job_id = attempt.job_id)`,
              n: tx`1`,
              state: to,
              message_keys: subset(tx, 'message_keys', recipients),
              recipients: tx`${[...recipients]}::text[]`,
              messages: subsetOfMessages(tx, recipients),
              outcome: tx`${outcome}`,
              checks: tx`checks + 1`,
            },
            fresh: [
              'message_ids',
              'blocked',
              'uncounted',
              'gateway_code',
              'last_look',
              'shared',
              'settled_by',
            ],
          });
          return id;
        };
        const sentId = await split(
          'find',
          found.map(({ recipient }) => recipient),
          'found',
        );
        if (sentId !== null) await deliver(tx, sentId, found);
        await split('find_blocked', blocked, 'blocked');
        for (const [nth, afterMs] of REMIND_AFTER_MS.entries())
          await enqueue(tx, 'remind', { jobId: job.id }, { key: `remind:${job.id}:${nth}`, afterMs });
        await tx`
          update attempt set state = ${ask.to}, checks = checks + 1, outcome = ${proven ? 'absent' : 'undecided'},
            last_look = coalesce(${look === null ? null : jsonText(look)}::text::jsonb, last_look), message_keys = ${subset(tx, 'message_keys', absent)},
            messages = ${subsetOfMessages(tx, absent)}, recipients = ${[...absent]}::text[]
          where id = ${attemptId}`;
        await show(tx, job.id);
        await tellJobIn(tx, job, { event: 'asks' });
        return true;
      });
    },

    async asked(jobId, seen) {
      const rows = await sql<Row<'attempt', 'id' | 'recipients' | 'messages'>[]>`
        select id, recipients, messages from attempt where job_id = ${jobId} and state = 'asked'
          and ${seen === undefined ? sql`true` : isSeen(sql, seen)} order by chunk`;
      return rows.map(({ id, recipients, messages }) => ({
        attemptId: id,
        recipients,
        messages: readMessages(messages),
      }));
    },

    async lookAgain(jobId, seen) {
      return await decide(async (tx) => {
        const { to, may } = move(tx, 'attempt', 'look_again');
        const rows = await tx<Row<'attempt', 'id'>[]>`
          update attempt set state = ${to} where job_id = ${jobId} and ${may} and ${isSeen(tx, seen)} returning id`;
        for (const { id } of rows)
          await enqueue(tx, 'reconcile', { attemptId: id }, { key: `reconcile:${id}` });
        if (rows.length > 0) await show(tx, jobId);
        return rows.length;
      });
    },

    async waiting(chatId, seconds) {
      const rows = await sql<
        (Row<'draft', 'id as draftId' | 'code'> & { recipients: number; asked: number; since: number })[]
      >`
        select d.id as "draftId", d.code, sum(a.size)::int as recipients,
          coalesce(sum(a.size) filter (where a.state = 'asked'), 0)::int as asked,
          (extract(epoch from min(coalesce(a.on_wire_at, a.reserved_at))) * 1000)::float8 as since
        from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
        where j.chat_id = ${chatId} and a.state in ${listed(sql, MAY_BE_OUT)}
          and coalesce(a.on_wire_at, a.reserved_at) < now() - ${seconds} * interval '1 second'
        group by d.id, d.code order by since`;
      return rows.map(({ since, ...row }) => ({ ...row, since: new Date(since) }));
    },

    async decide({ jobId, seen, sent, personId, updateId }) {
      return await decide(async (tx) => {
        const { to, may } = move(tx, 'attempt', sent ? 'decide_sent' : 'decide_not_sent');
        const rows = await tx<{ recipients: number }[]>`
          update attempt set state = ${to}, settled_by = ${personId}
          where job_id = ${jobId} and ${may} and ${isSeen(tx, seen)} returning cardinality(recipients) as recipients`;
        const recipients = rows.reduce((sum, row) => sum + row.recipients, 0);
        if (recipients === 0) return 0;
        const [job] = await tx<(Row<'job', 'chat_id'> & Row<'draft', 'code'>)[]>`
          select j.chat_id, d.code from job j join draft d on d.id = j.draft_id where j.id = ${jobId}`;
        await writeAudit(tx, {
          chatId: job?.chat_id ?? null,
          personId,
          updateId,
          action: 'send_settled',
          details: { code: job?.code ?? '', sent, recipients },
        });
        await show(tx, jobId);
        return recipients;
      });
    },
  };

  /** The members of an array beside `recipients` that belong to some of them, in the order of those. */
  function subset(tx: TransactionSql, column: string, recipients: readonly string[]) {
    return tx`coalesce((
      select array_agg(v.value order by array_position(${[...recipients]}::text[], v.recipient))
      from unnest(recipients, ${tx(column)}) as v(recipient, value)
      where v.recipient = any(${[...recipients]}::text[])), '{}')`;
  }

  function subsetOfMessages(tx: TransactionSql, recipients: readonly string[]) {
    return tx`case when messages is null then null else coalesce((
      select jsonb_agg(m order by array_position(${[...recipients]}::text[], m ->> 'recipient'))
      from jsonb_array_elements(messages) as m
      where m ->> 'recipient' = any(${[...recipients]}::text[])), '[]') end`;
  }
}

/** Of some messages those that another attempt has, whoever sent it, as `id recipient`. */
async function claimedIn(
  sql: Queryable,
  attemptId: string,
  messages: readonly FoundMessage[],
): Promise<ReadonlySet<string>> {
  // Where the gateway did not tell that two accounts are one, an equal message of that hour with this id tells it.
  const rows = await sql<{ claim: string }[]>`
    with mine as (
      select b.gateway_user, a.message_keys as keys, a.on_wire_at - interval '1 hour' as "from",
        coalesce(a.ended_at, now()) + interval '1 hour' as "to"
      from attempt a join binding b on b.id = a.binding_id where a.id = ${attemptId}
    ), other as not materialized (
      select a.id, a.recipients, a.message_ids, a.on_wire_at between mine."from" and mine."to" as is_near,
        b.gateway_user = mine.gateway_user as is_own, a.message_keys && mine.keys as is_equal
      from attempt a join binding b on b.id = a.binding_id cross join mine where a.id <> ${attemptId}
    )
    select m.message_id || ' ' || m.recipient as claim
    from unnest(${messages.map((each) => each.messageId)}::text[], ${messages.map((each) => each.recipient)}::text[])
      as m(message_id, recipient)
    where exists (
      select 1 from ${callsTo(sql, sql`m.recipient`)} s
      join call_report c on c.attempt_id = s.attempt_id join other a on a.id = s.attempt_id
      cross join lateral unnest(a.recipients, string_to_array(c.ids, ',')) as own(recipient, message_id)
      where strpos(c.ids, m.message_id) > 0
        and own.message_id = m.message_id and own.recipient = m.recipient and (a.is_own or (a.is_near and a.is_equal)))
    or exists (
      select 1 from delivery d join other a on a.id = d.attempt_id
      where d.message_id = m.message_id and d.recipient = m.recipient and (a.is_own or (a.is_near and a.is_equal)))
    or exists (
      select 1 from other a cross join lateral unnest(a.recipients, a.message_ids) as own(recipient, message_id)
      where a.message_ids is not null and a.is_near and (a.is_own or a.is_equal)
        and own.message_id = m.message_id and own.recipient = m.recipient)`;
  return new Set(rows.map((row) => row.claim));
}

/**
 * Whether one of the messages has become another attempt's since they were looked at. Until the transaction ends
 * nobody else claims any, so a row of the gateway belongs to one attempt at most.
 */
async function anyClaimed(
  tx: TransactionSql,
  attemptId: string,
  messages: readonly FoundMessage[],
): Promise<boolean> {
  // Each chat's own lock is that of the programs of the release before.
  await tx`select pg_advisory_xact_lock(hashtextextended('claims', 0))`;
  await tx`
    select pg_advisory_xact_lock(hashtextextended('claims ' || b.chat_id, 0))
    from attempt a join binding b on b.id = a.binding_id where a.id = ${attemptId}`;
  return (await claimedIn(tx, attemptId, messages)).size > 0;
}

/** What was found has an id, by which its reports are asked for. */
async function deliver(
  tx: TransactionSql,
  attemptId: string,
  messages: readonly FoundMessage[],
): Promise<void> {
  const [attempt] = await tx<Row<'attempt', 'recipients'>[]>`
    select recipients from attempt where id = ${attemptId}`;
  const idOf = new Map(messages.map(({ recipient, messageId }) => [recipient, messageId]));
  const ids = (attempt?.recipients ?? []).map((recipient) => idOf.get(recipient) ?? '');
  await nameCallsIn(tx, [{ attemptId, ids }]);
}

/** That a call is one of those that somebody has seen. */
function isSeen(sql: Queryable, seen: SeenCalls) {
  return sql`exists (
    select 1 from unnest(${seen.map(([from]) => from)}::int[], ${seen.map(([, to]) => to)}::int[]) as s("from", "to")
    where chunk between s."from" and s."to")`;
}

async function show(tx: TransactionSql, jobId: string): Promise<void> {
  const [row] = await tx<Row<'job', 'draft_id'>[]>`select draft_id from job where id = ${jobId}`;
  if (row !== undefined)
    await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
  await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
}

export function toDoubt(row: DoubtRow): DoubtView {
  const { line, text, flash, recipients } = row;
  const outgoing = readOutgoing(row);
  const call = { recipients, messages: readMessages(row.messages) };
  const messages = messagesOf({ outgoing, line, text, flash, recipients }, call);
  return {
    attemptId: row.attempt_id,
    jobId: row.job_id,
    bindingId: row.binding_id,
    account: row.account,
    recipients,
    messages: kindOf(outgoing).isListed
      ? new Map(messages.map((each) => [each.recipient, { line: each.line, text: each.text }]))
      : null,
    from: row.from_s,
    to: row.to_s,
    now: row.now_s,
    checks: row.checks,
    lastLook: lookSchema.parse(row.last_look),
  };
}
