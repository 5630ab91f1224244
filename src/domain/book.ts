import { foldTitle } from './fold.ts';
import { parseRecipients } from './phone.ts';

/**
 * The numbers of a phonebook that a message can go to, each once; how many further entries repeat one of them, in whatever
 * form; and the others as they stand there.
 */
export interface BookNumbers {
  readonly recipients: readonly string[];
  readonly repeated: number;
  readonly unusable: readonly string[];
}

/**
 * What the book holds against what was confirmed for it. `same`: exactly that; `fewer`: nobody else, but not all of them,
 * or something beside them: what is no mobile number, or one of them again, to which a call that names the book may go twice; `others`: somebody whom nobody has said yes to; `nobody`: no number.
 */
export type BookComparison =
  | { readonly kind: 'same' | 'nobody' }
  | { readonly kind: 'fewer' | 'others'; readonly recipients: readonly string[] };

/** Reads the numbers of a phonebook as the gateway lists them, in any form. */
export function readBook(listed: readonly { readonly number: string }[]): BookNumbers {
  const recipients = new Set<string>();
  const unusable: string[] = [];
  for (const { number } of listed) {
    const [recipient] = parseRecipients(number).recipients;
    if (recipient === undefined) unusable.push(number);
    else recipients.add(recipient);
  }
  return {
    recipients: [...recipients],
    repeated: listed.length - unusable.length - recipients.size,
    unusable,
  };
}

/** Compares the numbers of a phonebook now with those that were confirmed. */
export function compareBook(
  confirmed: readonly string[],
  { recipients, repeated, unusable }: BookNumbers,
): BookComparison {
  if (recipients.length === 0) return { kind: 'nobody' };
  const known = new Set(confirmed);
  if (!recipients.every((each) => known.has(each))) return { kind: 'others', recipients };
  if (recipients.length === known.size && repeated + unusable.length === 0) return { kind: 'same' };
  return { kind: 'fewer', recipients };
}

/**
 * Gives the book that a person means: the one of that very title, or the only one whose title reads the same. Of several
 * that read the same none is taken, for nothing must go to the wrong people.
 */
export function bookMeant<Book extends { readonly title: string }>(
  books: readonly Book[],
  wanted: string,
): Book | null {
  const exact = books.find(({ title }) => title === wanted);
  if (exact !== undefined) return exact;
  const [only, ...others] = books.filter(({ title }) => foldTitle(title) === foldTitle(wanted));
  return only === undefined || others.length > 0 ? null : only;
}
