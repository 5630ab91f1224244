import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { FIRST_KINDS } from '../domain/alerts.ts';
import { userMarks, type UserTraits } from '../domain/gateway-user.ts';
import { Secret } from '../domain/secret.ts';
import type { GatewayCredentials } from '../ports/gateway.ts';
import type { Activation, BindingStore, BindingView, CredentialKind } from '../ports/stores.ts';
import { sleepIn, wakeAccountIn } from './account-in.ts';
import { writeAudit } from './audit.ts';
import { move } from './move.ts';
import { heirsIn } from './resting-roles.ts';
import type { Sealer } from './crypto.ts';
import type { Database, Queryable } from './database.ts';
import { enqueue, enqueueMenus } from './enqueue.ts';
import { settleIn } from './job-charge.ts';
import { takeBackIn } from './take-back.ts';
import type { Fingerprint } from './fingerprint.ts';
import { holdUsers, identifyIn, printMarks } from './gateway-user.ts';

/**
 * Gateway accounts of chats. Credentials leave this file only through `credentials`.
 * @param gateway the base address that user names and persons belong to
 */
export function createBindingStore(
  { sql }: Database,
  sealer: Sealer,
  fingerprint: Fingerprint,
  gateway: string,
): BindingStore {
  const marksOf = ({ username }: GatewayCredentials, told: Omit<UserTraits, 'userName'>): string[] =>
    printMarks(userMarks(gateway, { ...told, userName: username }), fingerprint);

  return {
    async savePending({ chatId, personId, credentials, keyTail, accountName, told = {} }) {
      const id = randomUUID();
      const sealed = sealer.seal(serialise(credentials), bindingAad(id, chatId));
      await sql.begin(async (tx) => {
        await tx`
          insert into binding (id, chat_id, state, credentials, kinds, prints, password_print, key_tail, account_name, created_by)
          values (${id}, ${chatId}, 'pending', ${sealed}, ${kindsOf(credentials)}, ${printsOf(credentials, fingerprint)}::text[],
            ${passwordPrintOf(credentials, fingerprint)}, ${keyTail}, ${accountName}, ${personId})`;
        await identifyIn(tx, id, marksOf(credentials, told));
      });
      return id;
    },

    async identify(bindingId, told) {
      const credentials = await openCredentials(sql, bindingId);
      if (credentials === null) return;
      const marks = marksOf(credentials, told);
      const known =
        await sql`select 1 from binding where id = ${bindingId} and user_marks @> ${marks}::text[]`;
      if (known.length === 0) await sql.begin(async (tx) => await identifyIn(tx, bindingId, marks));
    },

    async activate({ bindingId, personId, updateId, lang }) {
      return await sql.begin(async (tx) => {
        await holdUsers(tx);
        const [found] = await tx<
          (Omit<NonNullable<Activation>, 'becameOwner'> & { state: string; user: string })[]
        >`
          select b.state, b.line, b.kinds, b.gateway_user as user,
            json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                              'lang', c.lang, 'timeZone', c.time_zone) as chat
          from binding b join chat c on c.id = b.chat_id
          where b.id = ${bindingId} and b.created_by = ${personId} for no key update of c, b`;
        if (found === undefined) return null;
        const { chat, kinds } = found;
        // Only now, with the chat locked: of two who connect at the same moment, the second sees the first as owner.
        const owners = await ownersIn(tx, chat.id);
        const may = owners.length > 0 ? owners : await heirsIn(tx, chat.id);
        if (may !== null && !may.includes(personId)) return null;
        if (found.state === 'live') return { chat, kinds, line: found.line, becameOwner: false };
        if (found.state !== 'pending') return null;
        const [old] = await tx<{ id: string; line: string | null; user: string }[]>`
          update binding set state = 'replaced', credentials = null, ended_at = now()
          where chat_id = ${chat.id} and state = 'live' returning id, line, gateway_user as user`;
        if (old !== undefined) await stopJobs(tx, old.id);
        // Another account has other lines.
        const line = old?.user === found.user ? (old?.line ?? null) : null;
        await tx`update binding set state = 'live', line = ${line} where id = ${bindingId}`;
        const becameOwner = owners.length === 0;
        if (becameOwner) {
          // The account is somebody else's from now on: who owned the chat before does not come back as its owner.
          await tx`delete from resting_role where chat_id = ${chat.id} and role = 'owner'`;
          await tx`
            insert into member (chat_id, person_id, role, granted_by) values (${chat.id}, ${personId}, 'owner', ${personId})
            on conflict (chat_id, person_id) do update set role = 'owner', granted_by = ${personId}, granted_at = now()`;
        }
        await tx`
          insert into sink (chat_id, kinds, lang, created_by)
          select ${chat.id}, ${[...FIRST_KINDS]}::text[], ${chat.lang ?? lang ?? null}, ${personId}
          where not exists (select from sink where chat_id = ${chat.id}) on conflict do nothing`;
        await wakeAccountIn(tx, bindingId);
        await writeAudit(tx, {
          chatId: chat.id,
          personId,
          updateId,
          action: 'account_linked',
          details: { becameOwner, kinds },
        });
        await enqueueMenus(tx, chat.id);
        return { chat, kinds, line, becameOwner };
      });
    },

    async discardPending(bindingId) {
      await sql`
        update binding set state = 'gone', credentials = null, ended_at = now()
        where id = ${bindingId} and state = 'pending'`;
    },

    async disconnect(chatId, personId, updateId) {
      return await sql.begin(async (tx) => {
        const [ended] = await tx<{ id: string }[]>`
          update binding set state = 'gone', credentials = null, ended_at = now()
          where chat_id = ${chatId} and state = 'live' returning id`;
        if (ended === undefined) return false;
        await stopJobs(tx, ended.id);
        await sleepIn(tx, chatId);
        await tx`delete from topic_line where chat_id = ${chatId}`;
        await writeAudit(tx, { chatId, personId, updateId, action: 'account_unlinked' });
        await enqueueMenus(tx, chatId);
        return true;
      });
    },

    async live(chatId) {
      const [row] = await sql<BindingView[]>`
        select id, kinds, key_tail as "keyTail", account_name as "accountName", line
        from binding where chat_id = ${chatId} and state = 'live'`;
      return row ?? null;
    },

    async chatOf(bindingId) {
      const [row] = await sql<{ chatId: string; title: string; kinds: CredentialKind[] }[]>`
        select c.id as "chatId", c.title, b.kinds from binding b join chat c on c.id = b.chat_id
        where b.id = ${bindingId} and b.state = 'live'`;
      return row ?? null;
    },

    owners: async (chatId) => await ownersIn(sql, chatId),
    heirs: async (chatId) => await heirsIn(sql, chatId),

    async probeSeal() {
      const [row] = await sql<{ id: string }[]>`
        select id from binding where credentials is not null and state = 'live' limit 1`;
      if (row !== undefined) await openCredentials(sql, row.id);
    },

    async credentials(bindingId) {
      return await openCredentials(sql, bindingId);
    },

    async knowsAny(chatTelegramId, candidates) {
      if (candidates.length === 0) return false;
      const prints = candidates.flatMap((candidate) => fingerprint(candidate));
      const rows = await sql`
        select 1 from binding
        where prints && ${prints}::text[] or (
          chat_id = (select id from chat where telegram_id = ${chatTelegramId})
          and password_print = any(${prints}::text[])) limit 1`;
      return rows.length > 0;
    },

    async setLine({ bindingId, line, threadId, personId, updateId }) {
      await sql.begin(async (tx) => {
        const [row] = await tx<{ chat_id: string }[]>`
          select chat_id from binding where id = ${bindingId} and state = 'live' for update`;
        if (row === undefined) return;
        const chatId = row.chat_id;
        if (threadId === undefined) await tx`update binding set line = ${line} where id = ${bindingId}`;
        else {
          await tx`
            insert into topic_line (chat_id, thread_id, line) values (${chatId}, ${threadId}, ${line})
            on conflict (chat_id, thread_id) do update set line = excluded.line`;
        }
        await remember(tx, bindingId, [line]);
        await writeAudit(tx, { chatId, personId, updateId, action: 'line_set', details: { line, threadId } });
      });
    },

    async learnLines(bindingId, lines) {
      await remember(sql, bindingId, lines);
    },

    async lines(bindingId) {
      const rows = await sql<{ number: string }[]>`
        select number from line where binding_id = ${bindingId} order by seen_at desc limit 20`;
      return rows.map((row) => row.number);
    },
  };

  async function openCredentials(db: Queryable, bindingId: string): Promise<GatewayCredentials | null> {
    const [row] = await db<{ chat_id: string; credentials: Buffer | null }[]>`
      select chat_id, credentials from binding where id = ${bindingId} and state in ('live', 'pending')`;
    if (row === undefined || row.credentials === null) return null;
    return deserialise(sealer.open(row.credentials, bindingAad(bindingId, row.chat_id)));
  }
}

