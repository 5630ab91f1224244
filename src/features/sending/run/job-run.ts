import { AsyncLocalStorage } from 'node:async_hooks';
import type { AppError } from '../../../domain/errors.ts';
import type { Blacklist, SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView, Reservation, StartedJob } from '../../../ports/jobs.ts';
import type { Clock } from '../../../ports/runtime.ts';
import { blockedOf, isNoLine, namesRecipients, parcelsOf } from '../draft/blocked-numbers.ts';
import { facetOf } from '../kinds/calls.ts';
import { makeOneCall, RETRY_MS, SHUT_MS, type CallEnd, type OneCallDeps, type Pause } from './one-call.ts';

/** So often in a row a blacklist that cannot be read holds the calls of an account back; the gateway minds its own list. */
const MISSES_THAT_WAIT = 2;
/** As many as an account has connections for reads: what waits for one of these would look like no answer. */
const LOOK_UPS_AT_ONCE = 16;

export interface JobRunDeps extends OneCallDeps {
  /** Who holds the attempts of this process. */
  readonly owner: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** How often in a row the blacklist of an account could not be read. */
  readonly missed: Map<string, number>;
}

/** The binding by which a job leaves, and whose limits it shares. */
export type JobAccount = Pick<StartedJob, 'bindingId' | 'account'>;

export type RunEnd =
  | Pause
  /** There were calls, and now there are no more. */
  | { readonly kind: 'exhausted' }
  /** There were none from the beginning. */
  | { readonly kind: Exclude<Extract<Reservation, { ok: false }>['reason'], 'paced'> };

/**
 * Makes calls of a job, as many at once as its account has room for, until there are none left or something stands
 * against more. The next ones are reserved, and their numbers looked up on the blacklist, while those before them are
 * out. What is held and has not left is given back in the end.
 */
