import type { Api } from 'grammy';
import type { Log } from '../../ports/runtime.ts';
import type { Html } from '../html.ts';
import { telegramFailure } from '../outgoing/errors.ts';

/** These cannot be told, or may have been told. */
const NOT_AGAIN: ReadonlySet<string> = new Set([
  'blocked',
  'kicked',
  'chat_gone',
  'no_rights',
  'thread_gone',
  'lost_answer',
]);

/**
 * Says something that is worth one message and no second one.
 * @returns whether it was said; throws what is worth another try
 */
export async function sayOnce(
  { api, log }: { readonly api: Api; readonly log: Log },
  chatTelegramId: number,
  words: Html,
  threadId?: number,
): Promise<boolean> {
  try {
    await api.sendMessage(chatTelegramId, words.markup, {
      parse_mode: 'HTML',
      ...(threadId === undefined ? {} : { message_thread_id: threadId }),
    });
    return true;
  } catch (error) {
    const { kind } = telegramFailure(error);
    if (!NOT_AGAIN.has(kind)) throw error;
    log.info({ kind }, 'a word could not be said, and is not said again');
    return false;
  }
}
