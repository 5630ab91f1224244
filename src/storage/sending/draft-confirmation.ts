import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { ASKED_SECONDS, TAKEN_UP_SECONDS } from '../../domain/draft.ts';
import { bookOf, fileOf, kindOf } from '../../domain/kinds/index.ts';
import {
  callsOf,
  callsOfBlocked,
  canonicalPayload,
  messageCount,
  type Payload,
  canonicalCall,
} from '../../domain/outgoing.ts';
import { approvalNeed } from '../../domain/limits.ts';
import { leastPace, slowed } from '../../domain/pace.ts';
import type { Estimate } from '../../domain/price.ts';
import type {
  ApproveResult,
  AskResult,
  Confirmed,
  ConfirmResult,
  DraftPress,
  DraftStore,
  RejectResult,
} from '../../ports/stores.ts';
import { reviewCreditIn } from '../accounts/account-in.ts';
import { noteAnswerIn } from '../inbox/answers-in.ts';
import { writeAudit } from '../audit.ts';
import { enqueueExpiry } from './draft-expiry.ts';
import {
  countedParts,
  dueOf,
  holdDraft,
  holdForSending,
  limitedIn,
  rolesWith,
  type HeldDraft,
} from './draft-press.ts';
import { cardJob, enqueue, enqueueAll } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { messageKeys, readOutgoing } from './kinds/details.ts';
import { showCapUseIn } from './limits-in.ts';
import { move } from '../move.ts';
import { readPace } from './pace-in.ts';
import { costIn } from '../accounts/gauge-in.ts';
import { forgetJob } from '../../jobs/queue-tables.ts';
import { readResendOf } from './resent-in.ts';
import { readChange, replaceIn } from './schedule-change.ts';
import { sha256 } from '../keys/tokens.ts';
import type { Row } from '../row.ts';

const resendsSchema = z.object({ resends: z.array(z.uuid()).default([]) });
const ACTIONS = {
  asked: 'approval_asked',
  approved: 'send_approved',
  rejected: 'send_rejected_by_approver',
} as const;

/** The author's own yes. */
export async function confirmIn(
  tx: TransactionSql,
  press: Parameters<DraftStore['confirm']>[0],
): Promise<ConfirmResult> {
  const held = await holdForSending(tx, press);
  if ('result' in held) return held;
  if (held.draft.state === 'asked') return { result: 'waits' };
  const limited = await limitedIn(tx, held, {
    timeZone: press.timeZone,
    confirmedBy: press.personId,
    approved: false,
    leavesAt: dueOf(held, press.undoSeconds),
    exceptJob: readChange(held.draft.details).replaces?.jobId,
  });
  if (limited !== null) return limited;
  const cost = await costIn(tx, held.draft.binding_id, held.payload);
  const unaware = unawareOf(held, cost, press);
  if (unaware !== null) return { result: unaware };
  const confirmedBy = press.personId;
  return await makeJob(tx, held, { ...press, confirmedBy, approvedBy: null, priceRial: cost.price });
}

/** The author's yes to what needs a second person's. */
export async function askIn(tx: TransactionSql, press: DraftPress): Promise<AskResult> {
  const held = await holdForSending(tx, press);
  if ('result' in held) return held;
  const { draft, payload, limits, found } = held;
  if (draft.state === 'asked') return { result: 'already' };
  if ((await resentIn(tx, draft)) === null) return { result: 'changed' };
  if (approvalNeed(limits, found, countedParts(payload)) === null) return { result: 'not_needed' };
  const others = await tx`
    select 1 from member
    where chat_id = ${draft.chat_id} and person_id <> ${draft.author_id}
      and role = any(${rolesWith('send.approve')}::text[]) limit 1`;
  if (draft.is_private || others.length === 0) return { result: 'nobody' };
  const ask = move(tx, 'draft', 'ask');
  const asked = await tx`
    update draft set state = ${ask.to}, expires_at = now() + ${ASKED_SECONDS} * interval '1 second'
    where id = ${draft.id} and ${ask.may} returning 1`;
  if (asked.length === 0) return { result: 'changed' };
  await tell(tx, held, press, 'asked');
  await enqueueExpiry(tx, draft.id, ASKED_SECONDS);
  await enqueue(tx, 'card', { draftId: draft.id }, { key: `card:${draft.id}` });
  return { result: 'asked' };
}

