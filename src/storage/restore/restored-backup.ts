import type { Sql, TransactionSql } from 'postgres';
import { UNPROVEN } from '../../domain/attempt.ts';
import { UNDECIDED } from '../../domain/draft.ts';
import { AppError } from '../../domain/errors.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import { writeAudit } from '../audit.ts';
import { enqueue, FIRST_LOOK_MS } from '../enqueue.ts';
import { heldUp } from '../sending/held-up.ts';
import { raiseIn, settleIn } from '../sending/job-charge.ts';
import { jsonText } from '../json.ts';
import { readOutgoing } from '../sending/kinds/details.ts';
import { holdLimits } from '../sending/limits-in.ts';
import { LEADER_SESSION, LIVENESS_SESSION } from '../database/lock-session.ts';
import { doubtChats, type Doubted, type LossStore, type LostTime } from './losses.ts';
import { listed, move } from '../move.ts';
import { wholeCall } from '../sending/reserve-in.ts';
import type { Row } from '../row.ts';
import { followUpIn, missIn } from '../sending/series.ts';
import type { PlannedRow } from '../sending/take-calls.ts';

/** The rest of a stopped send can be sent as long as its card has a button for it. */
export const BUTTON_DAYS = 30;
/** What was being written while the backup was taken is not in it, though it began before the last that is. */
export const OVERLAP_SECONDS = 120;
/** Cards that the backup does not know have numbers too: the next ones are others. */
export const CARDS_AHEAD = 100;
const PAGE = 200;
/** So far apart the first looks for many calls of a job begin: each reads the gateway's lists. */
export const APART_MS = 1000;
/** What was refused for its account may have stopped them since, and have gone on with them by a person's press. */
export const MAY_HAVE_GONE_ON = ['stopped', 'running', 'paused'] as const;

/**
 * Makes a backup that was brought back safe to start on. Whatever it knows as not sent may have been sent since, so all
 * sends are held; what could have left is unknown from now on, with the time since the backup as the time in which it
 * left; and nothing that a person or an answered question could set off stays as it is. May be ended and begun again
 * until sends are let go on.
 * @param since an earlier time than the last that the backup knows, where something has been started on it already
 * @throws AppError `config` while a Peyk works on the database
 */
export async function markRestored(store: LossStore, since: Date | null): Promise<Doubted & LostTime> {
  const time = await store.restore(since);
  return { ...time, ...(await doubtChats(store, time.from)) };
}

/** @throws AppError `config` while a Peyk works on the database */
export async function refuseWhileInUse(sql: Sql): Promise<void> {
  const alive = await sql`
    select 1 from pg_stat_activity where datname = current_database()
      and application_name in (${LIVENESS_SESSION}, ${LEADER_SESSION})`;
  if (alive.length > 0)
    throw new AppError('config', 'a Peyk works on this database: stop every Peyk first, then say this again');
}

/**
 * The switch first, and everything that lies about and could set something off.
 * @param before what is later was written after the copy was brought back, and says nothing of where it ends
 */
export async function beginIn(
  tx: TransactionSql,
  since: Date | null,
  before: Date | null = null,
): Promise<LostTime> {
  const [was] = await tx<{ begun: boolean }[]>`
    select restored_from is not null as begun from deployment for update`;
  const end = tx`coalesce(${before?.toISOString() ?? null}::timestamptz, 'infinity')`;
  const [row] = await tx<{ from: Date; to: Date }[]>`
    update deployment set held_at = coalesce(held_at, now()), restored_at = now(),
      restored_from = least(${since?.toISOString() ?? null}::timestamptz, restored_from,
        case when restored_from is null then greatest(
          (select max(at) from audit where at <= ${end}),
          (select max(received_at) from "update" where received_at <= ${end}),
          (select max(confirmed_at) from job where confirmed_at <= ${end}),
          (select max(on_wire_at) from attempt where on_wire_at <= ${end}))
          - ${OVERLAP_SECONDS} * interval '1 second' end, now())
    returning restored_from as "from", restored_at as "to"`;
  if (row === undefined) throw new Error('the deployment has lost its row');
  if (was?.begun !== true) await tx`update chat set last_card = last_card + ${CARDS_AHEAD}`;
  await tx`delete from form`;
  await tx`update deep_link set expires_at = now() where used_update is null and expires_at > now()`;
  await tx`update registration set state = 'cancelled', fields = null where state = 'prepared'`;
  await tx`update book_change set state = 'stopped' where state = 'running'`;
  await tx`update book_change set state = 'cancelled', ended_at = now() where state = 'open'`;
  return row;
}

