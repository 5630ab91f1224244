import type { TransactionSql } from 'postgres';
import { isRole, mayGrant, rankOf, ROLES, type Role } from '../domain/roles.ts';
import type { Join, KnownPerson, RoleChange, TeamStore } from '../ports/team.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueueMenus } from './enqueue.ts';
import { rememberPerson } from './met-person.ts';
import { readMissingOwner, restIn, restingRoleIn, wakeIn } from './resting-roles.ts';
import { claimLinkIn, mintLinkIn, returnLinkIn } from './link-store.ts';
import { hashToken } from './tokens.ts';

const JOIN = 'join';

/** The roles of chats, and the links that give one. */
export function createTeamStore({ sql }: Database): TeamStore {
  return {
    async members(chatId) {
      const rows = await sql<
        (Omit<KnownPerson, 'id' | 'role'> & {
          id: string;
          role: Role;
          granter_id: string;
          granter: string | null;
          at_ms: number;
        })[]
      >`
        select p.telegram_id as id, p.name, p.username, m.role, m.granted_by as granter_id, g.name as granter,
          (extract(epoch from m.granted_at) * 1000)::float8 as at_ms
        from member m
        join person p on p.telegram_id = m.person_id
        left join person g on g.telegram_id = m.granted_by
        where m.chat_id = ${chatId}
        order by array_position(${[...ROLES]}::text[], m.role) desc, p.name, p.telegram_id`;
      return rows.map(({ granter_id: by, granter, at_ms: at, ...person }) => ({
        ...person,
        id: Number(person.id),
        grantedBy: { id: Number(by), name: granter ?? '' },
        grantedAt: new Date(at),
      }));
    },

    async find(chatId, wanted) {
      const [row] = await sql<(Omit<KnownPerson, 'id'> & { id: string })[]>`
        select p.telegram_id as id, p.name, p.username, m.role
        from person p left join member m on m.person_id = p.telegram_id and m.chat_id = ${chatId}
        where ${
          typeof wanted === 'number'
            ? sql`p.telegram_id = ${wanted}`
            : sql`lower(p.username) = ${wanted.toLowerCase()}`
        }
        order by p.met_at desc, p.telegram_id desc limit 1`;
      return row === undefined ? null : { ...row, id: Number(row.id) };
    },

    meet: async (person) => await rememberPerson(sql, person),

    async change(change) {
      return await sql.begin(async (tx) => await changeIn(tx, change));
    },

    async invite({ chatId, granterId, personId, role, updateId, ttlSeconds }) {
      return await sql.begin(async (tx) => {
        await lockRoles(tx, chatId);
        if (!mayGrant(await roleIn(tx, chatId, granterId), role)) return null;
        await tx`
          delete from deep_link where chat_id = ${chatId} and purpose = ${JOIN} and used_update is null
            and details ->> 'update' = ${String(updateId)}`;
        const token = await mintLinkIn(tx, {
          purpose: JOIN,
          chatId,
          personId,
          details: { role, granter: granterId, update: updateId },
          ttlSeconds,
        });
        await writeAudit(tx, {
          chatId,
          personId: granterId,
          updateId,
          action: 'join_link_made',
          details: { new: role, ...(personId === null ? {} : { person: personId }) },
        });
        return token;
      });
    },

    left: async (move) => await sql.begin(async (tx) => await restIn(tx, move)),
    returned: async (move) => await sql.begin(async (tx) => await wakeIn(tx, move)),
    missingOwner: async (chatId) => await readMissingOwner(sql, chatId),

    async join(opening) {
      return await sql.begin(async (tx) => await joinIn(tx, opening));
    },
  };
}

