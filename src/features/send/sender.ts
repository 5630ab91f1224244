import { pauseAfter, type AcceptedId } from '../../domain/attempt.ts';
import { isAppError } from '../../domain/errors.ts';
import type { SendAnswer } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { AttemptResult, AttemptView, JobStore } from '../../ports/stores.ts';
import { createAccountRoom } from './account-room.ts';
import { callOf, type MakeCall } from './calls.ts';

export interface SenderDeps {
  readonly jobs: JobStore;
  readonly gateways: Gateways;
  readonly clock: Clock;
  /** Who holds the attempts of this process. */
  readonly owner: string;
}

/** After this many calls that surely never left, the gateway counts as out of reach. */
const MAX_TRIES = 8;
const EARLIER_IN_FLIGHT_MS = 2000;
const RETRY_MS = 1000;
/** For a job that nobody takes along before. */
const NO_ROOM_MS = 2000;
const LOOK_AGAIN_MS = 60_000;
const REST_MS = 60_000;

interface SendContext {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Makes the calls of a job, one after the other, each at most once. A call leaves only after its attempt
 * is committed as `on_wire`; whatever then happens is written down as what it proves, and an outcome that is
 * not known stays unknown. Running it again, also beside itself, makes no call twice: the store's
 * compare-and-set decides who may write.
 */
export function createSender({ jobs, gateways, clock, owner }: SenderDeps) {
  const room = createAccountRoom(clock);

  return async (jobId: string, context: SendContext): Promise<void> => {
    const account = await begin(jobId);
    if (account === null) return;
    if (!room.enter(account)) {
      room.wait(account, jobId);
      return await jobs.schedule(jobId, 'send', NO_ROOM_MS);
    }
    try {
      await makeCalls(jobId, account, context);
      for (let next = room.next(account); next !== undefined; next = room.next(account)) {
        if (context.signal.aborted) return;
        if ((await begin(next)) !== null) await makeCalls(next, account, context);
      }
    } finally {
      room.leave(account);
    }
  };

  /** The account whose calls are to be made now; null when there is nothing to do yet, or any more. */
  async function begin(jobId: string): Promise<string | null> {
    const started = await jobs.start(jobId);
    if (started?.state === 'holding') await jobs.schedule(jobId, 'send', started.waitMs + 20);
    return started?.state === 'running' ? started.bindingId : null;
  }

  async function makeCalls(jobId: string, account: string, { log, signal }: SendContext): Promise<void> {
    for (;;) {
      if (signal.aborted) return await jobs.schedule(jobId, 'send', 0);
      const restMs = room.restMs(account);
      if (restMs > 0) {
        // What has no call left to make is done all the same.
        if (!(await jobs.finish(jobId))) await jobs.schedule(jobId, 'send', restMs);
        return;
      }
      const reserved = await jobs.reserve(jobId, owner);
      if (!reserved.ok) {
        // What still stands is held by a run beside this one, or by one that has failed: somebody looks again.
        if (reserved.reason === 'none_left' && !(await jobs.finish(jobId)))
          await jobs.schedule(jobId, 'send', LOOK_AGAIN_MS);
        if (reserved.reason === 'earlier_unknown') await jobs.stop(jobId, 'earlier_unknown', null, null);
        if (reserved.reason === 'earlier_in_flight') await jobs.schedule(jobId, 'send', EARLIER_IN_FLIGHT_MS);
        return;
      }
      const next = await attemptOnce(reserved.attempt, log, signal);
      if (next === 'stop') return;
      if (next !== 'go_on') return await jobs.schedule(jobId, 'send', next.afterMs);
    }
  }

  async function attemptOnce(
    attempt: AttemptView,
    log: Log,
    signal: AbortSignal,
  ): Promise<'go_on' | 'stop' | { readonly afterMs: number }> {
    const makeCall = await openCall(attempt, log, signal);
    if (makeCall === null) {
      await jobs.stop(attempt.jobId, 'not_connected', null, null);
      return 'stop';
    }
    const answer = await call(makeCall, attempt, log, signal);
    log.info(
      { attempt: attempt.id, outcome: answer.outcome, recipients: attempt.recipients.length },
      'a send call ended',
    );
    await persist(() => jobs.record(attempt.id, attempt.epoch, toResult(attempt, answer)), log, signal);

    if (answer.outcome === 'not_sent') {
      if (attempt.tries + 1 >= MAX_TRIES) {
        await jobs.stop(attempt.jobId, 'unreachable', null, null);
        return 'stop';
      }
      return { afterMs: answer.reason === 'fence' ? 0 : RETRY_MS * 2 ** attempt.tries };
    }
    const advice = pauseAfter(answer);
    if (advice === 'job' || advice === 'account') {
      await jobs.stop(attempt.jobId, advice === 'job' ? 'credit' : 'account', null, null);
      return 'stop';
    }
    if (advice === 'account_for_60_s') room.rest(attempt.bindingId, REST_MS);
    return 'go_on';
  }

  async function openCall(attempt: AttemptView, log: Log, signal: AbortSignal): Promise<MakeCall | null> {
    try {
      return callOf(attempt, await gateways.of(attempt.bindingId));
    } catch (error) {
      await persist(() => jobs.release(attempt.id, attempt.epoch), log, signal);
      if (isAppError(error, 'not_connected') || isAppError(error, 'gateway_unsupported')) return null;
      throw error;
    }
  }

  async function call(
    makeCall: MakeCall,
    attempt: AttemptView,
    log: Log,
    signal: AbortSignal,
  ): Promise<SendAnswer | LocalRefusal> {
    try {
      return await makeCall(attempt, { beforeWrite: () => jobs.goOnWire(attempt.id, attempt.epoch) });
    } catch (error) {
      // `bad_input` comes before anything is dialled; anything else here is a mistake of ours after which nothing is known.
      if (isAppError(error, 'bad_input')) return { outcome: 'rejected', local: true };
      const unknown = { outcome: 'unknown', reason: 'internal', raw: '' } as const;
      await persist(() => jobs.record(attempt.id, attempt.epoch, unknown), log, signal);
      throw error;
    }
  }

  /** The outcome must not be lost while the database is away: it is tried until the process has to go. */
  async function persist(write: () => Promise<void>, log: Log, signal: AbortSignal): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
      try {
        return await write();
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn({ err: error }, 'an outcome could not be written; it is tried again');
        await clock.sleep(wait);
      }
    }
  }
}

