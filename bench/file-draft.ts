import { setTimeout as sleep } from 'node:timers/promises';
import { newBulk, type Bulk } from '../src/domain/bulk.ts';
import { RECIPIENTS_PER_CALL } from '../src/domain/interface-limits.ts';
import { writeOutgoing } from '../src/storage/sending/kinds/details.ts';
import { draftAndTap, type Owner } from './people.ts';
import type { Stage } from './stage.ts';

/** A reviewed draft as it is made from a file with that many numbers, one text for all, and the tap on Send under it. */
export async function fileDraftAndTap(
  stage: Pick<Stage, 'database'>,
  owner: Owner,
  nonce: number,
  recipients: number,
): Promise<{ readonly draftId: string; readonly tap: object }> {
  const { sql } = stage.database;
  const made = await draftAndTap(stage, owner, nonce);
  const bulk: Bulk = {
    ...newBulk({ name: 'numbers.csv', reference: 'none' }),
    step: 'review',
    rows: recipients,
    done: recipients,
    columns: ['phone'],
    phone: 0,
    certainty: 'sure',
    numbers: { good: recipients, repeated: 0, invalid: 0 },
    summary: {
      recipients,
      skipped: [],
      blockedIsKnown: true,
      missing: 0,
      lengths: [{ encoding: 'gsm7', parts: 1, messages: recipients }],
      personal: false,
      perCall: RECIPIENTS_PER_CALL,
      digest: `numbers ${recipients}`,
    },
  };
  const { kind, details } = writeOutgoing(bulk);
  await sql`
    update draft set kind = ${kind}, details = ${JSON.stringify(details)}::text::jsonb, recipients = '{}'
    where id = ${made.draftId}`;
  await sql`
    insert into bulk_call (draft_id, chunk, recipients, row_numbers, payload_sha256)
    select ${made.draftId}::uuid, call, array_agg('9891' || lpad(n::text, 8, '0') order by n), array_agg(n + 1 order by n), sha256(call::text::bytea)
    from (select n, n / ${RECIPIENTS_PER_CALL}::int as call from generate_series(0, ${recipients - 1}::int) as n) as rows
    group by call`;
  return made;
}

/** Has nobody ask for the reports of a send that has ended. */
export async function forgetReports({ database }: Pick<Stage, 'database'>, draftId: string): Promise<void> {
  await database.sql`update job set poll_after_seconds = -1 where draft_id = ${draftId}`;
}

/** Of the numbers of the sandbox, one in a thousand never has a report. */
const NEVER_REPORTED = 0.001;
const PATIENCE_MS = 600_000;

/** Until a send has ended. */
export async function untilDone({ database }: Pick<Stage, 'database'>, draftId: string): Promise<void> {
  await until(async () => {
    const [job] = await database.sql<{ state: string; stop_reason: string | null }[]>`
      select state, stop_reason from job where draft_id = ${draftId}`;
    if (job?.state === 'stopped') throw new Error(`the send was stopped: ${job.stop_reason}`);
    return job?.state === 'done';
  });
}

/** Until the reports of a send that has ended are all there. */
export async function untilReported(
  { database }: Pick<Stage, 'database'>,
  draftId: string,
  recipients: number,
): Promise<void> {
  await until(async () => {
    const [left] = await database.sql<{ recipients: number }[]>`
      select (coalesce(sum(a.size) filter (where a.message_ids is not null), 0) + coalesce(sum(c.open), 0))::int as recipients
      from job j join attempt a on a.job_id = j.id left join call_report c on c.attempt_id = a.id
      where j.draft_id = ${draftId}`;
    return (left?.recipients ?? recipients) <= recipients * NEVER_REPORTED;
  });
}

/** Looks often, and gives up after ten minutes. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not so after ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}
