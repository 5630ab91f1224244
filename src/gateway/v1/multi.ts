import { z } from 'zod';

import type { Facets, MultiMessage } from '../../ports/gateway.ts';
import { type Calls, NO_ECHO, type SeenAnswer, unreadableSend } from '../calls.ts';
import { checkMulti } from '../checks.ts';
import { compareMulti, multiFields, type MultiRow } from '../multi.ts';
import type { HttpAnswer } from '../transport/http-call.ts';
import { anything, integerIfAny, omitUndefined, textIfAny, toDigits, toInteger } from '../values.ts';
import { readV1Envelope, sendCode } from './envelope.ts';
import { listOf, type V1Ask } from './wire.ts';

/** Codes of the tables end here; in a bare list of numbers nothing up to it is taken for an id. */
const LAST_CODE = 2_000;

/** Multiple send in version 1. */
export function createV1Multi(calls: Calls, ask: V1Ask) {
  return {
    async sendMany(messages, hooks) {
      checkMulti(messages);
      const call = ask('POST', '/sms/multiple-send', multiFields(messages));
      return await calls.send('multi', call, observe(messages), hooks);
    },
  } satisfies Facets['multi'];
}

/**
 * The answer, which the interface does not show: an id for the call, or a list with an element for each
 * message, of ids or of rows that have an id or a code. Messages refused for one and the same reason are a refusal.
 */
function observe(messages: readonly MultiMessage[]): (answer: HttpAnswer) => SeenAnswer {
  return ({ httpStatus, body }) => {
    const envelope = readV1Envelope(body);
    if (envelope.kind === 'unreadable') return unreadableSend(httpStatus);
    const { status, text, result } = envelope;
    const rows = rowsOf(result);
    const told = sendCode(envelope);
    const code = told === undefined || told === 0 ? sharedCode(messages, rows) : told;
    const head = omitUndefined({ kind: 'envelope' as const, httpStatus, status, code });
    return { text, seen: { ...head, ...compared(messages, rows, result) } };
  };
}

function compared(messages: readonly MultiMessage[], rows: readonly Row[] | undefined, result: unknown) {
  if (rows !== undefined) return compareMulti(messages, rows);
  const parsed = callResult.safeParse(result);
  const id = parsed.success ? toDigits(parsed.data.id) : undefined;
  return { messageIds: id === undefined ? [] : [{ id }], ...NO_ECHO };
}

const callResult = z.object({ id: anything });

type Row = MultiRow & { readonly code?: number };

const rowResult = z
  .object({
    id: anything,
    messageid: anything,
    status: anything,
    index: integerIfAny,
    message: textIfAny,
    from: textIfAny,
    to: textIfAny,
    recipient: textIfAny,
  })
  .transform((row): Row => {
    const code = toInteger(row.status);
    return omitUndefined({
      // A row that was refused has no message, whatever its other members say.
      id: code !== undefined && code !== 0 && code <= LAST_CODE && code !== SUCCESS ? NO_ID : idIn(row),
      code,
      index: row.index,
      text: row.message,
      line: row.from,
      to: row.to ?? row.recipient,
    });
  });

const NO_ID = '0';
const SUCCESS = 200;

function idIn(row: { readonly id?: unknown; readonly messageid?: unknown }): string {
  return toDigits(row.id) ?? toDigits(row.messageid) ?? NO_ID;
}

function rowsOf(result: unknown): readonly Row[] | undefined {
  const named = callResult.safeParse(result);
  if (named.success && Array.isArray(named.data.id)) {
    return named.data.id.map((id) => ({ id: toDigits(id) ?? NO_ID }));
  }
  const list = listOf(result);
  if (!Array.isArray(list)) return undefined;
  return list.map((element: unknown): Row => {
    const parsed = rowResult.safeParse(element);
    if (parsed.success) return parsed.data;
    const id = toDigits(element) ?? NO_ID;
    return BigInt(id) > LAST_CODE ? { id } : { id: NO_ID, code: Number(id) };
  });
}

function sharedCode(messages: readonly MultiMessage[], rows: readonly Row[] = []): number | undefined {
  const codes = new Set(rows.map(({ id, code }) => (id === NO_ID ? code : undefined)));
  return rows.length === messages.length && codes.size === 1 ? [...codes][0] : undefined;
}
