import type { TransactionSql } from 'postgres';
import type { MissReason } from '../../domain/job.ts';
import { missOf } from '../../domain/limits.ts';
import { canonicalPayload } from '../../domain/outgoing.ts';
import { nextInSeries, readRecurrence } from '../../domain/recurrence.ts';
import { reviewCreditIn } from '../accounts/account-in.ts';
import { writeAudit } from '../audit.ts';
import { readBack } from './draft-back.ts';
import { makeJob, planCalls } from './draft-confirmation.ts';
import { copyDraft } from './draft-copies.ts';
import { countedParts, dueOf, holdUnder, limitedIn, rolesWith, type HeldDraft } from './draft-press.ts';
import { enqueue, enqueueGauge } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { tellJobIn, type ToldJob } from './job-notifications.ts';
import { showCapUseIn } from './limits-in.ts';
import { move } from '../move.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import { costIn } from '../accounts/gauge-in.ts';
import { nothingAsked } from './schedule-change.ts';
import { sha256 } from '../keys/tokens.ts';
import type { Row } from '../row.ts';

/** What is said of one send of a series and of no other. */
const OF_ONE = [
  'resendOf',
  'resends',
  'answers',
  'replaces',
  'replacedBy',
  'undoOf',
  'againOf',
  'backAs',
  'saidBy',
  'textBy',
  'slot',
] as const;

/** A send of a series, and whose it is. */
type Last = Row<'draft', 'chat_id' | 'code' | 'recur' | 'details'> &
  Row<'job', 'confirmed_by' | 'approved_by'> & { readonly time_zone: string; readonly over: Date };

/**
 * Makes what follows a send in its series: the same content under a code of its own, confirmed in the name of the same
 * person, for the next time of the rule that is still ahead. What cannot be confirmed so is missed from the start, and
 * asks. Whatever runs this again, or beside it, makes no second one: the id follows from the one before.
 * The chat's limits are held before, as for every confirmation.
 * @param timeZone of chats that have none of their own.
 */
export async function followUpIn(tx: TransactionSql, draftId: string, timeZone: string): Promise<void> {
  const [last] = await tx<Last[]>`
    select d.chat_id, d.code, d.recur, j.confirmed_by, j.approved_by, coalesce(c.time_zone, ${timeZone}) as time_zone,
      d.details, greatest(now(), j.hold_until) as "over"
    from draft d join job j on j.draft_id = d.id join chat c on c.id = d.chat_id where d.id = ${draftId}`;
  const rule = readRecurrence(last?.recur ?? null);
  if (last === undefined || rule === null) return;
  const id = idAfter(draftId);
  const known = await tx`select 1 from draft where id = ${id}`;
  if (known.length > 0) return;
  await copyDraft(tx, draftId, { id, but: OF_ONE });
  const at = nextInSeries(rule, last.over, readBack(last.details).slot, last.time_zone);
  const slot = { rule: last.recur, at };
  await tx`
    update draft set send_at = ${at.toISOString()}, details = details || ${jsonText({ slot })}::text::jsonb where id = ${id}`;
  // That nothing may leave now says nothing about then.
  const read = await holdUnder(tx, id);
  if (read === null) return;
  const held = { ...read, limits: { ...read.limits, halted: null, heldAt: null } };
  const reason = await obstacleIn(tx, held, last);
  const made = await makeJob(tx, held, {
    confirmedBy: last.confirmed_by,
    approvedBy: last.approved_by,
    updateId: null,
    undoSeconds: 0,
    unpressed: { action: 'send_followed', details: { follows: last.code } },
    priceRial: (await costIn(tx, held.draft.binding_id, held.payload)).price,
  });
  if (made.result === 'confirmed' && reason !== null) await missIn(tx, made.jobId, reason);
}

/**
 * Has what follows a send to a phonebook, as long as it waits, go to those who were confirmed for this one in the same names: it
 * was made before the phonebook had changed. Does nothing where none follows. The chat's limits are held before.
 */
