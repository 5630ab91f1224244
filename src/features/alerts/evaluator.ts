import { creditLevel, creditLimit, expiryLevel, unfit } from '../../domain/credit-alarm.ts';
import { isAppError } from '../../domain/errors.ts';
import type { SmsGateway } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AccountWork, Evaluator } from '../../ports/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';

export interface EvaluatorDeps {
  readonly alarms: Pick<Stores['alarms'], 'find' | 'settings'>;
  readonly reads: Pick<Stores['alertReads'], 'waiting'>;
  readonly accounts: Pick<Stores['accounts'], 'settings' | 'change'>;
  readonly bindings: Pick<Stores['bindings'], 'identify'>;
  readonly gauges: Pick<Stores['gauges'], 'of' | 'readCredit'>;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly creditSeconds: number;
}

const DAY_MS = 86_400_000;
const DETAILS_MS = 6 * 3_600_000;
/** What is wrong with an account is looked at more often, so that its end is told soon. */
const DETAILS_AMISS_MS = 30 * 60_000;
/** Where nothing spends any credit, it is read less often by this factor. */
const QUIET_FACTOR = 6;

/** Reads what is due of an account and finds what the team should know of it. Throws as the gateway's reads do. */
export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  const { gateways } = deps;
  return async (work) => {
    const gateway = await gateways.of(work.bindingId);
    const creditMs = work.due.credit ? await evaluateCredit(deps, work, gateway) : undefined;
    const detailsMs = work.due.details ? await evaluateDetails(deps, work, gateway) : undefined;
    return {
      ...(creditMs === undefined ? {} : { creditMs }),
      ...(detailsMs === undefined ? {} : { detailsMs }),
    };
  };
}

async function evaluateCredit(deps: EvaluatorDeps, work: AccountWork, gateway: SmsGateway): Promise<number> {
  const { alarms, reads, accounts, gauges, creditSeconds } = deps;
  if (!gateway.has('credit')) return DAY_MS;
  const credit = await unlessInactive(deps, work, () =>
    gauges.readCredit(work.bindingId, () => gateway.use('credit').credit()),
  );
  if (credit === null) return creditSeconds * 1000;
  const settings = await accounts.settings(work.accountId);
  const first = settings?.firstCreditRial ?? credit;
  if (settings?.firstCreditRial === null) await accounts.change(work.accountId, { firstCreditRial: credit });

  const set = (await alarms.settings(work.chatId)).find(({ kind }) => kind === 'credit')?.threshold ?? null;
  const gauge = await gauges.of(work.bindingId);
  const waiting = await reads.waiting(work.bindingId);
  const allShort = unfit(credit - (gauge?.committed ?? 0), waiting);
  const short = allShort.filter(({ isElsewhere }) => isElsewhere !== true);
  const named = short.slice(0, 3);
  const before = waiting.filter(
    (each) => each.isElsewhere === true && !allShort.includes(each) && each.at <= (named.at(-1)?.at ?? 0),
  );
  const limit = creditLimit(set, first);
  const level = limit === null ? 0 : creditLevel(credit, limit, short.length === 0);
  const facts = {
    credit,
    limit,
    perDay: gauge?.rialPerDay ?? null,
    at: deps.clock.now().getTime(),
    unfit: named.map(({ jobId, code, rial, at }) => ({ jobId, code, rial, at: at.getTime() })),
    // What leaves before the last of them by the credit of this account, which nobody in this chat sees.
    elsewhere: before.reduce((sum, { rial }) => sum + (rial ?? 0), 0),
  };
  const common = { chatId: work.chatId, accountId: work.accountId, kind: 'credit', facts } as const;
  if (level !== null) {
    await alarms.find({ ...common, subject: '', level });
    // While the credit is low anyway, its own alarm names the sends.
    await alarms.find({ ...common, subject: 'fit', level: short.length > 0 && level === 0 ? 1 : 0 });
  }

  const isQuiet =
    waiting.length === 0 && (gauge?.rialPerDay ?? 0) === 0 && level === 0 && gauge?.committed === 0;
  return creditSeconds * 1000 * (isQuiet ? QUIET_FACTOR : 1);
}

async function evaluateDetails(deps: EvaluatorDeps, work: AccountWork, gateway: SmsGateway): Promise<number> {
  const { alarms, accounts, bindings, clock } = deps;
  if (!gateway.has('account')) return DAY_MS;
  const details = await unlessInactive(deps, work, async () => await gateway.use('account').details());
  if (details === null) return DETAILS_AMISS_MS;
  await bindings.identify(work.bindingId, details);
  const expiresAt = details.expiresAt === undefined ? null : new Date(details.expiresAt * 1000);
  await accounts.change(work.accountId, { status: details.type ?? null, expiresAt });
  const level = expiresAt === null ? 0 : expiryLevel(expiresAt, clock.now());
  await alarms.find({
    chatId: work.chatId,
    accountId: work.accountId,
    kind: 'account',
    subject: 'expiry',
    level,
    facts: { expiresAt: expiresAt?.getTime() ?? null },
  });
  return level === 0 ? DETAILS_MS : DETAILS_AMISS_MS;
}

/** An account that the gateway says is not active is a condition; every other failure is the caller's. Null: it is not. */
async function unlessInactive<T>(
  { alarms, accounts }: EvaluatorDeps,
  work: AccountWork,
  read: () => Promise<T>,
): Promise<T | null> {
  const common = {
    chatId: work.chatId,
    accountId: work.accountId,
    kind: 'account',
    subject: 'status',
  } as const;
  try {
    const value = await read();
    await alarms.find({ ...common, level: 0, facts: {} });
    return value;
  } catch (error) {
    if (!isAppError(error, 'gateway_refused') || error.params['table'] !== 'user') throw error;
    const status = String(error.params['name'] ?? '');
    await accounts.change(work.accountId, { status });
    await alarms.find({
      ...common,
      level: 1,
      facts: { status },
    });
    return null;
  }
}
