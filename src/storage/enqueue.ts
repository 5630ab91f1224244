import type { TransactionSql } from 'postgres';
import { jsonText } from './json.ts';

/** The jobs that storage starts, and what each is told. */
export interface QueuePayloads {
  readonly send: { readonly jobId: string };
  readonly track: { readonly jobId: string };
  readonly card: { readonly draftId: string };
}

/**
 * Puts a job into the queue inside a transaction: it exists if and only if the transaction commits. Its
 * time is the database's clock. A waiting job with the same key is replaced, so a card has one next edit.
 */
export async function enqueue<T extends keyof QueuePayloads>(
  tx: TransactionSql,
  task: T,
  payload: QueuePayloads[T],
  { key, afterMs = 0 }: { readonly key: string; readonly afterMs?: number },
): Promise<void> {
  await tx`
    select graphile_worker.add_job(${task}::text, ${jsonText(payload)}::text::json, job_key := ${key}::text,
      run_at := now() + ${afterMs}::float8 * interval '1 millisecond')`;
}
