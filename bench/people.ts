import { randomUUID } from 'node:crypto';
import { Secret } from '../src/domain/secret.ts';
import { createBindingStore } from '../src/storage/accounts/binding-store.ts';
import { createButtonStore } from '../src/storage/chat/button-store.ts';
import { createSealer } from '../src/storage/keys/crypto.ts';
import { createDraftStore } from '../src/storage/sending/draft-store.ts';
import { createFingerprint } from '../src/storage/keys/fingerprint.ts';
import { createIdentityStore } from '../src/storage/people/identity-store.ts';
import { BOT_ID, type Stage } from './stage.ts';

/** A person in a private chat with a linked account. Telegram's id of both is `id`. */
export interface Owner {
  readonly id: number;
  readonly chatId: string;
  readonly bindingId: string;
}

export const LINE = '3000123456';

/** Links the gateway's account of that name to a chat of one owner, through the product's own stores. */
export async function linkOwner(
  { database, masterKey }: Pick<Stage, 'database' | 'masterKey'>,
  id: number,
  account: string,
): Promise<Owner> {
  const bindings = createBindingStore(database, createSealer([masterKey]), createFingerprint([masterKey]), {
    gateway: '',
    timeZone: 'UTC',
  });
  const { chat } = await createIdentityStore(database).identify({
    chat: { telegramId: id, type: 'private', title: '' },
    person: { id, name: `P${id}`, username: null },
    formKey: `${id}:0:${id}`,
  });
  const bindingId = await bindings.savePending({
    chatId: chat.id,
    personId: id,
    credentials: { apiKey: new Secret(`bench-key-${account}`) },
    keyTail: '0000',
    accountName: account,
  });
  await bindings.activate({ bindingId, personId: id, updateId: 0 });
  await bindings.setLine({ bindingId, line: LINE, threadId: undefined, personId: id, updateId: 0 });
  return { id, chatId: chat.id, bindingId };
}

/** Writes as many chats, each of one owner with a linked account, for updates that never reach the gateway. */
export async function seedOwners(
  { database }: Pick<Stage, 'database'>,
  firstId: number,
  count: number,
): Promise<void> {
  const { sql } = database;
  const last = firstId + count - 1;
  await sql`
    insert into person (telegram_id, name) select id, 'P' || id from generate_series(${firstId}::bigint, ${last}) as id`;
  await sql`
    with made as (
      insert into chat (telegram_id, type)
      select id, 'private' from generate_series(${firstId}::bigint, ${last}) as id returning id, telegram_id
    ), members as (
      insert into member (chat_id, person_id, role, granted_by)
      select id, telegram_id, 'owner', telegram_id from made
    )
    insert into binding (id, chat_id, state, kinds, prints, key_tail, account_name, line, created_by)
    select gen_random_uuid(), id, 'live', '{api_key}', '{}', '0000', 'demo', '3000123456', telegram_id from made`;
  await sql`analyze`;
}

/** A draft as a person makes it, at its first version. */
export async function draftOf(
  { database }: Pick<Stage, 'database'>,
  owner: Owner,
  nonce: number,
  of: Pick<Parameters<ReturnType<typeof createDraftStore>['create']>[0], 'outgoing' | 'text' | 'recipients'>,
): Promise<string> {
  const drafts = createDraftStore(database);
  const { id: draftId } = await drafts.create({
    chatId: owner.chatId,
    bindingId: owner.bindingId,
    botId: BOT_ID,
    updateId: -nonce,
    authorId: owner.id,
    ...of,
    repeated: [],
    invalid: [],
    line: LINE,
    lang: 'en',
    threadId: undefined,
  });
  await drafts.setCard(draftId, { messageId: nonce, threadId: null }, randomUUID());
  return draftId;
}

/** The tap on Send under a draft to that many numbers, as the update that Telegram would hand out. */
export async function draftAndTap(
  stage: Pick<Stage, 'database'>,
  owner: Owner,
  nonce: number,
  recipients = 1,
): Promise<{ readonly draftId: string; readonly tap: object }> {
  const draftId = await draftOf(stage, owner, nonce, {
    outgoing: { kind: 'text' },
    text: `Hello ${nonce}`,
    recipients: Array.from({ length: recipients }, (_, index) => `9891${String(index).padStart(8, '0')}`),
  });
  return { draftId, tap: await tapOn(stage, owner, nonce, { draftId, version: 1 }) };
}

/** The tap on Send under a draft's card. */
export async function tapOn(
  { database }: Pick<Stage, 'database'>,
  owner: Owner,
  nonce: number,
  { draftId, version }: { readonly draftId: string; readonly version: number },
): Promise<object> {
  const [token = ''] = await createButtonStore(database).mint(owner.chatId, [
    {
      action: 'send.confirm',
      payload: { draftId, version },
      personId: owner.id,
      minRank: 0,
      draft: { id: draftId, version },
      ttlSeconds: 900,
    },
  ]);
  const person = { id: owner.id, first_name: `P${owner.id}` };
  return {
    callback_query: {
      id: String(nonce),
      chat_instance: '1',
      from: { ...person, is_bot: false, language_code: 'en' },
      message: {
        message_id: nonce,
        date: 1_800_000_000,
        chat: { ...person, type: 'private' },
        text: 'card',
      },
      data: `p1:${token}`,
    },
  };
}

/** A private chat has no second person who could approve a send of any size. */
export async function approveAll({ database }: Pick<Stage, 'database'>, owner: Owner): Promise<void> {
  await database.sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
}

/** A command in the owner's private chat, as an update. */
export function commandOf(owner: Owner, text: string): object {
  const person = { id: owner.id, first_name: `P${owner.id}` };
  return {
    message: {
      message_id: 1,
      date: 1_800_000_000,
      chat: { ...person, type: 'private' },
      from: { ...person, is_bot: false, language_code: 'en' },
      text,
      entities: [{ type: 'bot_command', offset: 0, length: text.length }],
    },
  };
}
