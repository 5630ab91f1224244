import type { ChatMemberUpdated } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import type { KitContext } from './context.ts';

/** Notices that the bot came to a place, came back, or was given the right to speak there: groups and channels alike. */
export function watchPlaces(opened: (chatTelegramId: number) => Promise<void>): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const change = ctx.myChatMember;
    if (change !== undefined && maySpeak(change)) await opened(change.chat.id);
    await next();
  };
}

function maySpeak({ chat, new_chat_member: bot }: ChatMemberUpdated): boolean {
  if (bot.status === 'administrator') return chat.type !== 'channel' || bot.can_post_messages === true;
  return bot.status === 'member' || (bot.status === 'restricted' && bot.can_send_messages);
}
