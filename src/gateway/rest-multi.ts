import { z } from 'zod';

import type { Facets, MultiMessage } from '../ports/gateway.ts';
import { type Calls, NO_ECHO, type SeenAnswer, unreadableSend } from './calls.ts';
import { checkMulti } from './checks.ts';
import { compareMulti, multiFields } from './multi.ts';
import { readRestEnvelope, type RestEnvelope } from './rest-envelope.ts';
import type { RestAsk } from './rest-operations.ts';
import type { HttpAnswer } from './transport/http-call.ts';
import { anything, digitsIfAny, integerIfAny, omitUndefined, textIfAny, toDigits } from './values.ts';

/** Interface, version 4, Send many: index, messageid, message, state, from, to, date. */
const rowsResult = z.array(
  z
    .object({
      index: integerIfAny,
      messageid: digitsIfAny,
      message: textIfAny,
      from: textIfAny,
      to: textIfAny,
      number: textIfAny,
    })
    .transform((row) =>
      omitUndefined({
        id: row.messageid ?? '0',
        index: row.index,
        text: row.message,
        line: row.from,
        to: row.to ?? row.number,
      }),
    ),
);

/** Send many on versions 4 and 3. `checkWire` refuses what the version cannot carry. */
export function createRestMulti(
  calls: Calls,
  ask: RestAsk,
  checkWire: (messages: readonly MultiMessage[]) => void = () => undefined,
) {
  return {
    async sendMany(messages, hooks) {
      checkMulti(messages);
      checkWire(messages);
      return await calls.send('multi', ask('multi', multiFields(messages)), observe(messages), hooks);
    },
  } satisfies Facets['multi'];
}

function observe(messages: readonly MultiMessage[]): (answer: HttpAnswer) => SeenAnswer {
  return ({ httpStatus, body }) => {
    const envelope = readRestEnvelope(body);
    if (envelope.kind === 'unreadable') return unreadableSend(httpStatus);
    const { status, code, text } = envelope;
    const head = omitUndefined({ kind: 'envelope' as const, httpStatus, status, code });
    return { text, seen: { ...head, ...compared(messages, envelope) } };
  };
}

/** Rows, or under `data` one id that stands for the whole call, as after a send. */
function compared(messages: readonly MultiMessage[], { entries, data }: RestEnvelope) {
  const rows = entries ?? data;
  const parsed = rowsResult.safeParse(Array.isArray(rows) || messages.length > 1 ? rows : [rows]);
  if (parsed.success) return compareMulti(messages, parsed.data);
  const forCall = callResult.safeParse(data);
  const id = forCall.success ? toDigits(forCall.data.messageid) : undefined;
  return { messageIds: id === undefined ? [] : [{ id }], ...NO_ECHO };
}

const callResult = z.object({ messageid: anything });
