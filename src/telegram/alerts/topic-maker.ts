import type { Api } from 'grammy';
import type { Html } from '../html.ts';
import { telegramFailure } from '../outgoing/errors.ts';

/** `refused`: no forum, or not the right to make topics. `not_now`: whether there is one is not known, or later. */
export type MadeTopic =
  | { readonly result: 'made'; readonly threadId: number }
  | { readonly result: 'refused' | 'not_now' };

export interface TopicMaker {
  make(chatTelegramId: number, name: string): Promise<MadeTopic>;
  /** Nothing happens where nothing can be said. */
  say(chatTelegramId: number, threadId: number | null, content: Html): Promise<void>;
}

/** One of the colours that Telegram has for topics: the blue one. */
const COLOUR = 0x6f_b9_f0;
const REFUSED: ReadonlySet<string> = new Set(['refused', 'no_rights']);

export function createTopicMaker(api: Api): TopicMaker {
  return {
    async make(chatTelegramId, name) {
      try {
        const topic = await api.createForumTopic(chatTelegramId, name, { icon_color: COLOUR });
        return { result: 'made', threadId: topic.message_thread_id };
      } catch (error) {
        const { kind } = telegramFailure(error);
        return { result: REFUSED.has(kind) ? 'refused' : 'not_now' };
      }
    },

    async say(chatTelegramId, threadId, content) {
      await api
        .sendMessage(chatTelegramId, content.markup, {
          parse_mode: 'HTML',
          ...(threadId === null ? {} : { message_thread_id: threadId }),
        })
        .catch(() => undefined);
    },
  };
}
