import type { TransactionSql } from 'postgres';

/** Rows in one batch. */
export const BATCH = 500;

/** One kind of thing that goes. Its batch is run again as long as there may be more. */
export interface Step {
  readonly name: string;
  readonly batch: (tx: TransactionSql) => Promise<Batch>;
}

interface Batch {
  readonly removed: number;
  readonly more: boolean;
}

/** Of a statement that takes out at most so many rows: full, there may be more. */
export function upTo(most: number, rows: readonly unknown[]): Batch {
  return { removed: rows.length, more: rows.length === most };
}