/** A second person's yes to exactly the version that was asked for. */
export async function approveIn(
  tx: TransactionSql,
  press: Parameters<DraftStore['approve']>[0],
): Promise<ApproveResult> {
  const held = await holdForSending(tx, press);
  if ('result' in held) return held;
  const { draft } = held;
  if (draft.state !== 'asked') return { result: 'changed' };
  const may = await secondPerson(tx, held, press.personId);
  if (!may.is_other) return { result: 'own' };
  if (!may.may_approve) return { result: 'role' };
  if (!may.author_may) return { result: 'author_role' };
  const confirmedBy = draft.author_id;
  const limited = await limitedIn(tx, held, {
    timeZone: press.timeZone,
    confirmedBy,
    approved: true,
    leavesAt: dueOf(held, press.undoSeconds),
    exceptJob: readChange(draft.details).replaces?.jobId,
  });
  if (limited !== null) return limited;
  // They were agreed to by whoever saw them, and by nobody else.
  const { words } = held.found;
  if (!words.every((word) => press.words?.includes(word))) return { result: 'words', words };
  const cost = await costIn(tx, draft.binding_id, held.payload);
  const unaware = unawareOf(held, cost, press);
  if (unaware !== null) return { result: unaware };
  return await makeJob(tx, held, {
    ...press,
    confirmedBy,
    approvedBy: press.personId,
    priceRial: cost.price,
  });
}

/** A second person's no. */
export async function rejectIn(tx: TransactionSql, press: DraftPress): Promise<RejectResult> {
  const held = await holdDraft(tx, press);
  if ('result' in held) return held;
  const { draft } = held;
  if (draft.state !== 'asked') return { result: 'changed' };
  const may = await secondPerson(tx, held, press.personId);
  if (!may.is_other) return { result: 'own' };
  if (!may.may_approve) return { result: 'role' };
  const reject = move(tx, 'draft', 'reject');
  const rejected = await tx`
    update draft set state = ${reject.to}, version = version + 1, expires_at = now() + ${TAKEN_UP_SECONDS} * interval '1 second'
    where id = ${draft.id} and ${reject.may} returning 1`;
  if (rejected.length === 0) return { result: 'changed' };
  await tell(tx, held, press, 'rejected');
  await enqueue(tx, 'card', { draftId: draft.id }, { key: `card:${draft.id}` });
  return { result: 'rejected' };
}

interface SecondPerson {
  readonly is_other: boolean;
  readonly may_approve: boolean;
  readonly author_may: boolean;
}

/** Whether a person is another one than the author, and what both may do by their roles of now. */
async function secondPerson(
  tx: TransactionSql,
  { draft }: HeldDraft,
  personId: number,
): Promise<SecondPerson> {
  const [row] = await tx<SecondPerson[]>`
    select d.author_id <> ${personId} as is_other,
      exists (select 1 from member m where m.chat_id = d.chat_id and m.person_id = ${personId}
        and m.role = any(${rolesWith('send.approve')}::text[])) as may_approve,
      exists (select 1 from member m where m.chat_id = d.chat_id and m.person_id = d.author_id
        and m.role = any(${rolesWith('send.confirm')}::text[])) as author_may
    from draft d where d.id = ${draft.id}`;
  return row ?? { is_other: false, may_approve: false, author_may: false };
}

/** Nobody sends more than the credit pays for, or what its line would have otherwise, without having been told. */
function unawareOf(
  { found }: Pick<HeldDraft, 'found'>,
  { after }: Estimate,
  { warned, lacking }: { readonly warned?: boolean; readonly lacking?: boolean },
): 'short' | 'lacks' | null {
  if (lacking !== true && found.lacks !== null) return 'lacks';
  return warned !== true && after !== null && after < 0 ? 'short' : null;
}

/**
 * Everything that leaves is written down here: whatever is not in an attempt is never sent.
 * @param how `unpressed`: nobody has pressed for this one, and what the audit says of it.
 */
