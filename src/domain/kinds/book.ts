import { chunked, onlyRecipients, toRecipients, type SendKind } from './kind.ts';

/** One text to a phonebook, in one call that names the book, or to the numbers that were read from it. */
export interface BookSend {
  readonly kind: 'book';
  readonly bookId: string;
  readonly title: string;
  readonly way: 'call' | 'expanded';
}

export const book: SendKind<BookSend> = {
  ...toRecipients(),
  // One call has the ids of a whole book, in an order of the gateway's own.
  tellsClock: false,
  calls: ({ outgoing, recipients }) =>
    outgoing.way === 'call' ? [{ recipients, messages: null }] : chunked(recipients),
  // A call that names the book could leave nobody out.
  only: (payload, stays) => {
    const left = onlyRecipients(payload, stays);
    return left === payload ? payload : { ...left, outgoing: numbered(left.outgoing) };
  },
  numbered,
  // A call that names a book would go to everybody in it.
  toMissed: () => ({ kind: 'text' }),
  toDoubted: () => ({ kind: 'text' }),
};

function numbered(outgoing: BookSend): BookSend {
  return { ...outgoing, way: 'expanded' };
}
