import type { TransactionSql } from 'postgres';
import type { RuleWords, WordWay } from '../../domain/inbox-rules.ts';
import type { DeskHours } from '../../domain/working-time.ts';
import type { ChatDoer } from '../../ports/doer.ts';
import type { InboxRuleView } from '../../ports/two-way.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Maybe, Row } from '../row.ts';

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
  readonly way: WordWay;
  readonly destinationId: string | null;
  readonly answer: string | null;
}

/** The columns of a chat that say when somebody is at the desk. */
export type DeskRow = Row<'chat', 'desk_from' | 'desk_to' | 'desk_days'>;

/** When somebody is at the desk; null: nobody has said. */
export function deskHoursOf({ desk_from: from, desk_to: to, desk_days: days }: DeskRow): DeskHours | null {
  return from === null || to === null ? null : { from, to, days };
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
    /** Oldest first, and what holds while nobody is at the desk last: the first that fits decides. */
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
        if (rule.way === 'closed')
          await writeAudit(tx, { chatId, personId, updateId, action: 'closed_answer_off' });
        else {
          const details = { words: rule.words };
          await writeAudit(tx, { chatId, personId, updateId, action: 'inbox_rule_deleted', details });
        }
        return rule;
      });
    },

    /** What is answered while nobody is at the desk, instead of what was before. */
    async answerClosed({
      chatId,
      personId,
      updateId,
      answer,
    }: ChatDoer & { readonly answer: string }): Promise<void> {
      await sql.begin(async (tx) => {
        await lockRules(tx, chatId);
        await tx`delete from inbox_rule where chat_id = ${chatId} and way = 'closed'`;
        await tx`
          insert into inbox_rule (chat_id, way, words, answer, created_by, created_at)
          values (${chatId}, 'closed', '', ${answer}, ${personId}, clock_timestamp())`;
        await writeAudit(tx, { chatId, personId, updateId, action: 'closed_answer_set' });
      });
    },

    /** When somebody is at the desk; null: nobody has said. */
    async deskHours(chatId: string): Promise<DeskHours | null> {
      const [row] = await sql<DeskRow[]>`select desk_from, desk_to, desk_days from chat where id = ${chatId}`;
      return row === undefined ? null : deskHoursOf(row);
    },

    async setDeskHours({
      chatId,
      personId,
      updateId,
      hours,
    }: ChatDoer & { readonly hours: DeskHours | null }): Promise<void> {
      const days = hours?.days ?? null;
      await sql.begin(async (tx) => {
        await tx`
          update chat set desk_from = ${hours?.from ?? null}, desk_to = ${hours?.to ?? null},
            desk_days = ${days === null ? null : [...days]}::integer[] where id = ${chatId}`;
        const action = hours === null ? 'desk_hours_off' : 'desk_hours_set';
        await writeAudit(tx, { chatId, personId, updateId, action, details: { ...hours } });
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

/** The rules of a chat, oldest first; that for when nobody is at the desk last. */
export async function rulesIn(sql: Queryable, chatId: string): Promise<InboxRuleView[]> {
  const rows = await sql<RuleRow[]>`
    select r.id, r.line, r.way, r.words, r.answer, r.sink_id, s.title as sink_title, s.telegram_id is null as is_chat_itself,
      s.thread_id, r.created_by, p.name
    from inbox_rule r left join sink s on s.id = r.sink_id left join person p on p.telegram_id = r.created_by
    where r.chat_id = ${chatId} order by r.way = 'closed', r.created_at, r.id`;
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
  await lockRules(tx, chatId);
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

async function lockRules(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`inbox rules ${chatId}`}, 0))`;
}
