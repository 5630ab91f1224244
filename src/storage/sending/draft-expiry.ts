import type { TransactionSql } from 'postgres';
import { OPEN_SECONDS } from '../../domain/kinds/index.ts';
import type { Queryable } from '../database/database.ts';
import { enqueueAll } from '../enqueue.ts';
import { jsonText } from '../json.ts';

const EXPIRY_MARGIN_MS = 500;

/** Until when a row of `draft` can be confirmed from now on, by its kind. */
export function openUntil(sql: Queryable) {
  return sql`now() + (${jsonText(OPEN_SECONDS)}::text::jsonb ->> kind)::int * interval '1 second'`;
}

/** How long a row of `draft` can still be confirmed, in seconds. */
export function secondsLeft(sql: Queryable) {
  return sql`extract(epoch from expires_at - now())::float8`;
}

/** Nobody presses a card that has expired: it says so by itself. */
export async function enqueueExpiry(tx: TransactionSql, draftId: string, seconds: number): Promise<void> {
  await enqueueAll(tx, expiryJob(draftId, seconds));
}

/** The same as one of several. */
export function expiryJob(draftId: string, seconds: number) {
  const afterMs = Math.max(0, seconds) * 1000 + EXPIRY_MARGIN_MS;
  return { task: 'card', payload: { draftId, lapses: true }, key: `expiry:${draftId}`, afterMs } as const;
}
