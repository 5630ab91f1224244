import type { TransactionSql } from 'postgres';
import type { Role } from '../../domain/roles.ts';
import type { MissingOwner, Move } from '../../ports/team.ts';
import { writeAudit } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { roleChangedIn } from './role-changed.ts';
import type { Row } from '../row.ts';

/** Lays the role of somebody who left aside; nothing where they have none. */
export async function suspendRolesIn(
  tx: TransactionSql,
  { chatTelegramId, personId, updateId }: Move,
): Promise<void> {
  const chatId = await lockChat(tx, chatTelegramId);
  if (chatId === null) return;
  const [row] = await tx<(Row<'member', 'role'> & { owners: number })[]>`
    with rests as (
      delete from member where chat_id = ${chatId} and person_id = ${personId} returning *
    ), kept as (
      insert into resting_role (chat_id, person_id, role, granted_by, granted_at)
      select chat_id, person_id, role, granted_by, granted_at from rests
      on conflict (chat_id, person_id) do update set role = excluded.role, granted_by = excluded.granted_by,
        granted_at = excluded.granted_at, left_at = now()
    )
    select r.role, (select count(*)::int from member m
      where m.chat_id = ${chatId} and m.role = 'owner' and m.person_id <> ${personId}) as owners from rests r`;
  if (row === undefined) return;
  await moved(tx, { chatId, personId, updateId, action: 'member_left', role: row.role });
  if (row.role === 'owner' && row.owners === 0)
    await enqueue(tx, 'owner-left', { chatId }, { key: `owner-left:${chatId}` });
}

/** Gives somebody who is back the role that rests. */
export async function wakeIn(
  tx: TransactionSql,
  { chatTelegramId, personId, updateId }: Move,
): Promise<void> {
  const chatId = await lockChat(tx, chatTelegramId);
  if (chatId === null) return;
  const [row] = await tx<Row<'member', 'role'>[]>`
    with wakes as (
      delete from resting_role where chat_id = ${chatId} and person_id = ${personId} returning *
    )
    insert into member (chat_id, person_id, role, granted_by, granted_at)
    select chat_id, person_id, role, granted_by, granted_at from wakes on conflict do nothing returning role`;
  if (row !== undefined)
    await moved(tx, { chatId, personId, updateId, action: 'member_returned', role: row.role });
}

export async function suspendedRoleIn(tx: Queryable, chatId: string, personId: number): Promise<Role | null> {
  const [row] = await tx<Row<'resting_role', 'role'>[]>`
    select role from resting_role where chat_id = ${chatId} and person_id = ${personId}`;
  return row?.role ?? null;
}

/** Who may become the owner where all of them have left: see `fallbackOwners` of the bindings. */
export async function fallbackOwnersIn(db: Queryable, chatId: string): Promise<number[] | null> {
  const [row] = await db<{ admins: number[] }[]>`
    select array(select m.person_id::float8 from member m where m.chat_id = ${chatId} and m.role = 'admin') as admins
    where exists (select 1 from resting_role where chat_id = ${chatId} and role = 'owner')
      and not exists (select 1 from member where chat_id = ${chatId} and role = 'owner')`;
  return row?.admins ?? null;
}

export async function readMissingOwner(sql: Queryable, chatId: string): Promise<MissingOwner | null> {
  const [row] = await sql<MissingOwner[]>`
    select p.name, exists (select 1 from member m where m.chat_id = r.chat_id and m.role = 'admin') as "hasFallbackOwners", json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
      'lang', coalesce(c.lang, (select s.lang from sink s where s.chat_id = c.id and s.lang is not null limit 1)),
      'timeZone', c.time_zone) as chat
    from resting_role r join chat c on c.id = r.chat_id join person p on p.telegram_id = r.person_id
    where r.chat_id = ${chatId} and r.role = 'owner'
      and not exists (select 1 from member m where m.chat_id = r.chat_id and m.role = 'owner')
    order by r.left_at desc limit 1`;
  return row ?? null;
}

/** One change of a chat's roles after the other. */
async function lockChat(tx: TransactionSql, telegramId: number): Promise<string | null> {
  const [row] = await tx<Row<'chat', 'id'>[]>`
    select id from chat where telegram_id = ${telegramId} and type <> 'private' for no key update`;
  return row?.id ?? null;
}

async function moved(
  tx: TransactionSql,
  {
    chatId,
    personId,
    updateId,
    action,
    role,
  }: {
    chatId: string;
    personId: number;
    updateId: number;
    action: 'member_left' | 'member_returned';
    role: Role;
  },
): Promise<void> {
  await writeAudit(tx, { chatId, personId, updateId, action, details: { role } });
  const [from, to] = action === 'member_left' ? [role, null] : [null, role];
  await roleChangedIn(tx, { chatId, personId, from, to });
}
