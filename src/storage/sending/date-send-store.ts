import type { TransactionSql } from 'postgres';
import { MOST_DATE_SENDS, type DATE_SEND_MOVES, IN_FORCE } from '../../domain/date-send.ts';
import type { MissReason } from '../../domain/job.ts';
import { ROLES } from '../../domain/roles.ts';
import type {
  DateContent,
  DateRun,
  DateSend,
  DateSendView,
  DueDateSend,
  NobodyFits,
} from '../../ports/date-sends.ts';
import type { ChatDoer } from '../../ports/doer.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { makeJob } from './draft-confirmation.ts';
import { holdUnder, rolesWith } from './draft-press.ts';
import { insertDraft } from './draft-store.ts';
import { enqueue } from '../enqueue.ts';
import { holdLimits } from './limits-in.ts';
import { listed, move } from '../move.ts';
import { isSurelyOne } from '../accounts/gateway-user.ts';
import { costIn } from '../accounts/gauge-in.ts';
import { LATE_SECONDS } from './schedule-start.ts';
import { mayConfirmIn, missIn } from './series.ts';
import type { Maybe, Row } from '../row.ts';

/** Below these are no updates, and no answers to received messages. */
const RUNS_BELOW = -(2 ** 52);

type Rule = Row<
  'date_send',
  'id' | 'tag' | 'field' | 'yearly' | 'days_before as daysBefore' | 'minute' | 'text' | 'line' | 'lang'
>;
type ViewRow = Rule &
  Row<'date_send', 'state'> &
  Maybe<Row<'person', 'name as confirmedByName'>> & { readonly isOfOther: boolean };
type DueRow = Rule &
  Row<'date_send', 'chat_id as chatId' | 'done_on as doneOn'> &
  Row<'binding', 'id as bindingId' | 'kinds'> & { readonly timeZone: string; readonly upTo: string };

interface NewDateSend extends ChatDoer, DateSend {
  readonly botId: number;
  readonly threadId: number | undefined;
  /** It is to give its text to one that is there, and does not count. */
  readonly isChange?: boolean;
}

/** What the audit calls each move. */
const ACTIONS = {
  switch_on: 'date_send_on',
  pause: 'date_send_paused',
  resume: 'date_send_resumed',
  end: 'date_send_ended',
} as const satisfies Record<keyof typeof DATE_SEND_MOVES, string>;

/**
 * Standing orders to send by people's dates. What one sends is made, written down as sent to each of its people, and
 * confirmed in one transaction: whatever is cut short has sent nothing and claimed nobody.
 * @param timeZone of chats that have none of their own.
 */