async function remember(tx: Queryable, bindingId: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await tx`
    insert into line (binding_id, number) select ${bindingId}, unnest(${[...lines]}::text[])
    on conflict (binding_id, number) do update set seen_at = now()`;
}

/** Nothing more leaves by an account that has been unlinked; the cards say so. */
async function ownersIn(db: Queryable, chatId: string): Promise<number[]> {
  const rows = await db<{ person_id: string }[]>`
    select person_id from member where chat_id = ${chatId} and role = 'owner' order by granted_at, person_id`;
  return rows.map((row) => Number(row.person_id));
}

async function stopJobs(tx: TransactionSql, bindingId: string): Promise<void> {
  const { to, may } = move(tx, 'job', 'stop');
  const stopped = await tx<{ id: string; draft_id: string }[]>`
    update job set state = ${to}, ended_at = now(), stop_reason = 'not_connected', stopped_by = null
    where binding_id = ${bindingId} and ${may} returning id, draft_id`;
  await takeBackIn(
    tx,
    stopped.map(({ id }) => id),
  );
  for (const { id, draft_id: draftId } of stopped) {
    await settleIn(tx, id);
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  }
}

/** A row copied to another chat or binding does not open: both ids are part of the seal. */
export function bindingAad(bindingId: string, chatId: string) {
  return { purpose: 'binding', binding: bindingId, chat: chatId };
}

