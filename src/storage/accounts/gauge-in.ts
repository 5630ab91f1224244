import type { TransactionSql } from 'postgres';
import { FAILED, GONE, IN_DOUBT, UNANSWERED } from '../../domain/attempt.ts';
import { OPERATORS } from '../../domain/operator.ts';
import type { Payload } from '../../domain/outgoing.ts';
import {
  encodedParts,
  estimate,
  type Estimate,
  type Gauge,
  type OperatorPrices,
} from '../../domain/price.ts';
import type { Queryable } from '../database/database.ts';
import { bindingsOfUser } from './gateway-user.ts';
import { listed } from '../move.ts';
import { knownBefore } from '../sending/held-up.ts';
import type { Maybe, Row } from '../row.ts';
import type { OperatorCosts } from '../schema.ts';

/** Nobody goes by a credit that was read longer ago. */
export const STALE_CREDIT_SECONDS = 600;

export type GaugeRow = Row<
  'account_gauge',
  'binding_id as gauge_of' | 'burn_rial_per_day' | 'gsm_operators' | 'ucs2_operators'
> & {
  readonly credit_rial: number | null;
  readonly committed: string;
  readonly gsm_cost: string;
  readonly gsm_parts: string;
  readonly ucs2_cost: string;
  readonly ucs2_parts: string;
};

/** Reads what is known of an account's money now; null before anything was read. */
export async function gaugeIn(tx: Queryable, bindingId: string): Promise<Gauge | null> {
  const [row] = await tx<GaugeRow[]>`
    select ${gaugeColumns(tx)} from account_gauge g where g.binding_id = ${bindingId}`;
  return row === undefined ? null : toGauge(row);
}

/** What a payload would cost by the prices that were learned from its account, and what of the credit is left after it. */
export async function costIn(tx: TransactionSql, bindingId: string, payload: Payload): Promise<Estimate> {
  return estimate(encodedParts(payload), await gaugeIn(tx, bindingId));
}

/** What `toGauge` reads of an account's `g`. */
export function gaugeColumns(sql: Queryable) {
  // What a job has paid since the credit was read, or will pay yet, is the share of its calls in its price. Whichever chat
  // it is of: all bindings of one user have one credit.
  return sql`g.binding_id as gauge_of, g.gsm_cost::text, g.gsm_parts::text, g.ucs2_cost::text, g.ucs2_parts::text, g.gsm_operators, g.ucs2_operators, g.burn_rial_per_day,
      case when g.credit_at > now() - ${STALE_CREDIT_SECONDS} * interval '1 second' then g.credit_rial end as credit_rial,
      (select coalesce(sum(ceil(j.price_rial * c.owed / c.size)), 0)
        from job j cross join lateral (
          select sum(a.size)::numeric as size, coalesce(sum(a.size) filter (where a.state not in ${listed(sql, FAILED)} and (a.ended_at > g.credit_at
            or (a.state in ${listed(sql, UNANSWERED)} and j.ended_at is null))), 0)::numeric as owed
          from attempt a where a.job_id = j.id and (
            a.state in ${listed(sql, [...GONE, ...IN_DOUBT])} or (a.state <> 'closed' and j.ended_at is null and not ${knownBefore(sql)}))
        ) c
        where j.binding_id in ${bindingsOfUser(sql, sql`g.binding_id`)} and j.price_rial is not null and c.size > 0
          and j.state not in ('scheduled', 'missed', 'undone') and (j.ended_at is null or j.ended_at > g.credit_at)
          and ${endedLately(sql, 'j')}
      ) as committed`;
}

/** A condition on a job that has not ended, or did so late enough for whatever is learned of money: prices are a day old at most. */
export function endedLately(sql: Queryable, as: string) {
  return sql`coalesce(${sql(as)}.ended_at, 'infinity') > now() - interval '2 days'`;
}

/** What is known of an account's money now, of a row with `gaugeColumns`; null before anything was read. */
export function toGauge(row: GaugeRow | Maybe<GaugeRow>): Gauge | null {
  if (!isRead(row)) return null;
  const { credit_rial: credit, burn_rial_per_day: burn } = row;
  return {
    prices: {
      gsm7: { cost: BigInt(row.gsm_cost), parts: BigInt(row.gsm_parts), ...operatorsOf(row.gsm_operators) },
      ucs2: {
        cost: BigInt(row.ucs2_cost),
        parts: BigInt(row.ucs2_parts),
        ...operatorsOf(row.ucs2_operators),
      },
    },
    credit: credit === null ? null : credit,
    committed: Number(row.committed),
    rialPerDay: burn === null ? null : burn,
  };
}

function operatorsOf(costs: OperatorCosts | null): { readonly operators?: OperatorPrices } {
  if (costs === null) return {};
  const operators = OPERATORS.flatMap((operator) => {
    const [cost, parts] = costs[operator] ?? [];
    return cost === undefined || parts === undefined
      ? []
      : [[operator, { cost: BigInt(cost), parts: BigInt(parts) }] as const];
  });
  return { operators: Object.fromEntries(operators) };
}

function isRead(row: Maybe<GaugeRow>): row is GaugeRow {
  return row.gauge_of !== null;
}
