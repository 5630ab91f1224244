import type { Fragment, TransactionSql } from 'postgres';
import type { Queryable } from '../database/database.ts';

/** The last seven digits of a number; null: it has none, or was forgotten. */
function tailOf(sql: Queryable, number: Fragment): Fragment {
  return sql`(case when ${number} ~ '^[0-9]+$' then right(${number}, 7)::int end)`;
}

/** Ids of calls that had a number, or another one that ends like it: who asks looks at their recipients. */
export function callsTo(sql: Queryable, number: Fragment): Fragment {
  return sql`(
    select attempt_id from sent_number where tails @> array[${tailOf(sql, number)}]
    union all select attempt_id from sent_number where numbers @> array[${number}])`;
}

/** Makes the recipients of calls findable by number; `calls` selects attempts whole. */
export function findable(sql: Queryable, calls: Fragment): Fragment {
  return sql`
    select a.id, array(select ${tailOf(sql, sql`r`)} from unnest(a.recipients) as r) from (${calls}) a`;
}

/** Takes what a number ends in from calls that have it no more. */
export async function forgetTailIn(tx: TransactionSql, number: string): Promise<void> {
  await tx`
    update sent_number s set tails = array(select ${tailOf(tx, tx`r`)} from unnest(a.recipients) as r)
    from attempt a where a.id = s.attempt_id and s.tails @> array[${tailOf(tx, tx`${number}::text`)}]`;
}
