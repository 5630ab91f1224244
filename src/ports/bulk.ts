import type { Bulk } from '../domain/bulk.ts';

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
