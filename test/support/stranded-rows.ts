import type { Sql } from 'postgres';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../../src/storage/schema.ts';

/*
 * Every state of every table, and what leads out of it. What has no way out and is no end is where people's messages
 * vanish: a call that is planned in a send that has ended stands in no count and behind no button.
 */

/** Nothing follows on it, or what follows asks for nothing of the row. */
const END = 'end';

type Way =
  | typeof END
  /** A person, by a button or a command that is there as long as the row stands so. */
  | { readonly person: string }
  /** What looks for such rows by itself, or a condition on the row `t` under which something does. */
  | { readonly sweep: string; readonly unless?: string };

type StateOf<T extends { readonly $inferSelect: { readonly state: string } }> = T['$inferSelect']['state'];
type Ways<T extends { readonly $inferSelect: { readonly state: string } }> = Readonly<
  Record<StateOf<T>, Way>
>;

const inQueue = (key: string): string =>
  `exists (select 1 from graphile_worker.jobs q where q.key = ${key} and (q.attempts < q.max_attempts or q.locked_at is not null))`;
const ofJob = (states: string): string =>
  `exists (select 1 from job j where j.id = t.job_id and j.state in (${states}))`;

/** A missing state does not compile; a missing table fails the test beside. */
export const WAYS_OUT = {
  binding: {
    pending: { sweep: 'forgotten after a day, by the purge' },
    live: END,
    replaced: END,
    gone: END,
  } satisfies Ways<typeof schema.binding>,
  draft: {
    open: { sweep: 'its time is over after some minutes' },
    asked: { sweep: 'its time is over after a day' },
    confirmed: { sweep: 'its job', unless: 'exists (select 1 from job j where j.draft_id = t.id)' },
    cancelled: END,
  } satisfies Ways<typeof schema.draft>,
  date_send: {
    proposed: { person: 'Switch on and Cancel on its card, which goes with the purge' },
    on: { sweep: 'sends by dates that are due' },
    paused: { person: 'Resume and End in /dates' },
    ended: END,
  } satisfies Ways<typeof schema.dateSend>,
  job: {
    scheduled: { sweep: 'sends that are due' },
    missed: { person: 'its card asks' },
    holding: { sweep: 'sends that are due' },
    running: { sweep: 'the queue, or sends that are due', unless: inQueue("'send:' || t.id") },
    paused: { person: 'Resume and Stop on its card' },
    done: END,
    undone: END,
    stopped: END,
  } satisfies Ways<typeof schema.job>,
  attempt: {
    // In a send that was taken back nobody gets anything: there it is the end.
    planned: {
      sweep: 'its send goes on, or a person lets it',
      unless: ofJob("'scheduled', 'missed', 'holding', 'running', 'paused', 'stopped', 'undone'"),
    },
    reserved: {
      sweep: 'its holder, or abandoned attempts',
      unless: `${ofJob("'running', 'paused', 'stopped'")} and t.owner is not null`,
    },
    on_wire: {
      sweep: 'its holder, or abandoned attempts',
      unless: `${ofJob("'running', 'paused', 'stopped'")} and t.owner is not null`,
    },
    unknown: { sweep: 'the queue, or sends that are due', unless: inQueue("'reconcile:' || t.id") },
    asked: { person: 'its card asks, and /unknown brings it up' },
    accepted: END,
    rejected: END,
    sent: END,
    not_sent: END,
    closed: END,
  } satisfies Ways<typeof schema.attempt>,
  book_change: {
    open: { person: 'Yes and No on its card' },
    running: { sweep: 'the queue', unless: inQueue("'phonebook:' || t.id") },
    stopped: { person: 'Go on, on its card' },
    done: END,
    cancelled: END,
  } satisfies Ways<typeof schema.bookChange>,
  registration: {
    prepared: { sweep: 'overdue answers', unless: 't.expires_at is not null' },
    on_wire: { sweep: 'the queue', unless: inQueue("'registration:' || t.id") },
    registered: END,
    refused: END,
    unknown: END,
    cancelled: END,
  } satisfies Ways<typeof schema.registration>,
  notice: {
    queued: { sweep: 'alerts that are due' },
    sending: { sweep: 'alerts that are due' },
    sent: END,
    folded: END,
    dropped: END,
  } satisfies Ways<typeof schema.notification>,
} as const;

/** The tables whose rows have a state, by the schema. */
export function tablesWithStates(): string[] {
  return Object.values(schema).flatMap((table) => {
    if (!is(table, PgTable)) return [];
    const state = new Map(Object.entries(getTableColumns(table))).get('state');
    return state?.dataType === 'string' ? [getTableName(table)] : [];
  });
}

/** Rows of a database that nothing leads out of, as `table state id`; there must be none. */
export async function strandedRows(sql: Sql): Promise<string[]> {
  const found: string[] = [];
  for (const [table, ways] of Object.entries(WAYS_OUT)) {
    const known = Object.keys(ways);
    const others = await sql.unsafe<{ id: string; state: string }[]>(
      `select id::text, state from ${table} where state <> all($1)`,
      [known],
    );
    found.push(...others.map(({ id, state }) => `${table} ${state} ${id}`));
    for (const [state, way] of Object.entries<Way>(ways)) {
      if (way === END || !('unless' in way) || way.unless === undefined) continue;
      const rows = await sql.unsafe<{ id: string }[]>(
        `select t.id::text from ${table} t where t.state = $1 and not (${way.unless})`,
        [state],
      );
      found.push(...rows.map(({ id }) => `${table} ${state} ${id}`));
    }
  }
  return found;
}
