import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';

const PATIENCE_MS = 5000;

/** Asks whether the database answers and takes writes: null, or why not in plain words. Never rejects. */
export function createDatabaseCheck({ sql }: Pick<Database, 'sql'>): () => Promise<string | null> {
  return async () => {
    const enough = new AbortController();
    // A connection that is cut off without a word never answers.
    const late = sleep(PATIENCE_MS, 'it does not answer', { signal: enough.signal });
    try {
      return await Promise.race([look(), late]);
    } catch {
      return 'it does not answer';
    } finally {
      enough.abort();
      late.catch(() => undefined);
    }
  };

  async function look(): Promise<string | null> {
    const [row] = await sql<{ read_only: boolean }[]>`
      select current_setting('transaction_read_only')::boolean as read_only`;
    return row?.read_only === true ? 'it takes no writes' : null;
  }
}
