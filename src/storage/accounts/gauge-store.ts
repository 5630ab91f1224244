import type { Scheduled } from '../../ports/gauge.ts';
import type { Gauge, Paid, Price, Prices } from '../../domain/price.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Database } from '../database/database.ts';
import { jsonText } from '../json.ts';
import { endedLately, gaugeIn, STALE_CREDIT_SECONDS } from './gauge-in.ts';
import { liveBindingsOfUser } from './gateway-user.ts';

const CREDIT_SECONDS = 60;
const PRICES_SECONDS = 86_400;
/** After an account's first sends the next card shows their price. */
const FIRST_PARTS = 20;
/** When something left whose price was not known, it is looked for, but not all the time. */
const UNPRICED_SECONDS = 600;
/** The gateway counts a message some seconds after it was accepted. */
const LAG_SECONDS = 30;

/** What should be asked of the gateway anew. */
interface GaugeDue {
  /** Whose it is; null when it is not linked any more. */
  readonly account: string | null;
  /** The credit is older than a minute, or something has been sent since. */
  readonly credit: boolean;
  /** It is older than anybody may go by. */
  readonly creditIsStale: boolean;
  readonly prices: boolean;
  /** The database's clock: what is asked for from here on is as of this moment. */
  readonly at: string | null;
}

/** What is known of the money of each account, learned from the account itself. */
export function createGaugeStore({ sql }: Database) {
  return {
    of: async (bindingId: string): Promise<Gauge | null> => await gaugeIn(sql, bindingId),

    /** Nothing is due of an account that is not linked any more. */
    async due(bindingId: string): Promise<GaugeDue> {
      const [row] = await sql<GaugeDue[]>`
        select b.gateway_user as account, clock_timestamp()::text as at,
          coalesce(g.credit_at <= now() - ${CREDIT_SECONDS} * interval '1 second' or s.at > g.credit_at, true) as credit,
          coalesce(g.credit_at <= now() - ${STALE_CREDIT_SECONDS} * interval '1 second', true) as "creditIsStale",
          coalesce(g.learned_at <= now() - ${PRICES_SECONDS} * interval '1 second'
            or (s.at > g.learned_at - ${LAG_SECONDS} * interval '1 second' and g.gsm_parts + g.ucs2_parts < ${FIRST_PARTS})
            or (s.unpriced_at > g.learned_at - ${LAG_SECONDS} * interval '1 second'
              and g.learned_at <= now() - ${UNPRICED_SECONDS} * interval '1 second'),
            true) as prices
        from binding b
        left join account_gauge g on g.binding_id = b.id
        cross join lateral (
          select coalesce(max(ended_at), '-infinity') as at,
            coalesce(max(ended_at) filter (where price_rial is null), '-infinity') as unpriced_at
          from job j where binding_id = b.id and state <> 'undone' and ${endedLately(sql, 'j')}) s
        where b.id = ${bindingId} and b.state = 'live'`;
      return row ?? { account: null, at: null, credit: false, creditIsStale: false, prices: false };
    },

    /**
     * Asks for the credit, keeps the answer as of the moment it was asked for, and returns it. An answer that was asked
     * for before the one that is kept changes nothing. Throws what asking throws.
     * @param since the database's clock as it was read before; null: it is read now.
     */
    async readCredit(
      bindingId: string,
      ask: () => Promise<Rial>,
      since: string | null = null,
    ): Promise<Rial> {
      const at = since ?? (await now());
      const credit = await ask();
      await sql`
        insert into account_gauge as g (binding_id, credit_rial, credit_at)
        values (${bindingId}, ${credit}, ${at}::text::timestamptz)
        on conflict (binding_id) do update set credit_rial = excluded.credit_rial, credit_at = excluded.credit_at
        where g.credit_at is null or g.credit_at <= excluded.credit_at`;
      return credit;
    },

    /** The price of an encoding of which nothing was seen now stays as it was known before. */
    async savePrices(
      bindingId: string,
      { prices, rialPerDay }: { readonly prices: Prices; readonly rialPerDay: Rial | null },
    ): Promise<void> {
      const [gsm, ucs2] = [amounts(prices.gsm7), amounts(prices.ucs2)];
      await sql`
        insert into account_gauge as g (binding_id, gsm_cost, gsm_parts, gsm_operators, ucs2_cost, ucs2_parts, ucs2_operators,
          burn_rial_per_day, learned_at)
        values (${bindingId}, ${gsm.cost}, ${gsm.parts}, ${operatorCosts(prices.gsm7)}::text::jsonb,
          ${ucs2.cost}, ${ucs2.parts}, ${operatorCosts(prices.ucs2)}::text::jsonb, ${rialPerDay}, now())
        on conflict (binding_id) do update set
          gsm_cost = case when excluded.gsm_parts > 0 then excluded.gsm_cost else g.gsm_cost end,
          gsm_parts = case when excluded.gsm_parts > 0 then excluded.gsm_parts else g.gsm_parts end,
          gsm_operators = case when excluded.gsm_parts > 0 then excluded.gsm_operators else g.gsm_operators end,
          ucs2_operators = case when excluded.ucs2_parts > 0 then excluded.ucs2_operators else g.ucs2_operators end,
          ucs2_cost = case when excluded.ucs2_parts > 0 then excluded.ucs2_cost else g.ucs2_cost end,
          ucs2_parts = case when excluded.ucs2_parts > 0 then excluded.ucs2_parts else g.ucs2_parts end,
          burn_rial_per_day = excluded.burn_rial_per_day, learned_at = excluded.learned_at`;
    },

    async scheduled(bindingId: string): Promise<Scheduled> {
      const own = sql`j.binding_id = ${bindingId}`;
      const [row] = await sql<{ sends: number; rial: string; unpriced: number; elsewhere: string }[]>`
        select (count(*) filter (where ${own}))::int as sends, coalesce(sum(j.price_rial) filter (where ${own}), 0) as rial,
          (count(*) filter (where ${own} and j.price_rial is null))::int as unpriced,
          coalesce(sum(j.price_rial) filter (where not ${own}), 0) as elsewhere
        from job j where j.binding_id in ${liveBindingsOfUser(sql, bindingId)} and j.state = 'scheduled'`;
      const { sends = 0, rial = 0, unpriced = 0, elsewhere = 0 } = row ?? {};
      return { sends, rial: Number(rial), unpriced, elsewhere: Number(elsewhere) };
    },
  };

  async function now(): Promise<string | null> {
    const [clock] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`;
    return clock?.now ?? null;
  }
}

function operatorCosts({ operators }: Price): string | null {
  if (operators === undefined) return null;
  const costs = Object.entries(operators).map(([operator, paid]) => {
    const { cost, parts } = amounts(paid);
    return [operator, [cost, parts]];
  });
  return jsonText(Object.fromEntries(costs));
}

/** The driver sends whole numbers of any size as text. */
function amounts({ cost, parts }: Paid): { cost: string; parts: string } {
  return { cost: cost.toString(), parts: parts.toString() };
}
