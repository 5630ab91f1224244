import { DatabaseError, Pool } from 'pg';
import type { PoolClient, PoolConfig } from 'pg';
import { z } from 'zod';
import type { Log } from '../ports/runtime.ts';

/** One to listen, one to fetch, the others for outcomes and sweeps: jobs bring their own connections. */
const SIZE = 6;

/** The engine's own connections. A connection that breaks is logged and replaced, never thrown. */
export function createPool(config: PoolConfig, log: Log): Pool {
  const pool = new Pool({
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...config,
    max: SIZE,
    idleTimeoutMillis: 60_000,
    verify: refuseWeak,
  });
  const note = (error: Error): void =>
    log.warn(
      { code: 'code' in error ? String(error.code) : 'unknown' },
      'database connection of the queue broke',
    );
  // Without a listener on both the pool and each client, a lost connection ends the process.
  pool.on('error', note);
  pool.on('connect', (client) => {
    client.on('error', note);
    bearingDeadlocks(client);
  });
  return bearingTwoReleases(pool);
}

/** A job that counts as done must not be undone by a crash of the server, whatever a pooler or a role sets. */
function refuseWeak(client: PoolClient, done: (error?: Error) => void): void {
  client.query<{ kept: string }>("select current_setting('synchronous_commit') as kept", (error, result) => {
    // The driver's types know of no query that failed.
    const failed: Error | null = error;
    const isWeak = failed === null && ['off', 'local'].includes(result.rows[0]?.kept ?? 'off');
    done(
      isWeak
        ? new Error('the session gets another synchronous_commit than it asks for')
        : (failed ?? undefined),
    );
  });
}

/** How often an outcome is written again: who was in its way has gone on by then. */
const TRIES = 5;
/** By these the library writes down what has become of jobs, each in a transaction of its own. */
const OUTCOME = /^\s*(?:with j as \(\s*)?(?:delete from|update) /u;
const outcomeSchema = z.object({ text: z.string().regex(OUTCOME) });

/**
 * The library (0.18) writes down at once what several jobs have come to, in an order of its own, and a transaction that asks
 * for some of them anew holds them in another. It means to try again after such a deadlock and does not: its worker would end.
 */
function bearingDeadlocks(client: PoolClient): void {
  const original: (...given: unknown[]) => unknown = client.query.bind(client);
  const again = async (given: unknown[], tries: number): Promise<unknown> => {
    try {
      return await original(...given);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== '40P01' || tries <= 1) throw error;
      return await again(given, tries - 1);
    }
  };
  Object.assign(client, {
    query: (...given: unknown[]): unknown =>
      given.length === 1 && outcomeSchema.safeParse(given[0]).success
        ? again(given, TRIES)
        : original(...given),
  });
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;
type Release = (reason?: Error | boolean) => void;

/**
 * The library (0.17 and 0.18) gives the connection on which it listens back twice when it breaks while the worker ends.
 * The pool then throws where nobody listens, which would end the process. A pool that has ended, or has no connection
 * free in time, calls back without `release`; the library, its worker ended, then calls what it was handed all the same.
 */
function bearingTwoReleases(pool: Pool): Pool {
  const original = pool.connect.bind(pool);
  function connect(): Promise<PoolClient>;
  function connect(connected: Connected): void;
  function connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (connected === undefined) return original();
    original((error, client, release?: Release) => {
      let owed = release;
      connected(error, client, (reason) => {
        const giveBack = owed;
        owed = undefined;
        giveBack?.(reason);
      });
    });
    return undefined;
  }
  return Object.assign(pool, { connect });
}