export function createDateSendStore(database: Database, timeZone: string, decide = createDecide(database)) {
  const { sql } = database;
  const zone = (tx: Queryable) => tx`coalesce(c.time_zone, ${timeZone})`;
  /** The last day on which the time of an order `o` has come. */
  const upTo = (tx: Queryable) =>
    tx`to_char((now() at time zone ${zone(tx)}) - o.minute * interval '1 minute', 'YYYY-MM-DD')`;
  return {
    /** Writes one down that nobody has switched on yet, once for an update; null: the chat has as many as it can. */
    async propose(order: NewDateSend): Promise<DateSendView | null> {
      return await sql.begin(async (tx) => {
        const { chatId, botId, updateId } = order;
        if (order.isChange !== true && (await isFullIn(tx, chatId))) return null;
        await tx`
          insert into date_send (chat_id, bot_id, source_update, tag, field, yearly, days_before, minute, text, line, lang,
            thread_id, created_by)
          values (${chatId}, ${botId}, ${updateId}, ${order.tag}, ${order.field}, ${order.yearly}, ${order.daysBefore},
            ${order.minute}, ${order.text}, ${order.line}, ${order.lang}, ${order.threadId ?? null}, ${order.personId})
          on conflict do nothing`;
        const [row] = await tx<ViewRow[]>`
          ${viewed(tx)} where o.bot_id = ${botId} and o.source_update = ${updateId}`;
        return row ?? null;
      });
    },

    /** One that is on or paused. */
    async one(chatId: string, id: string): Promise<DateSendView | null> {
      const [row] = await sql<ViewRow[]>`
        ${viewed(sql)} where o.chat_id = ${chatId} and o.id = ${id} and o.state in ${listed(sql, IN_FORCE)}`;
      return row ?? null;
    },

    /** Those that are on or paused, the oldest first, and how many there are. */
    async list(
      chatId: string,
      { skip, limit }: { readonly skip: number; readonly limit: number },
    ): Promise<{ readonly orders: readonly DateSendView[]; readonly all: number }> {
      const orders = await sql<ViewRow[]>`
        ${viewed(sql)} where o.chat_id = ${chatId} and o.state in ${listed(sql, IN_FORCE)}
        order by o.created_at, o.id offset ${skip} limit ${limit}`;
      const [count] = await sql<{ all: number }[]>`
        select count(*)::int as all from date_send where chat_id = ${chatId} and state in ${listed(sql, IN_FORCE)}`;
      return { orders, all: count?.all ?? 0 };
    },

    /**
     * Switches one on, pauses, resumes or ends it; null: it does not stand so any more. From now on it sends in the name of
     * whoever has switched it on or resumed it, and days that are over by then it does not catch up on, but for the rest of
     * one that the pause has cut off. Where the chat has as many as it can, it stays `proposed`.
     */
    async move(
      name: keyof typeof DATE_SEND_MOVES,
      { chatId, id, personId, updateId }: ChatDoer & { readonly id: string },
    ): Promise<DateSendView | null> {
      return await decide(async (tx) => {
        const { to, may } = move(tx, 'date_send', name, 'o');
        const begins = name === 'switch_on' || name === 'resume';
        if (name === 'switch_on' && (await isFullIn(tx, chatId))) {
          const [row] = await tx<
            ViewRow[]
          >`${viewed(tx)} where o.chat_id = ${chatId} and o.id = ${id} and ${may}`;
          return row ?? null;
        }
        const [moved] = await tx<Row<'date_send', 'tag' | 'field'>[]>`
          update date_send o set state = ${to},
            confirmed_by = case when ${begins} then ${personId} else confirmed_by end,
            binding_id = case when ${begins} then ${boundTo(tx)} else o.binding_id end,
            done_on = case when ${begins} and not exists (
              select from date_run r where r.order_id = o.id and r.day = ${upTo(tx)}) then ${upTo(tx)} else done_on end,
            ended_at = case when ${name === 'end'} then now() end
          from chat c where c.id = o.chat_id and o.chat_id = ${chatId} and o.id = ${id} and ${may}
          returning o.tag, o.field`;
        if (moved === undefined) return null;
        const { tag, field } = moved;
        await writeAudit(tx, { chatId, personId, updateId, action: ACTIONS[name], details: { tag, field } });
        const [row] = await tx<ViewRow[]>`${viewed(tx)} where o.id = ${id}`;
        return row ?? null;
      });
    },

    /**
     * Gives one that is on or paused the text of one that was proposed for it, which ends; null: either stands so no more.
     * Whom it has written to, and which days are done with, stays as it is; so does that it asks first after a restore.
     */
    async change({
      chatId,
      id,
      by,
      personId,
      updateId,
    }: ChatDoer & { readonly id: string; readonly by: string }): Promise<DateSendView | null> {
      return await decide(async (tx) => {
        const { to, may } = move(tx, 'date_send', 'end', 'n');
        const [changed] = await tx<Row<'date_send', 'tag' | 'field'>[]>`
          with used as (
            update date_send n set state = ${to}, ended_at = now() from date_send o
            where n.id = ${by} and n.chat_id = ${chatId} and n.state = 'proposed' and ${may}
              and o.id = ${id} and o.chat_id = n.chat_id and o.state in ${listed(tx, IN_FORCE)}
            returning n.text, n.line, n.lang)
          update date_send o set text = used.text, line = used.line, lang = used.lang, binding_id = ${boundTo(tx)},
            confirmed_by = case when o.confirmed_by is not null then ${personId}::bigint end
          from used where o.id = ${id} and o.state in ${listed(tx, IN_FORCE)} returning o.tag, o.field`;
        if (changed === undefined) return null;
        const { tag, field } = changed;
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'date_send_changed',
          details: { tag, field },
        });
        const [row] = await tx<ViewRow[]>`${viewed(tx)} where o.id = ${id}`;
        return row ?? null;
      });
    },

    /** Those whose time has come, where there is an account to send by. */
    async due(): Promise<readonly DueDateSend[]> {
      // What a clock that was ahead has done with is still to come. Zones alone lie two days apart at most.
      await sql`
        update date_send o set done_on = to_char(${upTo(sql)}::date - 1, 'YYYY-MM-DD') from chat c
        where c.id = o.chat_id and o.state = 'on' and o.done_on > to_char(${upTo(sql)}::date + 2, 'YYYY-MM-DD')`;
      const rows = await sql<DueRow[]>`
        select ${ruled(sql)}, o.chat_id as "chatId", o.done_on as "doneOn", b.id as "bindingId", b.kinds, ${zone(sql)} as "timeZone",
          ${upTo(sql)} as "upTo"
        from date_send o join chat c on c.id = o.chat_id join binding b on b.chat_id = c.id and b.state = 'live'
        where o.state = 'on' and o.done_on < ${upTo(sql)} order by o.created_at, o.id`;
      return rows.map((row) => ({ ...row, doneOn: row.doneOn ?? row.upTo }));
    },

    /**
     * Makes a send of those in a run who were not written to before for the same occasion, and has it leave: as one that is
     * scheduled for its time, so that the chat's limits and switches hold for it. What may not leave by itself is missed from
     * the start, and asks.
     * @returns `off`: the order is not on any more, or says something else by now, or nobody is there in whose name it could be confirmed
     */
    async leave(run: DateRun): Promise<'made' | 'nobody' | 'off'> {
      return await decide(async (tx) => await leaveIn(tx, run));
    },

    /** A day of an order is done with, unless it says something else by now; `nobodyFits`: whose day it was and whom nothing can be sent, which is told where no send of the day does. */
    async done(
      { id, day, by }: { readonly id: string; readonly day: string; readonly by: DateContent },
      nobodyFits: { readonly count: number; readonly reason: string } | null,
    ): Promise<void> {
      await sql.begin(async (tx) => {
        const [moved] = await tx<{ sends: boolean }[]>`
          update date_send o set done_on = ${day} where id = ${id} and state = 'on' and ${says(tx, by)} and done_on < ${day}
          returning exists (select from date_run r where r.order_id = o.id and r.day = ${day}) as sends`;
        if (moved?.sends === false && nobodyFits !== null)
          await enqueue(tx, 'nobody-fits', { orderId: id, ...nobodyFits }, { key: `nobody-fits:${id}` });
      });
    },

    /** Where it is told that nobody could be written to; null: the order is gone. */
    async placeOf(orderId: string): Promise<NobodyFits | null> {
      const [row] = await sql<
        (Row<'date_send', 'tag' | 'field' | 'lang' | 'chat_id as chatId' | 'thread_id as threadId'> &
          Row<'chat', 'telegram_id as chatTelegramId'>)[]
      >`
        select o.tag, o.field, o.lang, o.chat_id as "chatId", o.thread_id as "threadId", c.telegram_id as "chatTelegramId"
        from date_send o join chat c on c.id = o.chat_id where o.id = ${orderId}`;
      return row ?? null;
    },
  };
}

