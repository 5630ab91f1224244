import type { ChatView } from '../ports/stores.ts';
import type { Html } from './html.ts';
import { messageLink } from './message-link.ts';
import { telegramFailure } from './outgoing/errors.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Tells another chat what was done about it from here, and gives the address of that message. Undefined where it has none,
 * and where the chat cannot be told: what was done stands, and whoever did it goes on.
 */
export async function announce(
  ctx: RequestContext,
  chat: Pick<ChatView, 'type' | 'telegramId'>,
  content: Html,
): Promise<string | undefined> {
  try {
    return messageLink(chat, await ctx.say(content, { chatTelegramId: chat.telegramId }));
  } catch (error) {
    const { kind, description } = telegramFailure(error);
    if (kind === 'unknown') throw error;
    ctx.log.warn({ kind, description }, 'a chat was not told what was done about it in private');
    return undefined;
  }
}
