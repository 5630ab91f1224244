import type { ChatMemberUpdated } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import type { PlaceChange } from '../../ports/doer.ts';
import type { KitContext } from '../dispatch/context.ts';
import { titleOf } from '../dispatch/names.ts';

export interface PlaceWatch {
  /** The bot may speak in a place, perhaps again: Telegram says so, or somebody has written to it there. */
  readonly placeOpened: (change: PlaceChange) => Promise<void>;
  /** The bot is not in a place any more, or is blocked there. */
  readonly placeClosed: (change: PlaceChange) => Promise<void>;
}

/**
 * Notices that the bot came to a place, came back, or was given the right to speak there, and that it was removed: groups,
 * channels and private chats alike.
 */
export function watchPlaces({ placeOpened, placeClosed }: PlaceWatch): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const member = ctx.myChatMember;
    if (member !== undefined) {
      const change = {
        chatTelegramId: member.chat.id,
        personId: member.from.id,
        updateId: ctx.update.update_id,
        place: { type: member.chat.type, title: titleOf(member.chat) },
      };
      if (maySpeak(member)) await placeOpened(change);
      else if (isGone(member)) await placeClosed(change);
    }
    await next();
  };
}

function maySpeak({ chat, new_chat_member: bot }: ChatMemberUpdated): boolean {
  if (bot.status === 'administrator') return chat.type !== 'channel' || bot.can_post_messages === true;
  return bot.status === 'member' || (bot.status === 'restricted' && bot.can_send_messages);
}

function isGone({ new_chat_member: bot }: ChatMemberUpdated): boolean {
  return bot.status === 'left' || bot.status === 'kicked' || (bot.status === 'restricted' && !bot.is_member);
}
