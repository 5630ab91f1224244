import type { User } from '@grammyjs/types';
import { memberUpdate, post } from '../deliver.ts';
import { chatChanged, type Emulator } from '../emulator.ts';
import { isIn, memberOf } from './members.ts';
import type { ChatState, MemberState } from '../types.ts';
import { GROUP_ANONYMOUS_BOT, newMember } from '../world.ts';

/** Puts a member into a new state: `my_chat_member` or `chat_member`, then the service message of groups. */
export function setMember(em: Emulator, chat: ChatState, member: MemberState, actor: User): void {
  const before = memberOf(chat, member.userId);
  const user = em.world.users.get(member.userId);
  const botId = em.world.bots.has(actor.id) ? actor.id : undefined;
  chat.members.set(member.userId, member);
  memberUpdate(em, chat, actor, before, member);
  if (chat.type !== 'channel' && user !== undefined && isIn(before) !== isIn(member)) {
    const joined = { new_chat_member: user, new_chat_members: [user] };
    const content = isIn(member) ? joined : { left_chat_member: user };
    post(em, chat, { from: actor, botId, service: true, content });
  }
  chatChanged(em, chat);
}

/** A person blocks the bot, or takes the block back; the bot hears it as a change of its own membership. */
export function setBlocked(em: Emulator, chat: ChatState, blocked: boolean): void {
  if (chat.blocked === blocked || chat.botId === undefined) return;
  const actor = em.world.users.get(chat.id);
  chat.blocked = blocked;
  if (actor === undefined) return;
  const member = newMember(chat.botId, 'member');
  const kicked = newMember(chat.botId, 'kicked');
  memberUpdate(em, chat, actor, blocked ? member : kicked, blocked ? kicked : member);
  chatChanged(em, chat);
}

/**
 * Upgrades a group to the given empty supergroup: members move, message ids start again, both service messages
 * are sent (each chat tells the other's id), and the old chat refuses everything from then on.
 * `memberUpdates` adds the two `my_chat_member` updates that some clients see around it.
 */
export function migrate(
  em: Emulator,
  group: ChatState,
  target: ChatState,
  actor: User,
  memberUpdates: boolean,
): void {
  target.members = new Map([...group.members].map(([id, member]) => [id, { ...member }]));
  target.description = group.description;
  post(em, group, { from: actor, service: true, content: { migrate_to_chat_id: target.id } });
  group.migratedTo = target.id;
  post(em, target, {
    from: GROUP_ANONYMOUS_BOT,
    senderChat: target,
    service: true,
    content: { migrate_from_chat_id: group.id },
  });
  if (memberUpdates) {
    for (const bot of em.world.bots.values()) {
      const member = target.members.get(bot.id);
      if (member === undefined || !isIn(member)) continue;
      memberUpdate(em, group, actor, member, newMember(bot.id, 'left'));
      memberUpdate(em, target, actor, newMember(bot.id, 'left'), member);
    }
  }
  chatChanged(em, group);
  chatChanged(em, target);
}
