import type { BotCommand, BotCommandScope } from '@grammyjs/types';
import { chatById, chatFor } from '../access.ts';
import { badRequest, type ApiError } from '../../errors.ts';
import { codePoints } from '../../text/formatting.ts';
import { adminRightNames } from '../../people/members.ts';
import { isRecord } from '../params.ts';
import type { LocalizedText } from '../../types.ts';
import type { Call, Method } from './method.ts';

const MAX_COMMANDS = 100;
const MAX_DESCRIPTION = 256;

export const botMethods: Readonly<Record<string, Method>> = {
  getMe: ({ bot }) => ({
    ...bot.user,
    can_join_groups: true,
    can_read_all_group_messages: !bot.privacy,
    supports_inline_queries: bot.inline !== undefined,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
  }),
  getMyStarBalance: () => ({ amount: 0 }),
  getStarTransactions: () => ({ transactions: [] }),
  setMyDefaultAdministratorRights: (call) => {
    const { bot, params } = call;
    const rights = params.json('rights', 'ChatAdministratorRights');
    if (rights !== undefined && !isRecord(rights)) {
      throw badRequest("can't parse ChatAdministratorRights: ChatAdministratorRights must be an Object");
    }
    const names = adminRightNames({ type: typeForRights(call) });
    const given = Object.fromEntries(
      ['is_anonymous', ...names].map((name) => [name, rights?.[name] === true]),
    );
    bot.defaultRights.set(typeForRights(call), given);
    return true;
  },
  getMyDefaultAdministratorRights: (call) => {
    const type = typeForRights(call);
    const none = () =>
      Object.fromEntries(['is_anonymous', ...adminRightNames({ type })].map((name) => [name, false]));
    return call.bot.defaultRights.get(type) ?? none();
  },
  logOut: () => true,
  close: () => true,
  setMyCommands: (call) => {
    const commands = readCommands(call);
    const scope = readScope(call);
    const language = readLanguage(call);
    const key = listKey(scope, language);
    if (commands.length === 0) call.bot.commands.delete(key);
    else call.bot.commands.set(key, { scope, language, commands });
    return commandsChanged(call);
  },
  getMyCommands: (call) =>
    call.bot.commands.get(listKey(readScope(call), readLanguage(call)))?.commands ?? [],
  deleteMyCommands: (call) => {
    call.bot.commands.delete(listKey(readScope(call), readLanguage(call)));
    return commandsChanged(call);
  },
  setMyName: (call) => setText(call, 'name', 64),
  getMyName: (call) => getText(call, 'name', call.bot.user.first_name),
  setMyDescription: (call) => setText(call, 'description', 512),
  getMyDescription: (call) => getText(call, 'description', ''),
  setMyShortDescription: (call) => setText(call, 'short_description', 120),
  getMyShortDescription: (call) => getText(call, 'short_description', ''),
  setChatMenuButton: ({ em, bot, params }) => {
    const value = params.json('menu_button', 'menu button') ?? { type: 'default' };
    if (!isRecord(value)) throw badRequest("can't parse menu button: MenuButton must be an Object");
    const { type } = value;
    if (type !== 'default' && type !== 'commands' && type !== 'web_app') {
      throw badRequest("can't parse menu button: MenuButton has unsupported type");
    }
    const key = params.has('chat_id') ? chatFor(em, bot, params, 'read').id : 'default';
    if (type === 'web_app') throw badRequest('BUTTON_URL_INVALID');
    bot.menuButtons.set(key, { type });
    return true;
  },
  getChatMenuButton: ({ em, bot, params }) => {
    const key = params.has('chat_id') ? chatFor(em, bot, params, 'read').id : 'default';
    return bot.menuButtons.get(key) ?? bot.menuButtons.get('default') ?? { type: 'commands' };
  },
};

function typeForRights({ params }: Call): 'channel' | 'supergroup' {
  return params.bool('for_channels') ? 'channel' : 'supergroup';
}

