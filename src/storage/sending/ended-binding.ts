import type { TransactionSql } from 'postgres';
import { UNSENT } from '../../domain/attempt.ts';
import { cardJob, enqueue, enqueueAll } from '../enqueue.ts';
import { settleIn } from './job-charge.ts';
import { canBeDecided, listed, move } from '../move.ts';
import type { Row } from '../row.ts';
import { followUpIn } from './series.ts';
import { takeBackIn } from './take-back.ts';

/** What is open, waits, runs, has stopped or stands as an order by dates for one binding goes on by another that is surely of the same user. */
export async function handOnIn(tx: TransactionSql, from: string, to: string): Promise<void> {
  const running = await tx<Row<'job', 'id'>[]>`
    with handed as (
      update job set binding_id = ${to} where binding_id = ${from} and (ended_at is null or state = 'stopped')
      returning id, draft_id, state
    ), drafts as (
      update draft set binding_id = ${to}
      where binding_id = ${from} and (id in (select draft_id from handed) or ${canBeDecided(tx)})
    ), orders as (
      update date_send set binding_id = ${to} where binding_id = ${from}
    ), calls as (
      update attempt set binding_id = ${to} where job_id in (select id from handed) and state <> 'accepted'
    )
    select id from handed where state = 'running'`;
  // Whoever takes calls of one at this moment finds none.
  for (const { id: jobId } of running) await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}` });
}

/**
 * Nothing more leaves by an account that has been unlinked; the cards say so. Of a series that leaves what is to come, which asks.
 * The chat's limits are held before.
 * @param timeZone of chats that have none of their own.
 */
export async function stopJobsIn(tx: TransactionSql, bindingId: string, timeZone: string): Promise<void> {
  const { to, may } = move(tx, 'job', 'stop');
  const stopped = await tx<Row<'job', 'id' | 'draft_id'>[]>`
    update job set state = ${to}, ended_at = now(), stop_reason = 'not_connected', stopped_by = null
    where binding_id = ${bindingId} and ${may} returning id, draft_id`;
  await takeBackIn(
    tx,
    stopped.map(({ id }) => id),
  );
  for (const { id, draft_id: draftId } of stopped) {
    await settleIn(tx, id);
    await followUpIn(tx, draftId, timeZone);
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  }
  // Of what had stopped before, nobody can send the rest any more as it was confirmed.
  const rests = await tx<Row<'job', 'draft_id'>[]>`
    select j.draft_id from job j where j.binding_id = ${bindingId} and j.state = 'stopped' and j.kept = 'all'
      and exists (select 1 from attempt a where a.job_id = j.id and a.state in ${listed(tx, UNSENT)})`;
  for (const { draft_id: draftId } of rests)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}

/** What waits for its time in a chat shows whether its account is linked. */
export async function redrawWaitingIn(tx: TransactionSql, chatId: string): Promise<void> {
  const rows = await tx<Row<'job', 'draft_id'>[]>`
    select draft_id from job where chat_id = ${chatId} and state = 'scheduled'`;
  if (rows.length > 0) await enqueueAll(tx, ...rows.map((row) => cardJob(row.draft_id)));
}
