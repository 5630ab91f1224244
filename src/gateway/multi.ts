import { type AcceptedId, classify, type Observation } from '../domain/attempt.ts';
import type { MultiMessage } from '../ports/gateway.ts';
import { NO_ECHO } from './calls.ts';
import { canonicalNumber, wireNumber } from './number.ts';
import { omitUndefined } from './values.ts';

/** What an answer says of one message of a call. An id that could not be read is `0`. */
export interface MultiRow {
  readonly id: string;
  readonly index?: number;
  readonly text?: string;
  readonly line?: string;
  readonly to?: string;
}

type Compared = Pick<Extract<Observation, { kind: 'envelope' }>, 'messageIds' | 'sent' | 'echo'>;

/**
 * The rows of an answer beside the messages of the call. Rows are put in the order of `index` where it
 * counts them, from 0 or from 1, and are otherwise taken as they come. Fewer or more rows than messages
 * prove nothing, and neither does a row that echoes another text, line or recipient than was sent: the
 * ids remain as traces.
 */
export function compareMulti(messages: readonly MultiMessage[], rows: readonly MultiRow[]): Compared {
  const ordered = inOrder(rows);
  const ids = ordered.map(({ id }, at): AcceptedId =>
    omitUndefined({ id, recipient: messages[at]?.recipient }),
  );
  const pairs = messages.flatMap((message, at) => pairsOf(message, ordered[at]));
  const differing = pairs.find((pair) => differs(pair));
  const pair = differing ?? NO_ECHO;
  if (ordered.length === messages.length) return { messageIds: ids, ...pair };
  const traces = rows.map(({ id, to }): AcceptedId =>
    omitUndefined({ id, recipient: to === undefined ? undefined : canonicalNumber(to) }),
  );
  return { messageIds: [...traces, NO_ID], ...pair };
}

const NO_ID: AcceptedId = { id: '0' };

type Pair = Pick<Compared, 'sent' | 'echo'>;

/** What can be compared of a message: its text and line, and its recipient where one is readable. */
function pairsOf(message: MultiMessage, row: MultiRow | undefined): readonly Pair[] {
  if (row === undefined) return [];
  const { text, line, recipient } = message;
  const to = canonicalNumber(row.to ?? '');
  return [
    { sent: { text, line }, echo: omitUndefined({ text: row.text, line: row.line }) },
    // A recipient is compared as a line is, by its digits; a masked one says nothing.
    ...(/^\+?[0-9]+$/.test(to) ? [{ sent: { text: '', line: recipient }, echo: { line: to } }] : []),
  ];
}

function differs(pair: Pair): boolean {
  const seen = { kind: 'envelope' as const, httpStatus: 200, status: 200, messageIds: [{ id: '1' }] };
  return classify({ ...seen, ...pair }).outcome === 'unknown';
}

function inOrder(rows: readonly MultiRow[]): readonly MultiRow[] {
  const indexes = rows.map(({ index }) => index ?? Number.NaN);
  const first = Math.min(...indexes);
  const counts =
    (first === 0 || first === 1) &&
    new Set(indexes).size === rows.length &&
    Math.max(...indexes) === first + rows.length - 1;
  return counts ? rows.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : rows;
}

/** Interface, Send many and Multiple send: four lists of equal length, under the same names in all versions. */
export function multiFields(messages: readonly MultiMessage[]) {
  return {
    fromArray: messages.map(({ line }) => line),
    recipients: messages.map(({ recipient }) => wireNumber(recipient)),
    messageArray: messages.map(({ text }) => text),
    typeArray: messages.map(({ flash }) => (flash ? 1 : 0)),
  };
}