interface LocalRefusal {
  readonly outcome: 'rejected';
  readonly local: true;
  readonly code?: never;
}

function toResult(attempt: AttemptView, answer: SendAnswer | LocalRefusal): AttemptResult {
  if ('local' in answer) return { outcome: 'rejected', code: 0, name: '', raw: '' };
  switch (answer.outcome) {
    case 'accepted':
      return { outcome: 'accepted', raw: answer.raw, messages: pair(attempt, answer.messageIds) };
    case 'rejected':
      return { outcome: 'rejected', code: answer.code, name: answer.name, raw: answer.raw };
    case 'unknown':
      return { outcome: 'unknown', reason: answer.reason, raw: answer.raw ?? '' };
    case 'not_sent':
      return { outcome: 'not_sent', reason: answer.reason };
  }
}

/**
 * One id for the whole call, or one for each recipient: both are seen. Several ids that name nobody belong to the
 * recipients in their order, unless the gateway took these from a phonebook, in an order of its own: whose is
 * whose is then not known, and no report is asked for.
 */
function pair(
  { recipients, outgoing }: AttemptView,
  ids: readonly AcceptedId[],
): { recipient: string; messageId: string }[] {
  const [only, ...more] = ids;
  const inOrder = ids.length === recipients.length && !(outgoing.kind === 'book' && outgoing.way === 'call');
  return recipients.flatMap((recipient, index) => {
    const named = ids.find((item) => item.recipient === recipient);
    const found = named ?? (more.length === 0 ? only : inOrder ? ids[index] : undefined);
    return found === undefined ? [] : [{ recipient, messageId: found.id }];
  });
}
