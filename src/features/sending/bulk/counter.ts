import { isAppError } from '../../../domain/errors.ts';
import type { SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { BulkDraft, BulkWork } from '../../../ports/bulk.ts';
import type { Clock, Log, TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createTally } from './tally.ts';
import { lookUpBlocked } from './blocked.ts';
import { createPlanner } from './planner.ts';
import { Outdated, type Progress } from './progress.ts';

export interface CounterDeps extends Pick<Stores, 'bulks'> {
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly progress: Progress;
}

/** Of more recipients nobody is looked up on the blacklist before the calls are made. */
const LOOKED_UP_MOST = 20_000;

/** Counts the rows of a draft: its numbers, or, once there is a text, every message that will leave. */
export function createCounter(deps: CounterDeps) {
  const { bulks, progress } = deps;
  return async (work: BulkWork, context: Pick<TaskContext, 'signal' | 'log'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft === null) return;
    try {
      if (draft.bulk.step === 'columns') await countNumbers(work, draft, context.signal);
      else if (draft.bulk.step === 'counting') await countMessages(work, draft, context);
      else return;
    } catch (error) {
      if (error instanceof Outdated) return;
      throw error;
    }
  };

  async function countNumbers(work: BulkWork, { bulk }: BulkDraft, signal: AbortSignal): Promise<void> {
    const step = progress(work, signal);
    const tally = createTally(bulk);
    let done = 0;
    for await (const rows of bulks.rows(work.draftId)) {
      tally.take(rows);
      done += rows.length;
      await step(done);
    }
    await bulks.tally(work, tally.found());
  }

  async function countMessages(
    work: BulkWork,
    { bulk, text, line, bindingId }: BulkDraft,
    { signal, log }: Pick<TaskContext, 'signal' | 'log'>,
  ): Promise<void> {
    const gateway = await gatewayOf(bindingId, log);
    const blocked = await blockedOf(work, { bulk, line, gateway, signal, log });
    const versions = gateway?.versions ?? [];
    const inAddress = gateway !== null && !versions.includes(3) && !versions.includes(1);
    await bulks.plan(work, async (save) => {
      const step = progress(work, signal);
      const planner = createPlanner({ bulk, text, line, blocked, inAddress });
      let done = 0;
      for await (const rows of bulks.rows(work.draftId)) {
        planner.take(rows);
        done += rows.length;
        await save(planner.drain());
        await step(done);
      }
      await save(planner.drain(true));
      return planner.summary();
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
    const tally = createTally(bulk);
    const recipients: string[] = [];
    for await (const rows of bulks.rows(work.draftId)) recipients.push(...tally.take(rows));
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