/** Whether a chat has as many that are on or paused as it can; until the transaction ends, nobody else switches one on. */
async function isFullIn(tx: TransactionSql, chatId: string): Promise<boolean> {
  await tx`select 1 from chat where id = ${chatId} for no key update`;
  const [count] = await tx<{ all: number }[]>`
    select count(*)::int as all from date_send where chat_id = ${chatId} and state in ${listed(tx, IN_FORCE)}`;
  return (count?.all ?? 0) >= MOST_DATE_SENDS;
}

function ruled(sql: Queryable) {
  return sql`o.id, o.tag, o.field, o.yearly, o.days_before as "daysBefore", o.minute, o.text, o.line, o.lang`;
}

/** The condition that an order is still what messages were made by. */
function says(sql: Queryable, { text, line, lang }: DateContent) {
  return sql`(text = ${text} and line = ${line} and lang = ${lang})`;
}

/** The account for which an order `o` leaves from now on: the chat's of now. */
function boundTo(sql: Queryable) {
  return sql`coalesce((select b.id from binding b where b.chat_id = o.chat_id and b.state = 'live'), o.binding_id)`;
}

/** Whether the chat's account is not surely the one that an order `o` was switched on for; where nobody knows that one, it is. */
function isOfOther(sql: Queryable) {
  return sql`exists (
    select from binding a join binding n on n.chat_id = a.chat_id and n.state = 'live'
    where a.id = o.binding_id and not ${isSurelyOne(sql, 'a', 'n')})`;
}

function viewed(sql: Queryable) {
  return sql`
    select ${ruled(sql)}, o.state, p.name as "confirmedByName", ${isOfOther(sql)} as "isOfOther"
    from date_send o left join person p on p.telegram_id = o.confirmed_by`;
}

