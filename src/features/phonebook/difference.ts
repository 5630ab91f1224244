import { normalizeDigits } from '../../domain/phone.ts';
import type { PhonebookChangeKind } from '../../ports/phonebook-changes.ts';
import type { NumberList } from './number-list.ts';

/** What a list of numbers means for a book as it is now. */
export interface Difference {
  /** To put in, or to take out. */
  readonly changing: readonly string[];
  /** In the book already, or not in it. */
  readonly same: readonly string[];
  /** Neither a mobile number nor, when numbers are taken out, anything that the book lists. */
  readonly invalid: NumberList['invalid'];
}

export function compareWithBook(
  kind: Exclude<PhonebookChangeKind, 'delete'>,
  list: NumberList,
  listed: ReadonlySet<string>,
): Difference {
  if (kind !== 'remove') {
    const [changing, same] = split(list.numbers, (number) => !listed.has(number));
    return { changing, same, invalid: list.invalid };
  }
  // A book may hold what is no mobile number: the gateway's panel let it in, and here it can be taken out.
  const odd = new Set<string>();
  const invalid = list.invalid.filter(({ raw }) => {
    const digits = bareDigits(raw);
    if (digits === '' || !listed.has(digits)) return true;
    odd.add(digits);
    return false;
  });
  const [changing, same] = split(list.numbers, (number) => listed.has(number));
  return { changing: [...changing, ...odd], same, invalid };
}

/** What of a change is still to be done, by what the book lists. */
export function openNumbers(
  kind: PhonebookChangeKind,
  numbers: readonly string[],
  listed: ReadonlySet<string>,
): readonly string[] {
  return numbers.filter((number) => listed.has(number) === (kind === 'remove'));
}

/** In the order of `numbers`, each at most `size` long, none empty. */
export function portions(numbers: readonly string[], size: number): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let start = 0; start < numbers.length; start += size) found.push(numbers.slice(start, start + size));
  return found;
}

/** Digits, with a plus in front where there is one; empty for anything else. */
function bareDigits(raw: string): string {
  const text = normalizeDigits(raw).replaceAll(/[\s\p{Cf}\-().]/gu, '');
  return /^\+?\d{3,20}$/u.test(text) ? text : '';
}

function split(numbers: readonly string[], fits: (number: string) => boolean): [string[], string[]] {
  return [numbers.filter(fits), numbers.filter((number) => !fits(number))];
}
