import type { TransactionSql } from 'postgres';
import { UNPROVEN } from '../../domain/attempt.ts';
import { listed } from '../move.ts';
import type { Row } from '../row.ts';
import { upTo, type Step } from './steps.ts';

/** Sends that are begun with in one batch, and calls in one: a call has up to 200 recipients. */
const JOBS = 50;
const CALLS = 100;

/**
 * Recipients, numbers, texts, ids and answers of sends that have ended. What is counted of them stays where it is: how many
 * each call had, what became of it, and what was reported of how many. A send says first that it goes, so that nobody goes on
 * with it; one of which something is unknown stays until that is decided, and until what sends it again has ended: taken back, that leaves it unknown once more.
 */
export function sendSteps(days: number): readonly Step[] {
  if (days === 0) return [];
  return [
    {
      name: 'sends',
      batch: async (tx) => {
        const held = await tx<Row<'job', 'id'>[]>`
          select j.id from job j where j.kept = 'all' and j.ended_at < now() - ${days} * interval '1 day'
            and not exists (select from attempt a
              where a.job_id = j.id and (a.state in ${listed(tx, UNPROVEN)} or (a.state = 'closed' and exists (
                select from draft d join job k on k.draft_id = d.id
                where d.chat_id = j.chat_id and k.ended_at is null and d.details -> 'resends' @> to_jsonb(a.id::text)))))
          order by j.ended_at limit ${JOBS} for update of j skip locked`;
        await beginIn(
          tx,
          held.map(({ id }) => id),
        );
        return upTo(JOBS, held);
      },
    },
    {
      name: 'calls of sends',
      batch: async (tx) => {
        const jobs = await tx<
          Row<'job', 'id'>[]
        >`select id from job where kept = 'going' order by id limit ${JOBS}`;
        if (jobs.length === 0) return { removed: 0, more: false };
        const ids = jobs.map(({ id }) => id);
        const emptied = await emptyIn(tx, ids, CALLS);
        return { removed: emptied, more: emptied > 0 };
      },
    },
  ];
}

/** Empties these sends at once, however long they are. */
export async function emptyJobsIn(tx: TransactionSql, jobIds: readonly string[]): Promise<void> {
  await beginIn(tx, jobIds);
  while ((await emptyIn(tx, jobIds, CALLS)) > 0);
}

/** From here on nothing of them is sent again, and no card or report looks for what goes. */
async function beginIn(tx: TransactionSql, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  const ids = [...jobIds];
  const drafts = await tx<Row<'job', 'draft_id'>[]>`
    update job set kept = 'going', payload_sha256 = '' where id = any(${ids}::uuid[]) returning draft_id`;
  const draftIds = drafts.map((each) => each.draft_id);
  await tx`
    update draft set kind = 'text', text = '', recipients = '{}', repeated = '[]', invalid = '[]', blocked = null,
      details = details - array['rows', 'variables', 'head', 'columns', 'file', 'onMissing', 'title', 'summary']
    where id = any(${draftIds}::uuid[])`;
  await tx`delete from bulk_source where draft_id = any(${draftIds}::uuid[])`;
  await tx`delete from bulk_call where draft_id = any(${draftIds}::uuid[])`;
  await tx`delete from bulk_skipped where draft_id = any(${draftIds}::uuid[])`;
}

/**
 * Of several lines in one call, each message keeps which it went by: reports are by line too. A list of nothing is as long as
 * the one that was there.
 * @returns how many calls were emptied; of sends of which none is left, their counts are all that there is from now on
 */
async function emptyIn(tx: TransactionSql, jobIds: readonly string[], most: number): Promise<number> {
  const ids = [...jobIds];
  const held = await tx<Row<'attempt', 'id'>[]>`
    select a.id from attempt a where a.job_id = any(${ids}::uuid[]) and a.payload_sha256 <> ''
      and not exists (select from delivery d where d.attempt_id = a.id)
    order by a.job_id, a.chunk limit ${most} for update of a skip locked`;
  const calls = held.map(({ id }) => id);
  await tx`delete from sent_number where attempt_id = any(${calls}::uuid[])`;
  await tx`update call_report set ids = '' where attempt_id = any(${calls}::uuid[])`;
  await tx`
    update attempt a set recipients = array_fill(null::text, array[cardinality(a.recipients)]),
      blocked = array_fill(null::text, array[cardinality(a.blocked)]), message_keys = '{}', message_ids = null,
      payload_sha256 = '', text_sha256 = '', raw = null, last_look = null, blocked_messages = null,
      messages = case when exists (select from jsonb_array_elements(a.messages) as m where m ->> 'line' <> a.line)
        then (select jsonb_agg(jsonb_build_object('line', m.value -> 'line') order by m.place)
          from jsonb_array_elements(a.messages) with ordinality as m(value, place)) end
    where a.id = any(${calls}::uuid[])`;
  if (calls.length === 0)
    await tx`
      update job j set kept = 'totals' where j.id = any(${ids}::uuid[]) and not exists (
        select from attempt a where a.job_id = j.id and a.payload_sha256 <> '')`;
  return calls.length;
}
