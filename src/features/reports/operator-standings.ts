import { GONE } from '../../domain/attempt.ts';
import { OPERATORS, type Operator } from '../../domain/operator.ts';
import { measureMessage } from '../../domain/message.ts';
import { priceOf, type Prices } from '../../domain/price.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Stores } from '../../storage/stores.ts';
import { recipientStatus, type JobSummary } from './recipient-status.ts';
import { countShown, shownOf, type Shown, type ShownCounts } from './shape.ts';

/** Where the recipients of one operator stand. */
export interface OperatorStanding {
  readonly operator: Operator;
  readonly messages: number;
  readonly counts: ShownCounts;
  /** About, by the prices that were learned; null where it is not known. */
  readonly cost: Rial | null;
}

/** Of fewer messages in all, shares by operator say nothing. */
const LEAST = 20;
const CHARGED: ReadonlySet<string> = new Set(GONE);

/** Messages by the operator of their recipient, most first; empty where that says nothing: too few, or all of one. */
export function byOperator(
  points: readonly { readonly operator: Operator; readonly shown: Shown; readonly count: number }[],
  costOf: (operator: Operator) => Rial | null = () => null,
): readonly OperatorStanding[] {
  const standings = OPERATORS.flatMap((operator) => {
    const own = points.filter((point) => point.operator === operator);
    const messages = own.reduce((sum, { count }) => sum + count, 0);
    return messages === 0 ? [] : [{ operator, messages, counts: countShown(own), cost: costOf(operator) }];
  });
  const all = standings.reduce((sum, { messages }) => sum + messages, 0);
  if (standings.length < 2 || all < LEAST) return [];
  return standings.toSorted((one, other) => other.messages - one.messages);
}

/** The one text that all recipients of a send got, and what parts cost. */
export interface PaidText {
  readonly text: string;
  readonly prices: Prices;
}

/**
 * The same of sends, as a summary has them; empty, too, where the numbers of some of them are not kept any more.
 * @param paid by draft; what an operator costs is not known where one of its sends is not among them
 */
export async function operatorsOf(
  reports: Pick<Stores['reports'], 'operators'>,
  { draftIds, line }: { readonly draftIds: readonly string[]; readonly line: string | null },
  { recipients: all }: Pick<JobSummary, 'recipients'>,
  paid: ReadonlyMap<string, PaidText> = new Map(),
): Promise<readonly OperatorStanding[]> {
  if (all < LEAST) return [];
  const tallies = await reports.operators(draftIds, line);
  if (tallies.reduce((sum, { recipients }) => sum + recipients, 0) !== all) return [];
  const costOf = (operator: Operator): Rial | null => {
    const taken = new Map<string, number>();
    for (const { draftId, recipients, ...tally } of tallies)
      if (tally.operator === operator && CHARGED.has(tally.call))
        taken.set(draftId, (taken.get(draftId) ?? 0) + recipients);
    const costs = [...taken].map(([draftId, recipients]) =>
      costTo(operator, recipients, paid.get(draftId) ?? null),
    );
    return costs.reduce<Rial | null>(
      (sum, cost) => (sum === null || cost === null ? null : sum + cost),
      costs.length === 0 ? null : 0,
    );
  };
  return byOperator(
    tallies.map(({ operator, recipients, job, ...known }) => ({
      operator,
      shown: shownOf(recipientStatus(known, job)),
      count: recipients,
    })),
    costOf,
  );
}

/** Whether a part of such a text costs more with one operator than with another, as far as that was learned. */
export function differsByOperator({ text, prices }: PaidText): boolean {
  return prices[measureMessage(text).encoding].operators !== undefined;
}

function costTo(operator: Operator, recipients: number, paid: PaidText | null): Rial | null {
  if (paid === null) return null;
  const { encoding, parts } = measureMessage(paid.text);
  return priceOf([{ operator, encoding, parts: parts * recipients }], paid.prices);
}