export async function carryOnIn(tx: TransactionSql, draftId: string): Promise<void> {
  const [next] = await tx<Row<'job', 'id' | 'draft_id' | 'chat_id'>[]>`
    select j.id, j.draft_id, j.chat_id from job j
    where j.draft_id = ${idAfter(draftId)} and j.state = 'scheduled' and ${nothingAsked(tx)} for update of j`;
  if (next === undefined) return;
  await tx`
    update draft d set recipients = o.recipients, blocked = o.blocked, details = d.details || jsonb_build_object('way', o.details -> 'way')
    from draft o where o.id = ${draftId} and d.id = ${next.draft_id}`;
  const held = await holdUnder(tx, next.draft_id);
  if (held === null) return;
  const { draft, payload } = held;
  await tx`delete from attempt where job_id = ${next.id}`;
  await planCalls(tx, next.id, held);
  await tx`
    update job j set payload_sha256 = ${sha256(canonicalPayload(payload))}, parts = ${countedParts(payload)},
      price_rial = ${(await costIn(tx, draft.binding_id, payload)).price}, confirmed_by = o.confirmed_by, approved_by = o.approved_by
    from job o where o.draft_id = ${draftId} and j.id = ${next.id}`;
  await enqueue(tx, 'card', { draftId: next.draft_id }, { key: `card:${next.draft_id}` });
  await showCapUseIn(tx, next.chat_id);
  await reviewCreditIn(tx, next.chat_id);
}

/** Sets a job aside of which nothing has left, since it cannot leave as it was confirmed, and has the chat asked about it. */
export async function missIn(tx: TransactionSql, jobId: string, reason: MissReason): Promise<void> {
  const { to, may } = move(tx, 'job', 'miss', 'j');
  const [row] = await tx<(ToldJob & Row<'job', 'binding_id'> & Row<'draft', 'code'>)[]>`
    update job j set state = ${to}, stop_reason = ${reason} from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id
      and ${nothingAsked(tx)}
    returning j.id, j.draft_id, j.chat_id, j.binding_id, d.code, d.details`;
  if (row === undefined) return;
  // The question is a preview: who was on the blacklist when it was confirmed says nothing about now.
  await tx`update draft set blocked = null where id = ${row.draft_id}`;
  await enqueueGauge(tx, { bindingId: row.binding_id, draftId: row.draft_id });
  await forgetJobs(tx, `send:${jobId}`);
  await writeAudit(tx, {
    chatId: row.chat_id,
    personId: null,
    updateId: null,
    action: 'send_missed',
    details: { code: row.code, jobId, reason },
  });
  await showCapUseIn(tx, row.chat_id);
  await enqueue(tx, 'missed', { jobId }, { key: `missed:${jobId}` });
  await tellJobIn(tx, row, { event: 'missed' });
}

/** Whether a person's role of now lets them confirm sends of a chat. */
export async function mayConfirmIn(
  tx: TransactionSql,
  chatId: string,
  personId: string | number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from member where chat_id = ${chatId} and person_id = ${personId}
      and role = any(${rolesWith('send.confirm')}::text[])`;
  return rows.length > 0;
}

/** Why a send cannot be confirmed in somebody's name without them, if it cannot. */
async function obstacleIn(
  tx: TransactionSql,
  held: HeldDraft,
  { confirmed_by: confirmedBy, approved_by: approvedBy, time_zone: timeZone }: Last,
): Promise<MissReason | null> {
  const { draft } = held;
  if (!draft.live) return 'not_connected';
  if (!(await mayConfirmIn(tx, draft.chat_id, confirmedBy))) return 'role';
  const limited = await limitedIn(tx, held, {
    timeZone,
    confirmedBy: confirmedBy,
    approved: approvedBy !== null,
    leavesAt: dueOf(held, 0),
  });
  return limited === null ? null : missOf(limited.verdict);
}

/** The id of the draft that follows another: the same for whoever makes it. */
function idAfter(draftId: string): string {
  const hex = sha256(`after ${draftId}`).toString('hex').slice(0, 32);
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) % 4) + 8).toString(16);
  const bits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return bits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
