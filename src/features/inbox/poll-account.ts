import { isAppError, type AppError } from '../../domain/errors.ts';
import { inboxPauseMs } from '../../domain/inbound.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AccountWork, Evaluator, PollEnd } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import { readInbox, type InboxRead, type MayGoOn, type ReadDeps } from './read-inbox.ts';

export interface PollDeps extends ReadDeps {
  readonly accounts: Pick<Stores['accounts'], 'end' | 'receiving' | 'change'>;
  readonly gateways: Pick<Gateways, 'of'>;
  /** Looks at credit and account details. */
  readonly evaluator: Evaluator;
  readonly inboxSeconds: number;
  readonly creditSeconds: number;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Account details hardly change. */
const DETAILS_SECONDS = 21_600;
/** So many polls without an answer make an alarm. */
const UNREACHABLE_AFTER = 3;

/**
 * Does what is due of one account, writes down what is next, and lets the account go. A gateway that does not answer,
 * or answers nothing that can be read, is asked less and less often, and never given up.
 */
export async function pollAccount(
  deps: PollDeps,
  work: AccountWork,
  owner: string,
  mayGoOn: MayGoOn,
): Promise<void> {
  const { accounts, gateways, evaluator } = deps;
  try {
    const gateway = await gateways.of(work.bindingId);
    const canRead = gateway.has('inbox');
    const inbox = work.due.inbox && canRead ? await readInbox(deps, work, gateway, mayGoOn) : NOTHING_DUE;
    if (inbox === null) return;
    const isMoneyDue = (work.due.credit || work.due.details) && !isUnreachable(inbox.error);
    const money = isMoneyDue ? await attempt(evaluator, work) : { next: {}, error: null };
    const away = [inbox.error, money.error].find(isUnreachable) ?? null;
    const wasAsked = inbox !== NOTHING_DUE || isMoneyDue;
    const failures = away !== null ? work.failures + 1 : wasAsked ? 0 : work.failures;
    if (wasAsked) await tellOfGateway(deps, work, away, failures);
    const next = nextOf(deps, work, { canRead, isFresh: inbox.isFresh, failures, money: money.next });
    await accounts.end(work.accountId, owner, {
      ...inbox.end,
      next,
      ...(wasAsked ? { ok: away === null } : {}),
    });
  } catch (error) {
    // Its binding has ended meanwhile: the account sleeps.
    if (!isAppError(error, 'not_connected')) throw error;
    await accounts.end(work.accountId, owner, { next: {} });
  }
}

const NOTHING_DUE: InboxRead = { end: {}, isFresh: false, error: null };

/** What is the gateway's fault is a result; everything else is thrown. */
async function attempt(
  evaluator: Evaluator,
  work: AccountWork,
): Promise<{ readonly next: Evaluated; readonly error: AppError | null }> {
  try {
    return { next: (await evaluator(work)) ?? {}, error: null };
  } catch (error) {
    if (isUnreachable(error) || isAppError(error, 'gateway_refused')) return { next: {}, error };
    throw error;
  }
}

type Evaluated = Exclude<Awaited<ReturnType<Evaluator>>, void>;

function isUnreachable(error: unknown): error is AppError {
  return isAppError(error, 'gateway_no_answer') || isAppError(error, 'gateway_unreadable');
}

/** Begins the alarm about a gateway that does not answer, or ends it, before the poll is written down as over. */
async function tellOfGateway(
  { alarms }: PollDeps,
  { chatId, accountId, failures: before, failingSince }: AccountWork,
  away: AppError | null,
  failures: number,
): Promise<void> {
  const finding = { chatId, accountId, kind: 'gateway', subject: '' } as const;
  if (away !== null && failures >= UNREACHABLE_AFTER) {
    const reason = isAppError(away, 'gateway_unreadable') ? 'unreadable' : 'no_answer';
    await alarms.find({
      ...finding,
      level: 1,
      facts: { reason, since: failingSince?.toISOString() ?? null },
    });
  }
  if (away === null && before >= UNREACHABLE_AFTER) await alarms.find({ ...finding, level: 0, facts: {} });
}

function nextOf(
  { inboxSeconds, creditSeconds, random }: PollDeps,
  { due, sinceInboundMs }: AccountWork,
  found: {
    readonly canRead: boolean;
    readonly isFresh: boolean;
    readonly failures: number;
    readonly money: Evaluated;
  },
): PollEnd['next'] {
  const { canRead, isFresh, failures, money } = found;
  const inboxMs = inboxPauseMs({
    baseMs: inboxSeconds * 1000,
    sinceInboundMs: isFresh ? 0 : sinceInboundMs,
    failures,
    random: random(),
  });
  const creditMs = money.creditMs ?? creditSeconds * 1000 * (1 - random() / 10);
  const isAway = failures > 0;
  return {
    ...(due.inbox ? { inboxMs: canRead ? inboxMs : null } : {}),
    ...(due.credit ? { creditMs } : {}),
    ...(due.details ? { detailsMs: money.detailsMs ?? (isAway ? creditMs : DETAILS_SECONDS * 1000) } : {}),
  };
}
