import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
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

export interface Rights {
  /** Of the server. */
  readonly version: string;
  /** Its user may make schemas, and tables where Peyk's lie. */
  readonly mayCreate: boolean;
  /** Tables there that another user owns, so that no migration can change them. */
  readonly foreignTables: number;
  /** The server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** What the user of the database may do there, which migrations need. Reads alone. */
export async function readRights(sql: postgres.Sql): Promise<Rights> {
  const [row] = await sql<{ version: string; may_create: boolean; foreign_tables: number; now: number }[]>`
    select current_setting('server_version') as version,
      has_database_privilege(current_database(), 'create')
        and coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p')
          and not pg_has_role(c.relowner, 'usage')) as foreign_tables,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  if (row === undefined) throw new Error('rights without an answer');
  return {
    version: row.version,
    mayCreate: row.may_create,
    foreignTables: row.foreign_tables,
    now: row.now,
  };
}
