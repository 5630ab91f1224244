import { isAppError } from '../../../domain/errors.ts';
import { resolve, type ListedMessage, type Resolution } from '../../../domain/reconcile.ts';
import type { SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { DoubtView, WholeLook } from '../../../ports/reconcile.ts';
import type { Clock, TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { studyGateway } from './gateway-habits.ts';
import { lookAtNumbers, lookIntoOutbox } from './outbox-evidence.ts';

export interface ReconcilerDeps extends Pick<Stores, 'reconciles'> {
  readonly gateways: Gateways;
  readonly clock: Clock;
}

/** Looks at 20 s, 1 min, 3 min, 10 min, 1 h, then hourly. */
const LOOK_AFTER_SECONDS = [20, 60, 180, 600, 3600] as const;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** How late a list may show what was accepted. */
const LAG_SECONDS = 120;
const EARLY_SECONDS = 5;
/** Two looks so far apart that agree are no accident of one moment. */
const APART_SECONDS = 300;
/** So many numbers are looked at one by one. */
const NUMBERS_MOST = 30;
/** More numbers than this are not asked one by one whether they are blocked. */
const BLACKLIST_MOST = 200;

/**
 * Looks for an attempt whose outcome is unknown in the gateway's own lists, and writes down what they prove. It
 * makes no call that changes anything, and never sends. What the lists cannot prove within a day is asked of a person.
 */
export function createReconciler({ reconciles, gateways, clock }: ReconcilerDeps) {
  return async (
    attemptId: string,
    { log, takePlace }: Pick<TaskContext, 'log' | 'takePlace'>,
  ): Promise<void> => {
    const doubt = await reconciles.doubt(attemptId);
    if (doubt === null || !takePlace(doubt.account)) return;
    const again = async (look: WholeLook | null) =>
      await reconciles.keepOpen(attemptId, look, nextLookSeconds(doubt) * 1000);
    try {
      const gateway = await openGateway(doubt.bindingId);
      const { settlement, look } = await judge(doubt, gateway);
      log.info(
        { attempt: attemptId, found: settlement.kind, checks: doubt.checks },
        'an unknown call was looked for',
      );
      await write(doubt, settlement, look, again);
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.info({ err: error, attempt: attemptId }, 'the lists could not be read; they are read again');
      if (isOver(doubt)) await write(doubt, noEvidence(doubt), null, again);
      else await again(null);
    }
  };

  async function openGateway(bindingId: string): Promise<SmsGateway | null> {
    try {
      const gateway = await gateways.of(bindingId);
      return gateway.has('outbox') ? gateway : null;
    } catch (error) {
      if (isAppError(error, 'not_connected')) return null;
      throw error;
    }
  }

  async function judge(
    doubt: DoubtView,
    gateway: SmsGateway | null,
  ): Promise<{ readonly settlement: Resolution; readonly look: WholeLook | null }> {
    // Without lists, or without a text to look for, no time makes it clearer.
    if (gateway === null || doubt.messages === null) return { settlement: noEvidence(doubt), look: null };
    const habits = await studyGateway(gateway, await reconciles.acceptedCalls(doubt.bindingId));
    const { clock: offset, countsRecipients } = habits;
    const window = {
      from: Math.floor(doubt.from + offset.ahead - offset.give - EARLY_SECONDS),
      to: Math.ceil(doubt.to + offset.ahead + offset.give + LAG_SECONDS),
    };
    const beside = await reconciles.unnamed(doubt.attemptId, {
      from: window.from - offset.ahead - offset.give,
      to: window.to - offset.ahead + offset.give,
    });
    const unnamed = beside.map(({ recipient, messageId: id, from, to, isSure }) => ({
      recipient,
      id,
      isSure,
      window: {
        from: Math.floor(from + offset.ahead - offset.give),
        to: Math.ceil(to + offset.ahead + offset.give),
      },
    }));
    // A call beside ours may have its rows a little earlier than ours can be.
    const span = { ...window, from: Math.min(window.from, ...unnamed.map((each) => each.window.from)) };
    const { rows, complete } = await lookIntoOutbox(gateway, span, { clock, countsRecipients });
    const found = new Set(rows.map(({ recipient }) => recipient));
    const absent = [...doubt.messages.keys()].filter((recipient) => !found.has(recipient));
    const passed = doubt.now + offset.ahead > window.to;
    const look: WholeLook | null = complete && passed ? { at: doubt.now, absent } : null;
    const lines = new Set([...doubt.messages.values()].map(({ line }) => line));
    const evidence = {
      complete,
      clockKnown: offset.known,
      settled: look !== null && agrees(doubt.lastLook, look),
      exhausted: isOver(doubt),
      endings: [...lines].flatMap((line) => habits.endings.get(line) ?? []),
      unnamed,
      blocked:
        absent.length === 0 || found.size === 0 ? new Set<string>() : await blockedOf(lines, gateway, absent),
    };
    const inDoubt = { messages: doubt.messages, window, callSeconds: doubt.to - doubt.from };
    const conclude = async (listed: readonly ListedMessage[]): Promise<Resolution> => {
      const taken = await reconciles.claimed(
        doubt.attemptId,
        listed.map(({ id, recipient }) => ({ messageId: id, recipient })),
      );
      const claimed = ({ id, recipient }: ListedMessage) => taken.has(`${id} ${recipient}`);
      return resolve(inDoubt, { ...evidence, rows: listed, claimed });
    };
    const settlement = await conclude(rows);
    if (settlement.kind !== 'asked' || settlement.absent.length > NUMBERS_MOST) return { settlement, look };
    // Before a person is asked about a few, each of them is looked at by itself.
    const single = await lookAtNumbers(gateway, settlement.absent, span.from);
    return { settlement: await conclude([...rows, ...single]), look };
  }

  /** Those of some recipients that the one line of their messages must not send to. */
  async function blockedOf(
    lines: ReadonlySet<string>,
    gateway: SmsGateway,
    absent: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const [line, ...others] = lines;
    if (
      line === undefined ||
      others.length > 0 ||
      absent.length > BLACKLIST_MOST ||
      !gateway.has('blacklist')
    )
      return new Set();
    return new Set(await gateway.use('blacklist').blocked(line, absent));
  }

  async function write(
    { attemptId }: DoubtView,
    settlement: Resolution,
    look: WholeLook | null,
    again: (look: WholeLook | null) => Promise<void>,
  ): Promise<void> {
    if (settlement.kind === 'open') return await again(look);
    const { claims } = settlement;
    const written =
      settlement.kind === 'sent'
        ? await reconciles.found(attemptId, claims, settlement.shared)
        : await reconciles.ask(attemptId, { ...settlement, found: claims, look });
    // Settled by somebody else, or some of its rows were: another look tells.
    if (!written) await again(look);
  }
}

function noEvidence({ recipients }: DoubtView): Resolution {
  return { kind: 'asked', proven: false, claims: [], blocked: [], absent: recipients };
}

function isOver({ now, to }: DoubtView): boolean {
  return now - to > DAY_SECONDS;
}

function nextLookSeconds({ now, to }: DoubtView): number {
  const age = now - to;
  const next = LOOK_AFTER_SECONDS.find((seconds) => seconds > age);
  return next === undefined ? HOUR_SECONDS : next - age;
}

function agrees(before: WholeLook | null, look: WholeLook): boolean {
  if (before === null || look.at - before.at < APART_SECONDS) return false;
  const absent = new Set(before.absent);
  return absent.size === look.absent.length && look.absent.every((recipient) => absent.has(recipient));
}
