import type { Message, User } from '@grammyjs/types';
import type { Api } from 'grammy';
import type { Locale } from '../../i18n/define.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { nameOf, titleOf } from '../dispatch/names.ts';
import { sayOnce } from '../dispatch/say-once.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { kitTexts } from '../texts.ts';
import { keyTexts } from './key-texts.ts';

export interface FoundSecret {
  readonly message: Message;
  readonly updateId: number;
  /** Null: nothing was ever said to the bot there. */
  readonly chatId: string | null;
  /** Null: it was written in the name of a channel or a group. */
  readonly personId: number | null;
  /** What a person reads; null: whoever is there. */
  readonly localeOf: (person: User | null) => Promise<Locale>;
}

/**
 * Deletes a message with a key where the bot may, writes down that there was one, and tells of it. What others could read is
 * called leaked: to whoever wrote it in private; a post of a channel to its administrators; and where none of them can be told, in
 * the place itself.
 */
export async function removeSecret(
  { api, audit, log }: { readonly api: Api; readonly audit: Stores['audit']; readonly log: Log },
  { message, updateId, chatId, personId, localeOf }: FoundSecret,
): Promise<void> {
  const { chat } = message;
  const deleted = await isDeleted(api, message);
  const details = personId === null ? { deleted, nameless: true } : { deleted };
  await audit.add({ chatId, personId, updateId, action: 'key_exposed', details });

  const title = titleOf(chat);
  let reached = 0;
  for (const person of await concerned()) {
    const t = keyTexts(await localeOf(person));
    const leaked = deleted ? t.leaked(title) : t.leakedKept(title);
    const word = chat.type === 'private' ? (deleted ? t.stray : t.strayKept) : leaked;
    if (await sayOnce({ api, log }, person.id, word)) reached += 1;
  }
  if (reached > 0) return;

  const t = kitTexts(await localeOf(writerOf(message)));
  const name =
    message.from === undefined || message.sender_chat !== undefined
      ? titleOf(message.sender_chat ?? chat)
      : nameOf(message.from);
  await sayOnce(
    { api, log },
    chat.id,
    deleted ? t.leakedKey(name) : t.leakedKeyKept(name),
    message.is_topic_message === true ? message.message_thread_id : undefined,
  );

  async function concerned(): Promise<readonly User[]> {
    if (chat.type === 'channel') return await administrators();
    const writer = writerOf(message);
    if (chat.type === 'private') return writer === null ? [] : [writer];
    // What still stands in a group others there can delete: they must read of it.
    return writer === null || !deleted ? [] : [writer];
  }

  async function administrators(): Promise<readonly User[]> {
    try {
      const all = await api.getChatAdministrators(chat.id);
      return all.map(({ user }) => user).filter((user) => !user.is_bot);
    } catch (error) {
      log.info({ kind: telegramFailure(error).kind }, 'Telegram does not say who runs a channel');
      return [];
    }
  }
}

/** The person who wrote a message in their own name, or null. */
export function writerOf({ from, sender_chat: inNameOf }: Message): User | null {
  return from === undefined || from.is_bot || inNameOf !== undefined ? null : from;
}

async function isDeleted(api: Api, { chat, message_id: id }: Message): Promise<boolean> {
  try {
    return await api.deleteMessage(chat.id, id);
  } catch (error) {
    // Deleted before, perhaps by a process that ended then.
    return telegramFailure(error).kind === 'message_gone';
  }
}
