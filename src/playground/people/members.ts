import type { User } from '@grammyjs/types';
import type { ChatState, MemberState, WireMember, World } from '../types.ts';
import { newMember } from '../world.ts';

const ADMIN_RIGHTS = [
  'can_manage_chat',
  'can_delete_messages',
  'can_manage_video_chats',
  'can_restrict_members',
  'can_promote_members',
  'can_change_info',
  'can_invite_users',
  'can_post_stories',
  'can_edit_stories',
  'can_delete_stories',
  'can_send_welcome_messages',
] as const;
const GROUP_ADMIN_RIGHTS = ['can_pin_messages', 'can_manage_topics', 'can_manage_tags'] as const;
const CHANNEL_ADMIN_RIGHTS = [
  'can_post_messages',
  'can_edit_messages',
  'can_manage_direct_messages',
] as const;
export const PERMISSIONS = [
  'can_send_messages',
  'can_send_audios',
  'can_send_documents',
  'can_send_photos',
  'can_send_videos',
  'can_send_video_notes',
  'can_send_voice_notes',
  'can_send_polls',
  'can_send_other_messages',
  'can_add_web_page_previews',
  'can_react_to_messages',
  'can_change_info',
  'can_invite_users',
  'can_edit_tag',
  'can_pin_messages',
  'can_manage_topics',
] as const;
/** What an ordinary administrator of the emulator is not given unless asked: everything else is on. */
const ADMIN_OFF = new Set(['can_promote_members']);

export function memberOf(chat: ChatState, userId: number): MemberState {
  return chat.members.get(userId) ?? newMember(userId, 'left');
}

/** In the chat now: a restricted member may have left, which `is_member` tells. */
export function isIn(member: MemberState): boolean {
  if (member.status === 'restricted') return member.rights['is_member'] !== false;
  return member.status !== 'left' && member.status !== 'kicked';
}

export function isAdmin(member: MemberState): boolean {
  return member.status === 'creator' || member.status === 'administrator';
}

/** Whether a right, by its Bot API name, is given to this member. */
export function may(chat: ChatState, userId: number, right: string): boolean {
  const member = memberOf(chat, userId);
  if (member.status === 'creator') return true;
  if (member.status === 'administrator') return member.rights[right] ?? !ADMIN_OFF.has(right);
  if (!isIn(member)) return false;
  const memberDefault = right.startsWith('can_send') || right === 'can_add_web_page_previews';
  if (member.status === 'restricted') return member.rights[right] ?? false;
  return chat.type !== 'channel' && (chat.permissions?.[right] ?? memberDefault);
}

/** The member as getChatMember and the member updates show it. */
export function memberToWire(world: World, chat: ChatState, member: MemberState): WireMember {
  const user = world.users.get(member.userId) ?? nobody(member.userId);
  const title = member.customTitle === undefined ? {} : { custom_title: member.customTitle };
  switch (member.status) {
    case 'creator':
      return { user, status: 'creator', ...title, is_anonymous: member.anonymous };
    case 'administrator':
      return {
        user,
        status: 'administrator',
        can_be_edited: false,
        ...title,
        ...adminRights(chat, member),
      };
    case 'restricted': {
      const permissions = Object.fromEntries(PERMISSIONS.map((name) => [name, member.rights[name] ?? false]));
      const rest = { until_date: 0, is_member: member.rights['is_member'] !== false };
      return { user, status: 'restricted', ...permissions, ...rest };
    }
    case 'kicked':
      return { user, status: 'kicked', until_date: 0 };
    case 'member':
      return { user, status: 'member' };
    case 'left':
      return { user, status: 'left' };
  }
}

export function allPermissions(): Record<string, boolean> {
  return Object.fromEntries(PERMISSIONS.map((name) => [name, true]));
}

/** The rights that an administrator of such a chat can have, by their Bot API names. */
export function adminRightNames(chat: Pick<ChatState, 'type'>): readonly string[] {
  return [...ADMIN_RIGHTS, ...(chat.type === 'channel' ? CHANNEL_ADMIN_RIGHTS : GROUP_ADMIN_RIGHTS)];
}

function adminRights(chat: ChatState, member: MemberState): Record<string, boolean> {
  const given = Object.fromEntries(
    adminRightNames(chat).map((name) => [name, member.rights[name] ?? !ADMIN_OFF.has(name)]),
  );
  return { is_anonymous: member.anonymous, ...given };
}

function nobody(id: number): User {
  return { id, is_bot: false, first_name: '' };
}
