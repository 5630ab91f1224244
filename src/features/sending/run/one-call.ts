import { pauseAfter, type AcceptedId, type PauseAdvice } from '../../../domain/attempt.ts';
import { isAppError } from '../../../domain/errors.ts';
import { namedBook } from '../../../domain/kinds/index.ts';
import type { SendAnswer, SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { AttemptResult, AttemptView } from '../../../ports/jobs.ts';
import type { Log } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { callOf, type MakeCall } from '../kinds/calls.ts';
import type { AccountConcurrency } from './account-concurrency.ts';
import { holdsWhatWasConfirmed } from './book-now.ts';

/** After this many calls that surely never left, the gateway counts as out of reach. */
const MAX_TRIES = 8;
export const RETRY_MS = 1000;
/** A fence that stays shut is somebody's decision, or the database's trouble. */
export const SHUT_MS = 1000;
const REST_MS = 60_000;

/** Why a job makes no further call for now. */
export type Pause =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What the end of a call says about the gateway; `local`: nothing. */
export type CallEnd = 'good' | 'bad' | 'local';

export interface OneCallDeps extends Pick<Stores, 'jobs'> {
  readonly gateways: Gateways;
  readonly concurrency: AccountConcurrency;
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
  account: string,
  deps: OneCallDeps,
  onEnd: (end: CallEnd, pause: Pause | null) => void,
): Promise<void> {
  const { jobs, concurrency, persist, log } = deps;
  const opened = await openCall(attempt, deps);
  if (opened === null) {
    onEnd('local', { kind: 'stopped' });
    await jobs.stop(attempt.jobId, 'not_connected', null, null);
    return;
  }
  const answer = await call(opened, attempt, deps);
  if (answer === null) return onEnd('local', null);
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
  if (advice === 'account_for_60_s') concurrency.rest(account, REST_MS);
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

interface OpenCall {
  readonly gateway: SmsGateway;
  readonly makeCall: MakeCall;
}

async function openCall(
  attempt: AttemptView,
  { jobs, gateways, persist }: OneCallDeps,
): Promise<OpenCall | null> {
  try {
    const gateway = await gateways.of(attempt.bindingId);
    return { gateway, makeCall: callOf(attempt, gateway) };
  } catch (error) {
    await persist(() => jobs.release(attempt.id, attempt.epoch));
    if (isAppError(error, 'not_connected') || isAppError(error, 'gateway_unsupported')) return null;
    throw error;
  }
}

/** Null: what was confirmed no longer leaves by this call, which is over with nothing written. */
async function call(
  { gateway, makeCall }: OpenCall,
  attempt: AttemptView,
  { jobs, persist, log }: OneCallDeps,
): Promise<SendAnswer | LocalRefusal | null> {
  try {
    if (!(await holdsWhatWasConfirmed(attempt, gateway, jobs))) return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.info({ err: error, attempt: attempt.id }, 'the phonebook could not be read before its call');
    return { outcome: 'not_sent', reason: 'unreachable' };
  }
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
      if (isOfOthers(attempt, answer.messageIds))
        return { outcome: 'unknown', reason: 'echo_differs', raw: answer.raw };
      return {
        outcome: 'accepted',
        raw: answer.raw,
        recipients: attempt.recipients,
        messageIds: pair(attempt, answer.messageIds),
      };
    case 'rejected':
      return { outcome: 'rejected', code: answer.code, name: answer.name, raw: answer.raw };
    case 'unknown':
      return { outcome: 'unknown', reason: answer.reason, raw: answer.raw ?? '' };
    case 'not_sent':
      return { outcome: 'not_sent', reason: answer.reason };
  }
}

/** Several ids of a call that names a phonebook count whom the gateway took from it: others than those who were confirmed. */
function isOfOthers({ recipients, outgoing }: AttemptView, ids: readonly AcceptedId[]): boolean {
  return namedBook(outgoing) !== null && ids.length > 1 && ids.length !== recipients.length;
}

/**
 * One id for the whole call, or one for each recipient: both are seen. Several ids that name nobody belong to the
 * recipients in their order, unless the gateway took these from a phonebook, in an order of its own: whose is
 * whose is then not known, and no report is asked for.
 */
function pair({ recipients, outgoing }: AttemptView, ids: readonly AcceptedId[]): string[] {
  const [only, ...more] = ids;
  const inOrder = ids.length === recipients.length && namedBook(outgoing) === null;
  const named = new Map(
    ids.flatMap(({ id, recipient }) => (recipient === undefined ? [] : [[recipient, id]])),
  );
  return recipients.map((recipient, index) => {
    const other = more.length === 0 ? only : inOrder ? ids[index] : undefined;
    return named.get(recipient) ?? other?.id ?? '';
  });
}
