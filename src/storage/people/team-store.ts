import type { TransactionSql } from 'postgres';
import { isRole, mayGrant, rankOf, ROLES, type Role } from '../../domain/roles.ts';
import type { Doer } from '../../ports/doer.ts';
import type { Join, KnownPerson, MissingOwner, Move } from '../../ports/team.ts';
import { writeAudit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { rememberPerson } from './identity-store.ts';
import { roleChangedIn } from './role-changed.ts';
import { readMissingOwner, suspendRolesIn, suspendedRoleIn, wakeIn } from './suspended-roles.ts';
import { claimLinkIn, mintLinkIn, returnLinkIn } from './link-store.ts';
import { hashToken } from '../keys/tokens.ts';
import type { Maybe, Row } from '../row.ts';

const JOIN = 'join';

interface Grant {
  readonly chatId: string;
  readonly granterId: number;
  readonly personId: number;
  readonly role: Role | null;
  readonly updateId: number;
}

interface Invitation {
  readonly chatId: string;
  readonly granterId: number;
  readonly personId: number | null;
  readonly role: Role;
  readonly updateId: number;
  readonly ttlSeconds: number;
}

interface LinkOpening extends Doer {
  readonly token: string;
}

interface TeamMember extends KnownPerson {
  readonly role: Role;
  /** The person's own id for one who linked the chat's account. */
  readonly grantedBy: { readonly id: number; readonly name: string };
  readonly grantedAt: Date;
}

/** `not_allowed`: the granter's role, read now, does not reach so far. */
type RoleChange =
  | { readonly result: 'changed' | 'same'; readonly from: Role | null; readonly name: string }
  | { readonly result: 'not_allowed' | 'last_owner' | 'unmet' };

/** The roles of chats, and the links that give one. Every change is one transaction with its row in the audit. */
export function createTeamStore({ sql }: Database) {
  return {
    /** Everyone with a role, highest first, then by name. */
    async members(chatId: string): Promise<TeamMember[]> {
      const rows = await sql<
        (Row<'person', 'telegram_id as id' | 'name' | 'username'> &
          Row<'member', 'role' | 'granted_by as granter_id' | 'granted_at as grantedAt'> &
          Maybe<Row<'person', 'name as granter'>>)[]
      >`
        select p.telegram_id as id, p.name, p.username, m.role, m.granted_by as granter_id, g.name as granter,
          m.granted_at as "grantedAt"
        from member m
        join person p on p.telegram_id = m.person_id
        left join person g on g.telegram_id = m.granted_by
        where m.chat_id = ${chatId}
        order by array_position(${[...ROLES]}::text[], m.role) desc, p.name, p.telegram_id`;
      return rows.map(({ granter_id: by, granter, ...person }) => ({
        ...person,
        grantedBy: { id: by, name: granter ?? '' },
      }));
    },

    /**
     * By id or by user name without `@`, of which case does not count; of two with one name, the newest known. A name is
     * what was last seen, in whatever chat: who has it now, Telegram alone knows.
     */
    async find(chatId: string, wanted: number | string): Promise<KnownPerson | null> {
      const [row] = await sql<
        (Row<'person', 'telegram_id as id' | 'name' | 'username'> & Maybe<Row<'member', 'role'>>)[]
      >`
        select p.telegram_id as id, p.name, p.username, m.role
        from person p left join member m on m.person_id = p.telegram_id and m.chat_id = ${chatId}
        where ${
          typeof wanted === 'number'
            ? sql`p.telegram_id = ${wanted}`
            : sql`lower(p.username) = ${wanted.toLowerCase()}`
        }
        order by p.met_at desc, p.telegram_id desc limit 1`;
      return row ?? null;
    },

    /** Remembers a person whom a message showed. */
    meet: async (person: {
      readonly id: number;
      readonly name: string;
      readonly username: string | null;
    }): Promise<void> => await rememberPerson(sql, person),

    /** Gives a role, or takes it away with null. */
    async change(change: Grant): Promise<RoleChange> {
      return await sql.begin(async (tx) => await changeIn(tx, change));
    },

    /**
     * A link that gives a role to whoever opens it first, or to one person alone; returns its token. Null where the
     * granter's role, read now, does not allow it. The same update makes its earlier link void.
     */
    async invite({
      chatId,
      granterId,
      personId,
      role,
      updateId,
      ttlSeconds,
    }: Invitation): Promise<string | null> {
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

    /** Somebody has left: their role there rests. Where they were the last owner, the group is told (`owner-left`). */
    left: async (move: Move): Promise<void> => await sql.begin(async (tx) => await suspendRolesIn(tx, move)),
    /** Somebody is back, and has again the role that rests, unless another was given or somebody else owns the chat now. */
    returned: async (move: Move): Promise<void> => await sql.begin(async (tx) => await wakeIn(tx, move)),
    /** Null where there is an owner, or never was one. */
    missingOwner: async (chatId: string): Promise<MissingOwner | null> => await readMissingOwner(sql, chatId),

    /** Opens such a link. The update that used it up gets the same answer again. */
    async join(opening: LinkOpening): Promise<Join> {
      return await sql.begin(async (tx) => await joinIn(tx, opening));
    },
  };
}

async function changeIn(
  tx: TransactionSql,
  { chatId, granterId, personId, role, updateId }: Grant,
): Promise<RoleChange> {
  await lockRoles(tx, chatId);
  const [person] = await tx<Row<'person', 'name'>[]>`select name from person where telegram_id = ${personId}`;
  if (person === undefined) return { result: 'unmet' };
  const from = await roleIn(tx, chatId, personId);
  const resting = from === null ? await suspendedRoleIn(tx, chatId, personId) : null;
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

async function joinIn(tx: TransactionSql, { token, personId, updateId }: LinkOpening): Promise<Join> {
  const [found] = await tx<Row<'deep_link', 'chat_id'>[]>`
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
  const [row] = await tx<Row<'member', 'role'>[]>`
    select role from member where chat_id = ${chatId} and person_id = ${personId}`;
  return row?.role ?? null;
}

async function nameOf(tx: TransactionSql, personId: number): Promise<string> {
  const [row] = await tx<Row<'person', 'name'>[]>`select name from person where telegram_id = ${personId}`;
  return row?.name ?? '';
}

async function setRole(
  tx: TransactionSql,
  change: { chatId: string; personId: number; role: Role | null; granterId: number },
): Promise<void> {
  const { chatId, personId, role, granterId } = change;
  const from = await roleIn(tx, chatId, personId);
  await tx`delete from resting_role where chat_id = ${chatId} and person_id = ${personId}`;
  if (role === null) await tx`delete from member where chat_id = ${chatId} and person_id = ${personId}`;
  else {
    await tx`
      insert into member (chat_id, person_id, role, granted_by) values (${chatId}, ${personId}, ${role}, ${granterId})
      on conflict (chat_id, person_id) do update
        set role = excluded.role, granted_by = excluded.granted_by, granted_at = now()`;
  }
  await roleChangedIn(tx, { chatId, personId, from, to: role });
}
