import type { TransactionSql } from 'postgres';
import { AppError } from '../../domain/errors.ts';
import type { KeptPerson, PersonChange } from '../../domain/people.ts';
import { maskRecipient, type Recipient } from '../../domain/phone.ts';
import type { ChatDoer } from '../../ports/doer.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueueRenotice } from '../enqueue.ts';
import type { Row } from '../row.ts';
import { cardsIn } from '../inbox/talk-store.ts';

/** How many people a chat keeps. */
export const MAX_PEOPLE = 200_000;
/** People that are read at a time. */
const BLOCK = 1000;

type PersonRow = Row<'contact', 'number' | 'name' | 'fields' | 'tags'>;

/** Whom chats know by a number, with name, fields and tags. */
export function createPeopleStore({ sql }: Database) {
  return {
    /** How many a chat keeps, and under which tags, those with most first. */
    async overview(chatId: string): Promise<{
      readonly all: number;
      readonly tags: readonly { readonly tag: string; readonly people: number }[];
    }> {
      const [row] = await sql<
        { all: number }[]
      >`select count(*)::int as all from contact where chat_id = ${chatId}`;
      const tags = await sql<{ tag: string; people: number }[]>`
        select tag, count(*)::int as people from contact, unnest(tags) as tag where chat_id = ${chatId}
        group by tag order by people desc, tag`;
      return { all: row?.all ?? 0, tags };
    },

    /** Null: the chat knows nobody by that number. */
    async find(chatId: string, number: Recipient): Promise<KeptPerson | null> {
      const [row] = await sql<PersonRow[]>`
        select number, name, fields, tags from contact where chat_id = ${chatId} and number = ${number}`;
      return row ?? null;
    },

    /** Some of those under a tag, or of those in whose name, number or fields the words stand, by name. */
    async list(
      chatId: string,
      {
        tag,
        words,
        skip,
        limit,
      }: {
        readonly tag: string | null;
        readonly words: string | null;
        readonly skip: number;
        readonly limit: number;
      },
    ): Promise<{ readonly people: readonly KeptPerson[]; readonly all: number }> {
      const where = sql`chat_id = ${chatId} and ${under(tag)}
        and (${words}::text is null or strpos(lower(concat_ws(' ', name, '0' || right(number, 10),
          (select string_agg(value, ' ') from jsonb_each_text(fields)))), lower(${words}::text)) > 0)`;
      const people = await sql<PersonRow[]>`
        select number, name, fields, tags from contact where ${where}
        order by name = '', lower(name), number offset ${skip} limit ${limit}`;
      const [row] = await sql<{ all: number }[]>`select count(*)::int as all from contact where ${where}`;
      return { people, all: row?.all ?? 0 };
    },

    /** All of a chat's, or those under a tag, by number, block by block. */
    async *each(chatId: string, tag: string | null): AsyncIterable<readonly KeptPerson[]> {
      for (let after = ''; ;) {
        const people = await sql<PersonRow[]>`
          select number, name, fields, tags from contact where chat_id = ${chatId} and number > ${after} and ${under(tag)}
          order by number limit ${BLOCK}`;
        const last = people.at(-1);
        if (last === undefined) return;
        yield people;
        after = last.number;
      }
    },

    /** The names of the fields that somebody of these has: those of most people first. */
    async fieldNames(chatId: string, tag: string | null): Promise<readonly string[]> {
      const rows = await sql<{ field: string }[]>`
        select field from contact, jsonb_object_keys(fields) as field where chat_id = ${chatId} and ${under(tag)}
        group by field order by count(*) desc, field`;
      return rows.map(({ field }) => field);
    },

    /**
     * Keeps somebody, or changes what is kept of them, with a row in the audit; their newest cards are shown anew. Throws
     * `bad_input` with `field` = `people` where the chat keeps as many as it can.
     */
    async set(
      { chatId, personId, updateId }: ChatDoer,
      number: Recipient,
      change: PersonChange,
    ): Promise<KeptPerson> {
      return await sql.begin(async (tx) => {
        const person = await setIn(tx, { chatId, personId }, number, change);
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'person_kept',
          details: { number: maskRecipient(number) },
        });
        return person;
      });
    },

    /** Takes somebody out, with a row in the audit; false: they were not kept. */
    async drop({ chatId, personId, updateId }: ChatDoer, number: Recipient): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const gone =
          await tx`delete from contact where chat_id = ${chatId} and number = ${number} returning 1`;
        if (gone.length === 0) return false;
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'person_dropped',
          details: { number: maskRecipient(number) },
        });
        await showIn(tx, chatId, number);
        return true;
      });
    },

    /**
     * Takes out everybody under a tag, with a row in the audit; whoever has another one loses this tag alone.
     * @returns how many went, and how many stayed
     */
    async dropTag(
      { chatId, personId, updateId }: ChatDoer,
      tag: string,
    ): Promise<{ readonly gone: number; readonly stayed: number }> {
      return await sql.begin(async (tx) => {
        const gone =
          await tx`delete from contact where chat_id = ${chatId} and tags = array[${tag}] returning 1`;
        const stayed = await tx`
          update contact set tags = array_remove(tags, ${tag}) where chat_id = ${chatId} and tags @> array[${tag}] returning 1`;
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'people_dropped',
          details: { name: tag, numbers: gone.length },
        });
        return { gone: gone.length, stayed: stayed.length };
      });
    },

    /** What people call a number; null takes the name away, and whoever has nothing else with it. */
    async name(chatId: string, number: Recipient, name: string | null, personId: number): Promise<void> {
      await sql.begin(async (tx) => {
        await setIn(tx, { chatId, personId }, number, { name: name ?? '' });
        if (name === null)
          await tx`
            delete from contact where chat_id = ${chatId} and number = ${number} and fields = '{}' and tags = '{}'`;
      });
    },
  };

  function under(tag: string | null) {
    return tag === null ? sql`true` : sql`tags @> array[${tag}]`;
  }
}

