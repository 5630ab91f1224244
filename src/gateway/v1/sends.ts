import { RECIPIENTS_PER_CALL } from '../../domain/interface-limits.ts';
import type { Facets } from '../../ports/gateway.ts';
import { type Calls, NO_ECHO, type SeenAnswer, unreadableSend } from '../calls.ts';
import {
  checkBookId,
  checkLine,
  checkPattern,
  checkRecipients,
  checkSend,
  checkText,
  refuse,
} from '../checks.ts';
import { wireNumber } from '../number.ts';
import type { HttpAnswer } from '../transport/http-call.ts';
import { omitUndefined } from '../values.ts';
import { readV1Envelope, sendCode } from './envelope.ts';
import { acceptedIds, sendFields, type V1Ask } from './wire.ts';

/** What `prtrys` and `sentPeriod` mean is not stated; zero asks for no repetition under any reading. */
const NONE = '0';

/** The sends that version 1 alone documents. Their answers are not shown and are read as that of a send. */
export function createV1Sends(calls: Calls, ask: V1Ask, isPlain: boolean) {
  return {
    futureSend: {
      async sendLater(request, hooks) {
        checkSend(request);
        const { line, recipients, text: message, at, retries = NONE, period = NONE } = request;
        if (!Object.values(at).every((part) => /^[0-9]{1,4}$/.test(part))) refuse('at', 'not_digits');
        if (![retries, period].every((value) => /^[0-9]{1,9}$/.test(value))) refuse('repeat', 'not_digits');
        const { year, month, day, hour, minute: min } = at;
        const call = ask('POST', '/sms/future-send', {
          from: line,
          recipients: recipients.map(wireNumber),
          message,
          sendDate: isPlain ? `${year}/${month}/${day} ${hour}:${min}` : { year, month, day, hour, min },
          prtrys: retries,
          sentPeriod: period,
        });
        return await calls.send('future', call, observeV1Send(recipients), hooks);
      },
    },
    pattern: {
      recipientsLimit: RECIPIENTS_PER_CALL,
      async sendPattern(request, hooks) {
        checkPattern(request, RECIPIENTS_PER_CALL);
        const { line, recipients, patternId } = request;
        const call = ask('POST', '/sms/pattern-send', {
          from: line,
          recipients: recipients.map(wireNumber),
          message: request.variables,
          patternId: BigInt(patternId),
          type: request.flash ? 1 : 0,
        });
        return await calls.send('pattern', call, observeV1Send(recipients), hooks);
      },
    },
    phonebookSend: {
      async sendToBook(request, hooks) {
        const { line, bookId, recipients, text, flash } = request;
        checkLine(line);
        checkBookId(bookId);
        if (recipients.length > 0) checkRecipients('recipients', recipients);
        checkText(text);
        const call = ask('POST', '/sms/phonebook-send', {
          ...sendFields({ line, recipients, text, flash }),
          bookId: BigInt(bookId),
        });
        // How many the book holds is not known here, so a list of ids cannot be given to its recipients.
        return await calls.send('book_send', call, observeV1Send(), hooks);
      },
    },
  } satisfies Partial<Facets>;
}

/** Reads the answer to a send of version 1, which shows an id and echoes nothing. Absent recipients are not known. */
export function observeV1Send(recipients?: readonly string[]): (answer: HttpAnswer) => SeenAnswer {
  return ({ httpStatus, body }) => {
    const envelope = readV1Envelope(body);
    if (envelope.kind === 'unreadable') return unreadableSend(httpStatus);
    const { status, text, result } = envelope;
    const code = sendCode(envelope);
    return {
      text,
      seen: {
        ...omitUndefined({ kind: 'envelope' as const, httpStatus, status, code }),
        messageIds: acceptedIds(result, recipients),
        ...NO_ECHO,
      },
    };
  };
}
