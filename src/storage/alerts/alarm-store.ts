import type { TransactionSql } from 'postgres';
import type { AlertKind } from '../../domain/alerts.ts';
import type { AlarmView, AlertSetting, Condition } from '../../ports/alerts.ts';
import type { Doer } from '../../ports/doer.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueueNotify, enqueueRenotice } from '../enqueue.ts';
import { tellFailuresIn } from '../sending/job-notifications.ts';
import { jsonText } from '../json.ts';
import { holdKindsIn, notificationIn } from './notification-in.ts';
import type { Maybe, Row } from '../row.ts';

/** An alarm that somebody has seen to is brought up again after so long if it still stands. */
const REMIND_SECONDS = 4 * 3600;

interface Note {
  readonly chatId: string;
  readonly kind: AlertKind;
  readonly draftId?: string;
  readonly facts: AlarmView['facts'];
}

/**
 * What stands and what is told of it: once for each crossing, whoever finds it and how often, for every change is one
 * transaction.
 */
export function createAlarmStore({ sql }: Database, timeZone: string) {
  const get = async (alarmId: string): Promise<AlarmView | null> =>
    (await readAlarms(sql, sql`a.id = ${alarmId}`))[0] ?? null;

  return {
    get,

    async settings(chatId: string): Promise<readonly AlertSetting[]> {
      return await sql<
        (Row<'alert_setting', 'kind' | 'muted_until as mutedUntil'> &
          Maybe<Row<'person', 'name as mutedBy'>> & { threshold: number | null })[]
      >`
        select s.kind, s.threshold::float8 as threshold, p.name as "mutedBy",
          s.muted_until as "mutedUntil"
        from alert_setting s left join person p on p.telegram_id = s.muted_by where s.chat_id = ${chatId}`;
    },

    async setThreshold(chatId: string, kind: AlertKind, threshold: number | null, by: Doer): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`
          insert into alert_setting (chat_id, kind, threshold) values (${chatId}, ${kind}, ${threshold})
          on conflict (chat_id, kind) do update set threshold = excluded.threshold`;
        await writeAudit(tx, { chatId, ...by, action: 'alert_threshold_set', details: { kind, threshold } });
      });
    },

    /** Until null: not muted any more. What stands is said again at the end of the mute. */
    async mute(chatId: string, kind: AlertKind, until: Date | null, by: Doer): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`
          insert into alert_setting (chat_id, kind, muted_until, muted_by)
          values (${chatId}, ${kind}, ${until?.toISOString() ?? null}, ${until === null ? null : by.personId})
          on conflict (chat_id, kind) do update set muted_until = excluded.muted_until, muted_by = excluded.muted_by`;
        await writeAudit(tx, {
          chatId,
          ...by,
          action: until === null ? 'alert_unmuted' : 'alert_muted',
          details: { kind, ...(until === null ? {} : { until: until.toISOString() }) },
        });
        // What stands is said again when it may be.
        const rows = await tx<Row<'alarm', 'id'>[]>`
          update alarm set remind_at = case when ${until === null} and remind_at is not null then now()
            else ${until?.toISOString() ?? null}::timestamptz end
          where chat_id = ${chatId} and kind = ${kind} and ended_at is null and acked_at is null returning id`;
        for (const { id } of rows) await enqueueRenotice(tx, { alarmId: id });
      });
    },

    /**
     * Begins an alarm, raises it, or ends it, and puts what is to be said of that into every destination where the kind is on
     * and not muted. `risen`, `ended`: this very condition did it.
     */
    async find({
      chatId,
      accountId,
      kind,
      subject,
      level,
      facts,
    }: Condition): Promise<'risen' | 'ended' | 'same'> {
      // What is as it was, which is nearly always so, takes no lock.
      const [known] = await sql<Row<'alarm', 'level'>[]>`
        select level from alarm where chat_id = ${chatId} and kind = ${kind} and subject = ${subject} and ended_at is null`;
      if (level <= (known?.level ?? 0) && (level > 0 || known === undefined)) return 'same';
      return await sql.begin(async (tx) => {
        if (level <= 0) {
          const [ended] = await tx<Row<'alarm', 'id'>[]>`
            update alarm set ended_at = now(), remind_at = null,
              facts = facts || jsonb_build_object('ended', ${jsonText(facts)}::text::jsonb)
            where chat_id = ${chatId} and kind = ${kind} and subject = ${subject} and ended_at is null returning id`;
          if (ended === undefined) return 'same';
          await enqueueRenotice(tx, { alarmId: ended.id });
          return 'ended';
        }
        // The index over open alarms lets one of several through; who raises it further has seen it afresh.
        const [risen] = await tx<Row<'alarm', 'id'>[]>`
          insert into alarm as a (chat_id, account_id, kind, subject, level, facts)
          values (${chatId}, ${accountId}, ${kind}, ${subject}, ${level}, ${jsonText(facts)}::text::jsonb)
          on conflict (chat_id, kind, subject) where ended_at is null do update
            set level = excluded.level, facts = excluded.facts, acked_by = null, acked_at = null, remind_at = null
            where a.level < excluded.level
          returning id`;
        if (risen === undefined) return 'same';
        await holdKindsIn(tx, chatId);
        await notificationIn(tx, { chatId, kind, alarmId: risen.id, facts });
        await tx`
          update alarm a set remind_at = m.muted_until from alert_setting m
          where a.id = ${risen.id} and m.chat_id = a.chat_id and m.kind = a.kind and m.muted_until > now()`;
        return 'risen';
      });
    },

    open: async (chatId: string): Promise<readonly AlarmView[]> =>
      await readAlarms(sql, sql`a.chat_id = ${chatId} and a.ended_at is null`),

    /** Null when somebody has before, or when it is over. */
    async ack(alarmId: string, by: Doer): Promise<AlarmView | null> {
      const done = await sql.begin(async (tx) => {
        const [row] = await tx<Row<'alarm', 'chat_id' | 'kind'>[]>`
          update alarm set acked_by = ${by.personId}, acked_at = now(), remind_at = now() + ${REMIND_SECONDS} * interval '1 second'
          where id = ${alarmId} and ended_at is null and acked_at is null returning chat_id, kind`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          ...by,
          action: 'alert_acked',
          details: { kind: row.kind },
        });
        await enqueueRenotice(tx, { alarmId });
        return true;
      });
      return done ? await get(alarmId) : null;
    },

    /** Says again what still stands, where its time for that has come: after a mute, or long after an ack. */
    remind: async (): Promise<number> => await sql.begin(remindIn),

    /** Has the digest of each destination made whose time has come today: once, whoever asks. */
    digests: async (): Promise<number> => await sql.begin(async (tx) => await digestsIn(tx, timeZone)),

    /** Tells once that too many of an ended send were not delivered, where that is so. */
    evaluateFailures: async (jobId: string): Promise<boolean> =>
      await sql.begin(async (tx) => await tellFailuresIn(tx, jobId)),

    /** Says something once that neither stands nor ends: that a send has ended, say. */
    async tell({ chatId, kind, draftId, facts }: Note): Promise<void> {
      await sql.begin(async (tx) => {
        await notificationIn(tx, { chatId, kind, facts, ...(draftId === undefined ? {} : { draftId }) });
      });
    },
  };
}

interface AlarmRow extends Omit<AlarmView, 'ackedBy'> {
  readonly acked_id: number | null;
  readonly acked_name: string | null;
}

/** Alarms that a condition on `a` picks, the newest first. */
async function readAlarms(db: Queryable, where: ReturnType<Queryable>): Promise<AlarmView[]> {
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

/** Alarms whose time to be brought up again has come, and that still stand. Each is taken by one sweep alone. */
async function remindIn(tx: TransactionSql): Promise<number> {
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
async function digestsIn(tx: TransactionSql, timeZone: string): Promise<number> {
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
