import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { type Database, openDatabase, type SocketTarget } from '../../src/storage/database/database.ts';

export interface TestDatabase extends Database {
  /** To open further clients, or the queue's pool, on this database. */
  readonly target: SocketTarget;
  /**
   * Ends the client and removes the database, whoever else is still connected to it. May be called
   * twice.
   */
  close(): Promise<void>;
}

/** What is said of a connection that is gone: whether server, driver or system says it first is chance. */
export const LOST = /^(?:57P01|CONNECTION_[A-Z]+|ECONNRESET|EPIPE)$/u;

/**
 * A database of one's own on the run's server, migrated: a copy of the template. Make one per test
 * file, in `beforeAll`, and close it in `afterAll`.
 * @param options.empty a database without Peyk's schema
 */
export async function createTestDatabase(
  options: { readonly max?: number; readonly empty?: boolean } = {},
): Promise<TestDatabase> {
  const { template, ...server } = inject('testServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    (sql) => sql`create database ${sql(name)} template ${sql(options.empty ? 'template0' : template)}`,
  );
  const target = { ...server, database: name };
  const database = openDatabase({ target, max: options.max });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await database.close();
    await administer((sql) => sql`drop database if exists ${sql(name)} with (force)`);
  };
  return { ...database, target, close: () => (closing ??= close()) };
}

async function administer(work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const { socketDir, port, user } = inject('testServer');
  const sql = postgres({ host: socketDir, port, user, database: 'postgres', max: 1, fetch_types: false });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
