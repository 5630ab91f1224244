import postgres from 'postgres';
import type { Secret } from '../../domain/secret.ts';
import { DRIVER_TYPES, refuseUnwritable } from './driver-types.ts';
import { createBreakWatch, surviveLostConnections } from './lost-connections.ts';

/** Where a database is: an address of the operator's own server, or the embedded server's socket. */
export type PostgresTarget = { readonly url: Secret } | SocketTarget;

export interface SocketTarget {
  /** The folder that the server's socket is in. */
  readonly socketDir: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface DatabaseOptions {
  readonly target: PostgresTarget;
  /** The most connections it opens. Default 10. */
  readonly max?: number | undefined;
  /** Told the server's notices, without values. */
  readonly log?: ((message: string) => void) | undefined;
}

export interface Database {
  readonly sql: postgres.Sql;
  /** Waits for running statements, at most 5 s, and ends all connections. */
  close(): Promise<void>;
}

/** The client or a transaction of it. */
export type Queryable = postgres.ISql;

/** What node-postgres (under the job queue) needs to make a pool on the same database. */
export interface PgPoolConfig {
  readonly connectionString: string;
  readonly max: number;
  readonly application_name: string;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly options: string;
}

/**
 * What a commit is worth: none counts as done that a crash could take back, whatever the server's own setting is. Where
 * replicas are waited for, that includes them.
 */
export const COMMITS = { synchronous_commit: 'on' } as const;

/** What every session of the client asks the server for. */
export const SESSION = {
  ...COMMITS,
  application_name: 'peyk',
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
  // Statements that Postgres takes for costly look at a few rows here, and would take longer to compile than to run.
  jit: 'off',
} as const;

/**
 * An option that the driver has and does not declare. By its default of 100 a statement that fills a connection is not seen
 * to begin a transaction: what follows it there, from anybody, is told to be done and is never committed.
 */
const NEVER_FULL = { max_pipeline: Number.POSITIVE_INFINITY };

/**
 * Opens one client on the database. Connections are made when first needed and made anew after they break; a broken one
 * rejects the statements on it and never ends the process. A statement runs at most 30 s, waits for a lock at most 10 s.
 */
export function openDatabase({ target, max = 10, log }: DatabaseOptions): Database {
  const options = {
    max,
    connect_timeout: 10,
    fetch_types: false,
    types: DRIVER_TYPES,
    // A session may hold an advisory lock: it must not be ended for its age.
    max_lifetime: null,
    onnotice: (notice: postgres.Notice) => log?.(`${notice['severity'] ?? 'NOTICE'} ${notice['code'] ?? ''}`),
    connection: {
      ...SESSION,
      // A killed process's session, and its locks, end soon: also over a network, also within a statement.
      client_connection_check_interval: 2000,
      tcp_keepalives_idle: 30,
      tcp_keepalives_interval: 10,
      tcp_keepalives_count: 3,
    },
  } satisfies postgres.Options<Record<string, postgres.PostgresType>>;
  const all = Object.assign(options, NEVER_FULL);
  const sql = 'url' in target ? postgres(target.url.reveal(), all) : postgres({ ...all, ...socket(target) });
  surviveLostConnections(sql);
  const watch = createBreakWatch();
  const checked = new Proxy(sql, {
    apply(target, _self, args: unknown[]) {
      refuseUnwritable(args);
      const query: unknown = Reflect.apply(target, undefined, args);
      watch(query);
      return query;
    },
  });
  return { sql: checked, close: () => sql.end({ timeout: 5 }) };
}

/**
 * The same database for node-postgres. The connection string holds the password of a
 * `DATABASE_URL`: it goes to the pool and nowhere else.
 * @param max the most connections. Default 10.
 */
export function pgPoolConfig(target: PostgresTarget, max = 10): PgPoolConfig {
  return {
    connectionString: 'url' in target ? target.url.reveal() : socketUrl(target),
    max,
    application_name: 'peyk-queue',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: `-c synchronous_commit=${COMMITS.synchronous_commit}`,
  };
}

function socket({ socketDir, port, user, database }: SocketTarget) {
  return { host: socketDir, port, user, database };
}

function socketUrl({ socketDir, port, user, database }: SocketTarget): string {
  const names = [user, database].map((name) => encodeURIComponent(name));
  return `postgres://${names[0]}@localhost/${names[1]}?host=${encodeURIComponent(socketDir)}&port=${port}`;
}
