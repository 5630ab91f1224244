import type { Gauge, Prices } from '../domain/price.ts';
import type { Rial } from './gateway.ts';

/** What the task that keeps a gauge is told. The card of a draft is brought up to what it then says. */
export interface GaugeWork {
  readonly bindingId: string;
  readonly draftId?: string;
  /** The print of the estimate that the card was made with: it is left alone while it says the same. */
  readonly shown?: string;
}

/** What should be asked of the gateway anew. */
export interface GaugeDue {
  /** Whose it is; null when it is not linked any more. */
  readonly account: string | null;
  /** The credit is older than a minute, or something has been sent since. */
  readonly credit: boolean;
  /** It is older than anybody may go by. */
  readonly creditIsStale: boolean;
  readonly prices: boolean;
}

/** What scheduled sends will need of the credit. */
export interface Scheduled {
  readonly sends: number;
  /** Of those that have a price. */
  readonly rial: Rial;
  /** Sends without a known price. */
  readonly unpriced: number;
}

/** What is known of the money of an account, learned from the account itself. */
export interface GaugeStore {
  of(bindingId: string): Promise<Gauge | null>;
  /** Nothing is due of an account that is not linked any more. */
  due(bindingId: string): Promise<GaugeDue>;
  /**
   * Asks for the credit, keeps the answer as of the moment it was asked for, and returns it. An answer that was asked
   * for before the one that is kept changes nothing. Throws what asking throws.
   */
  readCredit(bindingId: string, ask: () => Promise<Rial>): Promise<Rial>;
  /** The price of an encoding of which nothing was seen now stays as it was known before. */
  savePrices(
    bindingId: string,
    learned: { readonly prices: Prices; readonly rialPerDay: Rial | null },
  ): Promise<void>;
  scheduled(bindingId: string): Promise<Scheduled>;
}
