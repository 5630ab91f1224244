import { isAppError } from '../../domain/errors.ts';
import type { Cap } from '../../domain/limits.ts';
import { learnRialPerPart, parseRial } from '../../domain/money.ts';
import type { SmsGateway } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';

export interface CapDeps {
  readonly gateways: Gateways;
  readonly clock: Clock;
}

export interface PartPrice {
  readonly rial: number;
  readonly from: 'paid' | 'tariff';
}

/** `no_price`: nobody knows what a part costs; `too_small`: not even one part fits under it. */
export type RialCap =
  | { readonly ok: true; readonly cap: Cap; readonly price: PartPrice }
  | { readonly ok: false; readonly reason: 'no_price' }
  | { readonly ok: false; readonly reason: 'too_small'; readonly price: PartPrice };

const LEARNED_OVER_SECONDS = 30 * 86_400;
/** As many as the column of a number holds. */
const MAX_PARTS = 2_000_000_000;

/** Caps in rial: what they come to in parts, for sends whose price is not known. */
export function createCapService({ gateways, clock }: CapDeps) {
  return {
    /** Throws what the gateway's silence throws: then nothing is known, which is not "no price". */
    async inRial(bindingId: string | null, rial: number): Promise<RialCap> {
      const price = bindingId === null ? null : await priceOf(await gateways.of(bindingId));
      if (price === null) return { ok: false, reason: 'no_price' };
      const parts = Math.min(Math.floor(rial / price.rial), MAX_PARTS);
      return parts < 1
        ? { ok: false, reason: 'too_small', price }
        : { ok: true, cap: { unit: 'rial', rial, parts }, price };
    },
  };

  async function priceOf(gateway: SmsGateway): Promise<PartPrice | null> {
    const paid = gateway.has('counts') ? await unlessRefused(() => learned(gateway)) : null;
    if (paid !== null) return { rial: paid, from: 'paid' };
    const tariff = gateway.has('account') ? await unlessRefused(() => named(gateway)) : null;
    return tariff === null ? null : { rial: tariff, from: 'tariff' };
  }

  async function learned(gateway: SmsGateway): Promise<number | null> {
    const to = Math.floor(clock.now().getTime() / 1000);
    return learnRialPerPart(await gateway.use('counts').sent({ from: to - LEARNED_OVER_SECONDS, to }));
  }

  async function named(gateway: SmsGateway): Promise<number | null> {
    const { tariff } = await gateway.use('account').details();
    const rial = tariff === undefined ? null : parseRial(tariff, 'up');
    return rial !== null && rial > 0 ? rial : null;
  }
}

/** An account that may not ask knows no price. */
async function unlessRefused(ask: () => Promise<number | null>): Promise<number | null> {
  try {
    return await ask();
  } catch (error) {
    if (isAppError(error, 'gateway_refused') || isAppError(error, 'gateway_unsupported')) return null;
    throw error;
  }
}
