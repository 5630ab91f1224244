import type { AuditRecord } from '../ports/stores.ts';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Database } from './database/database.ts';
import type { Maybe, Row } from './row.ts';

type AuditRow = Row<'audit', 'id' | 'at' | 'person_id' | 'action' | 'details'> & Maybe<Row<'person', 'name'>>;

interface AuditPage {
  readonly chatId: string;
  readonly upTo?: number | undefined;
  readonly skip?: number;
  readonly limit: number;
}

/** What was done in a chat; and rows for what is not a change in a table of ours, such as a key seen in a group. */
export function createAuditStore({ sql }: Database) {
  const until = (upTo: number | undefined) => (upTo === undefined ? sql`` : sql`and a.id <= ${upTo}`);

  return {
    add: async (entry: AuditEntry): Promise<void> => await writeAudit(sql, entry),

    /**
     * A chat's entries, newest first. `upTo` leaves out what came after that entry, so that pages stay as they were
     * when the first was shown.
     */
    async newest({ chatId, upTo, skip = 0, limit }: AuditPage): Promise<AuditRecord[]> {
      const rows = await sql<AuditRow[]>`
        select a.id, a.at, a.person_id, p.name, a.action, a.details
        from audit a left join person p on p.telegram_id = a.person_id
        where a.chat_id = ${chatId} ${until(upTo)}
        order by a.id desc offset ${skip} limit ${limit}`;
      return rows.map((row) => ({
        id: row.id,
        at: row.at,
        person: row.person_id === null ? null : { id: row.person_id, name: row.name ?? '' },
        action: row.action,
        details: row.details,
      }));
    },

    /** How many entries the chat has, up to one. */
    async count(chatId: string, upTo?: number): Promise<number> {
      const [row] = await sql<{ entries: string }[]>`
        select count(*) as entries from audit a where a.chat_id = ${chatId} ${until(upTo)}`;
      return Number(row?.entries ?? 0);
    },
  };
}
