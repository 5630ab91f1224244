import postgres, { type TransactionSql } from 'postgres';
import type { BindingView, ChatType, ChatView, Identity, Lang, PersonView } from '../../ports/stores.ts';
import { createBatch } from '../database/batch.ts';
import type { Database, Queryable } from '../database/database.ts';
import { cardJob, enqueueAll, enqueueMenus } from '../enqueue.ts';
import { showOpenDraftsIn } from '../sending/limits-in.ts';
import type { Maybe, Row } from '../row.ts';
import { showsNumbersOf } from '../inbox/rule-store.ts';

type IdentityRow = Maybe<Row<'member', 'role'>> &
  Maybe<Row<'form', 'update_id as form_update' | 'state as form_state'>> & {
    /** The place among what was asked for together, from 1. */
    readonly at: number;
    readonly chat: ChatView;
    readonly person: PersonView & { username: string | null };
    readonly binding: BindingView | null;
    readonly is_shut: boolean;
  };

const UNIQUE_VIOLATION = '23505';
/** Far below every id that Telegram gives, and still exact as a number. */
const ASIDE = -9_000_000_000_000_000;

interface Seen {
  readonly chat: { readonly telegramId: number; readonly type: ChatType; readonly title: string };
  readonly person: { readonly id: number; readonly name: string; readonly username: string | null };
  readonly formKey: string;
  /** The forum topic; its own sender line wins over the chat's. */
  readonly threadId?: number | undefined;
}

/**
 * Chats, people and roles. `identify` is on the path of every update: one prepared statement, which updates that
 * come together share.
 */
