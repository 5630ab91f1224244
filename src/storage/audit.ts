import type { Queryable } from './database/database.ts';
import { jsonText } from './json.ts';
import type { Row } from './row.ts';

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

/** As many rows of a chat are looked at: what is handled once more is so soon after. */
const LATEST = 500;

/** What the audit says of the one of these actions that an update has done in a chat before, and is handled once more; or null. */
export async function doneBefore(
  sql: Queryable,
  { chatId, updateId }: { readonly chatId: string; readonly updateId: number | null },
  ...actions: readonly string[]
): Promise<Row<'audit', 'action' | 'details'> | null> {
  const [row] = await sql<Row<'audit', 'action' | 'details'>[]>`
    select a.action, a.details
    from (select * from audit where chat_id = ${chatId} order by id desc limit ${LATEST}) a
    where a.update_id = ${updateId} and a.action = any(${[...actions]}::text[]) order by a.id desc limit 1`;
  return row ?? null;
}