function readCommands({ params }: Call): BotCommand[] {
  const list = params.json('commands', 'commands') ?? [];
  if (!Array.isArray(list)) throw badRequest('expected an Array of BotCommand');
  if (list.length > MAX_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  return list.map((value: unknown) => {
    if (!isRecord(value)) throw wrongCommand('expected an Object');
    const { command, description } = value;
    if (typeof command !== 'string') throw wrongCommand('Can\'t find field "command"');
    if (typeof description !== 'string') throw wrongCommand('Can\'t find field "description"');
    const name = command.replace(/^\//, '');
    if (name === '') throw badRequest('command must be non-empty');
    if (codePoints(name) > 32) throw badRequest('command length must not exceed 32');
    if (!/^[a-z0-9_]+$/.test(name)) throw badRequest('BOT_COMMAND_INVALID');
    const text = description.trim();
    if (text === '') throw badRequest('command description must be non-empty');
    if (codePoints(text) > MAX_DESCRIPTION) {
      throw badRequest(`command description length must not exceed ${MAX_DESCRIPTION}`);
    }
    const isEphemeral = value['is_ephemeral'] === true ? { is_ephemeral: true } : {};
    return { command: name, description: text, ...isEphemeral };
  });
}

function readScope({ em, bot, params }: Call): BotCommandScope {
  const value = params.json('scope', 'BotCommandScope') ?? { type: 'default' };
  if (!isRecord(value)) throw wrongScope('BotCommandScope must be an Object');
  const { type } = value;
  switch (type) {
    case 'default':
    case 'all_private_chats':
    case 'all_group_chats':
    case 'all_chat_administrators':
      return { type };
    case 'chat':
    case 'chat_administrators':
    case 'chat_member': {
      const given = value['chat_id'];
      if (typeof given !== 'string' && typeof given !== 'number') {
        throw wrongScope('Can\'t find field "chat_id"');
      }
      if (given === '') throw wrongScope('Empty chat_id specified');
      const userId = Number(value['user_id']);
      if (type === 'chat_member' && !(userId > 0)) throw wrongScope('Invalid user_id specified');
      const chat = chatById(em, bot, String(given), 'read');
      if (type !== 'chat' && chat.type === 'private') throw badRequest('chat not found');
      return type === 'chat_member'
        ? { type, chat_id: chat.id, user_id: userId }
        : { type, chat_id: chat.id };
    }
    default:
      throw wrongScope('Unsupported type specified');
  }
}

function readLanguage({ params }: Call): string {
  const code = params.str('language_code');
  if (code !== '' && !/^[a-z]{2}$/.test(code)) throw badRequest('invalid language code specified');
  return code;
}

/** The key under which a bot's command list of one scope and one language is kept. */
export function listKey(scope: BotCommandScope, language: string): string {
  const place = 'chat_id' in scope ? `:${scope.chat_id}` : '';
  const person = 'user_id' in scope ? `:${scope.user_id}` : '';
  return `${scope.type}${place}${person}|${language}`;
}

function commandsChanged({ em, bot }: Call): true {
  em.world.version++;
  em.bus.emit({ type: 'commands', data: { bot_id: bot.id } });
  return true;
}

function setText(call: Call, field: keyof LocalizedText, limit: number): true {
  const text = call.params.str(field).trim();
  if (codePoints(text) > limit) throw badRequest(`bot ${field.replace('_', ' ')} is too long`);
  const language = readLanguage(call);
  if (text === '') call.bot.texts[field].delete(language);
  else call.bot.texts[field].set(language, text);
  return commandsChanged(call);
}

function getText(call: Call, field: keyof LocalizedText, fallback: string): Record<string, string> {
  const texts = call.bot.texts[field];
  return { [field]: texts.get(readLanguage(call)) ?? texts.get('') ?? fallback };
}

function wrongCommand(reason: string): ApiError {
  return badRequest(`can't parse BotCommand: ${reason}`);
}

function wrongScope(reason: string): ApiError {
  return badRequest(`can't parse BotCommandScope: ${reason}`);
}
