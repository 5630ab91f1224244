import type { Fragment } from 'postgres';
import { z } from 'zod';
import { foldWords, optOf, ruleFits } from '../../domain/inbox-rules.ts';
import { closedSince } from '../../domain/working-time.ts';
import type { CardNote, AutoResponse } from '../../ports/two-way.ts';
import { showTalkIn } from './answers-in.ts';
import type { Database, Queryable } from '../database/database.ts';
import { bindingsOfUser } from '../accounts/gateway-user.ts';
import { rolesWith } from '../sending/draft-press.ts';
import { enqueue, enqueueAll } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { deskHoursOf, rulesIn, type DeskRow } from './rule-store.ts';
import type { Maybe, Row } from '../row.ts';

/** Two lines that answer each other within this time are machines. */
const LOOP_MINUTES = 60;
/** A gateway may tell times of its own zone as if they were of another. */
const STRANGE_CLOCK_HOURS = 4;
/** So much later, another message of the same second and text is the one of before: nobody says a thing twice at once. */
const RELISTED_HOURS = 1;
/** What is so old when it is first read is no question that still waits: a gateway may list it late. */
const OLD_HOURS = 24 + STRANGE_CLOCK_HOURS;
/** Longer than a 11 or 12 is tried. */
const HEEDED_HOURS = 4;

const dutyKey = (inboundId: number): string => `inbound-duty:${inboundId}`;

export interface LastWord {
  /** The message; of a person's word, the one that was asked about. */
  readonly id: number;
  readonly what: 'out' | 'in';
  readonly isPersons: boolean;
}

type AutoResponseRow = Row<'inbound', 'id' | 'line' | 'sender' | 'text' | 'captured_at'> &
  Row<'account', 'chat_id' | 'binding_id'> &
  Row<'chat', 'lang' | 'time_zone'> &
  DeskRow & {
    readonly now: Date;
    readonly is_linked: boolean;
    readonly heeds: boolean;
    readonly answered_before: boolean;
    readonly is_late: boolean;
  };

interface Decision {
  readonly bindingId: string;
  /** As a 11 asks for it, or a 12. */
  readonly what: 'out' | 'in';
  readonly line: string;
  /** Canonical. */
  readonly numbers: readonly string[];
}

/**
 * What is to be done about received messages by themselves, and what their cards tell of it.
 * @param timeZone of chats that have set none
 */
