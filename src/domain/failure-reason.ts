/** Why a message did not arrive. */
export const FAILURE_REASONS = ['handset', 'operator', 'returned', 'blocked', 'other'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What the interface says of a delivery that failed: 2 not reached the telecom, 5 the handset, 6 returned; 11 is a sibling's 5. */
const STATUS_OPERATION: Readonly<Record<string, FailureReason>> = {
  2: 'operator',
  5: 'handset',
  6: 'returned',
  11: 'handset',
};
/** In its lists only this number is sure to be of a failure of one kind. */
const LISTS: Readonly<Record<string, FailureReason>> = { 11: 'handset' };

/** The gateway's own words say more than its numbers, of which there are two tables. */
const WORDS: readonly (readonly [RegExp, FailureReason])[] = [
  [/برگشت|returned/iu, 'returned'],
  [/(?:نرسید|نشد).*(?:مخابرات|اپراتور)|not.*(?:operator|telecom)/iu, 'operator'],
  [/(?:نرسید|نشد).*(?:گیرنده|گوشی)|not.*(?:handset|recipient)/iu, 'handset'],
];

/** Why a message that is reported as failed or blocked did not arrive, as far as the gateway tells. */
export function failureReason(
  { kind, raw, text }: { readonly kind: 'failed' | 'blocked'; readonly raw: string; readonly text: string },
  from: 'status' | 'list',
): FailureReason {
  if (kind === 'blocked') return 'blocked';
  const word = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  return word ?? (from === 'status' ? STATUS_OPERATION : LISTS)[raw] ?? 'other';
}