export function createIdentityStore({ sql }: Database) {
  const read = createBatch(readAll, { lanes: Number.POSITIVE_INFINITY });

  return {
    async identify(seen: Seen): Promise<Identity> {
      const known = await read(seen);
      if (known !== null && isCurrent(known, seen)) return known.identity;
      await remember(seen);
      const fresh = await read(seen);
      if (fresh === null) throw new Error('a chat that was just written is not there');
      return fresh.identity;
    },

    /**
     * Which chat this is and what a person there reads, without taking note of either. `chatId` null: nothing was ever
     * said to the bot there.
     */
    async lookUp(
      chatTelegramId: number,
      personId: number | null,
    ): Promise<{ readonly chatId: string | null; readonly lang: Lang | null }> {
      const [row] = await sql<(Maybe<Row<'chat', 'id as chatId'>> & { lang: Lang | null })[]>`
        select c.id as "chatId", coalesce(p.lang, c.lang) as lang
        from (select 1) one
        left join chat c on c.telegram_id = ${chatTelegramId}
        left join person p on p.telegram_id = ${personId}`;
      return row ?? { chatId: null, lang: null };
    },

    async setPersonLang(personId: number, lang: Lang): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`update person set lang = ${lang} where telegram_id = ${personId}`;
        const chats = await tx<Row<'chat', 'id'>[]>`
          select id from chat where telegram_id = ${personId}
          union select chat_id from member where person_id = ${personId}`;
        for (const { id } of chats) await enqueueMenus(tx, id, personId);
      });
    },

    async setChatLang(chatId: string, lang: Lang): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`update chat set lang = ${lang} where id = ${chatId}`;
        // Its alerts are in the language that the person had who linked the account, until the chat has one of its own.
        await tx`update sink set lang = ${lang} where chat_id = ${chatId} and telegram_id is null`;
        await enqueueMenus(tx, chatId);
      });
    },

    async setMobile(personId: number, mobile: string): Promise<void> {
      await sql`update person set mobile = ${mobile} where telegram_id = ${personId}`;
    },

    /** Moves a chat to its new Telegram id; both service messages may come, in any order. */
    async migrateChat(oldId: number, newId: number): Promise<void> {
      const moved = async () => await sql.begin(async (tx) => await move(tx, oldId, newId));
      try {
        await moved();
      } catch (error) {
        // An update of the new chat has made its row in this very moment: it is found now.
        if (!(error instanceof postgres.PostgresError) || error.code !== UNIQUE_VIOLATION) throw error;
        await moved();
      }
    },
  };

  async function move(tx: TransactionSql, oldId: number, newId: number): Promise<void> {
    // Whoever is told of it again finds it moved, and forgets no card that has been sent there since.
    await tx`select pg_advisory_xact_lock(hashtextextended('moves ' || ${oldId}::text, 0))`;
    await forgetMessages(tx, oldId);
    await moveDestinations(tx, oldId, newId);
    const [old] = await tx<Row<'chat', 'id'>[]>`
      select id from chat where telegram_id = ${oldId} for update`;
    if (old === undefined) return;
    const [fresh] = await tx<(Row<'chat', 'id'> & { moved: boolean })[]>`
      select n.id, n.created_at < o.created_at as moved from chat n join chat o on o.id = ${old.id}
      where n.telegram_id = ${newId} for update of n`;
    // The move was made before; what stands under the old id came from a straggler afterwards.
    if (fresh?.moved === true) return;
    // An update of the new chat came first and made an empty row: it gives way to the one with the history.
    if (fresh !== undefined) await standAside(tx, fresh.id, { for: old.id, telegramId: newId });
    await tx`update chat set telegram_id = ${newId}, type = 'supergroup' where id = ${old.id}`;
    await enqueueMenus(tx, old.id);
    await showOpenDraftsIn(tx, old.id);
    await showUnderWayIn(tx, old.id);
  }

  async function readAll(all: readonly Seen[]) {
    const [first] = all;
    // Postgres plans the statement over arrays anew each time (0.6 ms, measured): worth it only when several share it.
    if (all.length === 1 && first !== undefined) return [await readOne(first)];
    const rows = await sql<IdentityRow[]>`
      select s.at::int, ${columns()}
      from unnest(
        ${all.map((seen) => seen.chat.telegramId)}::bigint[], ${all.map((seen) => seen.person.id)}::bigint[],
        ${all.map((seen) => seen.threadId ?? null)}::int[], ${all.map((seen) => seen.formKey)}::text[]
      ) with ordinality as s(chat_id, person_id, thread_id, form_key, at)
      join chat c on c.telegram_id = s.chat_id
      join person p on p.telegram_id = s.person_id
      left join member m on m.chat_id = c.id and m.person_id = p.telegram_id
      left join binding b on b.chat_id = c.id and b.state = 'live'
      left join topic_line t on t.chat_id = c.id and t.thread_id = s.thread_id
      left join form f on f.key = s.form_key`;
    const found = new Map(rows.map((row) => [row.at, row]));
    return all.map((_, index) => toKnown(found.get(index + 1)));
  }

  async function readOne(seen: Seen) {
    const [row] = await sql<IdentityRow[]>`
      select 1 as at, ${columns()}
      from chat c
      join person p on p.telegram_id = ${seen.person.id}
      left join member m on m.chat_id = c.id and m.person_id = p.telegram_id
      left join binding b on b.chat_id = c.id and b.state = 'live'
      left join topic_line t on t.chat_id = c.id and t.thread_id = ${seen.threadId ?? null}::int
      left join form f on f.key = ${seen.formKey}
      where c.telegram_id = ${seen.chat.telegramId}`;
    return toKnown(row);
  }

  function columns() {
    return sql`
      json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                        'lang', c.lang, 'timeZone', c.time_zone,
                        'showsNumbers', ${showsNumbersOf(sql)}) as chat,
      json_build_object('id', p.telegram_id, 'name', p.name, 'lang', p.lang, 'mobile', p.mobile,
                        'username', p.username) as person,
      m.role,
      case when b.id is null then null else
        json_build_object('id', b.id, 'kinds', b.kinds, 'keyTail', b.key_tail,
                          'accountName', b.account_name, 'line', coalesce(t.line, b.line)) end as binding,
      f.update_id as form_update, f.state as form_state,
      exists (
        select 1 from sink s where s.off_reason in ('blocked', 'kicked', 'chat_gone')
          and (s.telegram_id = c.telegram_id or (s.chat_id = c.id and s.telegram_id is null))) as is_shut`;
  }

  async function remember({ chat: c, person: p }: Seen): Promise<void> {
    await sql`
      insert into chat (telegram_id, type, title) values (${c.telegramId}, ${c.type}, ${c.title})
      on conflict (telegram_id) do update set type = excluded.type, title = excluded.title`;
    await rememberPerson(sql, p);
  }
}

