import type { Rial } from './gateway.ts';

/** What the task that keeps a gauge is told. The card of a draft is brought up to what it then says. */
export interface GaugeWork {
  readonly bindingId: string;
  readonly draftId?: string;
  /** The print of the estimate that the card was made with: it is left alone while it says the same. */
  readonly shown?: string;
}

/** What scheduled sends will need of the credit. */
export interface Scheduled {
  readonly sends: number;
  /** Of those that have a price. */
  readonly rial: Rial;
  /** Sends without a known price. */
  readonly unpriced: number;
  /** What those of other chats will need that have the same account. */
  readonly elsewhere: Rial;
}