export async function makeJob(
  tx: TransactionSql,
  held: HeldDraft,
  {
    confirmedBy,
    approvedBy,
    updateId,
    undoSeconds,
    priceRial,
    unpressed,
  }: {
    readonly confirmedBy: number;
    readonly approvedBy: number | null;
    readonly updateId: number | null;
    readonly undoSeconds: number;
    readonly priceRial: number | null;
    readonly unpressed?: {
      readonly action: 'send_followed' | 'send_by_date';
      readonly details: Readonly<Record<string, string>>;
    };
  },
): Promise<Confirmed | { readonly result: 'changed' }> {
  const { draft, payload, limits } = held;
  if (!(await replaceIn(tx, draft, { personId: confirmedBy, updateId }))) return { result: 'changed' };
  if (!(await closeResent(tx, draft, confirmedBy))) return { result: 'changed' };
  const jobId = randomUUID();
  const parts = countedParts(payload);
  const later = draft.send_at;
  // A phonebook of which somebody was left out goes to the others by name: its call would go to all of it.
  const book = bookOf(payload.outgoing);
  const way = book === null ? {} : { way: book.way };
  const confirm = move(tx, 'draft', 'confirm');
  const made = await tx`
    with confirmed as (
      update draft set state = ${confirm.to}, details = details || ${jsonText(way)}::text::jsonb
      where id = ${draft.id} and ${confirm.may} returning ${forgetJob(tx, tx`'expiry:' || id`)} as forgotten
    )
    insert into job (id, draft_id, chat_id, binding_id, state, payload_sha256, confirmed_by, approved_by, parts, price_rial,
      hold_until, leaves_at)
    select ${jobId}, ${draft.id}, ${draft.chat_id}, ${draft.binding_id}, ${later === null ? 'holding' : 'scheduled'},
      ${sha256(canonicalPayload(payload))}, ${confirmedBy}, ${approvedBy}, ${parts}, ${priceRial},
      at, ${dueOf(held, undoSeconds).toISOString()}::timestamptz
    from confirmed cross join (
      select greatest(${later?.toISOString() ?? null}::timestamptz, now() + ${undoSeconds} * interval '1 second') as at) as leaves
    returning id`;
  if (made.length === 0) return { result: 'changed' };
  await planCalls(tx, jobId, { draft, payload });
  // Only here: what it was to send again may have been settled since, and then nothing was approved.
  if (approvedBy !== null && unpressed === undefined)
    await tell(tx, held, { personId: approvedBy, updateId }, 'approved');
  await writeAudit(tx, {
    chatId: draft.chat_id,
    personId: unpressed === undefined ? confirmedBy : null,
    updateId,
    action: unpressed?.action ?? 'send_confirmed',
    details: { code: draft.code, recipients: recipientCount(payload), ...unpressed?.details },
  });
  const afterMs = Math.max(undoSeconds * 1000, later === null ? 0 : later.getTime() - draft.now.getTime());
  const resent = readResendOf(draft.details);
  await enqueueAll(
    tx,
    { task: 'send', payload: { jobId }, key: `send:${jobId}`, afterMs },
    cardJob(draft.id),
    // The card of the job whose failures it sends again tells what has become of them.
    ...(resent === null ? [] : [cardJob(resent.draftId)]),
  );
  // What it uses of a cap, the others of the chat cannot.
  await showCapUseIn(tx, draft.chat_id, limits);
  if (unpressed === undefined) await noteAnswerIn(tx, draft, confirmedBy);
  if (later !== null) await reviewCreditIn(tx, draft.chat_id);
  return { result: 'confirmed', jobId, authorId: draft.author_id };
}

