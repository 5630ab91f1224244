import type { TransactionSql } from 'postgres';
import { FAILURES_PERCENT, type SendEvent } from '../../domain/alerts.ts';
import type { StopReason } from '../../domain/job.ts';
import { standingOut } from '../../domain/operator.ts';
import { readAnswers } from '../inbox/answers-in.ts';
import type { Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { notificationIn } from '../alerts/notification-in.ts';
import { operatorsIn } from '../reports/report-tallies.ts';
import { reportWords } from '../reports/reported.ts';
import type { Row } from '../row.ts';

/** Whoever confirmed something so lately still looks at its card: the same in words would be one message too many. */
const LOOKING_SECONDS = 60;
const LEAST_RECIPIENTS = 20;
const COUNT_AFTER_MS = 5000;

export type JobEvent =
  | { readonly event: Exclude<SendEvent, 'ended' | 'stopped'> }
  /** `isFresh`: see `freshly`. */
  | { readonly event: 'ended'; readonly isFresh: boolean }
  | { readonly event: 'stopped'; readonly reason: StopReason; readonly byPerson: boolean };

/** A send of which something is told. */
export type ToldJob = Row<'job', 'id' | 'chat_id' | 'draft_id'> & Row<'draft', 'details'>;

/** Whether a job `j` was confirmed so lately that its end shows by itself. */
export function freshly(sql: Queryable) {
  return sql`j.confirmed_at > now() - ${LOOKING_SECONDS} * interval '1 second'`;
}

/** Tells, where the chat wants to hear of sends, what has become of one; with the transaction that makes it so. */
export async function tellJobIn(tx: TransactionSql, job: ToldJob, event: JobEvent): Promise<void> {
  const isByPerson = event.event === 'stopped' && event.byPerson;
  // Of what was missed its author is called in any case; what a rule answered nobody has given.
  const calls = event.event !== 'missed' && !isByPerson && readAnswers(job.details).answers?.isAuto === false;
  if (calls) await enqueue(tx, 'unanswered', { jobId: job.id }, { key: `unanswered:${job.id}` });
  // Several calls of a send may come to the same question.
  if (event.event === 'asks' && (await isToldIn(tx, job, 'job', 'asks'))) return;
  const showsItself =
    calls || event.event === 'missed' || (event.event === 'ended' && event.isFresh) || isByPerson;
  await notificationIn(tx, {
    chatId: job.chat_id,
    kind: 'job',
    draftId: job.draft_id,
    facts: { event: event.event, reason: event.event === 'stopped' ? event.reason : null },
    elsewhere: showsItself,
  });
}

/** Has the failures of a send counted a little later, where the chat wants to hear of them: reports come in blocks. */
export async function watchFailuresIn(tx: TransactionSql, jobId: string): Promise<void> {
  const wanted = await tx`
    select 1 from job j join sink s on s.chat_id = j.chat_id and 'failures' = any(s.kinds)
    where j.id = ${jobId} and j.ended_at is not null limit 1`;
  if (wanted.length > 0)
    await enqueue(tx, 'failures', { jobId }, { key: `failures:${jobId}`, afterMs: COUNT_AFTER_MS });
}

/** Tells once that too many of an ended send were not delivered; true: it did. */
export async function tellFailuresIn(tx: TransactionSql, jobId: string): Promise<boolean> {
  // Two that count at the same time take turns, and the second finds what the first has told.
  const [job] = await tx<Row<'job', 'chat_id' | 'draft_id'>[]>`
    select chat_id, draft_id from job where id = ${jobId} and ended_at is not null for update`;
  if (job === undefined || (await isToldIn(tx, job, 'failures'))) return false;
  const [over] = await tx<{ failed: number; size: number }[]>`
    select n.failed, n.size
    from (
      select coalesce(sum(w.n) filter (where w.kind in ('failed', 'blocked')), 0)::int as failed, coalesce(sum(w.n), 0)::int as size
      from ${reportWords(tx, tx`select id from attempt where job_id = ${jobId}`)} w) n
    left join alert_setting s on s.chat_id = ${job.chat_id} and s.kind = 'failures'
    where n.size >= ${LEAST_RECIPIENTS} and n.failed > 0
      and n.failed * 100 >= n.size * coalesce(s.threshold, ${FAILURES_PERCENT})`;
  if (over === undefined) return false;
  const { chat_id: chatId, draft_id: draftId } = job;
  const operator = standingOut(
    (await operatorsIn(tx, [draftId], null))
      .filter(({ delivery }) => delivery !== null)
      .map(({ operator: of, delivery, recipients }) => ({
        operator: of,
        all: recipients,
        failed: delivery === 'failed' || delivery === 'blocked' ? recipients : 0,
      })),
  );
  const facts = { failed: over.failed, all: over.size, operator };
  return (await notificationIn(tx, { chatId, kind: 'failures', draftId, facts })) > 0;
}

async function isToldIn(
  tx: TransactionSql,
  { chat_id: chatId, draft_id: draftId }: { readonly chat_id: string; readonly draft_id: string },
  kind: 'job' | 'failures',
  event: string | null = null,
): Promise<boolean> {
  const rows = await tx`
    select 1 from notice n
    where n.sink_id in (select id from sink where chat_id = ${chatId}) and n.draft_id = ${draftId} and n.kind = ${kind}
      and (${event}::text is null or (n.facts ->> 'event' = ${event} and n.created_at > now() - interval '10 minutes'))
    limit 1`;
  return rows.length > 0;
}