export function createAutoResponseStore({ sql }: Database, timeZone: string) {
  return {
    /** As things stand now; null when the message is not there, or is one of before that the gateway lists under a new id. */
    async of(inboundId: number): Promise<AutoResponse | null> {
      const [row] = await sql<AutoResponseRow[]>`
        select i.id, a.chat_id, a.binding_id, b.state = 'live' as is_linked, c.lang, c.time_zone, i.line, i.sender, i.text,
          i.captured_at, now() as now, c.desk_from, c.desk_to, c.desk_days,
          i.line = any(a.opt_out_lines) as heeds,
          coalesce((select coalesce(i.sent_at, i.captured_at) <= d.restored_at + ${STRANGE_CLOCK_HOURS} * interval '1 hour'
            from deployment d), false) as answered_before,
          coalesce(i.sent_at < i.captured_at - ${OLD_HOURS} * interval '1 hour', false) as is_late
        from inbound i join account a on a.id = i.account_id join chat c on c.id = a.chat_id
        join binding b on b.id = a.binding_id where i.id = ${inboundId} and not exists (
          select from inbound o where o.talk_id = i.talk_id and o.content_sha256 = i.content_sha256 and o.sent_at = i.sent_at
            and o.captured_at < i.captured_at - ${RELISTED_HOURS} * interval '1 hour')`;
      if (row === undefined) return null;
      return {
        inboundId,
        chatId: row.chat_id,
        bindingId: row.binding_id,
        isLinked: row.is_linked,
        lang: row.lang,
        timeZone: row.time_zone ?? timeZone,
        line: row.line,
        sender: row.sender,
        opt: row.heeds ? optOf(row.text) : null,
        // What came before a backup was brought back may have been answered then: the backup does not know.
        answer: row.answered_before ? null : await answerIn(sql, row, timeZone),
        isLate: row.is_late,
      };
    },

    /**
     * What holds for the sender of a message on the blacklist of its line: what it has last said of 11 and 12, by this
     * message or a later one, or what a person has decided since, in whichever chat of the account. Another chat of it
     * may have read a message before, and decided about it: its first reading counts.
     */
    async lastWord(inboundId: number): Promise<LastWord | null> {
      const readBy = sql`a.binding_id in ${bindingsOfUser(sql, sql`mine.binding_id`)}`;
      const firstRead = (row: Fragment) => sql`(
        select min(o.captured_at) from account a join inbound o on o.account_id = a.id
        where ${readBy} and o.key = ${row}.key and o.content_sha256 = ${row}.content_sha256)`;
      const said = await sql<
        (Row<'inbound', 'id' | 'text'> &
          Maybe<Row<'talk', 'list_decided'>> & { readonly decided: boolean; readonly later: boolean })[]
      >`
        select k.id, k.text, d.list_decided, coalesce(d.list_decided_at >= ${firstRead(sql`i`)}, false) as decided,
          coalesce(d.list_decided_at < ${firstRead(sql`k`)}, true) as later
        from inbound i join account mine on mine.id = i.account_id join talk t on t.id = i.talk_id
        join inbound k on k.talk_id = i.talk_id left join lateral (
          select o.list_decided, o.list_decided_at from account a join talk o on o.account_id = a.id
          where ${readBy} and o.line = t.line and o.number = t.number and o.list_decided_at is not null
          order by o.list_decided_at desc limit 1
        ) d on true
        where i.id = ${inboundId}
          and (coalesce(k.sent_at, k.captured_at), k.id) >= (coalesce(i.sent_at, i.captured_at), i.id)
        order by coalesce(k.sent_at, k.captured_at), k.id`;
      const word = said.reduce<LastWord | null>((last, { id, text, decided, later }) => {
        const what = optOf(text);
        return what === null || (decided && !later) ? last : { id, what, isPersons: false };
      }, null);
      const [first] = said;
      if (word !== null || first === undefined || !first.decided || first.list_decided === null) return word;
      return { id: inboundId, what: first.list_decided, isPersons: true };
    },

    /**
     * A person has put numbers on the blacklist of a line or taken them off: in all chats that has the last word so far.
     * A 11 or 12 that was being heeded meanwhile may have passed it on its way, so its task looks once more.
     */
    async decided({ bindingId, what, line, numbers }: Decision): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`
          update talk t set list_decided_at = now(), list_decided = ${what} from account a
          where a.id = t.account_id and a.binding_id in ${bindingsOfUser(tx, bindingId)}
            and t.line = ${line} and t.number = any(${[...numbers]}::text[])`;
        const said = await tx<Row<'inbound', 'id' | 'text'>[]>`
          select i.id, i.text from talk t join account a on a.id = t.account_id join inbound i on i.talk_id = t.id
          where a.binding_id in ${bindingsOfUser(tx, bindingId)} and t.line = ${line} and t.number = any(${[...numbers]}::text[])
            and t.line = any(a.opt_out_lines) and i.captured_at > now() - ${HEEDED_HOURS} * interval '1 hour'`;
        const others = said.filter(({ text }) => ![null, what].includes(optOf(text)));
        await enqueueAll(
          tx,
          ...others.map(({ id: inboundId }) => ({
            task: 'inbound-duty' as const,
            payload: { inboundId },
            key: dutyKey(inboundId),
          })),
        );
      });
    },

    /**
     * Whether this message is the one that its sender gets an answer to today, and since the desk closed; of several chats that
     * have the account, from its line one chat's. The same message may ask again. `loop`: it is an answer of ours itself, or two lines of ours are talking.
     */
    async claimAnswer(
      inboundId: number,
      { timeZone: zone, closed }: { readonly timeZone: string; readonly closed: Date | null },
    ): Promise<'claimed' | 'today' | 'closed' | 'loop'> {
      if (await isLoopIn(sql, inboundId)) return 'loop';
      return await sql.begin(async (tx) => {
        // The days of a night are two: of two messages that ask at once, the second sees what the first has got.
        await tx`
          select pg_advisory_xact_lock(hashtextextended('auto answer ' || b.gateway_user || ' ' || i.sender, 0))
          from inbound i join account a on a.id = i.account_id join binding b on b.id = a.binding_id
          where i.id = ${inboundId}`;
        const today = tx`to_char(now() at time zone ${zone}, 'YYYY-MM-DD')`;
        const since = tx`coalesce(j.captured_at >= ${closed?.toISOString() ?? null}, false)`;
        const [answered] = await tx<{ closed: boolean }[]>`
          select ${since} as closed from inbound i join account a on a.id = i.account_id join binding b on b.id = a.binding_id
          join binding p on p.gateway_user = b.gateway_user join account c on c.binding_id = p.id
          join auto_answer o on o.account_id = c.id and o.number = i.sender
          join inbound j on j.id = o.inbound_id
          where i.id = ${inboundId} and j.id <> i.id and (c.id = a.id or j.line = i.line)
            and (${since} or (c.id <> a.id and o.day = ${today}))
          order by closed desc limit 1`;
        if (answered !== undefined) return answered.closed ? 'closed' : 'today';
        const [row] = await tx<Row<'auto_answer', 'inbound_id'>[]>`
          insert into auto_answer as o (account_id, number, day, inbound_id)
          select account_id, sender, ${today}, id
          from inbound where id = ${inboundId}
          on conflict (account_id, number, day) do update set inbound_id = o.inbound_id
          returning inbound_id`;
        return row?.inbound_id === inboundId ? 'claimed' : 'today';
      });
    },

    /** What claimed an answer got none: whoever writes next may have it. */
    async release(inboundId: number): Promise<void> {
      await sql`delete from auto_answer where inbound_id = ${inboundId}`;
    },

    /** Writes down what its cards tell, and has them shown anew. */
    async note(inboundId: number, note: CardNote): Promise<void> {
      await sql.begin(async (tx) => {
        await tx`
          update notice set facts = facts || ${jsonText({ ...note })}::text::jsonb where inbound_id = ${inboundId}`;
        const [row] = await tx<
          Row<'inbound', 'talk_id'>[]
        >`select talk_id from inbound where id = ${inboundId}`;
        if (row !== undefined) await showTalkIn(tx, row.talk_id);
      });
    },

    /** Has it tried again after a pause. */
    async again(inboundId: number, tries: number, afterMs: number): Promise<void> {
      await sql.begin(async (tx) => {
        await enqueue(tx, 'inbound-duty', { inboundId, tries }, { key: dutyKey(inboundId), afterMs });
      });
    },
  };
}

