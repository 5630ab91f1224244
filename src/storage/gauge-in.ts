import type { Gauge } from '../domain/price.ts';
import type { Queryable } from './database.ts';
import type { Row } from './row.ts';

/** Nobody goes by a credit that was read longer ago. */
export const STALE_CREDIT_SECONDS = 600;

type GaugeRow = Row<'account_gauge', 'burn_rial_per_day'> & {
  readonly credit_rial: number | null;
  readonly committed: string;
  readonly gsm_cost: string;
  readonly gsm_parts: string;
  readonly ucs2_cost: string;
  readonly ucs2_parts: string;
};

/** What is known of an account's money now; null before anything was read. */
export async function gaugeIn(tx: Queryable, bindingId: string): Promise<Gauge | null> {
  // What a job has paid since the credit was read, or will pay yet, is the share of its calls in its price.
  const [row] = await tx<GaugeRow[]>`
    select g.gsm_cost::text, g.gsm_parts::text, g.ucs2_cost::text, g.ucs2_parts::text, g.burn_rial_per_day,
      case when g.credit_at > now() - ${STALE_CREDIT_SECONDS} * interval '1 second' then g.credit_rial end as credit_rial,
      (select coalesce(sum(ceil(j.price_rial * c.owed / c.size)), 0)
        from job j cross join lateral (
          select sum(a.size)::numeric as size, coalesce(sum(a.size) filter (where a.ended_at > g.credit_at
            or (a.state in ('planned', 'reserved', 'on_wire') and j.ended_at is null)), 0)::numeric as owed
          from attempt a where a.job_id = j.id and (
            a.state in ('accepted', 'sent', 'unknown', 'asked') or (a.state <> 'closed' and j.ended_at is null))
        ) c
        where j.binding_id = g.binding_id and j.price_rial is not null and c.size > 0
          and j.state not in ('scheduled', 'missed', 'undone') and (j.ended_at is null or j.ended_at > g.credit_at)
      ) as committed
    from account_gauge g where g.binding_id = ${bindingId}`;
  if (row === undefined) return null;
  const { credit_rial: credit, burn_rial_per_day: burn } = row;
  return {
    prices: {
      gsm7: { cost: BigInt(row.gsm_cost), parts: BigInt(row.gsm_parts) },
      ucs2: { cost: BigInt(row.ucs2_cost), parts: BigInt(row.ucs2_parts) },
    },
    credit: credit === null ? null : credit,
    committed: Number(row.committed),
    rialPerDay: burn === null ? null : burn,
  };
}
