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

/** A step whose batch is one statement: it takes out at most {@link BATCH} rows and returns one for each. */
export function rowsOf(name: string, remove: (tx: TransactionSql) => PromiseLike<readonly unknown[]>): Step {
  return { name, batch: async (tx) => upTo(BATCH, await remove(tx)) };
}