/**
 * Notes who somebody is, as they were seen just now. A user name belongs to one person at a time at Telegram: whoever was
 * seen with it before has it no longer, so that nothing that is meant for its holder goes to a former one.
 */
export async function rememberPerson(
  sql: Queryable,
  { id, name, username }: { readonly id: number; readonly name: string; readonly username: string | null },
): Promise<void> {
  await sql`
    with former as (
      update person set username = null where lower(username) = lower(${username}) and telegram_id <> ${id}
    )
    insert into person (telegram_id, name, username) values (${id}, ${name}, ${username})
    on conflict (telegram_id) do update set name = excluded.name, username = excluded.username`;
}

function toKnown(row: IdentityRow | undefined): { identity: Identity; username: string | null } | null {
  if (row === undefined) return null;
  const { chat, person, role, binding, form_update: updateId, form_state: state, is_shut: isShut } = row;
  const form = state === null ? null : { updateId: updateId ?? 0, state: new Uint8Array(state) };
  return { identity: { chat, person, role, binding, form, isShut }, username: person.username };
}

/** Where there is no card any more, nobody can undo, pause or stop what is under way, nor answer what asks. */
async function showUnderWayIn(tx: TransactionSql, chatId: string): Promise<void> {
  const jobs = await tx<Row<'job', 'draft_id'>[]>`
    select draft_id from job where chat_id = ${chatId} and ended_at is null and state <> 'scheduled' order by confirmed_at, id`;
  await enqueueAll(tx, ...jobs.map(({ draft_id: draftId }) => cardJob(draftId)));
}

/** Messages are numbered anew there: by the numbers of the old chat, others would be taken for them, and drawn over. */
async function forgetMessages(tx: TransactionSql, oldId: number): Promise<void> {
  await tx`
    update draft set card_message_id = null, call_message_id = null, details = details - 'saidBy' - 'textBy'
    where chat_id = (select id from chat where telegram_id = ${oldId})`;
  await tx`
    update notice set message_id = null where sink_id in (select id from sink where telegram_id = ${oldId})`;
}

/** Alerts of other chats that go to this one follow it; where one goes to its new id already, that one stays. */
async function moveDestinations(tx: TransactionSql, oldId: number, newId: number): Promise<void> {
  await tx`
    update sink s set telegram_id = ${newId}
    where s.telegram_id = ${oldId} and not exists (
      select 1 from sink n where n.chat_id = s.chat_id and n.telegram_id = ${newId}
        and n.thread_id is not distinct from s.thread_id)`;
}

/** Audit rows refer to it, so it is not deleted; buttons and links made in between go on working. */
async function standAside(
  tx: TransactionSql,
  chatId: string,
  other: { readonly for: string; readonly telegramId: number },
): Promise<void> {
  await tx`update chat set telegram_id = ${ASIDE - other.telegramId} where id = ${chatId}`;
  await tx`update button set chat_id = ${other.for} where chat_id = ${chatId}`;
  await tx`update deep_link set chat_id = ${other.for} where chat_id = ${chatId}`;
  // Sealed for the row that nobody reaches any more.
  await tx`
    update binding set state = 'gone', credentials = null, ended_at = now()
    where chat_id = ${chatId} and state in ('pending', 'live')`;
}

function isCurrent(
  known: { identity: Identity; username: string | null },
  { chat: c, person: p }: Seen,
): boolean {
  const { identity } = known;
  return (
    identity.chat.type === c.type &&
    identity.chat.title === c.title &&
    identity.person.name === p.name &&
    known.username === p.username
  );
}
