import type { Queryable } from './database.ts';

/** What the fence asks of the server besides: that all has been found in it, and that it keeps what is committed here. */
export function knowsAll(sql: Queryable, server: string | null) {
  return server === null ? sql`true` : sql`${foundAll(sql, server)} and not ${isWeakIn(sql)}`;
}

/** Whether the server is the one in which this process, and every other that is alive, has found all that it knew. */
export function foundAll(sql: Queryable, server: string) {
  return sql`${startOf(sql)} = ${server}
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
