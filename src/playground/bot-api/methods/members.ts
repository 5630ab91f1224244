import { chatFor } from '../access.ts';
import { post } from '../../deliver.ts';
import { chatChanged } from '../../emulator.ts';
import { badRequest } from '../../errors.ts';
import { codePoints } from '../../text/formatting.ts';
import { adminRightNames, isAdmin, isIn, may, memberOf, PERMISSIONS } from '../../people/members.ts';
import { setMember } from '../../people/membership.ts';
import { isRecord, type Params } from '../params.ts';
import type { ChatState, MemberState, MemberStatus } from '../../types.ts';
import { newMember } from '../../world.ts';
import type { Call, Method } from './method.ts';

const MAX_TITLE = 128;
const MAX_DESCRIPTION = 255;
const MAX_CUSTOM_TITLE = 16;

export const memberMethods: Readonly<Record<string, Method>> = {
  banChatMember: (call) => {
    const userId = userOf(call);
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    if (chat.type === 'private') throw badRequest("can't ban members in private chats");
    checkRestrictable(call, chat, userId);
    return put(call, chat, newMember(userId, 'kicked'));
  },
  unbanChatMember: (call) => {
    const userId = userOf(call);
    const chat = largeChat(call);
    const { status } = memberOf(chat, userId);
    if (call.params.bool('only_if_banned') && status !== 'kicked') return true;
    checkRestrictable(call, chat, userId);
    return status === 'left' ? true : put(call, chat, newMember(userId, 'left'));
  },
  restrictChatMember: (call) => {
    const userId = userOf(call);
    const permissions = readPermissions(call.params);
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    if (chat.type !== 'supergroup') throw badRequest('method is available only for supergroups');
    checkRestrictable(call, chat, userId);
    const wasIn = isIn(memberOf(chat, userId));
    const isFree = Object.values(permissions).every(Boolean);
    const status: MemberStatus = !isFree ? 'restricted' : wasIn ? 'member' : 'left';
    return put(call, chat, {
      ...newMember(userId, status),
      rights: isFree ? {} : { ...permissions, is_member: wasIn },
    });
  },
  promoteChatMember: (call) => {
    const userId = userOf(call);
    const { bot, params } = call;
    const chat = largeChat(call);
    const member = memberOf(chat, userId);
    if (member.status === 'creator') throw badRequest("can't remove chat owner");
    if (userId === bot.id) throw badRequest("can't promote self");
    if (!may(chat, bot.id, 'can_promote_members')) throw badRequest('not enough rights');
    if (!isIn(member)) throw badRequest('USER_NOT_PARTICIPANT');
    const rights = Object.fromEntries(adminRightNames(chat).map((name) => [name, params.bool(name)]));
    const anonymous = params.bool('is_anonymous');
    const isPromotion = anonymous || Object.values(rights).some(Boolean);
    // Whoever is given anything may manage the chat.
    const given = { ...rights, can_manage_chat: true };
    return put(call, chat, {
      ...newMember(userId, isPromotion ? 'administrator' : 'member'),
      ...(isPromotion && { anonymous, rights: given, customTitle: member.customTitle }),
    });
  },
  setChatAdministratorCustomTitle: (call) => {
    const userId = userOf(call);
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    if (chat.type !== 'group' && chat.type !== 'supergroup') {
      throw badRequest('method is available only for groups and supergroups');
    }
    const member = memberOf(chat, userId);
    if (member.status === 'creator') throw badRequest('only the owner can edit their custom title');
    if (member.status !== 'administrator') throw badRequest('user is not an administrator');
    if (!may(chat, call.bot.id, 'can_promote_members')) {
      throw badRequest('not enough rights to change custom title of the user');
    }
    const title = call.params.str('custom_title').trim();
    if (codePoints(title) > MAX_CUSTOM_TITLE) throw badRequest('CUSTOM_TITLE_INVALID');
    return put(call, chat, { ...member, customTitle: title === '' ? undefined : title });
  },
  setChatPermissions: (call) => {
    const permissions = readPermissions(call.params);
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    if (chat.type === 'private') throw badRequest("can't change private chat permissions");
    if (chat.type === 'channel') throw badRequest("can't change channel chat permissions");
    if (!may(chat, call.bot.id, 'can_restrict_members')) {
      throw badRequest('not enough rights to change chat permissions');
    }
    chat.permissions = permissions;
    chatChanged(call.em, chat);
    return true;
  },
  setChatTitle: (call) => {
    const { em, bot, params } = call;
    const chat = chatFor(em, bot, params, 'write');
    const title = Array.from(params.str('title').trim()).slice(0, MAX_TITLE).join('');
    if (title === '') throw badRequest('title must be non-empty');
    checkMayChangeInfo(call, chat, 'title', 'not enough rights to change chat title');
    if (title === chat.title) throw badRequest('CHAT_NOT_MODIFIED');
    chat.title = title;
    const author = chat.type === 'channel' ? { senderChat: chat } : { from: bot.user };
    post(em, chat, { ...author, botId: bot.id, service: true, content: { new_chat_title: title } });
    chatChanged(em, chat);
    return true;
  },
  setChatDescription: (call) => {
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    const text = Array.from(call.params.str('description').trim()).slice(0, MAX_DESCRIPTION).join('');
    checkMayChangeInfo(call, chat, 'description', 'not enough rights to set chat description');
    if (text === (chat.description ?? '')) throw badRequest('chat description is not modified');
    chat.description = text === '' ? undefined : text;
    chatChanged(call.em, chat);
    return true;
  },
};

