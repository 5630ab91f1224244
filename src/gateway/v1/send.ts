import { NO_ECHO, unreadableSend, type SeenAnswer } from '../calls.ts';
import type { HttpAnswer } from '../transport/http-call.ts';
import { omitUndefined } from '../values.ts';
import { readV1Envelope, sendCode } from './envelope.ts';
import { acceptedIds } from './wire.ts';

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