async function answerIn(
  sql: Queryable,
  row: AutoResponseRow,
  timeZone: string,
): Promise<AutoResponse['answer']> {
  const { chat_id: chatId, line, text, now, captured_at: capturedAt } = row;
  const hours = deskHoursOf(row);
  const closed = hours === null ? null : closedSince(now, hours, row.time_zone ?? timeZone);
  // What came while somebody was there, or in another night, is not told that nobody is there now.
  const isClosed = closed !== null && capturedAt >= closed;
  const rule = (await rulesIn(sql, chatId)).find(
    (each) => each.answer !== null && ruleFits(each, { line, text, isClosed }),
  );
  if (rule === undefined || rule.answer === null) return null;
  const may = await sql`
    select 1 from member where chat_id = ${chatId} and person_id = ${rule.createdBy.id}
      and role = any(${rolesWith('send.confirm')}::text[])`;
  return {
    text: rule.answer,
    authorId: rule.createdBy.id,
    mayAnswer: may.length > 0,
    closedSince: rule.way === 'closed' ? closed : null,
  };
}

/**
 * Whether a message is what some chat answers by itself, or comes from a line that has just got such an answer from
 * the one it writes to.
 */
async function isLoopIn(sql: Queryable, inboundId: number): Promise<boolean> {
  const [row] = await sql<(Row<'inbound', 'text'> & { answers: unknown; pair: boolean })[]>`
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
