import postgres from 'postgres';
import { AppError } from '../../domain/errors.ts';
import type { Log } from '../../ports/runtime.ts';
import { SESSION } from './database.ts';

/** Why a database that is named cannot be used, as its driver says it. */
const UNUSABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name cannot be resolved',
  EAI_AGAIN: 'the name cannot be resolved',
  EHOSTUNREACH: 'there is no way there',
  ENETUNREACH: 'there is no way there',
  ETIMEDOUT: 'no answer in time',
  CONNECT_TIMEOUT: 'no answer in time',
  '28P01': 'it refuses the user or the password',
  '28000': 'it does not let this user in',
  '3D000': 'it has no database of that name',
};

/** What a pooler answers to what a session asks for at its start and it does not hand on (protocol_violation). */
const REFUSED_BY_POOLER = '08P01';
/** Stricter than what is asked for: a replica has applied it too. */
const STRICTER = 'remote_apply';

/**
 * Refuses a database whose sessions are not as they asked to be: then a pooler stands between, and neither a confirmed
 * commit nor a lock can be relied on.
 * @throws AppError `config`
 */
export async function checkSession(sql: postgres.Sql): Promise<void> {
  const found = await settingsOf(sql, Object.keys(SESSION));
  const others = Object.entries(SESSION)
    .filter(([name, asked]) => {
      const given = found.get(name);
      return given !== String(asked) && !(name === 'synchronous_commit' && given === STRICTER);
    })
    .map(([name]) => name);
  if (others.length > 0) throw swallowed(`${others.join(', ')} did not reach the server`);
}

/** The database that DATABASE_URL names is not there, or refuses; the message has neither user nor password. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  /** As the driver has it. */
  readonly code: string;
  /** Whether starting again is useless until something is changed: a server that is not there yet may come. */
  readonly isLasting: boolean;

  constructor(why: string, { code, url, cause }: { code: string; url: string; cause: unknown }) {
    super(`the database at ${new URL(url).host}: ${why} (${code})`, { cause });
    this.code = code;
    this.isLasting = /^\d/u.test(code);
  }
}

/** Reads what an error of the first connection says of the database that a URL names; null: nothing. */
export function unusableDatabase(error: unknown, url: string): UnusableDatabase | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = UNUSABLE[code];
  return why === undefined ? null : new UnusableDatabase(why, { code, url, cause: error });
}

/** Tells where the server itself risks what it has confirmed. That is the operator's to say. */
export async function warnOfRisks(sql: postgres.Sql, log: Log): Promise<void> {
  const off = [...(await settingsOf(sql, ['fsync', 'full_page_writes']))].filter(([, is]) => is === 'off');
  if (off.length > 0)
    log.warn(
      { off: off.map(([name]) => name) },
      'the database server may lose what it has confirmed when its machine goes down',
    );
}

async function settingsOf(sql: postgres.Sql, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  try {
    const rows = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name = any(${[...names]}::text[])`;
    return new Map(rows.map(({ name, setting }) => [name, setting]));
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === REFUSED_BY_POOLER)
      throw swallowed('it refuses what a session asks for');
    throw error;
  }
}

function swallowed(what: string): AppError {
  return new AppError('config', 'a pooler stands between Peyk and the database', {
    params: {
      DATABASE_URL: `a pooler on the way changes the sessions (${what}); give the address of the server itself, past the pooler`,
    },
  });
}