async function leaveIn(tx: TransactionSql, run: DateRun): Promise<'made' | 'nobody' | 'off'> {
  const { orderId, day, due, occasion, rows, inAddress } = run;
  const [place] = await tx<
    Row<'date_send', 'chat_id'>[]
  >`select chat_id from date_send where id = ${orderId}`;
  if (place === undefined) return 'off';
  await holdLimits(tx, place.chat_id);
  const [order] = await tx<
    (Row<'date_send', 'chat_id' | 'bot_id' | 'tag' | 'field' | 'lang' | 'thread_id' | 'confirmed_by'> & {
      readonly is_late: boolean;
      readonly is_restored: boolean;
      readonly is_of_other: boolean;
    })[]
  >`
    select chat_id, bot_id, tag, field, lang, thread_id, confirmed_by,
      now() - ${due.toISOString()}::timestamptz > ${LATE_SECONDS} * interval '1 second' as is_late,
      coalesce((select restored_at >= ${due.toISOString()}::timestamptz from deployment), false) as is_restored,
      ${isOfOther(tx)} as is_of_other
    from date_send o where id = ${orderId} and state = 'on' and ${says(tx, run.by)} for no key update`;
  const authorId = order === undefined ? null : await nameIn(tx, order);
  if (order === undefined || authorId === null) return 'off';
  const [made] = await tx<Row<'date_run', 'id'>[]>`
    insert into date_run (order_id, day) values (${orderId}, ${day}) returning id`;
  const runId = made?.id ?? 0;
  const claimed = await tx<Row<'date_sent', 'number'>[]>`
    insert into date_sent (order_id, number, occasion, run_id)
    select ${orderId}, number, ${occasion}, ${runId} from unnest(${rows.map(({ recipient }) => recipient)}::text[]) as number
    on conflict do nothing returning number`;
  if (claimed.length === 0) {
    await tx`delete from date_run where id = ${runId}`;
    return 'nobody';
  }
  const fresh = new Set(claimed.map(({ number }) => number));
  const leaving = rows.filter(({ recipient }) => fresh.has(recipient));
  const { id: draftId } = await insertDraft(tx, {
    chatId: order.chat_id,
    bindingId: run.bindingId,
    botId: order.bot_id,
    updateId: RUNS_BELOW - runId,
    authorId,
    outgoing: { kind: 'multi', rows: leaving, ...(inAddress ? { inAddress } : {}) },
    text: '',
    recipients: [...fresh],
    repeated: [],
    invalid: run.leftOut,
    line: leaving[0]?.line ?? '',
    lang: order.lang,
    sendAt: due,
    threadId: order.thread_id ?? undefined,
    byDate: { tag: order.tag, field: order.field },
  });
  const held = await holdUnder(tx, draftId);
  if (held === null) throw new Error('a draft is gone in the transaction that made it');
  const job = await makeJob(tx, held, {
    confirmedBy: authorId,
    approvedBy: null,
    updateId: null,
    undoSeconds: 0,
    priceRial: (await costIn(tx, held.draft.binding_id, held.payload)).price,
    unpressed: { action: 'send_by_date', details: { tag: order.tag, field: order.field } },
  });
  const why = whyNot(order, held.draft.live && !order.is_of_other, authorId);
  if (job.result === 'confirmed' && why !== null) await missIn(tx, job.jobId, why);
  return 'made';
}

/** Why a send is left for people to decide about; null: it may leave, if the chat's limits let it. */
function whyNot(
  order: Row<'date_send', 'confirmed_by'> & { readonly is_late: boolean; readonly is_restored: boolean },
  isLinked: boolean,
  authorId: number,
): MissReason | null {
  // What was due before a backup was brought back may have left then: the backup does not know.
  if (order.is_restored || order.confirmed_by === null) return 'restored';
  if (order.is_late) return 'late';
  if (!isLinked) return 'not_connected';
  return authorId === order.confirmed_by ? null : 'role';
}

/** Whoever has switched an order on, while their role lets them send; then the most senior whose role does, who is asked. */
async function nameIn(
  tx: TransactionSql,
  { chat_id: chatId, confirmed_by: confirmedBy }: Row<'date_send', 'chat_id' | 'confirmed_by'>,
): Promise<number | null> {
  if (confirmedBy !== null && (await mayConfirmIn(tx, chatId, confirmedBy))) return confirmedBy;
  const [other] = await tx<Row<'member', 'person_id'>[]>`
    select person_id from member where chat_id = ${chatId} and role = any(${rolesWith('send.confirm')}::text[])
    order by array_position(${[...ROLES]}::text[], role) desc, granted_at, person_id limit 1`;
  return other?.person_id ?? null;
}