function printsOf({ apiKey, token }: GatewayCredentials, fingerprint: Fingerprint): string[] {
  return [apiKey, token].flatMap((secret) =>
    secret === undefined ? [] : fingerprint(secret.reveal()).slice(0, 1),
  );
}

function passwordPrintOf({ password }: GatewayCredentials, fingerprint: Fingerprint): string | null {
  return password === undefined ? null : (fingerprint(password.reveal())[0] ?? null);
}

/** The prints of opened credentials under the newest master key. */
export function printsOfSealed(
  opened: Uint8Array,
  fingerprint: Fingerprint,
): { readonly prints: string[]; readonly passwordPrint: string | null } {
  const credentials = deserialise(opened);
  return {
    prints: printsOf(credentials, fingerprint),
    passwordPrint: passwordPrintOf(credentials, fingerprint),
  };
}

function kindsOf(credentials: GatewayCredentials): CredentialKind[] {
  const kinds: CredentialKind[] = [];
  if (credentials.apiKey !== undefined) kinds.push('api_key');
  if (credentials.username !== undefined && credentials.password !== undefined) kinds.push('password');
  if (credentials.token !== undefined) kinds.push('token');
  return kinds;
}

function serialise({ apiKey, username, password, token }: GatewayCredentials): Secret {
  return new Secret(
    JSON.stringify({
      apiKey: apiKey?.reveal(),
      username,
      password: password?.reveal(),
      token: token?.reveal(),
    }),
  );
}

const stored = z.object({
  apiKey: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  token: z.string().optional(),
});

function deserialise(bytes: Uint8Array): GatewayCredentials {
  const { apiKey, username, password, token } = stored.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return {
    ...(apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password: new Secret(password) }),
    ...(token === undefined ? {} : { token: new Secret(token) }),
  };
}
