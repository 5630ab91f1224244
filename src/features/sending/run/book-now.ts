import { compareBook, readBook } from '../../../domain/book.ts';
import { isAppError } from '../../../domain/errors.ts';
import { namedBook } from '../../../domain/kinds/index.ts';
import type { SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView, JobStore } from '../../../ports/jobs.ts';

/**
 * Reads the numbers of the phonebook that a call names once more, right before it: the gateway takes them from there, and
 * nobody has said yes to others. True: the book holds exactly what was confirmed, or the call names no book. Otherwise the
 * call is not made: what is left of the numbers goes by calls that name them, and where others are in it, a person is
 * asked. Throws as reads of the gateway do.
 */
export async function holdsWhatWasConfirmed(
  attempt: AttemptView,
  gateway: SmsGateway,
  jobs: Pick<JobStore, 'nameNumbers' | 'askAboutBook'>,
): Promise<boolean> {
  const { id, epoch, outgoing, recipients } = attempt;
  const book = namedBook(outgoing);
  if (book === null) return true;
  const now = compareBook(recipients, readBook(await numbersOf(book.bookId, gateway)));
  switch (now.kind) {
    case 'same':
      return true;
    case 'fewer':
      await jobs.nameNumbers(id, epoch, now.recipients);
      return false;
    case 'others':
      await jobs.askAboutBook(id, epoch, now.recipients);
      return false;
    case 'nobody':
      await jobs.askAboutBook(id, epoch, []);
      return false;
  }
}

/** One that was deleted holds nobody. */
async function numbersOf(
  bookId: string,
  gateway: SmsGateway,
): Promise<readonly { readonly number: string }[]> {
  try {
    return await gateway.use('phonebookRead').numbers(bookId);
  } catch (error) {
    if (isAppError(error, 'gateway_refused') && error.params['name'] === 'no_such_record') return [];
    throw error;
  }
}
