import type { TimeSpan } from '../domain/time-range.ts';
import type { AuditRecord } from '../ports/stores.ts';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Database } from './database/database.ts';
import type { Maybe, Row } from './row.ts';

type AuditRow = Row<'audit', 'id' | 'at' | 'person_id' | 'action' | 'details'> & Maybe<Row<'person', 'name'>>;

/** Which entries of a chat: all, those up to one, those of a time, those of people. */
interface AuditOf {
  readonly chatId: string;
  readonly upTo?: number | undefined;
  readonly time?: TimeSpan | undefined;
  readonly by?: readonly number[] | undefined;
}

interface AuditPage extends AuditOf {
  readonly skip?: number;
  readonly limit: number;
}

/** What was done in a chat; and rows for what is not a change in a table of ours, such as a key seen in a group. */
export function createAuditStore({ sql }: Database) {
  const of = ({ chatId, upTo, time, by }: AuditOf) => sql`a.chat_id = ${chatId}
    ${upTo === undefined ? sql`` : sql`and a.id <= ${upTo}`}
    ${time === undefined ? sql`` : sql`and a.at between to_timestamp(${time.from}) and to_timestamp(${time.to})`}
    ${by === undefined ? sql`` : sql`and a.person_id = any(${[...by]}::bigint[])`}`;

  return {
    add: async (entry: AuditEntry): Promise<void> => await writeAudit(sql, entry),

    /**
     * A chat's entries, newest first. `upTo` leaves out what came after that entry, so that pages stay as they were
     * when the first was shown.
     */
    async newest({ skip = 0, limit, ...which }: AuditPage): Promise<AuditRecord[]> {
      const rows = await sql<AuditRow[]>`
        select a.id, a.at, a.person_id, p.name, a.action, a.details
        from audit a left join person p on p.telegram_id = a.person_id
        where ${of(which)}
        order by a.id desc offset ${skip} limit ${limit}`;
      return rows.map((row) => ({
        id: row.id,
        at: row.at,
        person: row.person_id === null ? null : { id: row.person_id, name: row.name ?? '' },
        action: row.action,
        details: row.details,
      }));
    },

    /** How many they are. */
    async count(which: AuditOf): Promise<number> {
      const [row] = await sql<{ entries: string }[]>`
        select count(*) as entries from audit a where ${of(which)}`;
      return Number(row?.entries ?? 0);
    },
  };
}
