import type { AuditStore } from '../ports/stores.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';

/** Audit rows of what is not a change in a table of ours, such as a key seen in a group. */
export function createAuditStore({ sql }: Database): AuditStore {
  return { add: async (entry) => await writeAudit(sql, entry) };
}
