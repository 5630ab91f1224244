import type { Queryable } from './database.ts';
import { jsonText } from './json.ts';

export interface AuditEntry {
  readonly chatId: string | null;
  readonly personId: number | null;
  readonly updateId: number | null;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Adds a row to the audit, in the transaction of what it tells of. Rows are never changed: a trigger refuses it. */
export async function writeAudit(
  tx: Queryable,
  { chatId, personId, updateId, action, details = {} }: AuditEntry,
): Promise<void> {
  await tx`
    insert into audit (chat_id, person_id, update_id, action, details)
    values (${chatId}, ${personId}, ${updateId}, ${action}, ${jsonText(details)}::text::jsonb)`;
}
