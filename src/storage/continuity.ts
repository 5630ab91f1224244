import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { AppError } from '../domain/errors.ts';
import type { Log } from '../ports/runtime.ts';
import type { CallsInHand } from './calls-in-hand.ts';
import type { HeldCall } from './call-writes.ts';
import type { Database } from './database.ts';
import { jsonText } from './json.ts';
import { finishLoss, holdForLoss } from './lost-commits.ts';
import { isWeakIn, startOf } from './server-start.ts';
import type { Row } from './row.ts';

const BEAT_MS = 2000;
const PATIENCE_MS = 10_000;
/** Whoever has noticed a loss looks for what may have left; another one where that one has not come to its end. */
const HEIR_SECONDS = 30;
const FINISH_MS = 300_000;
const LOST =
  'the database went back to an earlier state and has lost what it had confirmed since: all sends are held until peyk halt off';
const WEAK =
  'sessions get another synchronous_commit than they ask for, so that confirmed commits may be lost: nothing is sent';

export interface ContinuityOptions {
  readonly database: Pick<Database, 'sql'>;
  readonly hand: CallsInHand;
  /** This process, as the owner of calls. */
  readonly id: string;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
  readonly log: Log;
  /** Between two looks, in milliseconds (default 2000). */
  readonly beatMs?: number;
}

export interface Continuity {
  /** Why commits cannot be relied on, as it was seen last; null: they can. */
  problem(): string | null;
  close(): Promise<void>;
}

interface Look {
  /** Of the own row as it is now; null: it was not found as this process knows it. */
  readonly beats: number | null;
  /** The same as it was before. */
  readonly had: number | null;
  readonly server: string;
  readonly forgotten: readonly HeldCall[];
  readonly is_weak: boolean;
  readonly is_lost: boolean;
  readonly is_unfinished: boolean;
}

/**
 * Watches that the database keeps what it has confirmed to this process: a row that the process counts up, and the calls
 * that it has let go since. After a restart or a failover of the server nothing passes the fence of any process until all
 * that are alive have found theirs. Where something is missing, all sends are held, in the database and so for everybody,
 * and whatever may have left in the lost time is looked for as after a backup was brought back.
 *
 * Throws what the driver throws when the database cannot be reached at the start.
 */
export async function createContinuity(options: ContinuityOptions): Promise<Continuity> {
  const { hand, id, timeZone, log, beatMs = BEAT_MS } = options;
  const { sql } = options.database;
  const closing = new AbortController();
  let hurry = new AbortController();
  let [isWeak, isLost, isUnfinished] = [false, false, false];
  hand.server = '';
  const [first] = await sql<Row<'process', 'server' | 'seen_at'>[]>`
    insert into process (id, beats, server, reads_reports) values (${id}, 1, ${startOf(sql)}, true)
    returning server, seen_at`;
  if (first === undefined) throw new Error('the process has no row');
  const began = first.seen_at;
  let beats = 1;
  hand.server = first.server;
  await beat();
  hand.onMiss(() => hurry.abort());
  const ended = run();

  return {
    problem: () => (isLost ? LOST : isWeak ? WEAK : null),
    async close() {
      closing.abort();
      await ended;
      await sql`delete from process where id = ${id}`.catch(() => undefined);
    },
  };

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const signal = AbortSignal.any([closing.signal, hurry.signal]);
      await sleep(beatMs, undefined, { signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      hurry = new AbortController();
      try {
        await beat();
      } catch (error) {
        log.debug({ code: codeOf(error) }, 'the database does not say whether it has kept everything');
      }
    }
  }

  async function beat(): Promise<void> {
    if (isUnfinished) await finish();
    const proofs = hand.proofs();
    const look = await inTime(lookAt(sql, id, beats, proofs), PATIENCE_MS);
    [isWeak, isLost] = [look.is_weak, look.is_lost];
    if (look.beats !== null) {
      beats = look.beats;
      hand.known(proofs);
      hand.server = look.server;
      if (look.is_unfinished) await finish();
      return;
    }
    // One that has come back unsent meanwhile is planned again, and rightly so.
    const names = new Set(hand.proofs().map((call) => call.id));
    const forgotten = look.forgotten.filter((call) => names.has(call.id));
    if (look.had !== null && look.had >= beats && forgotten.length === 0) return;
    hand.server = '';
    isLost = true;
    const { from } = await inTime(holdForLoss(sql, { id, beats, server: look.server, began }), PATIENCE_MS);
    isUnfinished = true;
    hand.forget();
    hand.server = look.server;
    log.error(
      { calls: forgotten.length, from: from.toISOString() },
      'the database has lost commits that it had confirmed: all sends are held, and what may have left since is looked for',
    );
    await finish();
  }

  /** Before that is through, calls that the database has forgotten stand in it as they did. */
  async function finish(): Promise<void> {
    await inTime(finishLoss(sql, timeZone), FINISH_MS);
    isUnfinished = false;
  }
}

async function lookAt(sql: Sql, id: string, beats: number, proofs: readonly HeldCall[]): Promise<Look> {
  const [look] = await sql<Look[]>`
    with forgotten as (
      select p.id, p.epoch from json_to_recordset(${jsonText(proofs)}::text::json) as p(id uuid, epoch int)
      left join attempt a using (id)
      where a.id is null or a.fenced < p.epoch
    ), beaten as (
      update process set beats = beats + 1, seen_at = now(), gone_at = null, server = ${startOf(sql)}
      where id = ${id} and beats >= ${beats} and not exists (select 1 from forgotten) returning beats
    )
    select (select beats::float8 from beaten) as beats, (select beats::float8 from process where id = ${id}) as had,
      ${startOf(sql)} as server, ${isWeakIn(sql)} as is_weak,
      coalesce((select json_agg(f) from forgotten f), '[]') as forgotten,
      d.lost_at is not null as is_lost, 
      d.lost_at < now() - ${HEIR_SECONDS} * interval '1 second' and d.lost_done_at is null as is_unfinished
    from deployment d`;
  if (look === undefined) throw new Error('a look without an answer');
  return look;
}

/** A connection that is cut off without a word never answers. */
async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const enough = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: enough.signal }).then(() => {
    throw new AppError('internal', 'the database does not answer');
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    enough.abort();
    tooLate.catch(() => undefined);
    answer.catch(() => undefined);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
