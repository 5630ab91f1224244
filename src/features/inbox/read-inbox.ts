import { isAppError, type AppError } from '../../domain/errors.ts';
import { auditDay, type InboxFacts } from '../../domain/inbound.ts';
import type { SmsGateway } from '../../ports/gateway.ts';
import type { AccountWork, PollEnd } from '../../ports/inbound.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { capture } from './capture.ts';
import { auditInbox } from './inbox-audit.ts';
import { listsRead, markRead } from './mark-read.ts';

export interface ReadDeps {
  readonly accounts: Pick<Stores['accounts'], 'receiving' | 'change'>;
  readonly inbound: Pick<Stores['inbound'], 'keep' | 'counted'>;
  readonly alarms: Pick<Stores['alarms'], 'find' | 'tell'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Of chats that have set none. */
  readonly timeZone: string;
}

/** Holds the account for so many seconds more; false: it is somebody else's by now, or the process stops. */
export type MayGoOn = (seconds?: number) => Promise<boolean>;

export interface InboxRead {
  readonly end: Omit<PollEnd, 'next' | 'ok'>;
  /** Something was stored: others may follow soon. */
  readonly isFresh: boolean;
  /** What the gateway did not do: what is left of it is done at the next poll. */
  readonly error: AppError | null;
}

/** A fetch that marks messages read may take a minute. */
const FETCH_SECONDS = 75;

/**
 * Captures what an account has received; once a day everything is read and held against the gateway's counts; then,
 * where a team wants that, it is marked read. Null when the account went to somebody else.
 */
export async function readInbox(
  deps: ReadDeps,
  work: AccountWork,
  gateway: SmsGateway,
  mayGoOn: MayGoOn,
): Promise<InboxRead | null> {
  const { accounts, inbound, alarms, clock, log } = deps;
  const { accountId, chatId } = work;
  const inbox = gateway.use('inbox');
  const timeZone = work.timeZone ?? deps.timeZone;
  const day = auditDay(clock.now(), timeZone, accountId, work.auditedOn);
  // Once a day the order and the totals of the list are learned anew.
  const whole = day !== null || work.receivingAt !== null;
  let stored = 0;
  const counting: Pick<Stores['inbound'], 'keep'> = {
    async keep(...page) {
      const kept = await inbound.keep(...page);
      stored += kept.stored.length;
      return kept;
    },
  };
  let end: InboxRead['end'] = {};
  try {
    const captured = await capture({ inbox, inbound: counting, work, whole, mayGoOn });
    if (captured === null) return null;
    const { inboxTotal, newestFirst, all, changed } = captured;
    end = { inboxTotal, newestFirst, inboxOk: true, ...(all ? { readWhole: true } : {}) };
    if (changed > 0) await tell({ reason: 'changed', count: changed });
    if (work.receivingAt !== null && captured.whole) await accounts.receiving(accountId, false);
    if (day !== null && (await audit())) end = { ...end, auditedOn: day };
    if (work.marksRead && (work.receivingAt === null || captured.whole)) await mark();
    return { end, isFresh: stored > 0, error: null };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    log.warn({ err: error, accountId }, 'an inbox was not read to the end');
    // What was stored by half a scan no longer fits the count that is known.
    if (end.inboxOk !== true) end = stored > 0 ? { inboxTotal: null } : {};
    // Counts that are refused today are refused tomorrow too: the day is over with.
    else if (day !== null && error.code === 'gateway_refused') end = { ...end, auditedOn: day };
    return { end, isFresh: stored > 0, error };
  }

  async function tell(facts: InboxFacts): Promise<void> {
    await alarms.tell({ chatId, kind: 'inbox', facts });
  }

  async function audit(): Promise<boolean> {
    if (!gateway.has('counts')) return true;
    const missing = await auditInbox({
      counts: gateway.use('counts'),
      inbound,
      accountId,
      timeZone,
      now: clock.now(),
      rescan: async () => void (await capture({ inbox, inbound: counting, work, whole: true, mayGoOn })),
      mayGoOn,
    });
    if (missing === null) return false;
    if (missing.length > 0)
      log.warn({ accountId, days: missing.length }, 'the gateway counts more than it lists');
    const facts: InboxFacts = { reason: 'counts', days: missing };
    const level = missing.length > 0 ? 1 : 0;
    await alarms.find({ chatId, accountId, kind: 'inbox', subject: 'counts', level, facts });
    return true;
  }

  async function mark(): Promise<void> {
    if ((await listsRead(inbox)) === false) {
      // A fetch with a lost answer would lose what it marked.
      await accounts.change(accountId, { marksRead: false });
      await tell({ reason: 'marking' });
      return;
    }
    await markRead({
      inbox,
      inbound: counting,
      accounts,
      accountId,
      mayGoOn: async () => await mayGoOn(FETCH_SECONDS),
    });
  }
}

function isGatewayError(error: unknown): error is AppError {
  return (
    isAppError(error, 'gateway_no_answer') ||
    isAppError(error, 'gateway_unreadable') ||
    isAppError(error, 'gateway_refused')
  );
}
