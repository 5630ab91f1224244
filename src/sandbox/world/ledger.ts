import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';

/** One accepted call that sent messages: the truth about what went out. Ids are decimal texts, cost is rial. */
type SendRecord = {
  readonly kind: 'send';
  readonly number: number;
  /** Epoch ms by the real clock; `gatewayTime` is epoch seconds by the gateway's, as in its answers. */
  readonly at: number;
  readonly gatewayTime: number;
  readonly account: string;
  readonly version: number;
  readonly operation: string;
  readonly line: string;
  readonly text: string;
  readonly flash: boolean;
  readonly recipients: readonly string[];
  readonly messageIds: readonly string[];
  readonly parts: number;
  readonly cost: number;
  /** Epoch seconds, when the message is to be sent later. */
  readonly scheduledFor?: number;
};

/** One request that reached the gateway, whatever became of it. Credentials are masked in `path`. */
type HitRecord = {
  readonly kind: 'hit';
  readonly number: number;
  readonly at: number;
  readonly version: number | null;
  readonly operation: string | null;
  readonly account: string | null;
  readonly method: string;
  readonly path: string;
  /** Whether the operation did what it is for; not where it was refused, or stopped by a fault. */
  readonly reachedEffect: boolean;
  readonly fault: string | null;
  /** What was done with the connection: answered, or what the fault made of it. */
  readonly outcome: string;
};

export type LedgerRecord = SendRecord | HitRecord;
type Unnumbered<T> = Omit<T, 'number' | 'kind'>;

export type Ledger = {
  /** Written to the file and synced before it returns; throws when that fails, and then nothing counts as sent. */
  recordSend(record: Unnumbered<SendRecord>): void;
  recordHit(record: Unnumbered<HitRecord>): void;
  /** The newest records, oldest first; at most `keepLedger` of each kind are in memory. */
  sends(): readonly SendRecord[];
  hits(): readonly HitRecord[];
  /** Totals since the start, also of records that are no longer in memory. Cost is rial. */
  totals(): { sends: number; recipients: number; cost: number; hits: number };
  close(): void;
};

/** Append-only. With `file`, records go there as JSON lines; sends are synced to the disk. */
export function createLedger(options: {
  keep: number;
  file?: string | undefined;
  onRecord?: ((record: LedgerRecord) => void) | undefined;
}): Ledger {
  const sends: SendRecord[] = [];
  const hits: HitRecord[] = [];
  const totals = { sends: 0, recipients: 0, cost: 0, hits: 0 };
  let fd = options.file === undefined ? undefined : openSync(options.file, 'a', 0o600);

  function store(record: LedgerRecord, sync: boolean): void {
    if (fd === undefined) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    for (let done = 0; done < line.length;) done += writeSync(fd, line, done);
    if (sync) fdatasyncSync(fd);
  }

  return {
    recordSend(fields) {
      const record: SendRecord = { kind: 'send', number: totals.sends + 1, ...fields };
      store(record, true);
      totals.sends += 1;
      totals.recipients += record.recipients.length;
      totals.cost += record.cost;
      keepNewest(sends, record, options.keep);
      options.onRecord?.(record);
    },
    recordHit(fields) {
      const record: HitRecord = { kind: 'hit', number: totals.hits + 1, ...fields };
      store(record, false);
      totals.hits += 1;
      keepNewest(hits, record, options.keep);
      options.onRecord?.(record);
    },
    sends: () => sends,
    hits: () => hits,
    totals: () => ({ ...totals }),
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function keepNewest<T>(list: T[], item: T, keep: number): void {
  list.push(item);
  if (list.length > keep) list.splice(0, list.length - keep);
}
