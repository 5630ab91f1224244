import type { TransactionSql } from 'postgres';
import type { CallsInHand } from '../restore/calls-in-hand.ts';
import type { Database } from '../database/database.ts';
import { foundAll } from '../database/server-start.ts';

/** A transaction in which somebody decides what becomes of a send. */
export type Decide = <T>(work: (tx: TransactionSql) => Promise<T>) => Promise<T>;

/** As of a lock that is held for too long: nothing was done, and the same may be asked again. */
class NotAllFound extends Error {
  readonly code = '55P03';
  readonly severity = 'ERROR';
}

/**
 * Makes the transactions of people's decisions. What the database says of a send counts only once all processes have
 * found in it what they knew, and a loss is seen to its end: a press would undo, or confirm once more, what has left.
 * @param hand of this process; absent: nobody watches, as in a test
 */
export function createDecide({ sql }: Database, hand?: Pick<CallsInHand, 'server'>): Decide {
  return async <T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> => {
    const done = await sql.begin(async (tx) => {
      const server = hand?.server ?? null;
      if (server !== null) {
        const found = await tx`
          select 1 from deployment
          where ${foundAll(tx, server)} and (lost_at is null or lost_done_at is not null)`;
        if (found.length === 0)
          throw new NotAllFound('the database may have lost commits: nothing is decided yet');
      }
      return { of: await work(tx) };
    });
    return done.of;
  };
}
