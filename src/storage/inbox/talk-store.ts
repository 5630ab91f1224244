import type { Named, TalkView } from '../../ports/inbound.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Maybe, Row } from '../row.ts';

const CARDS = 10;

/** Who has done what about a correspondent, and when. */
export type TalkDeeds = Row<
  'talk',
  'taken_by' | 'taken_at' | 'answered_by' | 'answered_at' | 'done_by' | 'done_at' | 'snoozed_until'
> &
  Maybe<Row<'talk', 'snoozed_by'>> &
  Maybe<
    Row<
      'person',
      'name as taken_name' | 'name as answered_name' | 'name as done_name' | 'name as snoozed_name'
    >
  >;

type TalkRow = Row<'talk', 'id' | 'line' | 'number'> & TalkDeeds;

/** What the team does about a correspondent. Each returns the state after it, null when there is no such talk. */
export function createTalkStore({ sql }: Database) {
  const read = async (talkId: string): Promise<TalkView | null> => {
    const [row] = await sql<TalkRow[]>`${selected(sql)} where t.id = ${talkId}`;
    return row === undefined ? null : talkView(row, row);
  };

  return {
    /** Taken by whoever is first; by another one only with `anyway`. */
    async take(talkId: string, personId: number, anyway: boolean): Promise<TalkView | null> {
      await sql`
        update talk set taken_by = ${personId}, done_by = null, done_at = null, ${awake(sql)},
          taken_at = case when taken_by = ${personId} and done_at is null then taken_at else now() end
        where id = ${talkId} and (${anyway} or taken_by is null or taken_by = ${personId}
          or done_at >= taken_at)`;
      return await read(talkId);
    },

    async answered(talkId: string, personId: number): Promise<TalkView | null> {
      await answeredIn(sql, talkId, personId);
      return await read(talkId);
    },

    async done(talkId: string, personId: number, done: boolean): Promise<TalkView | null> {
      await sql`
        update talk set done_by = ${done ? personId : null}, done_at = case when ${done} then now() end, ${awake(sql)}
        where id = ${talkId} and (done_at is null or done_at < last_in_at or not ${done})`;
      return await read(talkId);
    },

    /** Put off until then, or until the next message from there. False: it is done with. */
    async snooze(talkId: string, personId: number, until: Date): Promise<boolean> {
      const rows = await sql`
        update talk set snoozed_by = ${personId}, snoozed_until = ${until.toISOString()}
        where id = ${talkId} and (done_at is null or done_at < last_in_at) returning id`;
      return rows.length > 0;
    },

    /** It is put off no longer. */
    async wake(talkId: string): Promise<void> {
      await sql`update talk set ${awake(sql)} where id = ${talkId}`;
    },

    /** Sent and received messages of a talk's cards that are to be shown anew. */
    cards: async (talkId: string): Promise<readonly number[]> => await cardsIn(sql, talkId),
  };
}

/** The newest messages of a correspondent, whose cards are kept up to date. */
export async function cardsIn(sql: Queryable, talkId: string): Promise<number[]> {
  const rows = await sql<Row<'inbound', 'id'>[]>`
    select id from inbound where talk_id = ${talkId} order by id desc limit ${CARDS}`;
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** Somebody has answered: whoever looks after nobody else's looks after this one then. */
export async function answeredIn(sql: Queryable, talkId: string, personId: number): Promise<void> {
  await sql`
    update talk set answered_by = ${personId}, answered_at = now(), ${awake(sql)},
      taken_by = case when taken_by is null or done_at >= taken_at then ${personId} else taken_by end,
      taken_at = case when taken_by is null or done_at >= taken_at then now() else taken_at end,
      done_by = case when done_at < last_in_at then null else done_by end,
      done_at = case when done_at < last_in_at then null else done_at end
    where id = ${talkId}`;
}

function selected(sql: Queryable) {
  return sql`select t.id, t.line, t.number, ${talkDeeds(sql)} from talk t ${talkPeople(sql)}`;
}

/** The columns of {@link TalkDeeds}, of a talk `t` with its {@link talkPeople}. */
export function talkDeeds(sql: Queryable) {
  return sql`
    t.taken_by, tp.name as taken_name, t.taken_at, t.answered_by, ap.name as answered_name, t.answered_at,
    t.done_by, dp.name as done_name, t.done_at, t.snoozed_until, sp.name as snoozed_name,
    case when ${isSnoozed(sql)} then t.snoozed_by end as snoozed_by`;
}

/** Joins those who have done something about a talk `t`. */
export function talkPeople(sql: Queryable) {
  return sql`
    left join person tp on tp.telegram_id = t.taken_by
    left join person ap on ap.telegram_id = t.answered_by
    left join person dp on dp.telegram_id = t.done_by
    left join person sp on sp.telegram_id = t.snoozed_by`;
}

/** Reads a correspondent. */
export function talkView(who: Pick<TalkView, 'id' | 'line' | 'number'>, row: TalkDeeds): TalkView {
  return {
    id: who.id,
    line: who.line,
    number: who.number,
    takenBy: named(row.taken_by, row.taken_name),
    takenAt: row.taken_at,
    answeredBy: named(row.answered_by, row.answered_name),
    answeredAt: row.answered_at,
    doneBy: named(row.done_by, row.done_name),
    doneAt: row.done_at,
    snoozedBy: named(row.snoozed_by, row.snoozed_name),
    snoozedUntil: row.snoozed_by === null ? null : row.snoozed_until,
  };
}

/** Whether a talk `t` is put off, so that nobody is asked to answer it now. */
export function isSnoozed(sql: Queryable) {
  return sql`(t.snoozed_by is not null and t.snoozed_until > now())`;
}

/** What a talk is set to that is put off no longer. */
export function awake(sql: Queryable) {
  return sql`snoozed_by = null, snoozed_until = null`;
}

function named(id: number | null, name: string | null): Named | null {
  return id === null ? null : { id, name: name ?? '' };
}
