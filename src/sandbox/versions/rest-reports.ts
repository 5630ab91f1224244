import { z } from 'zod';
import type { Json } from '../json.ts';
import { arrange, isWithin, listedDate, listedMessages, listedRows, listedText } from '../world/listing.ts';
import type { Range } from '../world/listing.ts';
import { readRecipient, refuseRecipients, showLine, showRecipient } from '../world/numbers.ts';
import { rowsOf } from '../world/outbox.ts';
import type { SentRow } from '../world/outbox.ts';
import { refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { restState } from './delivery-codes.ts';
import { countField, looseText, time } from './fields.ts';
import { operation } from './operation.ts';
import type { Call, Operation } from './operation.ts';
import type { RestPayload } from './rest-envelope.ts';
import type { RestForm } from './rest-form.ts';
import { NUMBER, RANGE_EXAMPLE, dataOf, date, entriesOf, messageId, shown, state } from './shapes.ts';

const DAY_SECONDS = 86_400;
const OUTBOX_PAGE = { min: 1, max: 200, fallback: 200 };
const NUMBER_PAGE = { min: 1, max: 50, fallback: 50 };

const text = z.string();

export const range = { startdate: time, enddate: time };

/** The lists and the count of sent messages, the same in versions 4 and 3. */
export function reportOperations({ method, ending }: RestForm): Operation<RestPayload>[] {
  return [
    operation({
      name: 'selectoutbox',
      summary: 'Lists what was sent in a range of at most a day, the oldest first.',
      answer: entriesOf({
        messageid: messageId,
        message: text,
        number: shown,
        from: shown,
        state,
        status: text,
        date,
      }),
      refuses: ['wrong_range'],
      example: RANGE_EXAMPLE,
      method,
      path: `/sms/selectoutbox${ending}`,
      input: z.object(range),
      run: selectOutbox,
    }),
    operation({
      name: 'latestoutbox',
      summary: 'Lists what was sent last, the newest first.',
      answer: entriesOf({
        messageid: messageId,
        from: shown,
        to: shown,
        message: text,
        state,
        status: text,
        date,
      }),
      example: { pagesize: 10 },
      method,
      path: `/sms/latestoutbox${ending}`,
      input: z.object({ pagesize: countField(OUTBOX_PAGE) }),
      run: latestOutbox,
    }),
    operation({
      name: 'countoutbox',
      summary: 'Counts what was sent in a range: messages, their parts, and what they cost in rial.',
      answer: dataOf({
        startdate: date,
        enddate: date,
        sumpart: z.int(),
        sumcount: z.int(),
        cost: z.number(),
      }),
      refuses: ['wrong_range'],
      example: RANGE_EXAMPLE,
      method,
      path: `/sms/countoutbox${ending}`,
      input: z.object(range),
      run: countOutbox,
    }),
    operation({
      name: 'statusbynumber',
      summary: 'Lists what was sent to one number since a time, the newest first.',
      answer: entriesOf({
        messageid: messageId,
        message: text,
        to: shown,
        status: state,
        statustext: text,
        date,
      }),
      refuses: ['invalid_recipient'],
      example: { number: NUMBER, startdate: RANGE_EXAMPLE.startdate },
      method,
      path: `/sms/statusbynumber${ending}`,
      input: z.object({ number: looseText, startdate: time, pagesize: countField(NUMBER_PAGE) }),
      run: statusByNumber,
    }),
  ];
}

/** A row for every recipient of what was sent within at most a day, oldest first. */
function selectOutbox({ world, account }: Call, span: Range): RestPayload | Refusal {
  if (span.enddate < span.startdate) return refuse('wrong_range');
  const seconds = span.enddate - span.startdate;
  if (seconds > DAY_SECONDS)
    return refuse('wrong_range', { why: `the range is ${seconds} seconds, and ${DAY_SECONDS} are allowed` });
  const messages = listedMessages(world, account).filter(({ sentAt }) => isWithin(world, span, sentAt));
  const entries = messages
    .toReversed()
    .flatMap(rowsOf)
    .map((row): Json => ({
      messageid: row.messageId,
      message: listedText(row.message),
      number: showRecipient(row.recipient),
      from: showLine(row.message.line),
      ...restState(world.stateOf(row)),
      date: listedDate(world, row.message.sentAt),
    }));
  return { entries: arrange(world, entries) };
}

function latestOutbox({ world, account }: Call, { pagesize }: { pagesize: number }): RestPayload {
  const rows = first(
    pagesize,
    listedRows(world, account, () => true),
  );
  const entries = rows.map((row): Json => ({
    messageid: row.messageId,
    from: showLine(row.message.line),
    to: showRecipient(row.recipient),
    message: listedText(row.message),
    ...restState(world.stateOf(row)),
    date: listedDate(world, row.message.sentAt),
  }));
  return { entries: arrange(world, entries) };
}

/** Each recipient counts as a message (or each call, by a switch), and its parts as parts. */
function countOutbox({ world, account }: Call, span: Range): RestPayload | Refusal {
  if (span.enddate < span.startdate) return refuse('wrong_range');
  const total = { sumpart: 0, sumcount: 0, cost: 0 };
  for (const message of listedMessages(world, account)) {
    if (!isWithin(world, span, message.sentAt)) continue;
    total.sumpart += message.parts * message.recipients.length;
    total.sumcount += world.switches.countsCalls ? 1 : message.recipients.length;
    total.cost += message.cost;
  }
  return { data: { startdate: span.startdate, enddate: span.enddate, ...total } };
}

/** What was sent to one mobile number from a time on until now, newest first. */
function statusByNumber(
  { world, account }: Call,
  { number, startdate, pagesize }: { number: string; startdate: number; pagesize: number },
): RestPayload | Refusal {
  const wanted = readRecipient(number);
  if (wanted === undefined) return refuseRecipients([number]);
  const rows = listedRows(
    world,
    account,
    (message) => listedDate(world, message.sentAt) >= startdate && message.recipients.includes(wanted),
  );
  const entries = first(pagesize, rows, ({ recipient }) => recipient === wanted).map((row): Json => {
    const at = restState(world.stateOf(row));
    return {
      messageid: row.messageId,
      message: listedText(row.message),
      to: showRecipient(row.recipient),
      status: at.state,
      statustext: at.status,
      date: listedDate(world, row.message.sentAt),
    };
  });
  return { entries: arrange(world, entries) };
}

function first(
  count: number,
  rows: Iterable<SentRow>,
  fits: (row: SentRow) => boolean = () => true,
): SentRow[] {
  const found: SentRow[] = [];
  for (const row of rows) {
    if (fits(row)) found.push(row);
    if (found.length === count) break;
  }
  return found;
}
