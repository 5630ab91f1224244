import type { BotCommand, BotCommandScope } from '@grammyjs/types';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { isAdmin, memberOf } from './members.ts';
import { listKey } from '../bot-api/methods/bot.ts';
import type { ChatState } from '../types.ts';
import { chatForBot } from '../world.ts';

/**
 * The menu that a person is shown in a chat: the first list there is, from the narrowest scope to the widest,
 * each in the person's language and then without a language.
 */
export function commandsFor(em: Emulator, wanted: { bot: number; chat: number; user: number }): BotCommand[] {
  const bot = em.world.bots.get(wanted.bot);
  const user = em.world.users.get(wanted.user);
  if (bot === undefined || user === undefined) throw new ControlError('unknown bot or user');
  const chat = wanted.chat > 0 ? undefined : chatForBot(em.world, bot.id, wanted.chat);
  const language = user.language_code?.slice(0, 2) ?? '';
  for (const scope of scopesFor(chat, user.id)) {
    const list = bot.commands.get(listKey(scope, language)) ?? bot.commands.get(listKey(scope, ''));
    if (list !== undefined) return list.commands;
  }
  return [];
}

function scopesFor(chat: ChatState | undefined, userId: number): BotCommandScope[] {
  if (chat === undefined) {
    return [{ type: 'chat', chat_id: userId }, { type: 'all_private_chats' }, { type: 'default' }];
  }
  const id = chat.id;
  const admin = isAdmin(memberOf(chat, userId));
  return [
    { type: 'chat_member', chat_id: id, user_id: userId },
    ...(admin ? [{ type: 'chat_administrators', chat_id: id } as const] : []),
    { type: 'chat', chat_id: id },
    ...(admin ? [{ type: 'all_chat_administrators' } as const] : []),
    { type: 'all_group_chats' },
    { type: 'default' },
  ];
}
