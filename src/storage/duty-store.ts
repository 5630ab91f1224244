import { z } from 'zod';
import { foldWords, optOf, ruleFits } from '../domain/inbox-rules.ts';
import type { Duty, DutyStore } from '../ports/two-way.ts';
import { showTalkIn } from './answers-in.ts';
import type { Database, Queryable } from './database.ts';
import { rolesWith } from './draft-press.ts';
import { enqueue } from './enqueue.ts';
import { jsonText } from './json.ts';
import { rulesIn } from './rule-store.ts';

/** Two lines that answer each other within this time are machines. */
const LOOP_MINUTES = 60;
/** A gateway may tell times of its own zone as if they were of another. */
const STRANGE_CLOCK_HOURS = 4;

interface DutyRow {
  id: string;
  chat_id: string;
  binding_id: string;
  is_linked: boolean;
  lang: 'en' | 'fa' | null;
  time_zone: string | null;
  line: string;
  sender: string;
  text: string;
  heeds: boolean;
  answered_before: boolean;
}

/** What is to be done about received messages by themselves, and what their cards tell of it. */
export function createDutyStore({ sql }: Database): DutyStore {
  return {
    async of(inboundId) {
      const [row] = await sql<DutyRow[]>`
        select i.id, a.chat_id, a.binding_id, b.state = 'live' as is_linked, c.lang, c.time_zone, i.line, i.sender, i.text,
          i.line = any(a.opt_out_lines) as heeds,
          coalesce((select coalesce(i.sent_at, i.captured_at) <= d.restored_at + ${STRANGE_CLOCK_HOURS} * interval '1 hour'
            from deployment d), false) as answered_before
        from inbound i join account a on a.id = i.account_id join chat c on c.id = a.chat_id
        join binding b on b.id = a.binding_id where i.id = ${inboundId}`;
      if (row === undefined) return null;
      return {
        inboundId,
        chatId: row.chat_id,
        bindingId: row.binding_id,
        isLinked: row.is_linked,
        lang: row.lang,
        timeZone: row.time_zone,
        line: row.line,
        sender: row.sender,
        opt: row.heeds ? optOf(row.text) : null,
        // What came before a backup was brought back may have been answered then: the backup does not know.
        answer: row.answered_before ? null : await answerIn(sql, row),
      };
    },

    async claimAnswer(inboundId, timeZone) {
      if (await isLoopIn(sql, inboundId)) return 'loop';
      const [row] = await sql<{ inbound_id: string }[]>`
        insert into auto_answer as o (account_id, number, day, inbound_id)
        select account_id, sender, to_char(now() at time zone ${timeZone}, 'YYYY-MM-DD'), id
        from inbound where id = ${inboundId}
        on conflict (account_id, number, day) do update set inbound_id = o.inbound_id
        returning inbound_id`;
      return Number(row?.inbound_id) === inboundId ? 'claimed' : 'today';
    },

    async note(inboundId, note) {
      await sql.begin(async (tx) => {
        await tx`
          update notice set facts = facts || ${jsonText({ ...note })}::text::jsonb where inbound_id = ${inboundId}`;
        const [row] = await tx<{ talk_id: string }[]>`select talk_id from inbound where id = ${inboundId}`;
        if (row !== undefined) await showTalkIn(tx, row.talk_id);
      });
    },

    async again(inboundId, tries, afterMs) {
      await sql.begin(async (tx) => {
        await enqueue(
          tx,
          'inbound-duty',
          { inboundId, tries },
          { key: `inbound-duty:${inboundId}`, afterMs },
        );
      });
    },
  };
}

async function answerIn(sql: Queryable, { chat_id: chatId, line, text }: DutyRow): Promise<Duty['answer']> {
  const rule = (await rulesIn(sql, chatId)).find(
    (each) => each.answer !== null && ruleFits(each, { line, text }),
  );
  if (rule === undefined || rule.answer === null) return null;
  const may = await sql`
    select 1 from member where chat_id = ${chatId} and person_id = ${rule.createdBy.id}
      and role = any(${rolesWith('send.confirm')}::text[])`;
  return { text: rule.answer, authorId: rule.createdBy.id, mayAnswer: may.length > 0 };
}

/**
 * Whether a message is what some chat answers by itself, or comes from a line that has just got such an answer from
 * the one it writes to.
 */
async function isLoopIn(sql: Queryable, inboundId: number): Promise<boolean> {
  const [row] = await sql<{ text: string; answers: unknown; pair: boolean }[]>`
    select i.text,
      (select coalesce(json_agg(distinct r.answer), '[]') from inbox_rule r where r.answer is not null
        and (r.chat_id = a.chat_id or length(r.answer) between length(i.text) - 50 and length(i.text) + 50)) as answers,
      exists (
        select 1 from auto_answer o join inbound j on j.id = o.inbound_id
        where right(j.line, 10) = right(i.sender, 10) and right(o.number, 10) = right(i.line, 10)
          and j.captured_at > now() - ${LOOP_MINUTES} * interval '1 minute') as pair
    from inbound i join account a on a.id = i.account_id where i.id = ${inboundId}`;
  if (row === undefined) return true;
  const said = foldWords(row.text);
  return (
    row.pair ||
    z
      .array(z.string())
      .parse(row.answers)
      .some((answer) => foldWords(answer) === said)
  );
}
