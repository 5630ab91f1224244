import type { SeenAnswer } from '../calls.ts';
import type { HttpAnswer } from '../transport/http-call.ts';
import { omitUndefined } from '../values.ts';
import { readV1Envelope, sendCode } from './envelope.ts';
import { acceptedIds } from './wire.ts';

/** Reads the answer to a send of version 1, which shows an id and echoes nothing. Absent recipients are not known. */
export function observeV1Send(sent: {
  readonly line: string;
  readonly text: string;
  readonly recipients?: readonly string[];
}): (answer: HttpAnswer) => SeenAnswer {
  return ({ httpStatus, body }) => {
    const envelope = readV1Envelope(body);
    if (envelope.kind === 'unreadable') return { seen: { kind: 'unreadable', httpStatus }, text: '' };
    const { status, text, result } = envelope;
    const code = sendCode(envelope);
    return {
      text,
      seen: {
        ...omitUndefined({ kind: 'envelope' as const, httpStatus, status, code }),
        messageIds: acceptedIds(result, sent.recipients),
        sent: { text: sent.text, line: sent.line },
        echo: {},
      },
    };
  };
}
