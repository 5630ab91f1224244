import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { Role } from '../domain/roles.ts';
import { Secret } from '../domain/secret.ts';
import type { ChatType, NewDraft } from '../ports/stores.ts';
import { createAuditStore } from './audit-store.ts';
import { createBindingStore } from './accounts/binding-store.ts';
import { createButtonStore } from './chat/button-store.ts';
import { createSealer } from './keys/crypto.ts';
import { createDraftStore } from './sending/draft-store.ts';
import { createFingerprint } from './keys/fingerprint.ts';
import { createIdentityStore } from './people/identity-store.ts';
import { createJobStore } from './sending/job-store.ts';
import { createLinkStore } from './people/link-store.ts';
import type { MasterKeys } from './keys/master-keys.ts';
import { createPurge, type KeptDays } from './purge/purge.ts';
import { createScheduleStore } from './sending/schedule-store.ts';
import { createFormStore, createUpdateStore } from './chat/update-store.ts';
import type { Row } from './row.ts';

const masterKeys: MasterKeys = [
  { kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) },
  { kid: 'older', key: new Secret(Buffer.alloc(32, 8).toString('base64')) },
];

export const BOT_ID = 700;
export const LINE = '3000123456';
export const GATEWAY = 'https://gateway.example/';

/** Every store on a database of its own, with the queue's tables, and ways to fill it. */
export type TestStorage = Awaited<ReturnType<typeof openTestStorage>>;

export async function openTestStorage() {
  const database: TestDatabase = await createTestDatabase({ max: 16 });
  const { sql } = database;
  const sealer = createSealer(masterKeys);
  const fingerprint = createFingerprint(masterKeys);
  const identities = createIdentityStore(database);
  const bindings = createBindingStore(database, sealer, fingerprint, { gateway: GATEWAY, timeZone: 'UTC' });
  const drafts = createDraftStore(database);
  let last = 1000;
  const next = (): number => (last += 1);

  /** A person with a role in the chat; without one, a person whom the chat does not know. */
  const addPerson = async (chatId: string, role: Role | null, name = 'Sara'): Promise<number> => {
    const id = next();
    await sql`insert into person (telegram_id, name) values (${id}, ${name})`;
    if (role !== null)
      await sql`insert into member (chat_id, person_id, role, granted_by) values (${chatId}, ${id}, ${role}, ${id})`;
    return id;
  };

  const addChat = async (type: ChatType = 'supergroup') => {
    const telegramId = -next();
    const [row] = await sql<Row<'chat', 'id'>[]>`
      insert into chat (telegram_id, type, title) values (${telegramId}, ${type}, 'Shop') returning id`;
    return { id: row?.id ?? '', telegramId };
  };

  /** A live binding, written as it would be after Link. */
  const link = async (chatId: string, personId: number, key = `key-${next()}-abcdefgh`): Promise<string> => {
    const bindingId = await bindings.savePending({
      chatId,
      personId,
      credentials: { apiKey: new Secret(key) },
      keyTail: key.slice(-4),
      accountName: 'Demo',
    });
    if ((await bindings.activate({ bindingId, personId, updateId: next() })) === null)
      throw new Error('the account was not linked');
    return bindingId;
  };

  /** A chat with its owner and a linked account. */
  const addPlace = async () => {
    const chat = await addChat();
    const ownerId = await addPerson(chat.id, 'owner');
    return { chat, ownerId, bindingId: await link(chat.id, ownerId) };
  };

  const draftIn = (
    place: { readonly chat: { readonly id: string }; readonly ownerId: number; readonly bindingId: string },
    more: Partial<NewDraft> = {},
  ): NewDraft => ({
    chatId: place.chat.id,
    bindingId: place.bindingId,
    botId: BOT_ID,
    updateId: next(),
    authorId: place.ownerId,
    outgoing: { kind: 'text' },
    text: 'Hello',
    recipients: ['989120000001', '989120000002'],
    repeated: [],
    invalid: [],
    line: LINE,
    lang: 'en',
    threadId: undefined,
    ...more,
  });

  return {
    database,
    sql,
    sealer,
    identities,
    bindings,
    drafts,
    jobs: createJobStore(database, 'Asia/Tehran'),
    schedule: createScheduleStore(database, 'Asia/Tehran'),
    buttons: createButtonStore(database),
    links: createLinkStore(database),
    updates: createUpdateStore(database),
    forms: createFormStore(database),
    audits: createAuditStore(database),
    /** With everything kept for ever that is not said. */
    purge: async (days: Partial<KeptDays> = {}) =>
      await createPurge(database, { sends: 0, inbox: 0, audit: 0, other: 0, ...days }).run(),
    next,
    addChat,
    addPerson,
    addPlace,
    link,
    draftIn,

    /** A confirmed job past its hold, and running. */
    async addRunningJob(...of: Parameters<typeof draftIn>) {
      // Whether somebody must approve it is nothing that a running job asks.
      await sql`
        insert into chat_limits (chat_id, approval_parts, updated_by) values (${of[0].chat.id}, null, ${of[0].ownerId})
        on conflict do nothing`;
      const { id: draftId } = await drafts.create(draftIn(...of));
      const confirmed = await drafts.confirm({
        draftId,
        version: 1,
        personId: of[0].ownerId,
        updateId: next(),
        undoSeconds: 0,
        timeZone: 'UTC',
      });
      if (confirmed.result !== 'confirmed') throw new Error(`not confirmed: ${confirmed.result}`);
      await sql`update job set state = 'running', started_at = now() where id = ${confirmed.jobId}`;
      return { draftId, jobId: confirmed.jobId };
    },

    /** What waits in the queue, by key, and how long after it was asked for it is due: both by the same look at the clock. */
    async queued() {
      const rows = await sql<
        { task: string; key: string; payload: Record<string, unknown>; in_ms: number }[]
      >`
        select t.identifier as task, j.key, j.payload,
          (extract(epoch from j.run_at - j.updated_at) * 1000)::float8 as in_ms
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`;
      return new Map(rows.map(({ key, ...row }) => [key, row]));
    },

    async emptyQueue() {
      await sql`delete from graphile_worker._private_jobs`;
    },

    async audit(chatId: string) {
      return await sql<Row<'audit', 'action' | 'person_id' | 'update_id' | 'details'>[]>`
        select action, person_id, update_id, details from audit where chat_id = ${chatId} order by id`;
    },

    close: () => database.close(),
  };
}
