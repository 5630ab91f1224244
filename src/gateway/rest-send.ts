import { unreadableSend, type SeenAnswer } from './calls.ts';
import { readRestEnvelope, rowsOf } from './rest-envelope.ts';
import { readSendResult } from './rest-shapes.ts';
import type { HttpAnswer } from './transport/http-call.ts';
import { omitUndefined } from './values.ts';

/** Reads the answer to a send of version 4 or 3 (interface, Send SMS). Without a text no echo of it is compared. */
export function observeRestSend(sent: {
  readonly line: string;
  readonly text?: string;
}): (answer: HttpAnswer) => SeenAnswer {
  return ({ httpStatus, body }) => {
    const envelope = readRestEnvelope(body);
    if (envelope.kind === 'unreadable') return unreadableSend(httpStatus);
    const { status, code, text } = envelope;
    const result = readSendResult(rowsOf(envelope));
    return {
      text,
      seen: {
        ...omitUndefined({ kind: 'envelope' as const, httpStatus, status, code }),
        messageIds: result.messageIds,
        sent: { text: sent.text ?? '', line: sent.line },
        echo: omitUndefined({ text: sent.text === undefined ? undefined : result.text, line: result.line }),
      },
    };
  };
}
