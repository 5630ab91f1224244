import { deliveryMeaning, type FailureReason } from './delivery-codes.ts';

/** The gateway's own words say more than its numbers. */
const WORDS: readonly (readonly [RegExp, FailureReason])[] = [
  [/برگشت|returned/iu, 'returned'],
  [/(?:نرسید|نشد).*(?:مخابرات|اپراتور)|not.*(?:operator|telecom)/iu, 'operator'],
  [/(?:نرسید|نشد).*(?:گیرنده|گوشی)|not.*(?:handset|recipient)/iu, 'handset'],
];

/** Why a message that is reported as failed or blocked did not arrive, as far as the gateway tells. */
export function failureReason({
  kind,
  raw,
  text,
}: {
  readonly kind: 'failed' | 'blocked';
  readonly raw: number | string;
  readonly text: string;
}): FailureReason {
  if (kind === 'blocked') return 'blocked';
  const word = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  return word ?? deliveryMeaning(raw).reason ?? 'other';
}
