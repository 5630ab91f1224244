import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../domain/errors.ts';
import type { Liveness, Log } from '../../ports/runtime.ts';
import type { PostgresTarget } from './database.ts';
import { LIVENESS_SESSION, openLockSession, watchClient } from './lock-session.ts';

/**
 * Seed of the hash, so that these locks are not those of anyone else who hashes names in the same
 * database. The key is 64 bits wide: among ten thousand living ids the chance that any two share
 * one is below 3 in 10^12, and `hold` refuses an id whose lock is taken rather than share it.
 */
const SEED = '7310579601243119';
const TAKE_TRIES = 20;
const TAKE_PAUSE_MS = 25;
const RETAKE_PAUSE_MS = 250;

export interface LivenessOptions {
  /** A direct connection: a pooler that hands one connection to several clients loses the locks. */
  readonly target: PostgresTarget;
  readonly log: Log;
  /**
   * How long an id must stay unheld before it counts as gone, in milliseconds (default 3000). It
   * covers the moment after a restart of Postgres when every lock is free and nobody is dead.
   */
  readonly confirmMs?: number;
  /** Told when the locks were lost with the connection, and when they are held again. */
  readonly onChange?: (state: 'lost' | 'held') => void;
}

/**
 * Says who is alive. Each process holds a session advisory lock for each of its ids on one
 * dedicated connection; whoever can take an id's lock knows that its process is gone.
 *
 * The lock is freed when the server sees the connection end: at once after a kill on the same
 * machine, after about 20 s when a remote machine vanished (TCP keepalives). A process that is
 * stopped (SIGSTOP) or blocked keeps its locks and counts as alive. The connection comes back by
 * itself after it dropped, and takes its locks again.
 *
 * Throws what the driver throws when the database cannot be reached at the start.
 */
export async function createLiveness(options: LivenessOptions): Promise<Liveness> {
  const { log, onChange, confirmMs = 3000 } = options;
  const id = randomUUID();
  const wanted = new Set<string>([id]);
  const held = new Set<string>();
  const closing = new AbortController();
  let ready = false;
  let retaking: Promise<void> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const sql = openLockSession(options.target, LIVENESS_SESSION, () => {
    held.clear();
    if (!ready || closing.signal.aborted || retaking !== undefined) return;
    log.warn({}, 'liveness connection lost, taking the locks again');
    onChange?.('lost');
    retaking = retake().finally(() => {
      retaking = undefined;
    });
  });

  /** One try to take what is missing of the ids; true when nothing is missing any more. */
  function take(ids: Iterable<string>): Promise<boolean> {
    // One at a time, and only what is missing: a session that takes a lock twice must release it twice.
    const taking = turn.then(async () => {
      const missing = [...ids].filter((each) => !held.has(each));
      if (missing.length === 0) return true;
      const rows = await sql<{ id: string; taken: boolean }[]>`
        select id, pg_try_advisory_lock(hashtextextended(id, ${SEED}::bigint)) as taken
        from json_array_elements_text(${JSON.stringify(missing)}::text::json) as id`;
      for (const row of rows) if (row.taken) held.add(row.id);
      return rows.every((row) => row.taken);
    });
    turn = taking.catch(() => undefined);
    return taking;
  }

  async function retake(): Promise<void> {
    let complete = false;
    while (!complete && !closing.signal.aborted) {
      try {
        await watchClient(sql, log);
        // The server may still hold them for our own dead session: that is over soon.
        await take(wanted);
        complete = wanted.isSubsetOf(held);
      } catch (error) {
        log.debug({ code: codeOf(error) }, 'liveness connection is not back yet');
      }
      if (!complete) await pause(RETAKE_PAUSE_MS, closing.signal);
    }
    if (!complete) return;
    log.info({ ids: wanted.size }, 'liveness locks are held again');
    onChange?.('held');
  }

  async function hold(ids: readonly string[]): Promise<void> {
    for (const each of ids) wanted.add(each);
    try {
      for (let tries = 0; tries < TAKE_TRIES && !closing.signal.aborted; tries++) {
        await retaking;
        // Someone who asks whether the id is gone has its lock for an instant, hence the tries.
        if (await take(ids)) return;
        await pause(TAKE_PAUSE_MS, closing.signal);
      }
      throw new AppError('internal', 'the lock of a liveness id is held by someone else');
    } catch (error) {
      for (const each of ids) wanted.delete(each);
      throw error;
    }
  }

  async function release(ids: readonly string[]): Promise<void> {
    for (const each of ids) wanted.delete(each);
    const mine = ids.filter((each) => held.delete(each));
    if (mine.length === 0) return;
    await sql`select pg_advisory_unlock(hashtextextended(id, ${SEED}::bigint)) from json_array_elements_text(${JSON.stringify(mine)}::text::json) as id`;
  }

  /** Ids whose lock is free now. The lock is given back as the statement ends. */
  async function free(ids: readonly string[]): Promise<string[]> {
    // A session may take its own locks again, so its own ids are never asked about.
    const others = [...new Set(ids)].filter((each) => !wanted.has(each));
    if (others.length === 0) return [];
    const rows = await sql<{ id: string }[]>`
      select id from json_array_elements_text(${JSON.stringify(others)}::text::json) as id
      where pg_try_advisory_xact_lock(hashtextextended(id, ${SEED}::bigint))`;
    return rows.map((row) => row.id);
  }

  async function gone(ids: readonly string[]): Promise<string[]> {
    const suspects = await free(ids);
    if (suspects.length === 0) return [];
    await pause(confirmMs, closing.signal);
    return closing.signal.aborted ? [] : free(suspects);
  }

  async function close(): Promise<void> {
    closing.abort();
    await retaking;
    // The end of the session frees them too, but only some time after this connection has closed.
    await release([...wanted]).catch(() => undefined);
    await sql.end({ timeout: 2 });
  }

  try {
    await watchClient(sql, log);
    await hold([id]);
    ready = true;
  } catch (error) {
    await close();
    throw error;
  }
  return { id, hold, release, gone, close };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
