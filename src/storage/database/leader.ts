import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { AppError } from '../../domain/errors.ts';
import type { Leader, Log } from '../../ports/runtime.ts';
import type { PostgresTarget } from './database.ts';
import { LEADER_SESSION, openLockSession, watchClient } from './lock-session.ts';

/** Seed of the hash of names, so that these locks are not those of anyone else who hashes names here. */
const SEED = '4118027736550921';
const RECONNECT_MS = 250;
/** How long a leader that lost its lock with its connection goes before those that stood by. */
const INCUMBENT_MS = 10_000;

export interface LeaderOptions {
  /** A direct connection: a pooler that hands one connection to several clients loses the lock. */
  readonly target: PostgresTarget;
  /** What is led: of the processes that give the same name on one database, one leads. */
  readonly name: string;
  /** Runs as long as this process leads, and ends soon after its signal. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** A channel that the leader listens on, and what it does when somebody notifies it. */
  readonly news?: { readonly channel: string; readonly heard: () => void };
  readonly log: Log;
  /** Between two looks of a process that stands by, in milliseconds (default 1000). */
  readonly lookMs?: number;
  /** How long whoever stood by must find the lock free before it takes it, in milliseconds (default 1500). */
  readonly confirmMs?: number;
  /** Between two checks of the leader's connection, in milliseconds (default 3000). An answer may take as long. */
  readonly beatMs?: number;
}

/**
 * Has one of several processes do some work, by a session advisory lock on a connection of its own. When the
 * leader dies, another one leads as soon as the server has seen its connection end: at once after a kill on
 * the same machine, after about 20 s when a machine vanished. A leader that is cut off ends its work within
 * two beats, which is before the server gives its lock away, and only then asks for the lock again. One that
 * is stopped (SIGSTOP) keeps the lock, and nobody leads until it goes on or is killed.
 *
 * After a restart of the server every lock is free and the old leader alive, perhaps with work in hand. So it
 * may take the lock back at once, while those that stood by look twice.
 *
 * Starts at once and never rejects: a database that cannot be reached is asked again and again.
 */
export function startLeader(options: LeaderOptions): Leader {
  const { target, name, work, news, log, lookMs = 1000, confirmMs = 1500, beatMs = 3000 } = options;
  const closing = new AbortController();
  /** Not aborted as long as this process leads. */
  let mandate: AbortSignal | undefined;
  let standsBy = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  const ended = run();

  return {
    leads: () => mandate?.aborted === false,
    async close() {
      closing.abort();
      await ended;
    },
  };

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const gone = new AbortController();
      const sql = openLockSession(
        target,
        LEADER_SESSION,
        () => gone.abort(),
        () => news?.heard(),
      );
      try {
        await inTime(watchClient(sql, log));
        await contend(sql, gone.signal);
      } catch (error) {
        log.debug({ code: codeOf(error) }, 'the connection for the leader’s lock is not there');
      }
      // Whatever the session holds ends with it.
      await sql.end({ timeout: 0 });
      await pause(RECONNECT_MS);
    }
  }

  /** Asks for the lock again and again on one connection, and leads once; then the connection is done with. */
  async function contend(sql: postgres.Sql, gone: AbortSignal): Promise<void> {
    for (const done = AbortSignal.any([gone, closing.signal]); !done.aborted;) {
      if (await take(sql)) return await lead(sql, gone);
      await pause(lookMs);
    }
  }

  async function take(sql: postgres.Sql): Promise<boolean> {
    if (standsBy && performance.now() - lostAt > INCUMBENT_MS) {
      if (!(await inTime(isFree(sql)))) return false;
      await pause(confirmMs);
    }
    const [row] = await inTime(
      sql<{ taken: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${name}, ${SEED}::bigint)) as taken`,
    );
    const taken = row?.taken === true;
    if (!taken && !standsBy) log.info({ name }, 'another process leads; this one stands by');
    standsBy = !taken;
    return taken;
  }

  async function isFree(sql: postgres.Sql): Promise<boolean> {
    const rows = await sql`
      select 1 where pg_try_advisory_xact_lock(hashtextextended(${name}, ${SEED}::bigint))`;
    return rows.length > 0;
  }

  async function lead(sql: postgres.Sql, gone: AbortSignal): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([gone, over.signal, closing.signal]);
    if (signal.aborted) return;
    // On the same connection as the lock: neither outlasts the other.
    if (news !== undefined) await inTime(sql`listen ${sql(news.channel)}`);
    if (signal.aborted) return;
    mandate = signal;
    log.info({ name }, 'this process leads');
    const onLost = (): void => {
      if (closing.signal.aborted) return;
      lostAt = performance.now();
      log.warn({ name }, 'the leader’s lock was lost with its connection');
    };
    signal.addEventListener('abort', onLost);
    const beating = beat(sql, signal).catch((error: unknown) => {
      log.debug({ code: codeOf(error) }, 'the leader’s connection does not answer');
      over.abort();
    });
    try {
      await work(signal);
    } catch (error) {
      log.error({ err: error }, 'the work of the leader ended with an error');
    }
    mandate = undefined;
    signal.removeEventListener('abort', onLost);
    over.abort();
    await beating;
  }

  async function beat(sql: postgres.Sql, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(beatMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await inTime(sql`select 1`);
    }
  }

  /** A connection that is cut off without a word never answers. */
  async function inTime<T>(answer: PromiseLike<T>): Promise<T> {
    const late = new AbortController();
    const tooLate = sleep(beatMs, undefined, { signal: late.signal }).then(() => {
      throw new AppError('internal', 'the database does not answer');
    });
    try {
      return await Promise.race([answer, tooLate]);
    } finally {
      late.abort();
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
