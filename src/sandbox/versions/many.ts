import { refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import type { SendRequest } from '../world/send.ts';

/** Four lists side by side, one element of each for every message. */
export type ManyInput = {
  readonly fromArray: readonly string[];
  readonly recipients: readonly string[];
  readonly messageArray: readonly string[];
  readonly typeArray: readonly boolean[];
};

/** Pairs the elements up; refused when the lists differ in length. */
export function sendsOf(input: ManyInput): SendRequest[] | Refusal {
  const { fromArray, recipients, messageArray, typeArray } = input;
  const lists = Object.entries({ fromArray, recipients, messageArray, typeArray });
  if (new Set(lists.map(([, list]) => list.length)).size > 1) {
    const lengths = lists.map(([name, list]) => `${name} ${list.length}`).join(', ');
    return refuse('unequal_lengths', { why: `the lists differ in length: ${lengths}` });
  }
  return recipients.map((recipient, index) => ({
    from: fromArray[index] ?? '',
    recipients: [recipient],
    message: messageArray[index] ?? '',
    flash: typeArray[index] ?? false,
  }));
}