/** Writes the calls of a job down, of all that its payload holds. */
export async function planCalls(
  tx: TransactionSql,
  jobId: string,
  { draft, payload }: Pick<HeldDraft, 'draft' | 'payload'>,
): Promise<void> {
  const textHash = sha256(draft.text);
  if (fileOf(payload.outgoing) !== null) {
    await tx`
      insert into attempt (id, job_id, binding_id, chunk, payload_sha256, text_sha256, line, recipients)
      select gen_random_uuid(), ${jobId}, ${draft.binding_id}, c.chunk, c.payload_sha256, ${textHash}, ${draft.line}, c.recipients
      from bulk_call c where c.draft_id = ${draft.id}`;
    return;
  }
  const pace = readPace(draft);
  const whole = callsOf(payload);
  const calls = (pace !== null && leastPace(payload.outgoing) !== null ? slowed(whole, pace) : whole).map(
    (call, chunk) => ({
      ...call,
      chunk,
      sha256: sha256(canonicalCall(payload, call)).toString('hex'),
      keys: messageKeys(payload, call),
    }),
  );
  await tx`
    insert into attempt (id, job_id, binding_id, chunk, payload_sha256, text_sha256, message_keys, line, recipients, messages)
    select gen_random_uuid(), ${jobId}, ${draft.binding_id}, c.chunk, decode(c.sha256, 'hex'), ${textHash}, c.keys, ${draft.line},
      c.recipients, c.messages
    from json_to_recordset(${jsonText(calls)}::text::json)
      as c(chunk int, sha256 text, keys text[], recipients text[], messages jsonb)`;
  // They are in no call, and in the counts, reports and files of the send all the same.
  const { recipients } = draft;
  const leftOut = callsOfBlocked(
    { ...payload, outgoing: readOutgoing(draft), recipients },
    draft.blocked ?? [],
  );
  const messages = leftOut.flatMap((call) => call.messages ?? []);
  if (leftOut.length > 0)
    await tx`
      insert into attempt (id, job_id, binding_id, chunk, state, outcome, ended_at, payload_sha256, text_sha256, line, recipients,
        blocked, blocked_messages)
      values (${randomUUID()}, ${jobId}, ${draft.binding_id}, ${calls.length}, 'rejected', 'blocked', now(),
        ${sha256(canonicalPayload(payload))}, ${textHash}, ${draft.line}, '{}', ${leftOut.flatMap((call) => call.recipients)},
        ${messages.length > 0 ? jsonText(messages) : null}::text::jsonb)`;
}

/** People, where several messages to one count once. */
function recipientCount(payload: Payload): number {
  return kindOf(payload.outgoing).people(payload);
}

/**
 * The calls that a draft sends again. All of it or nothing, which is null: somebody else may have settled it in the
 * meantime, or another look may have found some of them.
 */
async function resentIn(tx: TransactionSql, draft: HeldDraft['draft']): Promise<string[] | null> {
  const { resends } = resendsSchema.parse(draft.details);
  if (resends.length === 0) return [];
  const asked = await tx<Row<'attempt', 'recipients'>[]>`
    select recipients from attempt where id = any(${resends}::uuid[]) and state = 'asked' for update`;
  if (asked.length < resends.length) return null;
  // Calls in doubt only ever become smaller; by their numbers alone one of several messages to somebody would not be missed.
  const inDoubt = asked.flatMap((each) => each.recipients);
  return inDoubt.length === messageCount({ ...draft, outgoing: readOutgoing(draft) }) ? resends : null;
}

/** What a person has sent again is in doubt no longer: the new card speaks for it. */
async function closeResent(
  tx: TransactionSql,
  draft: HeldDraft['draft'],
  personId: number,
): Promise<boolean> {
  const resends = await resentIn(tx, draft);
  if (resends === null || resends.length === 0) return resends !== null;
  const close = move(tx, 'attempt', 'send_again', 'a');
  const closed = await tx<Row<'job', 'draft_id'>[]>`
    update attempt a set state = ${close.to}, settled_by = ${personId}
    from job j where j.id = a.job_id and a.id = any(${resends}::uuid[]) and ${close.may} returning j.draft_id`;
  for (const { draft_id: draftId } of closed)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  return true;
}

async function tell(
  tx: TransactionSql,
  { draft, payload }: HeldDraft,
  { personId, updateId }: { readonly personId: number; readonly updateId: number | null },
  what: keyof typeof ACTIONS,
): Promise<void> {
  await writeAudit(tx, {
    chatId: draft.chat_id,
    personId,
    updateId,
    action: ACTIONS[what],
    details: { code: draft.code, recipients: recipientCount(payload), parts: countedParts(payload) },
  });
}
