import type { NumbersFound } from '../../../domain/bulk.ts';
import { isAppError } from '../../../domain/errors.ts';
import { travelsInAddress } from '../../../domain/kinds/multi.ts';
import type { BulkDraft, BulkWork, FileThread, FileWork } from '../../../ports/bulk.ts';
import type { Blacklist, SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { Clock, Log, TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { Outdated, type Progress } from './progress.ts';

export interface CounterDeps extends Pick<Stores, 'bulks'> {
  readonly gateways: Gateways;
  readonly files: FileThread;
  readonly clock: Clock;
  readonly progress: Progress;
}

/** Of more recipients nobody is looked up on the blacklist before the calls are made. */
const LOOKED_UP_MOST = 20_000;

/** Counts the rows of a draft: its numbers, or, once there is a text, every message that will leave. */
export function createCounter(deps: CounterDeps) {
  const { bulks, files, progress } = deps;
  return async (work: BulkWork, context: Pick<TaskContext, 'signal' | 'log'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft === null) return;
    try {
      if (draft.bulk.step === 'columns') await countNumbers(work, draft, context.signal);
      else if (draft.bulk.step === 'counting') await countMessages(work, draft, context);
    } catch (error) {
      if (error instanceof Outdated) return;
      throw error;
    }
  };

  async function countNumbers(work: BulkWork, { bulk }: BulkDraft, signal: AbortSignal): Promise<void> {
    const step = progress(work, signal);
    await using tally = files.begin('tally', { bulk, listed: false });
    let [done, found]: [number, NumbersFound] = [0, { good: 0, repeated: 0, invalid: 0 }];
    for await (const { count, ...counted } of each(tally, bulks.rows(work.draftId))) {
      ({ found } = counted);
      await step((done += count));
    }
    await bulks.tally(work, found);
  }

  async function countMessages(
    work: BulkWork,
    { bulk, text, line, rule, bindingId }: BulkDraft,
    { signal, log }: Pick<TaskContext, 'signal' | 'log'>,
  ): Promise<void> {
    const gateway = await gatewayOf(bindingId, log);
    const blocked = await blockedOf(work, { bulk, line, gateway, signal, log });
    const inAddress = gateway !== null && travelsInAddress(gateway.versions);
    await bulks.plan(work, async (save) => {
      const step = progress(work, signal);
      await using plan = files.begin('plan', { bulk, text, line, blocked, inAddress, rule });
      let done = 0;
      for await (const { count, ...part } of each(plan, bulks.rows(work.draftId))) {
        await save(part);
        await step((done += count));
      }
      const { summary, ...rest } = await plan.next(null);
      await save(rest);
      if (summary === null) throw new Error('a plan has come to nothing');
      return summary;
    });
  }

  /** Who is on the line's blacklist; null where nobody can tell, or too many would have to be asked about. */
  async function blockedOf(
    work: BulkWork,
    {
      bulk,
      line,
      gateway,
      signal,
      log,
    }: Pick<BulkDraft, 'bulk' | 'line'> & {
      readonly gateway: SmsGateway | null;
      readonly signal: AbortSignal;
      readonly log: Log;
    },
  ): Promise<ReadonlySet<string> | null> {
    if (gateway === null || !gateway.has('blacklist')) return null;
    if ((bulk.numbers?.good ?? Number.POSITIVE_INFINITY) > LOOKED_UP_MOST) return null;
    await using tally = files.begin('tally', { bulk, listed: true });
    const recipients: string[] = [];
    for await (const { fresh } of each(tally, bulks.rows(work.draftId))) recipients.push(...fresh);
    return await lookUpBlocked(gateway.use('blacklist'), {
      line,
      recipients,
      clock: deps.clock,
      signal,
      log,
    });
  }

  async function gatewayOf(bindingId: string, log: Log): Promise<SmsGateway | null> {
    try {
      return await deps.gateways.of(bindingId);
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.info({ err: error }, 'rows are counted without an account');
      return null;
    }
  }
}

/** What comes of each input, in order: the next one is worked on while the last one's is written. */
async function* each<I, O>(work: FileWork<I, O>, inputs: AsyncIterable<I>): AsyncGenerator<O> {
  let before: Promise<O> | null = null;
  for await (const input of inputs) {
    const next = work.next(input);
    if (before !== null) yield await before;
    before = next;
  }
  if (before !== null) yield await before;
}

/** What the gateway is asked about in one call. */
const PORTION = 200;
/** Calls at a time: the account's sends go on beside them. */
const AT_A_TIME = 4;
/** A gateway that is slower than this is asked right before each call instead. */
const PATIENCE_MS = 60_000;

/** Those of some recipients that a line must not send to; null where the gateway does not tell all of it in time. */
export async function lookUpBlocked(
  blacklist: Pick<Blacklist, 'blocked'>,
  {
    line,
    recipients,
    clock,
    signal,
    log,
  }: {
    readonly line: string;
    readonly recipients: readonly string[];
    readonly clock: Pick<Clock, 'sleep'>;
    readonly signal: AbortSignal;
    readonly log: Log;
  },
): Promise<ReadonlySet<string> | null> {
  const blocked = new Set<string>();
  const over = new AbortController();
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < recipients.length && !over.signal.aborted && !signal.aborted) {
      const portion = recipients.slice(next, next + PORTION);
      next += PORTION;
      for (const number of await blacklist.blocked(line, portion)) blocked.add(number);
    }
  };
  try {
    const all = Promise.all(Array.from({ length: AT_A_TIME }, ask)).then(() => true);
    const patience = clock.sleep(PATIENCE_MS, AbortSignal.any([over.signal, signal])).then(() => false);
    const inTime = await Promise.race([all, patience]);
    if (inTime) return blocked;
    log.info({ recipients: recipients.length }, 'the blacklist could not be read in time');
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.info({ err: error }, 'the blacklist could not be read');
  } finally {
    over.abort();
  }
  return null;
}
