import type { Bulk } from '../bulk.ts';
import { book, type BookSend } from './book.ts';
import { bulk } from './bulk.ts';
import { future, type FutureSend } from './future.ts';
import { toRecipients, type MultiSend, type SendKind, type TextSend } from './kind.ts';
import { multi } from './multi.ts';
import { pattern, type PatternSend } from './pattern.ts';

/** How a draft leaves, with what that needs beside its text and recipients. */
export type Outgoing = TextSend | MultiSend | PatternSend | FutureSend | BookSend | Bulk;

export type OutgoingKind = Outgoing['kind'];

type Kinds = { readonly [K in OutgoingKind]: SendKind<Extract<Outgoing, { kind: K }>> };

const KINDS: Kinds = { text: toRecipients(), multi, pattern, future, book, bulk };

/** What the kind of a send tells the rules. */
export function kindOf<O extends Outgoing>({ kind }: O): SendKind<O> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module of each name is the one for what has that name
  return KINDS[kind] as unknown as SendKind<O>;
}

/** The phonebook to which a send goes, in whichever way; null for any other. */
export function bookOf(outgoing: Outgoing): BookSend | null {
  return outgoing.kind === 'book' ? outgoing : null;
}

/** The phonebook that a call names in place of its numbers; null where it names those. */
export function namedBook(outgoing: Outgoing): BookSend | null {
  const book = bookOf(outgoing);
  return book?.way === 'call' ? book : null;
}

/** The file whose rows a draft is made of, with all that was counted; null for any other draft. */
export function fileOf(outgoing: Outgoing): Bulk | null {
  return outgoing.kind === 'bulk' ? outgoing : null;
}

/** How long a draft of each kind can be confirmed, in seconds: for statements that cannot ask a module. */
export const OPEN_SECONDS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { openSeconds }]) => [kind, openSeconds]),
);

type Trait = {
  [T in keyof SendKind<Outgoing>]: SendKind<Outgoing>[T] extends boolean ? T : never;
}[keyof SendKind<Outgoing>];

/** The kinds of which something holds: for statements that cannot ask a module. */
export function kindsWith(trait: Trait): OutgoingKind[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of a closed object
  return (Object.keys(KINDS) as OutgoingKind[]).filter((kind) => KINDS[kind][trait]);
}
