import { checkName, checkRecipients, isCanonical, refuse } from './checks.ts';
import { wireNumber } from './number.ts';

/** The interface states no limit; a portion of this size can be checked after a lost answer. */
const NUMBERS_LIMIT = 1_000;

/** Interface, Create phonebook: a name, at least one number, a flag. */
export function checkNewBook(book: {
  readonly name: string;
  readonly numbers: readonly string[];
  readonly flag: string;
}): void {
  checkName(book.name);
  checkBookNumbers(book.numbers);
  if (book.flag.trim() === '') refuse('flag', 'empty');
  if (!book.flag.isWellFormed()) refuse('flag', 'not_well_formed');
}

/** Numbers that go into a book. */
export function checkBookNumbers(numbers: readonly string[]): void {
  checkRecipients('numbers', numbers, NUMBERS_LIMIT);
}

/** What is taken out may be whatever the gateway's panel once let in: canonical, or digits as they were listed. */
export function checkNumbersToRemove(numbers: readonly string[]): void {
  if (numbers.length === 0) refuse('numbers', 'empty');
  if (numbers.length > NUMBERS_LIMIT) refuse('numbers', 'too_many', NUMBERS_LIMIT);
  if (!numbers.every((number) => /^\+?[0-9]{3,20}$/.test(number))) refuse('numbers', 'not_digits');
  if (new Set(numbers).size !== numbers.length) refuse('numbers', 'repeated');
}

/** A mobile number as clients write it, anything else as it was listed. */
export function wireBookNumber(number: string): string {
  return isCanonical(number) ? wireNumber(number) : number;
}
