import type { Bulk, BulkSummary, NumbersFound, SourceRow } from '../domain/bulk.ts';
import type { SampleRow } from './stores.ts';

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
  readonly bindingId: string;
  readonly line: string;
  readonly text: string;
  readonly bulk: Bulk;
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

/** What a change of the draft by a person comes to; the version goes up by one. */
export interface BulkChange {
  readonly bulk: Bulk;
  readonly text?: string;
}

/**
 * Where the rows of files and the calls made of them lie. Whatever takes long is written in one transaction that holds
 * nothing which people wait for: it is all there at its end, or none of it is.
 */
export interface BulkStore {
  /** The draft, while it is open at that version. */
  find(work: BulkWork): Promise<BulkDraft | null>;
  /** How far a task has come; false when nobody waits for it any more. */
  progress(work: BulkWork, done: number): Promise<boolean>;
  /**
   * Keeps the rows of a file, block by block, instead of those of an earlier try, and then the draft as `write` returns
   * it. False, and nothing is kept, when the draft has changed in the meantime.
   */
  fill(
    work: BulkWork,
    write: (save: (rows: readonly SourceRow[]) => Promise<void>) => Promise<Bulk>,
  ): Promise<boolean>;
  /** The file cannot be read. */
  fail(work: BulkWork, problem: NonNullable<Bulk['problem']>): Promise<void>;
  /** The rows of a file as they were kept, in order, block by block. */
  rows(draftId: string): AsyncIterable<readonly SourceRow[]>;
  /** The first rows. */
  head(draftId: string, count: number): Promise<readonly SourceRow[]>;
  /** What the column of the numbers holds. */
  tally(work: BulkWork, numbers: NumbersFound): Promise<void>;
  /** Keeps the calls, and what is left out, instead of those of an earlier count; else as `fill`. */
  plan(
    work: BulkWork,
    write: (
      save: (part: {
        readonly calls: readonly PlannedCall[];
        readonly skipped: readonly SkippedRow[];
      }) => Promise<void>,
    ) => Promise<BulkSummary>,
  ): Promise<boolean>;
  /**
   * Changes an open draft by a person's hand, renews its time, and has it counted where its step says so. Returns its
   * new version; null when it is not open at that one.
   */
  change(work: BulkWork, change: BulkChange): Promise<number | null>;
  /** The rows that do not leave, in order, block by block. */
  skipped(draftId: string): AsyncIterable<readonly SkippedRow[]>;
  /** Some of the messages that leave, by chance. */
  pick(draftId: string, count: number): Promise<readonly SampleRow[]>;
  /** Forgets the rows of drafts that were confirmed, cancelled or have expired, and calls that nothing needs any more. */
  purge(): Promise<void>;
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