/** Makes unknown what could have left of a chat, and void what somebody could still set off. */
export async function chatIn(
  tx: TransactionSql,
  chatId: string,
  { from, timeZone }: { readonly from: Date; readonly timeZone: string },
): Promise<Doubted> {
  await holdLimits(tx, chatId);
  const drafts = await expireDraftsIn(tx, chatId);
  const jobs = await tx<(Row<'job', 'id' | 'draft_id'> & { is_over: boolean })[]>`
    select j.id, j.draft_id, j.ended_at is not null as is_over from job j
    where j.chat_id = ${chatId} and (
      j.state in ('missed', 'holding', 'running', 'paused') or (j.state = 'scheduled' and j.hold_until <= now())
      or (j.state = 'stopped' and j.ended_at > ${from.toISOString()}::timestamptz - ${BUTTON_DAYS} * interval '1 day')
      or exists (select 1 from attempt a where a.job_id = j.id and a.state in ${listed(tx, UNPROVEN)}))
    order by j.confirmed_at, j.id for update of j`;
  let calls = 0;
  for (const { id: jobId, draft_id: draftId, is_over: isOver } of jobs) {
    calls += await doubtCallsIn(tx, jobId, from);
    if (isOver) await raiseIn(tx, jobId);
    else {
      const end = move(tx, 'job', 'give_up');
      await tx`
        update job set state = ${end.to}, stop_reason = 'restored', stopped_by = null, ended_at = now(),
          started_at = coalesce(started_at, ${from.toISOString()}::timestamptz)
        where id = ${jobId} and ${end.may}`;
      await settleIn(tx, jobId);
      await forgetJobs(tx, `missed:${jobId}`);
      await followUpIn(tx, draftId, timeZone);
    }
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
    await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
  }
  const asked = await askAboutScheduledIn(tx, chatId);
  // Somebody may have ended them since: in nobody's name each of their sends asks, until they are resumed.
  await tx`update date_send set confirmed_by = null where chat_id = ${chatId} and state = 'on'`;
  await trackOpenIn(tx, chatId);
  if (calls + asked > 0) {
    const details = { doubtful: calls, asked };
    await writeAudit(tx, { chatId, personId: null, updateId: null, action: 'backup_restored', details });
  }
  return { calls, asked, drafts };
}

/**
 * Somebody may have confirmed them since, or taken them up where they were rejected. Their cards are left as they are
 * until somebody presses.
 */
async function expireDraftsIn(tx: TransactionSql, chatId: string): Promise<number> {
  const drafts = await tx<Row<'draft', 'id'>[]>`
    update draft set expires_at = least(expires_at, now()), details = details || '{"restored": true}'
    where chat_id = ${chatId} and details -> 'restored' is null and (state in ${listed(tx, UNDECIDED)} or (state = 'cancelled'
      and details -> 'backAs' is null and code in (
        select a.details ->> 'code' from audit a where a.chat_id = ${chatId} and a.action = 'send_rejected_by_approver')))
    returning id`;
  await forgetJobs(tx, ...drafts.flatMap(({ id }) => [`expiry:${id}`, `card:${id}`]));
  return drafts.length;
}

/** Whoever has asked for reports in the time that is lost has asked to do so again, and nobody knows of that. */
async function trackOpenIn(tx: TransactionSql, chatId: string): Promise<void> {
  const jobs = await tx<Row<'job', 'id'>[]>`
    select id from job j where chat_id = ${chatId} and poll_after_seconds >= 0
      and (exists (select 1 from call_report r where r.job_id = j.id and r.open > 0)
        or exists (select 1 from attempt a where a.job_id = j.id and a.message_ids is not null))`;
  for (const { id: jobId } of jobs) await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
}

/** Their time is ahead; but since the backup somebody may have changed them, taken them off, or had them leave sooner. */
async function askAboutScheduledIn(tx: TransactionSql, chatId: string): Promise<number> {
  const jobs = await tx<Row<'job', 'id'>[]>`
    select id from job where chat_id = ${chatId} and state = 'scheduled' order by hold_until, id`;
  for (const { id } of jobs) await missIn(tx, id, 'restored');
  return jobs.length;
}

/**
 * Makes every call of a job that has no outcome one that may have left at any time since a backup: the gateway's lists
 * are searched for it, and people are asked for what these do not settle.
 * @returns how many calls that were
 */
async function doubtCallsIn(tx: TransactionSql, jobId: string, from: Date): Promise<number> {
  await completeIn(tx, jobId);
  const { to, may } = move(tx, 'attempt', 'doubt', 'a');
  const calls = await tx<Row<'attempt', 'id'>[]>`
    with doubted as (
      update attempt a set state = ${to}, epoch = epoch + 1, owner = null, outcome = 'restored',
        on_wire_at = least(on_wire_at, ${from.toISOString()}::timestamptz), ended_at = now(), checks = 0, last_look = null
      where job_id = ${jobId} and ${may} and (a.state <> 'rejected' or ${heldUp(tx, MAY_HAVE_GONE_ON)})
      returning id, chunk
    )
    select id from doubted order by chunk`;
  for (const [place, { id }] of calls.entries()) {
    const afterMs = FIRST_LOOK_MS + place * APART_MS;
    await enqueue(tx, 'reconcile', { attemptId: id }, { key: `reconcile:${id}`, afterMs });
  }
  return calls.length;
}

/** Calls of a file get their messages when they are reserved; these never were, and are looked for by them. */
async function completeIn(tx: TransactionSql, jobId: string): Promise<void> {
  const [job] = await tx<Row<'draft', 'text' | 'flash' | 'kind' | 'details'>[]>`
    select d.text, d.flash, d.kind, d.details from job j join draft d on d.id = j.draft_id where j.id = ${jobId}`;
  if (job === undefined) return;
  const all = { text: job.text, flash: job.flash, outgoing: readOutgoing(job) };
  for (;;) {
    const planned = await tx<PlannedRow[]>`
      select a.id, a.chunk, a.binding_id, a.line, a.recipients, a.message_keys, a.messages, c.texts, a.tries
      from attempt a join job j on j.id = a.job_id
      join bulk_call c on c.draft_id = j.draft_id and c.chunk = a.chunk
      where a.job_id = ${jobId} and a.state = 'planned' and a.message_keys = '{}' and cardinality(a.recipients) > 0
      order by a.chunk limit ${PAGE}`;
    if (planned.length === 0) return;
    const fresh = planned.map((call) => {
      const { keys, messages } = wholeCall(all, call);
      return { id: call.id, keys, messages };
    });
    await tx`
      update attempt a set message_keys = g.keys, messages = g.messages
      from json_to_recordset(${jsonText(fresh)}::text::json) as g(id uuid, keys text[], messages jsonb) where a.id = g.id`;
  }
}