/**
 * Keeps many at once, each number once: what is said of somebody is put beside what is known, and goes before it.
 * `limitPeopleIn` comes after the last of them.
 * @returns how many of them the chat did not know
 */
export async function keepIn(
  tx: TransactionSql,
  { chatId, personId }: Pick<ChatDoer, 'chatId' | 'personId'>,
  people: readonly KeptPerson[],
): Promise<number> {
  const rows = people.map(({ number, name, fields, tags }) => ({ number, name, fields, tags }));
  const kept = await tx<{ fresh: boolean }[]>`
    insert into contact as c (chat_id, number, name, fields, tags, set_by)
    select ${chatId}, number, name, fields, tags, ${personId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p (number text, name text, fields jsonb, tags text[])
    on conflict (chat_id, number) do update set
      name = case when excluded.name = '' then c.name else excluded.name end, fields = c.fields || excluded.fields,
      tags = array(select distinct unnest(c.tags || excluded.tags) order by 1), set_by = excluded.set_by, set_at = now()
    returning xmax = 0 as fresh`;
  return kept.filter(({ fresh }) => fresh).length;
}

async function setIn(
  tx: TransactionSql,
  doer: Pick<ChatDoer, 'chatId' | 'personId'>,
  number: Recipient,
  { name, fields = {}, tags = [], without = [] }: PersonChange,
): Promise<KeptPerson> {
  const { chatId } = doer;
  await keepIn(tx, doer, [{ number, name: name ?? '', fields, tags }]);
  await limitPeopleIn(tx, chatId);
  const gone = Object.keys(fields).filter((field) => fields[field] === '');
  const [person] = await tx<PersonRow[]>`
    update contact set name = coalesce(${name ?? null}, name), fields = fields - ${gone}::text[],
      tags = array(select unnest(tags) except select unnest(${[...without]}::text[]) order by 1)
    where chat_id = ${chatId} and number = ${number} returning number, name, fields, tags`;
  if (person === undefined) throw new Error('somebody who was kept just now is gone');
  await showIn(tx, chatId, number);
  return person;
}

/** Throws where a chat keeps more than it can: what this transaction has brought is then taken back. */
export async function limitPeopleIn(sql: Queryable, chatId: string): Promise<void> {
  const [row] = await sql<
    { all: number }[]
  >`select count(*)::int as all from contact where chat_id = ${chatId}`;
  if ((row?.all ?? 0) <= MAX_PEOPLE) return;
  throw new AppError('bad_input', 'a chat keeps no more people', {
    params: { field: 'people', limit: MAX_PEOPLE },
  });
}

/** The newest cards of what came from a number say what people call it. */
async function showIn(tx: TransactionSql, chatId: string, number: Recipient): Promise<void> {
  const concerned = await tx<Row<'talk', 'id'>[]>`
    select t.id from talk t join account a on a.id = t.account_id
    where a.chat_id = ${chatId} and t.number = ${number}`;
  for (const { id } of concerned) await enqueueRenotice(tx, { inboundIds: await cardsIn(tx, id) });
}
