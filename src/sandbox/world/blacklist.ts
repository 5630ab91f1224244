import { readRecipient, refuseRecipients } from './numbers.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** A number that one line may not send to. `to` is ten digits, `addedAt` epoch ms. */
export type BlockedNumber = { readonly to: string; readonly setter: string; readonly addedAt: number };

/** The blacklists of one account's lines. Numbers come as clients write them. */
export type Blacklist = {
  /** Oldest first. */
  list(line: string): readonly BlockedNumber[];
  has(line: string, digits: string): boolean;
  /** One verdict for each number, in their order; refused as a whole when one of them is no mobile number. */
  add(
    line: string,
    numbers: readonly string[],
    by: { setter: string; at: number },
  ): { to: string; added: boolean }[] | Refusal;
  remove(line: string, number: string): 'removed' | Refusal;
  size(): number;
};

const MAX_ADDED = 200;

export function createBlacklist(limits: { keepBlocked: number }): Blacklist {
  const lines = new Map<string, Map<string, BlockedNumber>>();

  function of(line: string): Map<string, BlockedNumber> {
    const known = lines.get(line) ?? new Map<string, BlockedNumber>();
    lines.set(line, known);
    return known;
  }

  const size = () => [...lines.values()].reduce((sum, blocked) => sum + blocked.size, 0);

  return {
    size,
    list: (line) => [...(lines.get(line)?.values() ?? [])],
    has: (line, digits) => lines.get(line)?.has(digits) ?? false,
    add(line, numbers, { setter, at }) {
      if (numbers.length > MAX_ADDED)
        return refuse('too_many_numbers', {
          why: `${numbers.length} numbers, and one call takes ${MAX_ADDED}`,
        });
      const read = numbers.map(readRecipient).filter((digits) => digits !== undefined);
      if (read.length < numbers.length) return refuseRecipients(numbers);
      if (size() + read.length > limits.keepBlocked) return refuse('blacklist_full');
      const blocked = of(line);
      return read.map((to) => {
        const added = !blocked.has(to);
        if (added) blocked.set(to, { to, setter, addedAt: at });
        return { to, added };
      });
    },
    remove(line, number) {
      const digits = readRecipient(number);
      if (digits === undefined) return refuseRecipients([number]);
      return lines.get(line)?.delete(digits) === true ? 'removed' : refuse('not_blocked');
    },
  };
}
