import type { Api } from 'grammy';
import { telegramFailure } from '../outgoing/errors.ts';

/** A place that a person has named, as somebody may be told there: `reason` says who may not, or that it is not there. */
export type PostingRight =
  | {
      readonly ok: true;
      readonly telegramId: number;
      readonly title: string;
      readonly type: 'group' | 'supergroup' | 'channel';
    }
  | { readonly ok: false; readonly reason: 'not_there' | 'person' | 'bot' };

/**
 * Whether a person may have something posted in another place: only an administrator of it who may post there, asked
 * of Telegram now; and whether the bot may.
 * @param place `@name` or a numeric id
 */
export async function postingRight(
  api: Api,
  botId: number,
  { place, personId }: { readonly place: string | number; readonly personId: number },
): Promise<PostingRight> {
  try {
    const chat = await api.getChat(place);
    if (chat.type === 'private') return { ok: false, reason: 'not_there' };
    const bot = await api.getChatMember(chat.id, botId);
    const isChannel = chat.type === 'channel';
    const botMay = isChannel
      ? bot.status === 'administrator' && bot.can_post_messages === true
      : bot.status === 'administrator' ||
        bot.status === 'member' ||
        (bot.status === 'restricted' && bot.can_send_messages);
    if (!botMay) return { ok: false, reason: 'bot' };
    const person = await api.getChatMember(chat.id, personId);
    const personMay =
      person.status === 'creator' ||
      (person.status === 'administrator' && (!isChannel || person.can_post_messages === true));
    if (!personMay) return { ok: false, reason: 'person' };
    return { ok: true, telegramId: chat.id, title: chat.title, type: chat.type };
  } catch (error) {
    const { kind } = telegramFailure(error);
    if (kind === 'kicked' || kind === 'no_rights') return { ok: false, reason: 'bot' };
    if (kind === 'chat_gone' || kind === 'refused') return { ok: false, reason: 'not_there' };
    throw error;
  }
}
