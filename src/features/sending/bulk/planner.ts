import { createHash, hash } from 'node:crypto';
import type { BulkSummary, SkipReason, SourceRow } from '../../../domain/bulk.ts';
import { RECIPIENTS_PER_CALL } from '../../../domain/interface-limits.ts';
import { ADDRESS_UNITS, addressUnits, fitsAddress, MESSAGES_PER_CALL } from '../../../domain/kinds/multi.ts';
import { readTemplate, renderRow, type Template } from '../../../domain/merge.ts';
import { checkMessage, isBlank, type MessageMeasure, type MessageProblem } from '../../../domain/message.ts';
import { createMergedLook } from '../../../domain/line-rules.ts';
import { createNumberSet } from '../../../domain/number-set.ts';
import { FORGOTTEN } from '../../../domain/number-spellings.ts';
import { OPERATORS, operatorOf, type Operator } from '../../../domain/operator.ts';
import type { Recipient } from '../../../domain/phone.ts';
import type { PlannedCall, PlanSpec, SkippedRow } from '../../../ports/bulk.ts';

/** Turns the rows of a file, as a tally has decided them, into calls, in their order: each is one message or one that is left out. */
export interface Planner {
  take(rows: readonly SourceRow[]): void;
  /** What is ready since it was last asked for; with `all`, what is not full yet too. */
  drain(all?: boolean): { readonly calls: readonly PlannedCall[]; readonly skipped: readonly SkippedRow[] };
  /** What all that was taken has come to. */
  summary(): BulkSummary;
}

/** Begins to plan. A text with unknown fields is not for planning: they would be sent as they were typed. */
export function createPlanner({ bulk, text, line, blocked, inAddress, rule }: PlanSpec): Planner {
  const template = readTemplate(text, bulk.columns);
  const plain = plainText(template);
  // What the draft's own text does not say, such as a doubled brace, each message has to say itself.
  const personal = plain !== text;
  const perCall = personal ? MESSAGES_PER_CALL : RECIPIENTS_PER_CALL;
  const phone = bulk.phone ?? -1;
  // One text for all is looked at where it stands.
  const look = personal && rule !== null ? createMergedLook(rule) : null;
  const checked = (own: string): RowText => {
    const check = checkMessage(own);
    if (!check.ok) return { ok: false, reason: PROBLEMS[check.reason] };
    if (inAddress && personal) {
      if (own.includes(',')) return { ok: false, reason: 'comma' };
      if (!fitsAddress({ text: own })) return { ok: false, reason: 'address' };
    }
    return { ok: true, text: own, measure: check.measure };
  };
  const fixed = plain === null ? null : checked(plain);
  /** Of rows with a text that cannot leave: a later row may have one that can, and the first of these does. */
  const [held, later] = [createNumberSet(), createNumberSet()];
  const counts = new Map<SkipReason, number>();
  const lengths = createLengths();
  const digest = createHash('sha256');
  let toSkip = bulk.header;
  let missing = 0;
  let recipients = 0;
  let chunk = 0;
  let equal = true;
  let last = perCall;
  let open = emptyCall();
  let units = 0;
  let calls: PlannedCall[] = [];
  let skipped: SkippedRow[] = [];

  const isAddressBook = /\.vcf$/iu.test(bulk.file?.name ?? '');
  const skip = (number: number, raw: string, reason: SkipReason, column?: number): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    skipped.push([number, raw.slice(0, RAW_UNITS), column === undefined ? reason : `${reason}:${column}`]);
  };

  const close = (): void => {
    if (open.recipients.length === 0) return;
    const payloadSha256 = hash(
      'sha256',
      JSON.stringify([line, personal ? null : text, open.recipients, open.texts]),
      'buffer',
    );
    digest.update(payloadSha256);
    // Only the last may be shorter, for a message to be found by its place.
    if (last !== perCall) equal = false;
    last = open.recipients.length;
    calls.push({ chunk, ...open, texts: personal ? open.texts : null, payloadSha256 });
    chunk += 1;
    open = emptyCall();
    units = 0;
  };

  const put = (number: number, recipient: Recipient, own: string, measure: MessageMeasure): void => {
    if (inAddress && personal) {
      const needed = addressUnits({ text: own });
      if (units + needed > ADDRESS_UNITS) close();
      units += needed;
    }
    open.recipients.push(recipient);
    open.rowNumbers.push(number);
    if (personal) open.texts.push(own);
    look?.take(own);
    lengths.add(measure, operatorOf(recipient));
    recipients += 1;
    if (open.recipients.length === perCall) close();
  };

  /** The text of a row; else why there is none that can leave. */
  const textOf = (cells: readonly string[]): RowText => {
    if (fixed !== null) return fixed;
    const lacking = template.fields.find((field) => isBlank(cells[field] ?? ''));
    if (lacking !== undefined) missing += 1;
    const rendered = renderRow(template, cells, bulk.onMissing);
    if (!rendered.ok) return { ok: false, reason: 'missing', column: rendered.missing };
    return checked(rendered.text);
  };

  const takeRow = ([number, cells, recipient = null, reason]: SourceRow): void => {
    const raw = cells[phone] ?? '';
    if (recipient === null)
      return skip(number, named(raw, isAddressBook ? cells[0] : ''), reason ?? 'no_number');
    if (recipient.startsWith(FORGOTTEN)) return skip(number, raw, 'not_a_number');
    const own = textOf(cells);
    if (!own.ok) {
      if (reason === undefined) held.add(recipient);
      return skip(number, raw, own.reason, own.column);
    }
    if (reason === 'repeated' && !(held.has(recipient) && later.add(recipient)))
      return skip(number, raw, 'repeated');
    if (blocked?.has(recipient) === true) return skip(number, raw, 'blocked');
    put(number, recipient, own.text, own.measure);
  };

  return {
    take(rows) {
      for (const row of rows) {
        if (toSkip > 0) toSkip -= 1;
        else takeRow(row);
      }
    },
    drain(all = false) {
      if (all) close();
      const ready = { calls, skipped };
      calls = [];
      skipped = [];
      return ready;
    },
    summary() {
      const stopped = missing > 0 && bulk.onMissing.way === 'stop';
      return {
        recipients: stopped ? 0 : recipients,
        skipped: [...counts]
          .map(([reason, rows]) => ({ reason, rows }))
          .toSorted((left, right) => right.rows - left.rows || (left.reason < right.reason ? -1 : 1)),
        blockedIsKnown: blocked !== null,
        missing,
        lengths: stopped ? [] : lengths.all(),
        personal,
        perCall: equal ? perCall : null,
        digest: digest.copy().digest('hex'),
        ...(look === null ? {} : { found: look.found() }),
      };
    },
  };
}