export async function runJob(
  jobId: string,
  { bindingId, account }: JobAccount,
  deps: JobRunDeps,
): Promise<RunEnd> {
  const { jobs, gateways, concurrency, clock, persist, owner, signal, missed, log } = deps;
  const ready: AttemptView[] = [];
  const ended = Promise.withResolvers<RunEnd>();
  const parcels: AttemptView[][] = [];
  let [out, writing, checking, looking, place] = [0, 0, 0, 0, 0];
  let reserving = false;
  let noMore: RunEnd | null = null;
  let pause: Pause | null = null;
  let latest: AttemptView | undefined;

  // Another job of the account may be what wakes this one, whose calls are its own all the same.
  const wake = AsyncLocalStorage.bind(step);
  signal.addEventListener('abort', wake);
  step();
  const end = await ended.promise;
  signal.removeEventListener('abort', wake);
  await Promise.all(ready.map(({ id, epoch }) => persist(() => jobs.release(id, epoch))));
  return end;

  /** After whatever has happened: sends what may leave now, reserves what comes next, or sees that this is the end. */
  function step(): void {
    if (signal.aborted) pauseFor({ kind: 'later', afterMs: 0 });
    if (concurrency.restMs(account) > 0) pauseFor({ kind: 'rest' });
    // The next call does not wait until the outcome of the one before it is written; too many of these are too many.
    while (
      pause === null &&
      ready.length > 0 &&
      writing <= concurrency.limit(account) &&
      concurrency.begin(account, wake)
    )
      void send();
    if (pause === null && noMore === null && !reserving) void reserve();
    void connectAhead();
    if (out > 0 || writing > 0 || checking > 0 || reserving) return;
    const end = pause ?? (ready.length === 0 ? noMore : null);
    if (end !== null) ended.resolve(end);
  }

  function pauseFor(why: Pause): void {
    if (pause === null || why.kind === 'failed') pause = why;
  }

  async function reserve(): Promise<void> {
    // What may leave next has to be looked up before: that takes as long as a call, or two.
    const limit = concurrency.limit(account);
    const ahead = ready.length + checking;
    if (ahead >= 2 * limit) return;
    const most = 3 * limit - ahead;
    reserving = true;
    try {
      const reserved = await jobs.reserve(jobId, owner, most, place);
      if (reserved.ok) {
        place = reserved.next;
        if (reserved.attempts.length < most) noMore = { kind: 'exhausted' };
        [latest] = reserved.attempts;
        void check(reserved.attempts);
      } else if (reserved.reason === 'paced') {
        pauseFor({ kind: 'later', afterMs: reserved.afterMs });
      } else {
        noMore = { kind: place > 0 ? 'exhausted' : reserved.reason };
      }
    } catch (error) {
      pauseFor({ kind: 'failed', error });
    }
    reserving = false;
    step();
  }

  /** The connections of the next calls are made while their numbers are looked up and those before them are out. */
  async function connectAhead(): Promise<void> {
    const calls = ready.length + checking;
    if (pause !== null || calls === 0 || latest === undefined) return;
    const gateway = await opened();
    gateway?.expect(facetOf(latest), calls);
  }

  /** Null for an account that cannot be opened: the call finds that out. */
  async function opened(): Promise<SmsGateway | null> {
    return await gateways.of(bindingId).catch(() => null);
  }

  async function check(calls: readonly AttemptView[]): Promise<void> {
    checking += calls.length;
    const gateway = await opened();
    if (gateway?.has('blacklist') !== true) return checked(calls, calls);
    parcels.push(...parcelsOf(calls));
    lookUp(gateway.use('blacklist'));
  }

  function lookUp(blacklist: Pick<Blacklist, 'blocked'>): void {
    for (; looking < LOOK_UPS_AT_ONCE; looking += 1) {
      const parcel = parcels.shift();
      if (parcel === undefined) return;
      void withoutBlocked(parcel, blacklist).then((left) => {
        looking -= 1;
        checked(parcel, left);
        lookUp(blacklist);
      });
    }
  }

  function checked(calls: readonly AttemptView[], left: readonly AttemptView[]): void {
    checking -= calls.length;
    ready.push(...left);
    step();
  }

  /** What is left of calls without the numbers that are blocked; of a line that nobody can tell of, all of it. */
  async function withoutBlocked(
    calls: readonly AttemptView[],
    blacklist: Pick<Blacklist, 'blocked'>,
  ): Promise<readonly AttemptView[]> {
    if (pause !== null) return calls;
    try {
      const { blocked, untold } = await blockedOf(calls, blacklist, clock);
      const silent = [...untold.values()].find((error) => !isNoLine(error));
      if (silent === undefined) missed.delete(account);
      else if (waitsFor(silent)) return calls;
      const left = await Promise.all(
        calls.map(async (call) => {
          const numbers = blocked.get(call) ?? [];
          if (numbers.length === 0) return call;
          if (!namesRecipients(call)) {
            // A call that names the book would be charged for them: the others are named instead, and looked up again.
            await jobs.nameNumbers(call.id, call.epoch, call.recipients);
            return null;
          }
          const rest = await jobs.dropBlocked(call.id, call.epoch, numbers);
          if (rest === null) {
            // The fence would not let it go either.
            pauseFor({ kind: 'later', afterMs: SHUT_MS });
            await persist(() => jobs.release(call.id, call.epoch));
            return null;
          }
          return rest.recipients.length === 0 ? null : { ...call, ...rest };
        }),
      );
      return left.filter((call) => call !== null);
    } catch (error) {
      if (pause === null) pauseFor({ kind: 'failed', error });
      return calls;
    }
  }

  /** Whether the job waits because a blacklist could not be read. */
  function waitsFor(error: AppError): boolean {
    if (pause !== null) return true;
    const misses = missed.get(account) ?? 0;
    log.info({ err: error, misses }, 'the blacklist could not be read');
    if (misses >= MISSES_THAT_WAIT) return false;
    missed.set(account, misses + 1);
    pauseFor({ kind: 'later', afterMs: RETRY_MS * 2 ** misses });
    return true;
  }

  async function send(): Promise<void> {
    const call = ready.shift();
    if (call === undefined) return;
    out += 1;
    let ended = false;
    const onEnd = (how: CallEnd, why: Pause | null): void => {
      ended = true;
      out -= 1;
      writing += 1;
      if (why !== null) pauseFor(why);
      concurrency.end(account, how);
      if (how === 'bad') void giveBack(ready.splice(2 * concurrency.limit(account)));
      step();
    };
    try {
      await makeOneCall(call, account, deps, onEnd);
    } catch (error) {
      pauseFor({ kind: 'failed', error });
    }
    if (!ended) onEnd('local', null);
    writing -= 1;
    step();
  }

  async function giveBack(calls: readonly AttemptView[]): Promise<void> {
    checking += calls.length;
    try {
      await Promise.all(calls.map(({ id, epoch }) => persist(() => jobs.release(id, epoch))));
    } catch (error) {
      pauseFor({ kind: 'failed', error });
    }
    checking -= calls.length;
    step();
  }
}
