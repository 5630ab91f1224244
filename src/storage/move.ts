import type { Row } from 'postgres';
import { ATTEMPT_MOVES } from '../domain/attempt.ts';
import { DATE_SEND_MOVES } from '../domain/date-send.ts';
import { DRAFT_MOVES, UNDECIDED } from '../domain/draft.ts';
import { JOB_MOVES } from '../domain/job.ts';
import { listOf, type Moves } from '../domain/machine.ts';
import type { Queryable } from './database/database.ts';

/** The machines by their tables. */
const MACHINES = { attempt: ATTEMPT_MOVES, date_send: DATE_SEND_MOVES, draft: DRAFT_MOVES, job: JOB_MOVES };

type Table = keyof typeof MACHINES;
type MoveOf<T extends Table> = keyof (typeof MACHINES)[T] & string;

/**
 * Gives the parts of an `update` that makes a move: the state it leads `to`, and the condition `may`, which holds in the
 * states in which the move may be made. No other statement changes a state of these tables. The states are written out,
 * not bound: partial indexes go by them.
 * @param as what the statement calls the table
 */
export function move<T extends Table>(sql: Queryable, table: T, name: MoveOf<T>, as: string = table) {
  const { to, may } = partsOf(MACHINES[table], name, as);
  return { to: sql.unsafe<Row[]>(to), may: sql.unsafe<Row[]>(may) };
}

/** The same where rows make different moves: each row has the name of its own in the column `by`. */
export function moveBy<T extends Table>(
  sql: Queryable,
  table: T,
  { names, by, as }: { readonly names: readonly MoveOf<T>[]; readonly by: string; readonly as: string },
) {
  const each = names.map((name) => ({ name, ...partsOf(MACHINES[table], name, as) }));
  return {
    to: sql.unsafe(`case ${by} ${each.map(({ name, to }) => `when '${name}' then ${to}`).join(' ')} end`),
    may: sql.unsafe(
      `case ${by} ${each.map(({ name, may }) => `when '${name}' then ${may}`).join(' ')} else false end`,
    ),
  };
}

/** Gives a set of states to stand after `in`: written out, not bound, for the same reason. */
export function listed(sql: Queryable, states: readonly string[]) {
  return sql.unsafe<Row[]>(listOf(states));
}

/** A condition: a draft can still be confirmed or put away. One that nobody decides about lapses at its time. */
export function canBeDecided(sql: Queryable, as = 'draft') {
  return sql`${sql.unsafe(as)}.state in ${listed(sql, UNDECIDED)} and ${sql.unsafe(as)}.expires_at > now()`;
}

function partsOf(
  moves: Moves<string>,
  name: string,
  as: string,
): { readonly to: string; readonly may: string } {
  const ways = Object.entries(moves[name] ?? {});
  if (ways.length === 0) return { to: `${as}.state`, may: 'false' };
  const ends = new Set(ways.map(([, to]) => to));
  const cases = ways.map(([from, to]) => `when '${from}' then '${to}'`).join(' ');
  return {
    to: ends.size === 1 ? `'${[...ends].join('')}'` : `case ${as}.state ${cases} end`,
    may: `${as}.state in ${listOf(ways.map(([from]) => from))}`,
  };
}