/** Enough of what stands in a cell to find it. */
const RAW_UNITS = 100;
/**
 * What stands in place of a number, in an address book with whose it is: nobody knows a card by its place. A name that could be
 * a number is left out, as numbers are hidden in groups.
 */
function named(raw: string, name = ''): string {
  return isBlank(name) || /\p{Nd}{4}/u.test(name) ? raw : `${raw.slice(0, 30)} ${name}`.trim();
}

const PROBLEMS = {
  empty: 'no_text',
  too_long: 'text_too_long',
  lone_surrogate: 'broken_text',
  nul: 'broken_text',
} as const satisfies Record<MessageProblem, SkipReason>;

type RowText =
  | { readonly ok: true; readonly text: string; readonly measure: MessageMeasure }
  | { readonly ok: false; readonly reason: SkipReason; readonly column?: number };

/** The one text of all rows; null where each has its own. */
function plainText({ pieces, fields }: Template): string | null {
  return fields.length > 0 ? null : pieces.join('');
}

function emptyCall() {
  return {
    recipients: new Array<Recipient>(),
    rowNumbers: new Array<number>(),
    texts: new Array<string>(),
  };
}

/** Counts messages by encoding, parts and operator. */
function createLengths() {
  const found = new Map<Operator, Map<number, number>>(OPERATORS.map((operator) => [operator, new Map()]));
  return {
    add({ encoding, parts }: MessageMeasure, operator: Operator): void {
      const key = encoding === 'gsm7' ? parts : -parts;
      const own = found.get(operator);
      own?.set(key, (own.get(key) ?? 0) + 1);
    },
    all: (): BulkSummary['lengths'] =>
      [...found]
        .flatMap(([operator, own]) =>
          [...own].map(([key, messages]) => ({
            encoding: key > 0 ? ('gsm7' as const) : ('ucs2' as const),
            parts: Math.abs(key),
            messages,
            operator,
          })),
        )
        .toSorted((left, right) => right.messages - left.messages || right.parts - left.parts),
  };
}
