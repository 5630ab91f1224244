import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { FIRST_KINDS } from '../../domain/alerts.ts';
import { userMarks, type UserTraits } from '../../domain/gateway-user.ts';
import { Secret } from '../../domain/secret.ts';
import type { Doer } from '../../ports/doer.ts';
import type { GatewayCredentials } from '../../ports/gateway.ts';
import type { BindingView, ChatView, CredentialKind, Lang, ToldOfUser } from '../../ports/stores.ts';
import { sleepIn, wakeAccountIn } from './account-in.ts';
import { writeAudit } from '../audit.ts';
import { createBatch } from '../database/batch.ts';
import { holdLimits } from '../sending/limits-in.ts';
import { fallbackOwnersIn } from '../people/suspended-roles.ts';
import type { Sealer } from '../keys/crypto.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueueMenus } from '../enqueue.ts';
import { handOnIn, redrawWaitingIn, stopJobsIn } from '../sending/ended-binding.ts';
import type { Fingerprint } from '../keys/fingerprint.ts';
import { holdUsers, identifyIn, isSurelyOne, printMarks } from './gateway-user.ts';
import type { Row } from '../row.ts';

interface PendingBinding {
  readonly chatId: string;
  readonly personId: number;
  readonly credentials: GatewayCredentials;
  readonly keyTail: string;
  readonly accountName: string;
  /** What the gateway tells of the user of these credentials: by that an account is known again in other chats. */
  readonly told?: ToldOfUser;
}

/** `null`: nothing was waiting, or the chat has another owner. */
type Activation = {
  readonly chat: ChatView;
  readonly becameOwner: boolean;
  readonly line: string | null;
  readonly kinds: readonly CredentialKind[];
  /** Rules of the chat that have answered from another account, or from none, answer from this one. */
  readonly answersGoOn: boolean;
} | null;

/**
 * Gateway accounts of chats. Credentials leave this file only through `credentials`.
 * @param how `gateway`: the base address that user names and persons belong to; `timeZone`: of chats that have none of their own
 */
