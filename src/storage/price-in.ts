import type { TransactionSql } from 'postgres';
import type { Payload } from '../domain/outgoing.ts';
import { encodedParts, estimate } from '../domain/price.ts';
import { gaugeIn } from './gauge-in.ts';

/** What a payload would cost by the prices that were learned from its account, in rial; null: not known. */
export async function priceIn(
  tx: TransactionSql,
  bindingId: string,
  payload: Payload,
): Promise<number | null> {
  return estimate(encodedParts(payload), await gaugeIn(tx, bindingId)).price;
}

/** Whether the credit is known not to suffice for a payload. */
export async function isShortIn(tx: TransactionSql, bindingId: string, payload: Payload): Promise<boolean> {
  const { after } = estimate(encodedParts(payload), await gaugeIn(tx, bindingId));
  return after !== null && after < 0;
}
