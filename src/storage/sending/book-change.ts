import type { TransactionSql } from 'postgres';
import { namedBook, kindOf } from '../../domain/kinds/index.ts';
import { maskRecipient } from '../../domain/phone.ts';
import type { SkippedNumber } from '../../ports/stores.ts';
import type { HeldCall } from './call-writes.ts';
import { planCalls } from './draft-confirmation.ts';
import { holdUnder, type HeldDraft } from './draft-press.ts';
import { enqueue } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { holdLimits } from './limits-in.ts';
import { move } from '../move.ts';
import { missIn } from './series.ts';
import type { Row } from '../row.ts';

/*
 * A call that names a phonebook, and a book that holds no longer what was confirmed for it. Nothing of such a job has
 * left: it is this one call.
 */

/** Plans calls that name these numbers in place of a reserved one that names the book. */
export async function nameNumbersIn(
  tx: TransactionSql,
  call: HeldCall,
  recipients: readonly string[],
): Promise<void> {
  const found = await holdJobIn(tx, call);
  if (found === null) return;
  const { jobId, held } = found;
  const taken = await tx`
    delete from attempt where id = ${call.id} and epoch = ${call.epoch} and state = 'reserved' returning id`;
  if (taken.length === 0) return;
  const { draft, payload } = held;
  if (namedBook(payload.outgoing) === null) throw new Error('only a phonebook is named by its call');
  const still = new Set(recipients);
  const left = payload.recipients.filter((each) => !still.has(each));
  const gone = left.map((each): SkippedNumber => ({ raw: maskRecipient(each), reason: 'left_book' }));
  const named: HeldDraft['payload'] = {
    ...payload,
    outgoing: kindOf(payload.outgoing).numbered(payload.outgoing),
    recipients: payload.recipients.filter((each) => still.has(each)),
  };
  await tx`
    update draft set details = details || '{"way": "expanded"}', recipients = ${[...named.recipients]},
      invalid = invalid || ${jsonText(gone)}::text::jsonb
    where id = ${draft.id}`;
  await planCalls(tx, jobId, { draft: { ...draft, blocked: null }, payload: named });
  await enqueue(tx, 'card', { draftId: draft.id }, { key: `card:${draft.id}` });
}

/** Sets a job aside whose phonebook holds others than those who were confirmed; the next yes is one to these. */
export async function askAboutBookIn(
  tx: TransactionSql,
  call: HeldCall,
  recipients: readonly string[],
): Promise<void> {
  const found = await holdJobIn(tx, call);
  if (found === null) return;
  const { jobId, held } = found;
  const { to, may } = move(tx, 'attempt', 'take_back');
  const taken = await tx`
    update attempt set state = ${to}, owner = null
    where id = ${call.id} and epoch = ${call.epoch} and ${may} returning id`;
  if (taken.length === 0) return;
  // It had begun, so what follows it in its series is there: whatever becomes of this one, that one goes on.
  await tx`update draft set recur = null where id = ${held.draft.id}`;
  if (recipients.length > 0) {
    await tx`update draft set recipients = ${[...recipients]}, blocked = null where id = ${held.draft.id}`;
    await tx`update job set price_rial = null where id = ${jobId}`;
  }
  await missIn(tx, jobId, recipients.length > 0 ? 'book' : 'book_empty');
}

/** Holds limits, draft and job in the order of all who change a send; null: the call has no such job any more. */
async function holdJobIn(
  tx: TransactionSql,
  { id }: HeldCall,
): Promise<{ readonly jobId: string; readonly held: HeldDraft } | null> {
  const [found] = await tx<Row<'job', 'id as job_id' | 'draft_id' | 'chat_id'>[]>`
    select j.id as job_id, j.draft_id, j.chat_id from attempt a join job j on j.id = a.job_id where a.id = ${id}`;
  if (found === undefined) return null;
  await holdLimits(tx, found.chat_id);
  const held = await holdUnder(tx, found.draft_id);
  const [job] = await tx<Row<'job', 'state'>[]>`select state from job where id = ${found.job_id} for update`;
  return held === null || job?.state !== 'running' ? null : { jobId: found.job_id, held };
}
