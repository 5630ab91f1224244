import type { TransactionSql } from 'postgres';
import { enqueueNotify } from './enqueue.ts';
import { notificationIn } from './notification-in.ts';
import type { Row } from './row.ts';

/** Alarms whose time to be brought up again has come, and that still stand. Each is taken by one sweep alone. */
export async function remindIn(tx: TransactionSql): Promise<number> {
  const due = await tx<Row<'alarm', 'id' | 'chat_id' | 'kind' | 'facts'>[]>`
    update alarm a set remind_at = null, acked_by = null, acked_at = null
    where a.id in (
      select id from alarm where ended_at is null and remind_at <= now() order by id for update skip locked limit 100)
    returning a.id, a.chat_id, a.kind, a.facts`;
  for (const { id, chat_id: chatId, kind, facts } of due)
    await notificationIn(tx, { chatId, kind, alarmId: id, facts: { ...facts, again: true } });
  return due.length;
}

/**
 * One digest for each destination whose time has come today, by the clocks of its chat; on its day also that of the week. A
 * row is updated by one sweep alone, so several processes make one.
 */
export async function digestsIn(tx: TransactionSql, timeZone: string): Promise<number> {
  const rows = await tx<Row<'notice', 'sink_id'>[]>`
    with due as (
      update sink s set digested_on = l.today
      from (
        select n.id, n.at::date::text as today, n.at, n.zone from (
          select s.id, now() at time zone coalesce(c.time_zone, ${timeZone}) as at, coalesce(c.time_zone, ${timeZone}) as zone
          from sink s join chat c on c.id = s.chat_id where s.digest_at is not null
        ) n
      ) l
      where s.id = l.id and 'digest' = any(s.kinds) and s.digest_at is not null and s.digested_on is distinct from l.today
        and extract(hour from l.at) * 60 + extract(minute from l.at) >= s.digest_at
      returning s.id, s.chat_id, s.digest_day, s.digest_at, l.at, l.zone
    ), spans as (
      select d.*, 'day' as span, 1 as days from due d
      union all
      select d.*, 'week', 7 from due d where d.digest_day = (extract(dow from d.at)::int + 1) % 7
    )
    insert into notice (sink_id, kind, facts)
    select p.id, 'digest', jsonb_build_object('span', p.span,
      'to', (extract(epoch from u.upto) * 1000)::bigint,
      'from', (extract(epoch from u.upto - p.days * interval '1 day') * 1000)::bigint)
    from spans p
    cross join lateral (
      select (p.at::date + p.digest_at * interval '1 minute') at time zone p.zone as upto) u
    where not exists (
      select 1 from alert_setting m where m.chat_id = p.chat_id and m.kind = 'digest' and m.muted_until > now())
    returning sink_id`;
  await enqueueNotify(tx, [...new Set(rows.map((row) => row.sink_id))]);
  return rows.length;
}
