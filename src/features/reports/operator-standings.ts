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
/** What the gateway has taken, however it ended. */
const CHARGED: ReadonlySet<string> = new Set(['accepted', 'sent']);

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

/**
 * The same of sends, as a summary has them; empty, too, where the numbers of some of them are not kept any more.
 * @param paid the one text that all of them got, and what parts cost by then; null: that is not known
 */
export async function operatorsOf(
  reports: Pick<Stores['reports'], 'operators'>,
  { draftIds, line }: { readonly draftIds: readonly string[]; readonly line: string | null },
  { recipients: all }: Pick<JobSummary, 'recipients'>,
  paid: { readonly text: string; readonly prices: Prices } | null = null,
): Promise<readonly OperatorStanding[]> {
  if (all < LEAST) return [];
  const tallies = await reports.operators(draftIds, line);
  if (tallies.reduce((sum, { recipients }) => sum + recipients, 0) !== all) return [];
  const costOf = (operator: Operator): Rial | null => {
    if (paid === null) return null;
    const own = tallies.filter((tally) => tally.operator === operator && CHARGED.has(tally.call));
    const { encoding, parts } = measureMessage(paid.text);
    const taken = own.reduce((sum, { recipients }) => sum + recipients, 0);
    return priceOf([{ operator, encoding, parts: parts * taken }], paid.prices);
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
