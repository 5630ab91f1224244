import type { TransactionSql } from 'postgres';
import type { AlertKind } from '../../domain/alerts.ts';
import type { DestinationChange, DestinationView } from '../../ports/alerts.ts';
import type { ChatDoer, Doer, PlaceChange } from '../../ports/doer.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueue, enqueueNotify } from '../enqueue.ts';
import { holdKindsIn } from '../alerts/notification-in.ts';
import type { Row } from '../row.ts';
import { showsNumbersOf } from './rule-store.ts';

interface NewDestination extends ChatDoer {
  readonly telegramId: number | null;
  readonly threadId: number | null;
  readonly title: string;
  readonly kinds: readonly AlertKind[];
  readonly lang?: 'en' | 'fa';
  /** What the place is, where it is another one than the chat itself. */
  readonly type?: 'group' | 'supergroup' | 'channel';
}

/** Where the alerts of each chat go. */
export function createDestinationStore({ sql }: Database, timeZone: string) {
  return {
    /** Of one chat, the chat itself first. */
    of: async (chatId: string): Promise<readonly DestinationView[]> =>
      await readDestinations(sql, sql`s.chat_id = ${chatId}`),

    get: async (destinationId: string): Promise<DestinationView | null> =>
      (await readDestinations(sql, sql`s.id = ${destinationId}`))[0] ?? null,

    /** The one that is there when this place is a destination of the chat already. `telegramId` null: the chat itself. */
    async add({
      chatId,
      telegramId,
      threadId,
      title,
      kinds,
      personId,
      lang,
      type,
      updateId,
    }: NewDestination): Promise<string> {
      return await sql.begin(async (tx) => {
        await holdKindsIn(tx, chatId);
        // Buttons below what is said there belong to the place: it is a chat of its own.
        if (telegramId !== null)
          await tx`
            insert into chat (telegram_id, type, title) values (${telegramId}, ${type ?? 'channel'}, ${title})
            on conflict (telegram_id) do nothing`;
        const [made] = await tx<Row<'sink', 'id'>[]>`
          insert into sink (chat_id, telegram_id, thread_id, title, kinds, lang, created_by)
          values (${chatId}, ${telegramId}, ${threadId}, ${title}, ${[...kinds]}::text[], ${lang ?? null}, ${personId})
          on conflict do nothing returning id`;
        if (made !== undefined) {
          await tellStandingIn(tx, made.id, kinds);
          await writeAudit(tx, {
            chatId,
            personId,
            updateId,
            action: 'alerts_place_added',
            details: { title, threadId },
          });
          return made.id;
        }
        const [known] = await tx<Row<'sink', 'id'>[]>`
          select id from sink where chat_id = ${chatId} and telegram_id is not distinct from ${telegramId}
            and thread_id is not distinct from ${threadId}`;
        if (known === undefined) throw new Error('a destination that is there already is not there');
        return known.id;
      });
    },

    async change(
      chatId: string,
      destinationId: string,
      change: DestinationChange,
      by: Doer,
    ): Promise<DestinationView | null> {
      return await sql.begin(async (tx) => {
        await holdKindsIn(tx, chatId);
        const [now] = await readDestinations(tx, tx`s.id = ${destinationId} and s.chat_id = ${chatId}`);
        if (now === undefined) return null;
        const next = {
          ...now,
          ...change,
          ...(change.quiet === undefined
            ? {}
            : { quietFrom: change.quiet?.from ?? null, quietTo: change.quiet?.to ?? null }),
        };
        await tx`
          update sink s set kinds = ${[...next.kinds]}::text[], topics = ${next.topics}, quiet_from = ${next.quietFrom},
            quiet_to = ${next.quietTo}, digest_at = ${next.digestAt}, digest_day = ${next.digestDay},
            lang = ${change.lang ?? tx`s.lang`}
          where s.id = ${destinationId}`;
        if (next.digestAt !== null && (next.digestAt !== now.digestAt || now.digestAt === null))
          await waitForTomorrow(tx, destinationId, timeZone);
        await writeAudit(tx, {
          chatId,
          ...by,
          action: 'alerts_place_changed',
          details: { title: now.title, kinds: next.kinds },
        });
        await tellStandingIn(
          tx,
          destinationId,
          next.kinds.filter((kind) => !now.kinds.includes(kind)),
        );
        // Quiet hours may be over by the new clock.
        await enqueueNotify(tx, [destinationId]);
        return (await readDestinations(tx, tx`s.id = ${destinationId}`))[0] ?? null;
      });
    },

    /** What still waited there is not told. */
    async remove(chatId: string, destinationId: string, by: Doer): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const [gone] = await tx<Row<'sink', 'title'>[]>`
          delete from sink where id = ${destinationId} and chat_id = ${chatId} returning title`;
        if (gone === undefined) return false;
        await writeAudit(tx, {
          chatId,
          ...by,
          action: 'alerts_place_removed',
          details: { title: gone.title },
        });
        return true;
      });
    },

    /**
     * Nothing can be said there any more, until `on`, or until it is tried again and taken; has the owners told elsewhere.
     * Returns false where it was off already.
     */
    async off(destinationId: string, reason: string): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const [before] = await tx<{ was_off: boolean }[]>`
          select off_at is not null as was_off from sink where id = ${destinationId} for update`;
        if (before === undefined) return false;
        await tx`update sink set off_at = coalesce(off_at, now()), off_reason = ${reason} where id = ${destinationId}`;
        if (before.was_off) return false;
        await enqueue(tx, 'sink-off', { sinkId: destinationId }, { key: `sink-off:${destinationId}` });
        return true;
      });
    },

    /** The bot may speak in a group or channel: it can be offered for alerts from now on. */
    async opened({ chatTelegramId, personId, place }: PlaceChange): Promise<void> {
      if (place === undefined || place.type === 'private') return;
      await sql`
        insert into chat (telegram_id, type, title, opened_by)
        values (${chatTelegramId}, ${place.type}, ${place.title}, ${personId})
        on conflict (telegram_id) do update
          set type = excluded.type, title = excluded.title, opened_by = excluded.opened_by`;
    },

    async closed(telegramId: number): Promise<void> {
      await sql`update chat set opened_by = null where telegram_id = ${telegramId}`;
    },

    /**
     * Other groups and channels that somebody of a chat's team has let the bot into, newest first, without those that are
     * told already. What they are called is for their own people: whoever is offered one is looked up at Telegram first.
     */
    async near(chatId: string, most: number): Promise<readonly number[]> {
      const rows = await sql<Row<'chat', 'telegram_id'>[]>`
        select p.telegram_id from chat p
        where p.id <> ${chatId} and p.opened_by in (select m.person_id from member m where m.chat_id = ${chatId})
          and not exists (
            select 1 from sink s where s.chat_id = ${chatId} and s.telegram_id = p.telegram_id and s.thread_id is null)
        order by p.created_at desc limit ${most}`;
      return rows.map((row) => row.telegram_id);
    },

    /** The bot is back in a place, or may post there again: what is still queued is told. */
    async on(telegramId: number): Promise<readonly DestinationView[]> {
      return await sql.begin(async (tx) => {
        const rows = await tx<Row<'sink', 'id'>[]>`
          update sink s set off_at = null, off_reason = null from chat c
          where c.id = s.chat_id and coalesce(s.telegram_id, c.telegram_id) = ${telegramId} and s.off_at is not null
          returning s.id`;
        const ids = rows.map(({ id }) => id);
        if (ids.length === 0) return [];
        await enqueueNotify(tx, ids);
        return await readDestinations(tx, tx`s.id = any(${ids}::uuid[])`);
      });
    },
  };
}

