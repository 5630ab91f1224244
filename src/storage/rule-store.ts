import type { TransactionSql } from 'postgres';
import type { RuleWords } from '../domain/inbox-rules.ts';
import type { ChatDoer } from '../ports/doer.ts';
import type { InboxRuleView } from '../ports/two-way.ts';
import { writeAudit } from './audit.ts';
import type { Database, Queryable } from './database.ts';
import type { Maybe, Row } from './row.ts';

/** How many rules a chat has: each is held against each message. */
export const MAX_RULES = 50;

/** What is set of received messages is no threshold: how much of a number others may see. */
const MASKED = 0;
const WHOLE = 1;

type RuleRow = Row<'inbox_rule', 'id' | 'line' | 'way' | 'words' | 'answer' | 'sink_id' | 'created_by'> &
  Maybe<Row<'sink', 'title as sink_title'>> &
  Row<'sink', 'thread_id'> &
  Maybe<Row<'person', 'name'>> & { readonly is_chat_itself: boolean | null };

type RuleAdded =
  | { readonly result: 'added' | 'same'; readonly rule: InboxRuleView }
  | { readonly result: 'full' };

interface NewRule extends ChatDoer, RuleWords {
  readonly destinationId: string | null;
  readonly answer: string | null;
}

/** Whether the chat `c` wants phone numbers whole, as an expression; null: nobody has said. */
export function showsNumbersOf(sql: Queryable) {
  return sql`(select n.threshold = ${WHOLE} from alert_setting n where n.chat_id = c.id and n.kind = 'inbound')`;
}

/**
 * The rules of chats for what they receive, and the lines on which 11 and 12 change the blacklist. Every change is in
 * the audit.
 */
export function createRuleStore({ sql }: Database) {
  return {
    /** Oldest first: the first that fits decides. */
    list: async (chatId: string): Promise<readonly InboxRuleView[]> => await rulesIn(sql, chatId),

    async add(rule: NewRule): Promise<RuleAdded> {
      return await sql.begin(async (tx) => await addIn(tx, rule));
    },

    async remove({
      chatId,
      id,
      personId,
      updateId,
    }: ChatDoer & { readonly id: string }): Promise<InboxRuleView | null> {
      return await sql.begin(async (tx) => {
        const rule = (await rulesIn(tx, chatId)).find((each) => each.id === id);
        if (rule === undefined) return null;
        const gone = await tx`delete from inbox_rule where id = ${id} returning id`;
        if (gone.length === 0) return null;
        const details = { words: rule.words };
        await writeAudit(tx, { chatId, personId, updateId, action: 'inbox_rule_deleted', details });
        return rule;
      });
    },

    /** Whether phone numbers are shown whole in the chat's places; null: nobody has said, so in private alone. */
    async showsNumbers(chatId: string): Promise<boolean | null> {
      const [row] = await sql<{ whole: boolean | null }[]>`
        select ${showsNumbersOf(sql)} as whole from chat c where c.id = ${chatId}`;
      return row?.whole ?? null;
    },

    async setShowsNumbers({
      chatId,
      personId,
      updateId,
      isWhole,
    }: ChatDoer & { readonly isWhole: boolean }): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`
          insert into alert_setting (chat_id, kind, threshold) values (${chatId}, 'inbound', ${isWhole ? WHOLE : MASKED})
          on conflict (chat_id, kind) do update set threshold = excluded.threshold`;
        const action = isWhole ? 'inbox_numbers_whole' : 'inbox_numbers_masked';
        await writeAudit(tx, { chatId, personId, updateId, action });
      });
    },

    /** What holds for an account; null where nothing was read of it yet. */
    async inboxOf(
      bindingId: string,
    ): Promise<{ readonly optOutLines: readonly string[]; readonly marksRead: boolean } | null> {
      const [row] = await sql<Row<'account', 'opt_out_lines as lines' | 'marks_read'>[]>`
        select opt_out_lines as lines, marks_read from account where binding_id = ${bindingId}`;
      return row === undefined ? null : { optOutLines: row.lines, marksRead: row.marks_read };
    },

    /** False where nothing was read of the account yet. */
    async setOptOut({
      chatId,
      bindingId,
      line,
      isOn,
      personId,
      updateId,
    }: ChatDoer & {
      readonly bindingId: string;
      readonly line: string;
      readonly isOn: boolean;
    }): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const [row] = await tx<Row<'account', 'opt_out_lines as lines'>[]>`
          select opt_out_lines as lines from account where binding_id = ${bindingId} for update`;
        if (row === undefined) return false;
        if (row.lines.includes(line) === isOn) return true;
        const lines = row.lines.filter((each) => each !== line);
        await tx`
          update account set opt_out_lines = ${isOn ? [...lines, line] : lines} where binding_id = ${bindingId}`;
        const action = isOn ? 'optout_on' : 'optout_off';
        await writeAudit(tx, { chatId, personId, updateId, action, details: { line } });
        return true;
      });
    },

    /** Whether what was taken in is then marked read at the gateway. False where nothing was read of the account yet. */
    async setMarksRead({
      chatId,
      bindingId,
      isOn,
      personId,
      updateId,
    }: ChatDoer & { readonly bindingId: string; readonly isOn: boolean }): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const [row] = await tx<Row<'account', 'marks_read'>[]>`
          select marks_read from account where binding_id = ${bindingId} for update`;
        if (row === undefined) return false;
        if (row.marks_read === isOn) return true;
        await tx`update account set marks_read = ${isOn} where binding_id = ${bindingId}`;
        const action = isOn ? 'inbox_marked_on' : 'inbox_marked_off';
        await writeAudit(tx, { chatId, personId, updateId, action });
        return true;
      });
    },
  };
}

