import type { AlarmView } from '../ports/alerts.ts';
import type { Queryable } from './database.ts';

interface AlarmRow extends Omit<AlarmView, 'since' | 'endedAt' | 'ackedAt' | 'remindAt' | 'ackedBy'> {
  readonly since_ms: number;
  readonly ended_ms: number | null;
  readonly acked_ms: number | null;
  readonly remind_ms: number | null;
  readonly acked_id: number | null;
  readonly acked_name: string | null;
}

/** Alarms that a condition on `a` picks, the newest first. */
export async function readAlarms(db: Queryable, where: ReturnType<Queryable>): Promise<AlarmView[]> {
  const rows = await db<AlarmRow[]>`
    select a.id, a.chat_id as "chatId", a.account_id as "accountId", a.kind, a.subject, a.level, a.facts,
      (extract(epoch from a.since) * 1000)::float8 as since_ms, (extract(epoch from a.ended_at) * 1000)::float8 as ended_ms,
      (extract(epoch from a.acked_at) * 1000)::float8 as acked_ms, (extract(epoch from a.remind_at) * 1000)::float8 as remind_ms,
      a.acked_by::float8 as acked_id, p.name as acked_name
    from alarm a left join person p on p.telegram_id = a.acked_by where ${where} order by a.since desc, a.id`;
  return rows.map(({ since_ms, ended_ms, acked_ms, remind_ms, acked_id, acked_name, ...row }) => ({
    ...row,
    since: new Date(since_ms),
    endedAt: dateOf(ended_ms),
    ackedAt: dateOf(acked_ms),
    remindAt: dateOf(remind_ms),
    ackedBy: acked_id === null ? null : { id: acked_id, name: acked_name ?? '' },
  }));
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
