import type { Fragment, TransactionSql } from 'postgres';
import type { UserMark } from '../../domain/gateway-user.ts';
import type { Queryable } from '../database/database.ts';
import type { Fingerprint } from '../keys/fingerprint.ts';
import type { Row } from '../row.ts';

/*
 * Which account of the gateway is this? Its own user, whatever the credential and the chat: `binding.gateway_user`, one
 * id for all bindings that may be of one user. Bindings are of one user when they have a key or token in common, or what the
 * gateway tells of the user, or one chat and one name of the account. Users that were taken for two become one when that
 * is learned, and never two again: who shares too much waits for others, who shares too little sends twice.
 */

/** Marks as they are stored: nobody who has a dump of the database can try out names with them. */
export function printMarks(marks: readonly UserMark[], fingerprint: Fingerprint): string[] {
  return marks.flatMap(({ kind, value }) =>
    fingerprint(`gateway user ${kind}\n${value}`).map((print) => `${kind} ${print}`),
  );
}

/** Writes down what is known of a binding's user, and makes one of all users that this shows to be the same. */
export async function identifyIn(
  tx: TransactionSql,
  bindingId: string,
  marks: readonly string[],
): Promise<void> {
  await holdUsers(tx);
  await tx`
    update binding set user_marks = array(select distinct unnest(coalesce(user_marks, '{}') || ${[...marks]}::text[]))
    where id = ${bindingId}`;
  const users = (
    await tx<Row<'binding', 'gateway_user as id'>[]>`
      select o.gateway_user as id from binding b join binding o on ${isToldOne(tx, 'o', 'b')}
        or (o.chat_id = b.chat_id and o.account_name = b.account_name)
      where b.id = ${bindingId} group by 1 order by min(o.created_at), 1`
  ).map(({ id }) => id);
  const [first, ...others] = users;
  if (first === undefined || others.length === 0) return;
  await tx`select 1 from binding where gateway_user = any(${others}::uuid[]) order by id for no key update`;
  // Nobody takes calls for one of them meanwhile: whoever waited looks again whose they are.
  await tx`${locksFor(tx, tx`unnest(${users}::text[])`)}`;
  await tx`update binding set gateway_user = ${first} where gateway_user = any(${others}::uuid[])`;
}

/** Until the transaction ends nobody else learns whose bindings are, or changes several bindings of a chat. */
export async function holdUsers(tx: TransactionSql): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('gateway users', 0))`;
}

/**
 * Keeps everybody else from taking calls of the account of a job, until the transaction ends: two equal messages to the
 * same number must never be in doubt together, for nobody could tell which one arrived.
 * @returns what is held; the account may have become part of another one while this waited
 */
export async function holdAccountOf(tx: TransactionSql, jobId: string): Promise<ReadonlySet<string>> {
  // Chat and prints for the programs of the release before: they hold nothing else.
  const rows = await tx<{ name: string }[]>`
    ${locksFor(
      tx,
      tx`(select unnest(array[b.gateway_user::text, b.chat_id::text] || b.prints) from job j join binding b on b.id = j.binding_id
        where j.id = ${jobId})`,
    )}`;
  return new Set(rows.map(({ name }) => name));
}

/** The bindings of the user of one of them, as a subquery. */
export function bindingsOfUser(sql: Queryable, bindingId: string | Fragment) {
  return sql`(select o.id from binding b join binding o using (gateway_user) where b.id = ${bindingId})`;
}

/** The same of those by which something can leave. */
export function liveBindingsOfUser(sql: Queryable, bindingId: string) {
  return sql`(select o.id from binding b join binding o using (gateway_user)
    where b.id = ${bindingId} and (o.state = 'live' or o.id = b.id))`;
}

/** Whether two bindings are of one user by what the gateway tells, and not only because it tells too little of both. */
export function isToldOne(sql: Queryable, one: string, other: string) {
  return sql`(${sql(one)}.id = ${sql(other)}.id or ${sql(one)}.prints && ${sql(other)}.prints
    or coalesce(${sql(one)}.user_marks && ${sql(other)}.user_marks, false))`;
}

/** Whether two bindings are surely of one user: a person may have several. */
export function isSurelyOne(sql: Queryable, one: string, other: string) {
  const names = (binding: string) =>
    sql`array(select mark from unnest(${sql(binding)}.user_marks) as mark where mark like 'name %')`;
  return sql`(${sql(one)}.id = ${sql(other)}.id or ${sql(one)}.prints && ${sql(other)}.prints
    or ${names(one)} && ${names(other)})`;
}

/** Whether the account of a job `j` is linked to its chat, or surely the same one is. */
export function isLinked(sql: Queryable) {
  return sql`exists (select 1 from binding b join binding n on n.chat_id = b.chat_id and ${isSurelyOne(sql, 'n', 'b')}
    where b.id = j.binding_id and n.state = 'live')`;
}

/** Always in one order, so that nobody waits in a circle. */
function locksFor(tx: TransactionSql, names: ReturnType<TransactionSql>) {
  return tx`select name, pg_advisory_xact_lock(lock) from (
    select name, hashtextextended('reserve ' || name, 0) as lock from ${names} as n(name) order by 2
  ) as locks`;
}
