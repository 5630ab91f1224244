import { pauseAfter, type AcceptedId, type PauseAdvice } from '../../domain/attempt.ts';
import { isAppError } from '../../domain/errors.ts';
import type { SendAnswer } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AttemptResult, AttemptView, JobStore } from '../../ports/jobs.ts';
import type { Log } from '../../ports/runtime.ts';
import type { AccountRoom } from './account-room.ts';
import { callOf, type MakeCall } from './calls.ts';

/** After this many calls that surely never left, the gateway counts as out of reach. */
const MAX_TRIES = 8;
export const RETRY_MS = 1000;
/** A fence that stays shut is somebody's decision, or the database's trouble. */
const SHUT_MS = 1000;
const REST_MS = 60_000;

/** Why a job makes no further call for now. */
export type Pause =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What the end of a call says about the gateway; `local`: nothing. */
export type CallEnd = 'good' | 'bad' | 'local';

export interface OneCallDeps {
  readonly jobs: JobStore;
  readonly gateways: Gateways;
  readonly room: AccountRoom;
  /** Writes until it is written. */
  readonly persist: (write: () => Promise<void>) => Promise<void>;
  readonly log: Log;
}

/**
 * Makes the one call of a reserved attempt and writes down what it proves. It leaves only after its attempt is
 * committed as `on_wire`; an outcome that is not known stays unknown. `onEnd` is told as soon as the call has ended.
 */
export async function makeOneCall(
  attempt: AttemptView,
  deps: OneCallDeps,
  onEnd: (end: CallEnd, pause: Pause | null) => void,
): Promise<void> {
  const { jobs, room, persist, log } = deps;
  const makeCall = await openCall(attempt, deps);
  if (makeCall === null) {
    onEnd('local', { kind: 'stopped' });
    await jobs.stop(attempt.jobId, 'not_connected', null, null);
    return;
  }

  const answer = await call(makeCall, attempt, deps);
  log.info(
    { attempt: attempt.id, outcome: answer.outcome, recipients: attempt.recipients.length },
    'a send call ended',
  );
  if (answer.outcome === 'not_sent' && answer.reason === 'fence') {
    onEnd('local', { kind: 'later', afterMs: SHUT_MS });
    // Whether it was committed or not: nothing was written, and it is no try of the gateway's.
    await persist(() => jobs.release(attempt.id, attempt.epoch));
    return;
  }
  const advice = pauseAfter(answer);
  if (advice === 'account_for_60_s') room.rest(attempt.bindingId, REST_MS);
  const stops = stopReason(answer, advice, attempt.tries);
  onEnd(endOf(answer), stops === null ? pauseFor(answer, advice, attempt.tries) : { kind: 'stopped' });
  await persist(() => jobs.record(attempt.id, attempt.epoch, toResult(attempt, answer)));
  if (stops !== null) await jobs.stop(attempt.jobId, stops, null, null);
}

function endOf(answer: SendAnswer | LocalRefusal): CallEnd {
  if ('local' in answer) return 'local';
  return answer.outcome === 'accepted' || answer.outcome === 'rejected' ? 'good' : 'bad';
}

function stopReason(
  { outcome }: SendAnswer | LocalRefusal,
  advice: PauseAdvice,
  tries: number,
): 'credit' | 'account' | 'unreachable' | null {
  if (outcome === 'not_sent') return tries + 1 >= MAX_TRIES ? 'unreachable' : null;
  if (advice === 'job') return 'credit';
  return advice === 'account' ? 'account' : null;
}

function pauseFor({ outcome }: SendAnswer | LocalRefusal, advice: PauseAdvice, tries: number): Pause | null {
  if (outcome === 'not_sent') return { kind: 'later', afterMs: RETRY_MS * 2 ** tries };
  return advice === 'account_for_60_s' ? { kind: 'rest' } : null;
}

async function openCall(
  attempt: AttemptView,
  { jobs, gateways, persist }: OneCallDeps,
): Promise<MakeCall | null> {
  try {
    return callOf(attempt, await gateways.of(attempt.bindingId));
  } catch (error) {
    await persist(() => jobs.release(attempt.id, attempt.epoch));
    if (isAppError(error, 'not_connected') || isAppError(error, 'gateway_unsupported')) return null;
    throw error;
  }
}

async function call(
  makeCall: MakeCall,
  attempt: AttemptView,
  { jobs, persist }: OneCallDeps,
): Promise<SendAnswer | LocalRefusal> {
  try {
    return await makeCall(attempt, { beforeWrite: () => jobs.goOnWire(attempt.id, attempt.epoch) });
  } catch (error) {
    // `bad_input` comes before anything is dialled; anything else here is a mistake of ours after which nothing is known.
    if (isAppError(error, 'bad_input')) return { outcome: 'rejected', local: true };
    const unknown = { outcome: 'unknown', reason: 'internal', raw: '' } as const;
    await persist(() => jobs.record(attempt.id, attempt.epoch, unknown));
    throw error;
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
      return { outcome: 'accepted', raw: answer.raw, messageIds: pair(attempt, answer.messageIds) };
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
function pair({ recipients, outgoing }: AttemptView, ids: readonly AcceptedId[]): string[] {
  const [only, ...more] = ids;
  const inOrder = ids.length === recipients.length && !(outgoing.kind === 'book' && outgoing.way === 'call');
  const named = new Map(
    ids.flatMap(({ id, recipient }) => (recipient === undefined ? [] : [[recipient, id]])),
  );
  return recipients.map((recipient, index) => {
    const other = more.length === 0 ? only : inOrder ? ids[index] : undefined;
    return named.get(recipient) ?? other?.id ?? '';
  });
}
