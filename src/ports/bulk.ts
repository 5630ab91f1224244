import type { LineRule } from '../domain/limits.ts';
import type { Bulk, BulkSummary, NumbersFound, SourceRow } from '../domain/bulk.ts';
import type { Recipient } from '../domain/phone.ts';
import type { TableSource } from './tables.ts';

/*
 * Sends whose recipients come from an uploaded file: the file itself, its rows as they were read, and what leaves of
 * them, call by call.
 */

/** What the two tasks of such a draft are told. Whatever is found of another version than the draft's is thrown away. */
export interface BulkWork {
  readonly draftId: string;
  readonly version: number;
}

/** An open draft, as its tasks see it. */
export interface BulkDraft {
  readonly chatId: string;
  readonly authorId: number;
  readonly bindingId: string;
  readonly lang: 'en' | 'fa';
  readonly line: string;
  readonly text: string;
  readonly bulk: Bulk;
  /** What the chat has said of its line; null: nothing. */
  readonly rule: LineRule | null;
}

/** One call exactly as it will leave. */
export interface PlannedCall {
  readonly chunk: number;
  readonly recipients: readonly string[];
  /** One for each recipient; null: the draft's text for all. */
  readonly texts: readonly string[] | null;
  /** Where each recipient stands in the file. */
  readonly rowNumbers: readonly number[];
  readonly payloadSha256: Uint8Array;
}

/** Its number in the file, what stands there, and a reason: a SkipReason, `missing` with the index of the column behind a colon. */
export type SkippedRow = readonly [number: number, raw: string, reason: string];

/** Rows as they are kept and handed on: a text that only {@link readRows} reads. */
export function rowsText(rows: readonly (SourceRow | SkippedRow)[]): string {
  return JSON.stringify(rows);
}

export function readRows<T extends SourceRow | SkippedRow>(text: string): T[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `rowsText` has written it, from rows of that kind
  return JSON.parse(text) as T[];
}

/** Several calls, the lists of each joined: a thread hands on a text at once, and a list item by item. */
export interface JoinedCalls {
  readonly chunks: readonly number[];
  /** By commas. */
  readonly recipients: readonly string[];
  /** By `mark`, which is in none of them; null: the draft's text for all. */
  readonly texts: readonly (string | null)[];
  readonly mark: string;
  /** By commas. */
  readonly rowNumbers: readonly string[];
  /** In hexadecimal digits. */
  readonly payloadSha256: readonly string[];
}

/** What is ready of a plan, to be stored. */
export interface PlannedPart {
  readonly calls: JoinedCalls;
  /** By {@link rowsText}; null: none. */
  readonly skipped: string | null;
}

/** What reading a file has found out. */
export type FileFound = Pick<
  Bulk,
  'rows' | 'header' | 'columns' | 'head' | 'phone' | 'certainty' | 'numbers' | 'decided'
> & { readonly sheet: string | null };

export interface PlanSpec {
  readonly bulk: Pick<Bulk, 'columns' | 'phone' | 'header' | 'rows' | 'decided' | 'onMissing'> &
    Partial<Pick<Bulk, 'file'>>;
  readonly text: string;
  readonly line: string;
  /** Recipients that the line must not send to; null where nobody could tell. */
  readonly blocked: ReadonlySet<string> | null;
  /** Calls with several messages travel in an address, by version 4 alone: commas would part their texts. */
  readonly inAddress: boolean;
  /** What texts of their own are held to; null: the line has no rule. */
  readonly rule: LineRule | null;
}

/** What is done with the rows of a file: what it is told at first, each time, and what each time comes of it. */
export interface FileWorks {
  /** Reads a file; throws what `Tables.stream` does, and `only_header` for one that has no records. */
  readonly read: {
    readonly given: TableSource;
    readonly input: null;
    readonly output: { readonly rows: string; readonly count: number } | { readonly found: FileFound };
  };
  /** Counts the numbers of rows that are kept; `listed`: gives those recipients that were not in any row before. */
  readonly tally: {
    readonly given: { readonly bulk: Pick<Bulk, 'phone' | 'header' | 'rows'>; readonly listed: boolean };
    readonly input: string;
    readonly output: {
      readonly count: number;
      readonly found: NumbersFound;
      readonly fresh: readonly Recipient[];
    };
  };
  /** Makes calls of rows that are kept; null: there are no more, which the summary comes of. */
  readonly plan: {
    readonly given: PlanSpec;
    readonly input: string | null;
    readonly output: PlannedPart & { readonly count: number; readonly summary: BulkSummary | null };
  };
}

/** One piece of such work. */
export interface FileWork<Input, Output> extends AsyncDisposable {
  /** What comes of the next input. One may be given while others are under way: they are worked on in their order. */
  next(input: Input): Promise<Output>;
}

/** Works on files beside the thread on which everything else happens, which it never holds up. */
export interface FileThread {
  begin<K extends keyof FileWorks>(
    work: K,
    given: FileWorks[K]['given'],
  ): FileWork<FileWorks[K]['input'], FileWorks[K]['output']>;
}

/** A file on this machine's disk, gone when it is disposed of. */
export interface TakenFile extends AsyncDisposable {
  readonly path: string;
}

/** Files that people have sent. */
export interface Uploads {
  /**
   * Fetches a file onto the disk, by what Telegram gives it out by. Throws `bad_input` with field `file` and reason
   * `too_large` for more than `maxBytes`, or `gone` where Telegram has it no longer; else what the signal or the
   * connection says.
   */
  take(reference: string, maxBytes: number, signal: AbortSignal): Promise<TakenFile>;
  /** Removes what killed processes have left on the disk. */
  sweep(): Promise<void>;
}
