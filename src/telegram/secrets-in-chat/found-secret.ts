import type { Message, User } from '@grammyjs/types';
import type { Api } from 'grammy';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { nameOf, titleOf } from '../dispatch/names.ts';
import { sayOnce } from '../dispatch/say-once.ts';
import { html, lines } from '../html.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { slash } from '../slash.ts';
import { kitTexts } from '../texts.ts';

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

/** About keys, in the private chat: one that nobody has asked for there, or one that was written elsewhere. */
export const keyTexts = defineTexts({
  en: {
    stray: lines(
      html`⚠ That looked like a key, and I was not waiting for one: I deleted the message, did nothing with it and stored none of it.`,
      html`If somebody else may have seen the key, make a new one in the gateway’s panel. To link an account, send /connect in the chat that it is for.`,
    ),
    strayKept: lines(
      html`⚠ That looks like a key, and I was not waiting for one: I did nothing with the message and stored none of it. I could not delete it: please delete it yourself.`,
      html`If somebody else may have seen the key, make a new one in the gateway’s panel. To link an account, send /connect in the chat that it is for.`,
    ),
    leaked: (place: string) =>
      html`⚠ A message in ${isolateAuto(place)} looked like a key. I deleted the message there, but people may have seen it: treat it as leaked and make a new one in the gateway’s panel. Keys are given only here. To link an account to a group, send /connect there.`,
    leakedKept: (place: string) =>
      html`⚠ A message in ${isolateAuto(place)} looks like a key, and I am not allowed to delete it there. Delete it yourself, treat it as leaked, and make a new one in the gateway’s panel. Keys are given only here. To link an account to a group, send /connect there.`,
  },
  fa: {
    stray: lines(
      html`⚠ این شبیه یک کلید بود و من منتظر کلیدی نبودم: پیام را پاک کردم، کاری با آن نکردم و چیزی از آن نگه نداشتم.`,
      html`اگر ممکن است کس دیگری کلید را دیده باشد، در پنل پیامک کلید جدیدی بسازید. برای وصل‌کردن حساب، در همان گفتگویی که حساب برای آن است ${slash('fa', 'connect')} بفرستید.`,
    ),
    strayKept: lines(
      html`⚠ این شبیه یک کلید است و من منتظر کلیدی نبودم: کاری با پیام نکردم و چیزی از آن نگه نداشتم. نتوانستم پاکش کنم؛ لطفاً خودتان پاکش کنید.`,
      html`اگر ممکن است کس دیگری کلید را دیده باشد، در پنل پیامک کلید جدیدی بسازید. برای وصل‌کردن حساب، در همان گفتگویی که حساب برای آن است ${slash('fa', 'connect')} بفرستید.`,
    ),
    leaked: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید بود. آنجا پاکش کردم، ولی شاید دیگران دیده باشند: آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید. کلید را فقط همین‌جا بدهید. برای وصل‌کردن حساب به گروه، در همان گروه ${slash('fa', 'connect')} بفرستید.`,
    leakedKept: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید است و من آنجا اجازهٔ پاک‌کردن ندارم. خودتان پاکش کنید، آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید. کلید را فقط همین‌جا بدهید. برای وصل‌کردن حساب به گروه، در همان گروه ${slash('fa', 'connect')} بفرستید.`,
  },
});
