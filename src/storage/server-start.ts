import type { Queryable } from './database.ts';

/**
 * What the fence asks of the server besides: that it is the one in which this process, and every other that is alive, has
 * found all that it knew, and that it keeps what is committed here.
 */
export function knowsAll(sql: Queryable, server: string | null) {
  if (server === null) return sql`true`;
  return sql`${startOf(sql)} = ${server} and not ${isWeakIn(sql)}
    and not exists (select 1 from process p where p.gone_at is null and p.server <> ${startOf(sql)})`;
}

/** The start of the server: another one after each start, and on each server. */
export function startOf(sql: Queryable) {
  return sql`extract(epoch from pg_postmaster_start_time())::text`;
}

/** Whether this session may lose what it was told is committed. */
export function isWeakIn(sql: Queryable) {
  return sql`(current_setting('synchronous_commit') in ('off', 'local'))`;
}
