import { AppError } from '../../domain/errors.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { CallsInHand } from './calls-in-hand.ts';
import { finishLoss, type LossStore } from './losses.ts';

const BEAT_MS = 2000;
const PATIENCE_MS = 10_000;
const FINISH_MS = 300_000;
const LOST =
  'the database went back to an earlier state and has lost what it had confirmed since: all sends are held until peyk halt off';
const WEAK =
  'sessions get another synchronous_commit than they ask for, so that confirmed commits may be lost: nothing is sent';

export interface ContinuityOptions {
  readonly store: LossStore;
  readonly hand: CallsInHand;
  /** This process, as the owner of calls. */
  readonly id: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  /** Between two looks, in milliseconds (default 2000). */
  readonly beatMs?: number;
}

export interface Continuity {
  /** Why commits cannot be relied on, as it was seen last; null: they can. */
  problem(): string | null;
  /** Looks once more, and ends; what it finds others see to its end. */
  close(): Promise<void>;
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
  const { store, hand, id, clock, log, beatMs = BEAT_MS } = options;
  const closing = new AbortController();
  let hurry = new AbortController();
  let [isWeak, isLost, isUnfinished] = [false, false, false];
  hand.server = '';
  const { server, since: began } = await store.enter(id);
  let beats = 1;
  hand.server = server;
  await beat();
  hand.onMiss(() => hurry.abort());
  const ended = run();
  let closed: Promise<void> | null = null;

  return {
    problem: () => (isLost ? LOST : isWeak ? WEAK : null),
    close: async () => await (closed ??= leave()),
  };

  async function leave(): Promise<void> {
    closing.abort();
    await ended;
    // A database that has just come back may have lost what nobody else knows of.
    await look().catch(() => undefined);
    await store.leave(id).catch(() => undefined);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const signal = AbortSignal.any([closing.signal, hurry.signal]);
      await clock.sleep(beatMs, signal).catch(() => undefined);
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
    if (await look()) await finish();
  }

  /** Looks whether all is there, and holds all sends where it is not; whether a loss is to be seen to its end. */
  async function look(): Promise<boolean> {
    const proofs = hand.proofs();
    const found = await inTime(store.look({ id, beats }, proofs), PATIENCE_MS);
    [isWeak, isLost] = [found.is_weak, found.is_lost];
    if (found.beats !== null) {
      beats = found.beats;
      hand.known(proofs);
      hand.server = found.server;
      return found.is_unfinished;
    }
    // One that has come back unsent meanwhile is planned again, and rightly so.
    const names = new Set(hand.proofs().map((call) => call.id));
    const forgotten = found.forgotten.filter((call) => names.has(call.id));
    if (found.had !== null && found.had >= beats && forgotten.length === 0) return false;
    hand.server = '';
    isLost = true;
    const { from } = await inTime(store.hold({ id, beats, server: found.server, began }), PATIENCE_MS);
    isUnfinished = true;
    hand.forget();
    hand.server = found.server;
    log.error(
      { calls: forgotten.length, from: from.toISOString() },
      'the database has lost commits that it had confirmed: all sends are held, and what may have left since is looked for',
    );
    return true;
  }

  /** Before that is through, calls that the database has forgotten stand in it as they did. */
  async function finish(): Promise<void> {
    await inTime(finishLoss(store), FINISH_MS);
    isUnfinished = false;
  }

  /** A connection that is cut off without a word never answers. */
  async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
    const enough = new AbortController();
    const tooLate = clock.sleep(ms, enough.signal).then(() => {
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
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
