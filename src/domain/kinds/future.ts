import { isTooNearTime, toRecipients, type SendKind } from './kind.ts';

/** One text, kept by the gateway until `at` (epoch seconds), which it is told as a Jalali time in Iran. */
export interface FutureSend {
  readonly kind: 'future';
  readonly at: number;
  readonly local: JalaliTime;
}

/** Parts as text, as the gateway takes them. */
export interface JalaliTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
}

export const future: SendKind<FutureSend> = {
  ...toRecipients(),
  // The lists show it only at its time.
  isListed: false,
  tellsClock: false,
  keptUntil: ({ at }) => at,
  toMissed: (outgoing, { seconds }) => (isTooNearTime(outgoing.at, seconds) ? { kind: 'text' } : outgoing),
};
