import { checkMessage } from '../message.ts';
import { operatorOf } from '../operator.ts';
import {
  lengthOf,
  toRecipients,
  type Call,
  type MultiSend,
  type OutgoingRow,
  type SendKind,
} from './kind.ts';

/** For Send many no limit is stated. */
export const MESSAGES_PER_CALL = 100;
/** Of an address of 7,500 units: the rest is for host, key and names. */
export const ADDRESS_UNITS = 6_800;
/** A line, a recipient, a kind, and the commas between them. */
const ADDRESS_UNITS_BESIDE_TEXT = 40;

export const multi: SendKind<MultiSend> = {
  ...toRecipients(),
  hasText: false,
  repeatsRecipients: true,
  // Its lists have an id for each row.
  tellsClock: false,
  calls: ({ outgoing: { rows, inAddress } }) =>
    callsOf(rows, inAddress === true ? ADDRESS_UNITS : Number.POSITIVE_INFINITY),
  lengths: ({ rows }) => rows.map(({ text, recipient }) => lengthOf(text, 1, operatorOf(recipient))),
  messages: ({ outgoing }) => outgoing.rows.length,
  says: ({ outgoing }) => outgoing.rows.map(({ line, text }) => ({ line, text, isWhole: true })),
  ofCall: (outgoing, { messages }) => ({ ...outgoing, rows: messages ?? [] }),
  only: (payload, stays) => {
    const { outgoing } = payload;
    const rows = outgoing.rows.filter(stays);
    if (rows.length === outgoing.rows.length) return payload;
    const recipients = [...new Set(rows.map(({ recipient }) => recipient))];
    return { ...payload, outgoing: { ...outgoing, rows }, recipients };
  },
  toMissed: (outgoing, { messages }) => ({ ...outgoing, rows: messages() }),
  toDoubted: (_outgoing, rows) => ({ kind: 'multi', rows }),
};

/**
 * Why a text cannot be a message of its own, by the name of the reason; null: it can.
 * @param inAddress version 4 alone serves the account: it parts the texts of a call at commas, and carries them in an address
 */
export function whyUnfit(text: string, inAddress: boolean): string | null {
  const checked = checkMessage(text);
  if (!checked.ok) return TEXT_PROBLEMS[checked.reason];
  if (!inAddress) return null;
  return text.includes(',') ? 'comma' : fitsAddress({ text }) ? null : 'address';
}

const TEXT_PROBLEMS = {
  empty: 'no_text',
  too_long: 'text_too_long',
  lone_surrogate: 'broken_text',
  nul: 'broken_text',
} as const;

/** Whether an account of these versions has calls of several messages travel in an address: version 4 alone does so. */
export function travelsInAddress(versions: readonly number[]): boolean {
  return !versions.includes(3) && !versions.includes(1);
}

/** Whether a message fits into the address of a call at all. The text is well-formed Unicode. */
export function fitsAddress(row: Pick<OutgoingRow, 'text'>): boolean {
  return addressUnits(row) <= ADDRESS_UNITS;
}

/** What a message takes of the address that carries its call. The text is well-formed Unicode. */
export function addressUnits({ text }: Pick<OutgoingRow, 'text'>): number {
  return encodeURIComponent(text).length + ADDRESS_UNITS_BESIDE_TEXT;
}

/** A recipient's second message goes into a later call: an outcome is known by call and recipient. */
function callsOf(rows: readonly OutgoingRow[], mostUnits: number): Call[] {
  const calls: { readonly rows: Map<string, OutgoingRow>; units: number; closed: boolean }[] = [];
  for (const row of rows) {
    const units = mostUnits === Number.POSITIVE_INFINITY ? 0 : addressUnits(row);
    let call: (typeof calls)[number] | undefined;
    for (const each of calls) {
      if (each.closed || each.rows.has(row.recipient)) continue;
      if (each.rows.size < MESSAGES_PER_CALL && each.units + units <= mostUnits) {
        call = each;
        break;
      }
      // What has once refused a message takes none after it, or a shorter one would overtake an earlier one of its recipient.
      each.closed = true;
    }
    if (call === undefined) {
      call = { rows: new Map(), units: 0, closed: false };
      calls.push(call);
    }
    call.rows.set(row.recipient, row);
    call.units += units;
  }
  return calls.map((call) => ({ recipients: [...call.rows.keys()], messages: [...call.rows.values()] }));
}
