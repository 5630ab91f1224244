import type { TransactionSql } from 'postgres';
import type { ChatDoer } from '../../ports/doer.ts';
import type { Template } from '../../ports/templates.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Maybe, Row } from '../row.ts';

/** How many texts a chat keeps. */
export const MAX_TEMPLATES = 200;

type TemplateRow = Row<
  'template',
  'id' | 'name' | 'text' | 'for_answers as isForAnswers' | 'created_by as by' | 'created_at as savedAt'
> &
  Maybe<Row<'person', 'name as by_name'>>;

interface TemplateSaving extends ChatDoer {
  readonly name: string;
  readonly text: string;
  readonly replacing: string | null;
}

type TemplateSaved =
  | { readonly result: 'saved' | 'replaced'; readonly template: Template }
  /** It says so already; nothing was written. */
  | { readonly result: 'same'; readonly template: Template }
  /** The name has another text than the one that was to be replaced. */
  | { readonly result: 'taken'; readonly template: Template }
  | { readonly result: 'full'; readonly limit: number };

/** Texts that chats keep under a name. */
export function createTemplateStore({ sql }: Database) {
  return {
    /** Some of a chat's templates by name, and how many there are in all. */
    async list(
      chatId: string,
      { skip, limit }: { readonly skip: number; readonly limit: number },
    ): Promise<{ readonly templates: readonly Template[]; readonly all: number }> {
      const rows = await sql<TemplateRow[]>`
        ${selected(sql)} where t.chat_id = ${chatId} order by lower(t.name), t.id offset ${skip} limit ${limit}`;
      return { templates: rows.map(templateOf), all: await countIn(sql, chatId) };
    },

    /** Those that are offered to whoever answers a received message, by name. */
    async forAnswers(chatId: string, limit: number): Promise<readonly Template[]> {
      const rows = await sql<TemplateRow[]>`
        ${selected(sql)} where t.chat_id = ${chatId} and t.for_answers order by lower(t.name), t.id limit ${limit}`;
      return rows.map(templateOf);
    },

    /** Marks one for answers, or takes the mark away, with a row in the audit; null where it is gone or was replaced. */
    async setForAnswers({
      chatId,
      id,
      isOn,
      personId,
      updateId,
    }: ChatDoer & { readonly id: string; readonly isOn: boolean }): Promise<Template | null> {
      return await sql.begin(async (tx) => {
        const changed = await tx`
          update template set for_answers = ${isOn} where chat_id = ${chatId} and id = ${id} and for_answers <> ${isOn} returning id`;
        const [row] = await tx<TemplateRow[]>`
          ${selected(tx)} where t.chat_id = ${chatId} and t.id = ${id}`;
        if (row === undefined) return null;
        const action = isOn ? 'template_answers_on' : 'template_answers_off';
        if (changed.length > 0)
          await writeAudit(tx, { chatId, personId, updateId, action, details: { name: row.name } });
        return templateOf(row);
      });
    },

    async find(
      chatId: string,
      by: { readonly name: string } | { readonly id: string },
    ): Promise<Template | null> {
      const [row] = await sql<TemplateRow[]>`
        ${selected(sql)} where t.chat_id = ${chatId}
          and ${'id' in by ? sql`t.id = ${by.id}` : sql`lower(t.name) = lower(${by.name})`}`;
      return row === undefined ? null : templateOf(row);
    },

    /** Writes a text under a name, with a row in the audit. Only the template `replacing` gives way to it. */
    async save(saving: TemplateSaving): Promise<TemplateSaved> {
      return await sql.begin(async (tx) => await saveIn(tx, saving));
    },

    /** Deletes one, with a row in the audit; null where it is gone or was replaced. */
    async remove({
      chatId,
      id,
      personId,
      updateId,
    }: ChatDoer & { readonly id: string }): Promise<Template | null> {
      return await sql.begin(async (tx) => {
        await lockTemplates(tx, chatId);
        const [row] = await tx<TemplateRow[]>`
          ${selected(tx)} where t.chat_id = ${chatId} and t.id = ${id}`;
        if (row === undefined) return null;
        await tx`delete from template where id = ${id}`;
        const details = { name: row.name };
        await writeAudit(tx, { chatId, personId, updateId, action: 'template_deleted', details });
        return templateOf(row);
      });
    },
  };
}

async function saveIn(
  tx: TransactionSql,
  { chatId, personId, updateId, name, text, replacing }: TemplateSaving,
): Promise<TemplateSaved> {
  await lockTemplates(tx, chatId);
  const [row] = await tx<TemplateRow[]>`
    ${selected(tx)} where t.chat_id = ${chatId} and lower(t.name) = lower(${name})`;
  const before = row === undefined ? null : templateOf(row);
  if (before !== null && before.text === text) return { result: 'same', template: before };
  if (before !== null && before.id !== replacing) return { result: 'taken', template: before };
  if (before === null && (await countIn(tx, chatId)) >= MAX_TEMPLATES)
    return { result: 'full', limit: MAX_TEMPLATES };
  if (before !== null) await tx`delete from template where id = ${before.id}`;
  const [made] = await tx<Row<'template', 'id'>[]>`
    insert into template (chat_id, name, text, for_answers, created_by)
    values (${chatId}, ${name}, ${text}, ${before?.isForAnswers ?? false}, ${personId})
    returning id`;
  await writeAudit(tx, {
    chatId,
    personId,
    updateId,
    action: before === null ? 'template_saved' : 'template_replaced',
    details: { name },
  });
  const [written] = await tx<TemplateRow[]>`${selected(tx)} where t.id = ${made?.id ?? ''}`;
  if (written === undefined) throw new Error('a template is gone in the transaction that wrote it');
  return { result: before === null ? 'saved' : 'replaced', template: templateOf(written) };
}

/** Two that save at once never both take a name, or the last free place. */
async function lockTemplates(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`templates ${chatId}`}, 0))`;
}

function selected(sql: Queryable) {
  return sql`
    select t.id, t.name, t.text, t.for_answers as "isForAnswers", t.created_by as by, p.name as by_name,
      t.created_at as "savedAt"
    from template t left join person p on p.telegram_id = t.created_by`;
}

async function countIn(sql: Queryable, chatId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from template where chat_id = ${chatId}`;
  return row?.count ?? 0;
}

function templateOf({ by, by_name: byName, ...row }: TemplateRow): Template {
  return { ...row, savedBy: { id: by, name: byName ?? '' } };
}