/** The rules of a chat, oldest first. */
export async function rulesIn(sql: Queryable, chatId: string): Promise<InboxRuleView[]> {
  const rows = await sql<RuleRow[]>`
    select r.id, r.line, r.way, r.words, r.answer, r.sink_id, s.title as sink_title, s.telegram_id is null as is_chat_itself,
      s.thread_id, r.created_by, p.name
    from inbox_rule r left join sink s on s.id = r.sink_id left join person p on p.telegram_id = r.created_by
    where r.chat_id = ${chatId} order by r.created_at, r.id`;
  return rows.map((row) => ({
    id: row.id,
    line: row.line,
    way: row.way,
    words: row.words,
    answer: row.answer,
    destination:
      row.sink_id === null
        ? null
        : {
            id: row.sink_id,
            title: row.sink_title ?? '',
            isChatItself: row.is_chat_itself === true,
            threadId: row.thread_id,
          },
    createdBy: { id: row.created_by, name: row.name ?? '' },
  }));
}

async function addIn(
  tx: TransactionSql,
  { chatId, personId, updateId, line, way, words, destinationId, answer }: NewRule,
): Promise<RuleAdded> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`inbox rules ${chatId}`}, 0))`;
  const before = await rulesIn(tx, chatId);
  const same = before.find(
    (each) =>
      each.line === line &&
      each.way === way &&
      each.words === words &&
      (each.destination?.id ?? null) === destinationId &&
      each.answer === answer,
  );
  if (same !== undefined) return { result: 'same', rule: same };
  if (before.length >= MAX_RULES) return { result: 'full' };
  const [made] = await tx<Row<'inbox_rule', 'id'>[]>`
    insert into inbox_rule (chat_id, line, way, words, sink_id, answer, created_by, created_at)
    values (${chatId}, ${line}, ${way}, ${words}, ${destinationId}, ${answer}, ${personId}, clock_timestamp()) returning id`;
  const details = { words, answers: answer !== null };
  await writeAudit(tx, { chatId, personId, updateId, action: 'inbox_rule_added', details });
  const rule = (await rulesIn(tx, chatId)).find((each) => each.id === made?.id);
  if (rule === undefined) throw new Error('a rule is gone in the transaction that wrote it');
  return { result: 'added', rule };
}
