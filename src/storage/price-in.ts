import type { TransactionSql } from 'postgres';
import type { Payload } from '../domain/outgoing.ts';
import { encodedParts, estimate, type Estimate } from '../domain/price.ts';
import { gaugeIn } from './gauge-in.ts';

/** What a payload would cost by the prices that were learned from its account, and what of the credit is left after it. */
export async function costIn(tx: TransactionSql, bindingId: string, payload: Payload): Promise<Estimate> {
  return estimate(encodedParts(payload), await gaugeIn(tx, bindingId));
}
