import type { Jobs } from '../ports/runtime.ts';

/**
 * Every parameter goes as text: whether a driver encodes json, dates or numbers by itself then
 * does not matter. What is null takes the queue's default.
 */
const ADD_JOB = `select id from graphile_worker.add_job(
  $1::text,
  payload => $2::text::json,
  job_key => $3::text,
  run_at => coalesce($4::text::timestamptz, now() + $5::text::float8 * interval '1 millisecond'),
  queue_name => $6::text,
  max_attempts => $7::text::int,
  job_key_mode => $8::text)`;

/**
 * The asking side of the queue. It needs nothing but the caller's transaction, so that whoever
 * writes rows can enqueue beside them before any engine exists: the job is there if and only if
 * the transaction commits. Rejects with the driver's error; the transaction has then failed.
 */
export function createQueue(): Jobs {
  return {
    async enqueue(tx, task, payload, options = {}) {
      const { key, runAt, afterMs, queue, maxAttempts, keyMode } = options;
      const parameters = [
        task.name,
        JSON.stringify(payload),
        key ?? null,
        runAt?.toISOString() ?? null,
        afterMs?.toString() ?? null,
        queue ?? null,
        maxAttempts?.toString() ?? null,
        keyMode ?? 'replace',
      ];
      // Nothing is made when the waiting job of the same key is taken meanwhile; asked again, it is seen to be taken.
      while (!isMade(await tx.unsafe(ADD_JOB, parameters)));
    },
  };
}

function isMade(rows: unknown): boolean {
  const [row]: unknown[] = Array.isArray(rows) ? rows : [];
  return typeof row === 'object' && row !== null && 'id' in row && row.id !== null;
}
