import type { GaugeDue, GaugeStore } from '../ports/gauge.ts';
import { TELLING_PARTS, type Paid } from '../domain/price.ts';
import type { Database } from './database.ts';
import { gaugeIn, STALE_CREDIT_SECONDS } from './gauge-in.ts';

const CREDIT_SECONDS = 60;
const PRICES_SECONDS = 86_400;
/** Prices that few parts have told are looked at again when more was sent, but not all the time. */
const FEW_PARTS = 200;
const FEW_PARTS_SECONDS = 600;
/** The gateway counts a message some seconds after it was accepted. */
const LAG_SECONDS = 30;

/** What is known of the money of each account. */
export function createGaugeStore({ sql }: Database): GaugeStore {
  return {
    of: async (bindingId) => await gaugeIn(sql, bindingId),

    async due(bindingId) {
      const [row] = await sql<GaugeDue[]>`
        select
          coalesce(g.credit_at <= now() - ${CREDIT_SECONDS} * interval '1 second' or s.at > g.credit_at, true) as credit,
          coalesce(g.credit_at <= now() - ${STALE_CREDIT_SECONDS} * interval '1 second', true) as "creditIsStale",
          coalesce(g.learned_at <= now() - ${PRICES_SECONDS} * interval '1 second'
            or (s.at > g.learned_at - ${LAG_SECONDS} * interval '1 second' and (g.all_parts < ${TELLING_PARTS}
              or (g.all_parts < ${FEW_PARTS} and g.learned_at <= now() - ${FEW_PARTS_SECONDS} * interval '1 second'))),
            true) as prices
        from binding b
        left join account_gauge g on g.binding_id = b.id
        cross join lateral (
          select coalesce(max(ended_at), '-infinity') as at from job where binding_id = b.id and state <> 'undone') s
        where b.id = ${bindingId} and b.state = 'live'`;
      return row ?? { credit: false, creditIsStale: false, prices: false };
    },

    async saveCredit(bindingId, credit) {
      await sql`
        insert into account_gauge (binding_id, credit_rial, credit_at) values (${bindingId}, ${credit}, now())
        on conflict (binding_id) do update set credit_rial = excluded.credit_rial, credit_at = excluded.credit_at`;
    },

    async savePrices(bindingId, { prices, rialPerDay }) {
      const [gsm, ucs2, all] = [amounts(prices.gsm7), amounts(prices.ucs2), amounts(prices.all)];
      await sql`
        insert into account_gauge as g (binding_id, gsm_cost, gsm_parts, ucs2_cost, ucs2_parts, all_cost, all_parts,
          burn_rial_per_day, learned_at)
        values (${bindingId}, ${gsm.cost}, ${gsm.parts}, ${ucs2.cost}, ${ucs2.parts}, ${all.cost}, ${all.parts}, ${rialPerDay}, now())
        on conflict (binding_id) do update set
          (gsm_cost, gsm_parts) = (select case when t then excluded.gsm_cost else g.gsm_cost end,
            case when t then excluded.gsm_parts else g.gsm_parts end
            from (select excluded.gsm_parts >= least(${TELLING_PARTS}, g.gsm_parts)) as told(t)),
          (ucs2_cost, ucs2_parts) = (select case when t then excluded.ucs2_cost else g.ucs2_cost end,
            case when t then excluded.ucs2_parts else g.ucs2_parts end
            from (select excluded.ucs2_parts >= least(${TELLING_PARTS}, g.ucs2_parts)) as told(t)),
          (all_cost, all_parts) = (select case when t then excluded.all_cost else g.all_cost end,
            case when t then excluded.all_parts else g.all_parts end
            from (select excluded.all_parts >= least(${TELLING_PARTS}, g.all_parts)) as told(t)),
          burn_rial_per_day = excluded.burn_rial_per_day, learned_at = excluded.learned_at`;
    },

    async scheduled(bindingId) {
      const [row] = await sql<{ sends: number; rial: string; unpriced: number }[]>`
        select count(*)::int as sends, coalesce(sum(price_rial), 0) as rial,
          (count(*) filter (where price_rial is null))::int as unpriced
        from job where binding_id = ${bindingId} and state = 'scheduled'`;
      return { sends: row?.sends ?? 0, rial: Number(row?.rial ?? 0), unpriced: row?.unpriced ?? 0 };
    },
  };
}

/** The driver sends whole numbers of any size as text. */
function amounts({ cost, parts }: Paid): { cost: string; parts: string } {
  return { cost: cost.toString(), parts: parts.toString() };
}