export function createBindingStore(
  { sql }: Database,
  sealer: Sealer,
  fingerprint: Fingerprint,
  { gateway, timeZone }: { readonly gateway: string; readonly timeZone: string },
) {
  const marksOf = ({ username }: GatewayCredentials, told: Omit<UserTraits, 'userName'>): string[] =>
    printMarks(userMarks(gateway, { ...told, userName: username }), fingerprint);

  // Nearly every message has a word that is long enough: those that come together are looked for in one pass over the
  // prints, which takes as long for many words as for one.
  const isKnown = createBatch(
    async (asked: readonly { readonly chat: number; readonly prints: readonly string[] }[]) => {
      const found = await sql<(Row<'chat', 'telegram_id'> & { print: string; is_password: boolean })[]>`
        select p.print, p.place > cardinality(b.prints) as is_password, c.telegram_id
        from binding b join chat c on c.id = b.chat_id
          cross join unnest(b.prints || b.password_print) with ordinality as p(print, place)
        where p.print = any(${asked.flatMap(({ prints }) => prints)}::text[])`;
      return asked.map(({ chat, prints }) =>
        found.some((of) => prints.includes(of.print) && (!of.is_password || of.telegram_id === chat)),
      );
    },
    { lanes: Number.POSITIVE_INFINITY },
  );

  return {
    /** Seals the credentials and keeps them aside until a person presses Link. */
    async savePending({
      chatId,
      personId,
      credentials,
      keyTail,
      accountName,
      told = {},
    }: PendingBinding): Promise<string> {
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

    /** Learns again what the gateway tells of the user of a binding. */
    async identify(bindingId: string, told: ToldOfUser): Promise<void> {
      const credentials = await openCredentials(sql, bindingId);
      if (credentials === null) return;
      const marks = marksOf(credentials, told);
      const known =
        await sql`select 1 from binding where id = ${bindingId} and user_marks @> ${marks}::text[]`;
      if (known.length === 0) await sql.begin(async (tx) => await identifyIn(tx, bindingId, marks));
    },

    /** Makes a pending binding the live one of its chat: by its owner, or by the first to connect, who becomes owner. */
    async activate({
      bindingId,
      personId,
      updateId,
      lang,
    }: Doer & {
      readonly bindingId: string;
      /** What the person reads: the chat's alerts are in it until the chat has a language of its own. */
      readonly lang?: Lang;
    }): Promise<Activation> {
      return await sql.begin(async (tx) => {
        await holdUsers(tx);
        // As all who decide about sends: before chat, draft, job and binding.
        const [of] = await tx<
          Row<'binding', 'chat_id'>[]
        >`select chat_id from binding where id = ${bindingId}`;
        if (of === undefined) return null;
        await holdLimits(tx, of.chat_id);
        const [found] = await tx<
          (Omit<NonNullable<Activation>, 'becameOwner' | 'answersGoOn'> & { state: string; user: string })[]
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
        const may = owners.length > 0 ? owners : await fallbackOwnersIn(tx, chat.id);
        if (may !== null && !may.includes(personId)) return null;
        if (found.state === 'live')
          return { chat, kinds, line: found.line, becameOwner: false, answersGoOn: false };
        if (found.state !== 'pending') return null;
        const [old] = await tx<
          (Row<'binding', 'id' | 'line' | 'gateway_user as user'> & { readonly is_same: boolean })[]
        >`
          update binding b set state = 'replaced', credentials = null, ended_at = now() from binding n
          where b.chat_id = ${chat.id} and b.state = 'live' and n.id = ${bindingId}
          returning b.id, b.line, b.gateway_user as user, ${isSurelyOne(tx, 'b', 'n')} as is_same`;
        if (old !== undefined)
          await (old.is_same ? handOnIn(tx, old.id, bindingId) : stopJobsIn(tx, old.id, timeZone));
        // Another account has other lines.
        const line = old?.user === found.user ? (old?.line ?? null) : null;
        if (old?.user !== found.user) await tx`delete from topic_line where chat_id = ${chat.id}`;
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
        await redrawWaitingIn(tx, chat.id);
        await writeAudit(tx, {
          chatId: chat.id,
          personId,
          updateId,
          action: 'account_linked',
          details: { becameOwner, kinds },
        });
        await enqueueMenus(tx, chat.id);
        // Another account has other lines: what is for one of the old answers nothing by it.
        const answers = await tx`
          select 1 from inbox_rule where chat_id = ${chat.id} and answer is not null and line is null limit 1`;
        const answersGoOn = old?.is_same !== true && answers.length > 0;
        return { chat, kinds, line, becameOwner, answersGoOn };
      });
    },

    async discardPending(bindingId: string): Promise<void> {
      await sql`
        update binding set state = 'gone', credentials = null, ended_at = now()
        where id = ${bindingId} and state = 'pending'`;
    },

    /** Ends the chat's binding and wipes its credentials. */
    async disconnect(chatId: string, personId: number, updateId: number): Promise<boolean> {
      return await sql.begin(async (tx) => {
        await holdLimits(tx, chatId);
        const [ended] = await tx<Row<'binding', 'id'>[]>`
          update binding set state = 'gone', credentials = null, ended_at = now()
          where chat_id = ${chatId} and state = 'live' returning id`;
        if (ended === undefined) return false;
        await stopJobsIn(tx, ended.id, timeZone);
        await redrawWaitingIn(tx, chatId);
        await sleepIn(tx, chatId);
        await tx`delete from topic_line where chat_id = ${chatId}`;
        await writeAudit(tx, { chatId, personId, updateId, action: 'account_unlinked' });
        await enqueueMenus(tx, chatId);
        return true;
      });
    },

    async live(chatId: string): Promise<BindingView | null> {
      const [row] = await sql<
        Row<'binding', 'id' | 'kinds' | 'key_tail as keyTail' | 'account_name as accountName' | 'line'>[]
      >`
        select id, kinds, key_tail as "keyTail", account_name as "accountName", line
        from binding where chat_id = ${chatId} and state = 'live'`;
      return row ?? null;
    },

    /** The chat of a live binding, and what it holds. */
    async chatOf(bindingId: string): Promise<{
      readonly chatId: string;
      readonly title: string;
      readonly kinds: readonly CredentialKind[];
    } | null> {
      const [row] = await sql<(Row<'chat', 'id as chatId' | 'title'> & Row<'binding', 'kinds'>)[]>`
        select c.id as "chatId", c.title, b.kinds from binding b join chat c on c.id = b.chat_id
        where b.id = ${bindingId} and b.state = 'live'`;
      return row ?? null;
    },

    /** Usually one; an owner can make another. */
    owners: async (chatId: string): Promise<readonly number[]> => await ownersIn(sql, chatId),
    /** Where all owners have left: the admins, who may link an account of their own and so become one. Null: nobody has left. */
    fallbackOwners: async (chatId: string): Promise<readonly number[] | null> =>
      await fallbackOwnersIn(sql, chatId),

    /** Opens one stored seal, if there is any; throws `crypto` when the master keys are not those it was made with. */
    async probeSeal(): Promise<void> {
      const [row] = await sql<Row<'binding', 'id'>[]>`
        select id from binding where credentials is not null and state = 'live' limit 1`;
      if (row !== undefined) await openCredentials(sql, row.id);
    },

    /**
     * Opens the seal: the only place from which credentials come. Null when the binding has ended, unless its user is linked in
     * the chat again: a key that was linked anew, or with others, looks up what the earlier one has sent.
     */
    async credentials(bindingId: string): Promise<GatewayCredentials | null> {
      return await openCredentials(sql, bindingId);
    },

    /**
     * Whether one of these words is a key or token that was ever linked in any chat, or a password of this chat's own
     * account: passwords can be guessed, and nobody shall learn in one chat what holds in another.
     */
    async knowsAny(chatTelegramId: number, candidates: readonly string[]): Promise<boolean> {
      if (candidates.length === 0) return false;
      return await isKnown({ chat: chatTelegramId, prints: candidates.flatMap((each) => fingerprint(each)) });
    },

    /** The chat's sender line, or that of one of its topics. */
    async setLine({
      bindingId,
      line,
      threadId,
      personId,
      updateId,
    }: Doer & {
      readonly bindingId: string;
      readonly line: string;
      readonly threadId?: number | undefined;
    }): Promise<void> {
      await sql.begin(async (tx) => {
        const [row] = await tx<Row<'binding', 'chat_id'>[]>`
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

    async learnLines(bindingId: string, lines: readonly string[]): Promise<void> {
      await remember(sql, bindingId, lines);
    },

    async lines(bindingId: string): Promise<string[]> {
      const rows = await sql<Row<'line', 'number'>[]>`
        select number from line where binding_id = ${bindingId} order by seen_at desc limit 20`;
      return rows.map((row) => row.number);
    },
  };

  async function openCredentials(db: Queryable, bindingId: string): Promise<GatewayCredentials | null> {
    const [row] = await db<Row<'binding', 'id' | 'chat_id' | 'credentials'>[]>`
      select n.id, n.chat_id, n.credentials from binding b
      join binding n on n.chat_id = b.chat_id and (n.id = b.id or n.state = 'live') and ${isSurelyOne(db, 'n', 'b')}
      where b.id = ${bindingId} and n.state in ('live', 'pending') order by n.id = b.id desc limit 1`;
    if (row === undefined || row.credentials === null) return null;
    return deserialise(sealer.open(row.credentials, bindingAad(row.id, row.chat_id)));
  }
}

async function remember(tx: Queryable, bindingId: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await tx`
    insert into line (binding_id, number) select ${bindingId}, unnest(${[...lines]}::text[])
    on conflict (binding_id, number) do update set seen_at = now()`;
}

async function ownersIn(db: Queryable, chatId: string): Promise<number[]> {
  const rows = await db<Row<'member', 'person_id'>[]>`
    select person_id from member where chat_id = ${chatId} and role = 'owner' order by granted_at, person_id`;
  return rows.map((row) => row.person_id);
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
