import type { AlarmView } from '../ports/alerts.ts';
import type { Queryable } from './database.ts';

interface AlarmRow extends Omit<AlarmView, 'ackedBy'> {
  readonly acked_id: number | null;
  readonly acked_name: string | null;
}

/** Alarms that a condition on `a` picks, the newest first. */
export async function readAlarms(db: Queryable, where: ReturnType<Queryable>): Promise<AlarmView[]> {
  const rows = await db<AlarmRow[]>`
    select a.id, a.chat_id as "chatId", a.account_id as "accountId", a.kind, a.subject, a.level, a.facts,
      a.since, a.ended_at as "endedAt", a.acked_at as "ackedAt", a.remind_at as "remindAt",
      a.acked_by::float8 as acked_id, p.name as acked_name
    from alarm a left join person p on p.telegram_id = a.acked_by where ${where} order by a.since desc, a.id`;
  return rows.map(({ acked_id, acked_name, ...row }) => ({
    ...row,
    ackedBy: acked_id === null ? null : { id: acked_id, name: acked_name ?? '' },
  }));
}
