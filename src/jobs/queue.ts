import type { Jobs } from '../ports/runtime.ts';
import { QUEUE_SQL } from './queue-tables.ts';

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
      while (!isMade(await tx.unsafe(QUEUE_SQL.add, parameters)));
    },
  };
}

function isMade(rows: unknown): boolean {
  const [row]: unknown[] = Array.isArray(rows) ? rows : [];
  return typeof row === 'object' && row !== null && 'id' in row && row.id !== null;
}