/** What stands already is told in a place where its kind has just been switched on. */
async function tellStandingIn(
  tx: TransactionSql,
  destinationId: string,
  kinds: readonly AlertKind[],
): Promise<void> {
  const told = await tx`
    insert into notice (sink_id, kind, alarm_id, inbound_id, facts)
    select s.id, a.kind, a.id, (a.facts ->> 'inboundId')::bigint, a.facts from sink s join alarm a on a.chat_id = s.chat_id
    where s.id = ${destinationId} and a.ended_at is null and a.kind = any(${[...kinds]}::text[]) order by a.since`;
  if (told.count > 0) await enqueueNotify(tx, [destinationId]);
}

/** A digest whose time of today is over when it is switched on comes tomorrow for the first time. */
async function waitForTomorrow(tx: TransactionSql, destinationId: string, timeZone: string): Promise<void> {
  await tx`
    update sink s set digested_on = case
      when extract(hour from l.at) * 60 + extract(minute from l.at) >= s.digest_at then l.at::date::text end
    from chat c cross join lateral (select now() at time zone coalesce(c.time_zone, ${timeZone}) as at) l
    where s.id = ${destinationId} and c.id = s.chat_id`;
}

/** The columns of a {@link DestinationView} over `sink s`, its chat `c` and the chat `p` of its place. */
function destinationColumns(db: Queryable) {
  return db`
    s.id, s.chat_id as "chatId", coalesce(s.telegram_id, c.telegram_id)::float8 as "telegramId",
    c.telegram_id::float8 as "homeTelegramId", coalesce(p.id, c.id) as "placeId",
    s.telegram_id is null as "isChatItself", s.thread_id as "threadId",
    coalesce(nullif(s.title, ''), c.title) as title, coalesce(s.lang, c.lang) as lang, c.time_zone as "timeZone",
    ${showsNumbersOf(db)} as "showsNumbers", s.kinds, s.topics,
    s.quiet_from as "quietFrom", s.quiet_to as "quietTo", s.digest_at as "digestAt", s.digest_day as "digestDay",
    s.off_reason as "offReason", s.off_at as "offAt"`;
}

/** Destinations that a condition on `s` and `c` picks, the chat itself first. */
async function readDestinations(db: Queryable, where: ReturnType<Queryable>): Promise<DestinationView[]> {
  return await db<DestinationView[]>`
    select ${destinationColumns(db)} from sink s join chat c on c.id = s.chat_id
    left join chat p on p.telegram_id = s.telegram_id where ${where}
    order by s.telegram_id is not null, s.thread_id is not null, s.created_at, s.id`;
}
