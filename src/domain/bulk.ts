import type { MergedFindings } from './kinds/kind.ts';
import type { Operator } from './operator.ts';
import type { Recipient } from './phone-tokens.ts';
import { parseTag } from './tag.ts';

/** Where a draft made from a file stands. Only `review` can leave. */
export type BulkStep = 'reading' | 'columns' | 'text' | 'counting' | 'review' | 'failed';

/** What becomes of a row that has nothing in a column that its text names. */
export type OnMissing =
  | { readonly way: 'skip' }
  | { readonly way: 'stop' }
  | { readonly way: 'default'; readonly value: string };

/** Why a row does not leave: its number, its place among the others, or its text. */
export const SKIP_REASONS = [
  'no_number',
  'several_numbers',
  'digits_lost',
  'too_short',
  'too_long',
  'not_mobile',
  'not_a_number',
  'repeated',
  'blocked',
  'missing',
  'no_text',
  'text_too_long',
  'broken_text',
  'comma',
  'address',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** What a card tells of such reasons: those of a text and those of a number together. */
export const SKIP_GROUPS = ['repeated', 'invalid', 'blocked', 'missing', 'unfit'] as const;

export type SkipGroup = (typeof SKIP_GROUPS)[number];

/** What the column of the phone numbers holds. */
export interface NumbersFound {
  readonly good: number;
  readonly repeated: number;
  readonly invalid: number;
}

/** What was counted over the rendered rows, each of which has become one message or one reason. */
export interface BulkSummary {
  /** Of all calls together: each once. 0 where rows miss values and `onMissing` stops all for it. */
  readonly recipients: number;
  /** Rows that do not leave, by reason; the most frequent first. */
  readonly skipped: readonly { readonly reason: SkipReason; readonly rows: number }[];
  /** Not all could be looked up on the blacklist: it is looked at again right before each call. */
  readonly blockedIsKnown: boolean;
  /** Rows with a good number that miss a value, whatever becomes of them. */
  readonly missing: number;
  /** Messages by their encoding, their parts and the operator of the recipient; an older program has not counted by that. */
  readonly lengths: readonly {
    readonly encoding: 'gsm7' | 'ucs2';
    readonly parts: number;
    readonly messages: number;
    readonly operator?: Operator | undefined;
  }[];
  /** Each row has a text of its own. */
  readonly personal: boolean;
  /** Recipients of every call but the last; null where that differs. */
  readonly perCall: number | null;
  /** Over every call in order: the same for the same messages and no others. */
  readonly digest: string;
  /** Where each row has a text of its own, and the line a rule. */
  readonly found?: MergedFindings | undefined;
}

/** A draft whose recipients come from an uploaded file, which lies in storage row by row. */
export interface Bulk {
  readonly kind: 'bulk';
  readonly step: BulkStep;
  /** Why the file could not be read: a closed reason, translated by the card, and where in the file. */
  readonly problem: {
    readonly reason: string;
    readonly row: number | null;
    readonly limit: number | null;
  } | null;
  readonly file: {
    readonly name: string;
    /** By which Telegram gives it out; a tag with its `#` for the people who are kept under it. */
    readonly reference: string;
    readonly sheet: string | null;
  };
  /** Rows that are not empty, the header and what is above it like any other; while the file is read, so far. */
  readonly rows: number;
  /** How many of them the present step has been through. */
  readonly done: number;
  /** Rows down to the one that names the columns, titles above it among them: these are no messages. 0: none names them. */
  readonly header: number;
  /** '' for one without a name. */
  readonly columns: readonly string[];
  /** The row of the names, where there is one, and the first records, cut short: people know the columns by them. */
  readonly head: readonly SourceRow[];
  /** The column of the recipients; null: nobody knows yet. */
  readonly phone: number | null;
  /** How plainly the rows say that it is that one; `chosen` by a person. */
  readonly certainty: 'sure' | 'likely' | 'unsure' | 'chosen';
  /** Null: not counted yet. */
  readonly numbers: NumbersFound | null;
  /** By which choice the rows as they are kept say what their numbers are; null where they do not. */
  readonly decided: Pick<Bulk, 'phone' | 'header'> | null;
  readonly onMissing: OnMissing;
  readonly summary: BulkSummary | null;
  /** The people of its rows are to be kept by the chat; nothing is sent. */
  readonly keep: { readonly tag: string; readonly outcome: KeepOutcome | null } | null;
}

/** How keeping the people of a file has ended: how many there are, and how many of them the chat did not know; or with as many as it keeps. */
export type KeepOutcome = { readonly people: number; readonly fresh: number } | { readonly limit: number };

/**
 * A row as it is kept: its number in the file, from 1, and its cells; where {@link Bulk.decided} says so, the recipient that
 * it holds, and why it may be none of the send's: it holds no number (null), or the one of an earlier row (`repeated`).
 */
export type SourceRow = readonly [
  number: number,
  cells: readonly string[],
  recipient?: Recipient | null,
  reason?: SkipReason,
];

/** What is known of a file before it is read. */
export function newBulk(file: { readonly name: string; readonly reference: string }): Bulk {
  return {
    kind: 'bulk',
    step: 'reading',
    problem: null,
    file: { ...file, sheet: null },
    rows: 0,
    done: 0,
    header: 0,
    columns: [],
    head: [],
    phone: null,
    certainty: 'unsure',
    numbers: null,
    decided: null,
    onMissing: { way: 'skip' },
    summary: null,
    keep: null,
  };
}

/** Whether its rows are of people who can be kept: there are numbers, and names for what else is said of them. */
export function mayKeep({ numbers, header }: Pick<Bulk, 'numbers' | 'header'>): boolean {
  return numbers !== null && numbers.good > 0 && header > 0;
}

/** The tag of the people to whom it goes; null for those of a file. */
export function peopleTag({ file }: Pick<Bulk, 'file'>): string | null {
  return file.reference.startsWith('#') ? parseTag(file.reference) : null;
}

/** The same, to be counted again: by the numbers alone before there is a text, else message by message. */
export function recounted(bulk: Bulk, step: 'columns' | 'counting'): Bulk {
  const numbers = step === 'columns' ? null : bulk.numbers;
  return { ...bulk, step, done: 0, numbers, summary: null };
}

/** Rows that could each become a message. */
export function recordCount({ rows, header }: Pick<Bulk, 'rows' | 'header'>): number {
  return Math.max(0, rows - header);
}

const HEAD_ROWS = 3;
const HEAD_CELLS = 30;
const HEAD_UNITS = 40;

/** What of the first rows a draft shows: see {@link Bulk.head}. */
export function headOf(rows: readonly SourceRow[], header: number): SourceRow[] {
  return rows
    .slice(Math.max(0, header - 1), header + HEAD_ROWS)
    .map(([number, cells]) => [
      number,
      cells.slice(0, HEAD_CELLS).map((cell) => cell.slice(0, HEAD_UNITS).toWellFormed()),
    ]);
}

/** What stands in braces for a column. */
export function fieldName({ columns }: Pick<Bulk, 'columns'>, index: number): string {
  const name = columns[index] ?? '';
  return name === '' ? String(index + 1) : name;
}

/** Rows that do not leave: all, or those of a group. */
export function skippedRows({ skipped }: Pick<BulkSummary, 'skipped'>, group?: SkipGroup): number {
  return skipped.reduce(
    (sum, { reason, rows }) => (group === undefined || groupOf(reason) === group ? sum + rows : sum),
    0,
  );
}

function groupOf(reason: SkipReason): SkipGroup {
  switch (reason) {
    case 'repeated':
    case 'blocked':
    case 'missing':
      return reason;
    case 'no_text':
    case 'text_too_long':
    case 'broken_text':
    case 'comma':
    case 'address':
      return 'unfit';
    case 'no_number':
    case 'not_a_number':
    case 'not_mobile':
    case 'several_numbers':
    case 'digits_lost':
    case 'too_short':
    case 'too_long':
      return 'invalid';
  }
}
