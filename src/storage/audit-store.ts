import type { AuditStore } from '../ports/stores.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';

interface AuditRow {
  id: string;
  at_ms: number;
  person_id: string | null;
  name: string | null;
  action: string;
  details: Record<string, unknown>;
}

/** What was done in a chat; and rows for what is not a change in a table of ours, such as a key seen in a group. */
export function createAuditStore({ sql }: Database): AuditStore {
  const until = (upTo: number | undefined) => (upTo === undefined ? sql`` : sql`and a.id <= ${upTo}`);

  return {
    add: async (entry) => await writeAudit(sql, entry),

    async newest({ chatId, upTo, skip = 0, limit }) {
      const rows = await sql<AuditRow[]>`
        select a.id, (extract(epoch from a.at) * 1000)::float8 as at_ms, a.person_id, p.name, a.action, a.details
        from audit a left join person p on p.telegram_id = a.person_id
        where a.chat_id = ${chatId} ${until(upTo)}
        order by a.id desc offset ${skip} limit ${limit}`;
      return rows.map((row) => ({
        id: Number(row.id),
        at: new Date(row.at_ms),
        person: row.person_id === null ? null : { id: Number(row.person_id), name: row.name ?? '' },
        action: row.action,
        details: row.details,
      }));
    },

    async count(chatId, upTo) {
      const [row] = await sql<{ entries: string }[]>`
        select count(*) as entries from audit a where a.chat_id = ${chatId} ${until(upTo)}`;
      return Number(row?.entries ?? 0);
    },
  };
}
