import { z } from 'zod';
import { isAppError } from '../../../domain/errors.ts';
import { fileOf } from '../../../domain/kinds/index.ts';
import { encodedParts, estimate, estimatePrint, isKnown } from '../../../domain/price.ts';
import type { SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import { defineTask, type Clock, type Log, type Task } from '../../../ports/runtime.ts';
import type { CardView, DraftStore, DraftView } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import { inAMoment } from '../../../ports/in-a-moment.ts';
import { blockedMessages } from './blocked-numbers.ts';
import { learnPrices } from './price-learning.ts';

interface GaugeDeps extends Pick<Stores, 'gauges'> {
  readonly gateways: Gateways;
  readonly clock: Clock;
}

export interface GaugeTaskDeps extends GaugeDeps {
  readonly drafts: Pick<DraftStore, 'card' | 'setBlocked'>;
  readonly cards: { follow(draftId: string): Promise<void> };
}

const gaugePayload = z.object({
  bindingId: z.uuid(),
  draftId: z.uuid().optional(),
  shown: z.string().optional(),
});

/**
 * Reads what a draft's card tells of the gateway: the account's credit and its prices when they are due, and who of the
 * recipients is blocked; then brings the card up to it. What the gateway does not tell is asked again the next time
 * somebody prepares a send: no send depends on it.
 */
export function createGaugeTask(deps: GaugeTaskDeps): Task {
  const { gauges, gateways, drafts } = deps;
  return defineTask({
    name: 'gauge',
    schema: gaugePayload,
    run: async ({ bindingId, draftId, shown }, { log, takePlace }) => {
      const due = await gauges.due(bindingId);
      const before = await waiting(draftId);
      const toLookUp = before?.draft.blocked === null && fileOf(before.draft.outgoing) === null;
      if (due.account !== null && (due.credit || due.prices || toLookUp)) {
        if (!takePlace(due.account)) return;
        await unlessSilent(log, async () => {
          const gateway = await gateways.of(bindingId);
          await Promise.all([
            due.credit && unlessSilent(log, () => readCredit(deps, bindingId, gateway, due.at)),
            due.prices && unlessSilent(log, () => readPrices(deps, bindingId, gateway)),
            toLookUp && unlessSilent(log, () => readBlocked(deps, before.draft, gateway)),
          ]);
        });
      }
      const after = await waiting(draftId);
      if (after === null) return;
      const says = estimatePrint(estimate(encodedParts(after.draft), after.gauge));
      const { blocked, untold } = after.draft;
      const hasNews = toLookUp && [...(blocked ?? []), ...(untold ?? [])].length > 0;
      if (says !== shown || hasNews) await deps.cards.follow(after.draft.id);
    },
  });

  /** The card of what a person is asked about: a draft that can still become a job, or a send that was missed. */
  async function waiting(draftId: string | undefined): Promise<CardView | null> {
    const view = draftId === undefined ? null : await drafts.card(draftId);
    return view !== null && (view.job === null || view.job.state === 'missed') ? view : null;
  }
}

/**
 * Has a credit that nobody may go by any more read again before something is decided by it. Waits a moment for it,
 * and throws nothing of the gateway's: what is not known then decides nothing.
 */
export function createCreditCheck(deps: GaugeDeps) {
  const { gauges, gateways, clock } = deps;
  return async (bindingId: string): Promise<void> => {
    const { at, creditIsStale } = await gauges.due(bindingId);
    const gauge = creditIsStale ? await gauges.of(bindingId) : null;
    // Without a price there is nothing to hold the credit against.
    if (gauge === null || !(isKnown(gauge.prices.gsm7) || isKnown(gauge.prices.ucs2))) return;
    await inAMoment(clock, async () => await readCredit(deps, bindingId, await gateways.of(bindingId), at));
  };
}

async function readCredit(
  { gauges }: GaugeDeps,
  bindingId: string,
  gateway: SmsGateway,
  since: string | null,
): Promise<void> {
  if (!gateway.has('credit')) return;
  await gauges.readCredit(bindingId, () => gateway.use('credit').credit(), since);
}

async function readBlocked(
  { drafts, clock }: Pick<GaugeTaskDeps, 'drafts' | 'clock'>,
  draft: DraftView,
  gateway: SmsGateway,
): Promise<void> {
  if (!gateway.has('blacklist')) return;
  const found = await blockedMessages(draft, gateway.use('blacklist'), clock);
  if (found !== null) await drafts.setBlocked(draft.id, draft.version, found);
}

async function readPrices(
  { gauges, clock }: GaugeDeps,
  bindingId: string,
  gateway: SmsGateway,
): Promise<void> {
  if (!gateway.has('counts')) return;
  const outbox = gateway.has('outbox') ? gateway.use('outbox') : null;
  const now = Math.floor(clock.now().getTime() / 1000);
  const known = (await gauges.of(bindingId))?.prices;
  await gauges.savePrices(bindingId, await learnPrices(gateway.use('counts'), outbox, now, known));
}

/** What the gateway does not say now, it may say later. */
async function unlessSilent(log: Log, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.info({ err: error }, 'credit or price could not be read; they are asked for again');
  }
}