async function changeIn(
  tx: TransactionSql,
  { chatId, granterId, personId, role, updateId }: Parameters<TeamStore['change']>[0],
): Promise<RoleChange> {
  await lockRoles(tx, chatId);
  const [person] = await tx<{ name: string }[]>`select name from person where telegram_id = ${personId}`;
  if (person === undefined) return { result: 'unmet' };
  const from = await roleIn(tx, chatId, personId);
  const resting = from === null ? await restingRoleIn(tx, chatId, personId) : null;
  if (!mayGrant(await roleIn(tx, chatId, granterId), role, from ?? resting)) return { result: 'not_allowed' };
  if (from === role && resting === null) return { result: 'same', from, name: person.name };
  if (from === 'owner') {
    const owners = await tx`select 1 from member where chat_id = ${chatId} and role = 'owner'`;
    if (owners.length < 2) return { result: 'last_owner' };
  }
  await setRole(tx, { chatId, personId, role, granterId });
  await writeAudit(tx, {
    chatId,
    personId: granterId,
    updateId,
    action: role === null ? 'role_removed' : 'role_granted',
    details: { person: personId, name: person.name, old: from ?? resting, new: role },
  });
  return { result: 'changed', from: from ?? resting, name: person.name };
}

async function joinIn(
  tx: TransactionSql,
  { token, personId, updateId }: Parameters<TeamStore['join']>[0],
): Promise<Join> {
  const [found] = await tx<{ chat_id: string }[]>`
    select chat_id from deep_link where token_hash = ${hashToken(token)}`;
  if (found === undefined) return { result: 'gone' };
  await lockRoles(tx, found.chat_id);
  const link = await claimLinkIn(tx, { purpose: JOIN, token, personId, updateId });
  const role = link?.details['role'];
  const granterId = link?.details['granter'];
  if (link === null || typeof role !== 'string' || !isRole(role) || typeof granterId !== 'number')
    return { result: 'gone' };
  const { chat, again } = link;
  const granter = { id: granterId, name: await nameOf(tx, granterId) };
  const from = await roleIn(tx, chat.id, personId);
  if (again && from === role) return { result: 'joined', chat, role, granter };
  if (from !== null && rankOf(from) >= rankOf(role)) {
    if (!again) await returnLinkIn(tx, token);
    return { result: 'has_role', chat, role: from };
  }
  if (!mayGrant(await roleIn(tx, chat.id, granterId), role, from)) return { result: 'void' };
  await setRole(tx, { chatId: chat.id, personId, role, granterId });
  await writeAudit(tx, {
    chatId: chat.id,
    personId,
    updateId,
    action: 'join_link_used',
    details: { granter: granterId, name: granter.name, old: from, new: role },
  });
  return { result: 'joined', chat, role, granter };
}

/** One change of a chat's roles after the other, beside linking an account, which makes an owner. */
async function lockRoles(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`select 1 from chat where id = ${chatId} for no key update`;
}

async function roleIn(tx: TransactionSql, chatId: string, personId: number): Promise<Role | null> {
  const [row] = await tx<{ role: Role }[]>`
    select role from member where chat_id = ${chatId} and person_id = ${personId}`;
  return row?.role ?? null;
}

async function nameOf(tx: TransactionSql, personId: number): Promise<string> {
  const [row] = await tx<{ name: string }[]>`select name from person where telegram_id = ${personId}`;
  return row?.name ?? '';
}

async function setRole(
  tx: TransactionSql,
  change: { chatId: string; personId: number; role: Role | null; granterId: number },
): Promise<void> {
  const { chatId, personId, role, granterId } = change;
  await tx`delete from resting_role where chat_id = ${chatId} and person_id = ${personId}`;
  if (role === null) await tx`delete from member where chat_id = ${chatId} and person_id = ${personId}`;
  else {
    await tx`
      insert into member (chat_id, person_id, role, granted_by) values (${chatId}, ${personId}, ${role}, ${granterId})
      on conflict (chat_id, person_id) do update
        set role = excluded.role, granted_by = excluded.granted_by, granted_at = now()`;
  }
  await enqueueMenus(tx, chatId, personId);
}