function userOf({ params }: Call): number {
  const userId = params.int('user_id', 0, 0);
  if (userId === 0) throw badRequest('invalid user_id specified');
  return userId;
}

function largeChat({ em, bot, params }: Call): ChatState {
  const chat = chatFor(em, bot, params, 'write');
  if (chat.type === 'supergroup' || chat.type === 'channel') return chat;
  throw badRequest('method is available for supergroup and channel chats only');
}

function checkRestrictable({ em, bot }: Call, chat: ChatState, userId: number): void {
  const member = memberOf(chat, userId);
  if (member.status === 'creator') throw badRequest("can't remove chat owner");
  if (!em.world.users.has(userId)) throw badRequest('member not found');
  if (userId === bot.id) throw badRequest("can't restrict self");
  if (!may(chat, bot.id, 'can_restrict_members') || !isAdmin(memberOf(chat, bot.id))) {
    throw badRequest('not enough rights to restrict/unrestrict chat member');
  }
  if (isAdmin(member)) throw badRequest('user is an administrator of the chat');
}

function checkMayChangeInfo({ bot }: Call, chat: ChatState, what: string, refusal: string): void {
  if (chat.type === 'private') throw badRequest(`can't change private chat ${what}`);
  if (!may(chat, bot.id, 'can_change_info')) throw badRequest(refusal);
}

function put({ em, bot }: Call, chat: ChatState, member: MemberState): true {
  setMember(em, chat, member, bot.user);
  return true;
}

const MEDIA = PERMISSIONS.slice(1, 7);

/** `permissions` with what one of them brings along, unless `use_independent_chat_permissions`. */
function readPermissions(params: Params): Record<string, boolean> {
  const given = params.json('permissions', 'permissions') ?? {};
  if (!isRecord(given)) throw badRequest('object expected as permissions');
  const wrong = Object.entries(given).find(([, value]) => typeof value !== 'boolean');
  if (wrong !== undefined) {
    throw badRequest(`can't parse chat permissions: Field "${wrong[0]}" must be of type Boolean`);
  }
  const on = Object.fromEntries(PERMISSIONS.map((name) => [name, given[name] === true]));
  if (MEDIA.every((name) => given[name] === undefined) && given['can_send_media_messages'] === true) {
    for (const name of MEDIA) on[name] = true;
  }
  const isBound = !params.bool('use_independent_chat_permissions');
  const bringsMedia = on['can_send_other_messages'] === true || on['can_add_web_page_previews'] === true;
  if (isBound && bringsMedia) for (const name of MEDIA) on[name] = true;
  const bringsTexts =
    bringsMedia || on['can_send_polls'] === true || given['can_send_media_messages'] === true;
  if (isBound && bringsTexts) on['can_send_messages'] = true;
  const follow = { can_manage_topics: 'can_pin_messages', can_edit_tag: 'can_pin_messages' } as const;
  for (const [name, leader] of Object.entries({ ...follow, can_react_to_messages: 'can_send_messages' })) {
    if (given[name] === undefined) on[name] = on[leader] === true;
  }
  return on;
}
