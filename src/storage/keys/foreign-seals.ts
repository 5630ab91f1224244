import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../domain/errors.ts';
import type { Database } from '../database/database.ts';
import type { MasterKeys } from './master-keys.ts';

/** Keys change seldom, and their names are read from every row: so often at most, however often somebody asks. */
const FRESH_MS = 30_000;
const PATIENCE_MS = 5000;

/**
 * How many stored credentials are sealed under a master key that is not in this ring: what they belong to cannot be
 * used here. Names alone are read, and nothing is opened. Rejects where the database does not answer.
 */
export function createForeignSeals(
  { sql }: Database,
  keys: MasterKeys,
  clock: { readonly monotonic: () => number },
): () => Promise<number> {
  const ring = keys.map(({ kid }) => kid);
  let last: { readonly at: number; readonly count: Promise<number> } | undefined;
  return async () => {
    if (last === undefined || clock.monotonic() - last.at >= FRESH_MS) {
      const now = { at: clock.monotonic(), count: count() };
      last = now;
      now.count.catch(() => {
        if (last === now) last = undefined;
      });
    }
    return await last.count;
  };

  async function count(): Promise<number> {
    const enough = new AbortController();
    // A connection that is cut off without a word never answers.
    const late = sleep(PATIENCE_MS, undefined, { signal: enough.signal }).then(() => {
      throw new AppError('internal', 'the database does not answer');
    });
    try {
      return await Promise.race([read(), late]);
    } finally {
      enough.abort();
      late.catch(() => undefined);
    }
  }

  async function read(): Promise<number> {
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::int as rows from binding
      where credentials is not null
        and convert_from(substring(credentials from 3 for get_byte(credentials, 1)), 'LATIN1') <> all(${ring}::text[])`;
    return row?.rows ?? 0;
  }
}
