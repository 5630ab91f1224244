import type {
  CallbackQuery,
  ChosenInlineResult,
  InlineQuery,
  Message,
  ReactionType,
  User,
} from '@grammyjs/types';
import { queueOf, type Emulator } from './emulator.ts';
import { isAdmin, isIn, memberOf, memberToWire } from './people/members.ts';
import type {
  BotState,
  ChatState,
  MemberState,
  MessageContent,
  ReplyMarkup,
  StoredMessage,
  UpdateKind,
} from './types.ts';
import { chatToWire, isInline, messageToWire, richButtons } from './wire.ts';

/** What a new message is made of; the rest (id, date, chat, topic marks) is added here. */
export interface NewMessage {
  content: MessageContent;
  from?: User | undefined;
  senderChat?: ChatState | undefined;
  botId?: number | undefined;
  replyTo?: number | undefined;
  threadId?: number | undefined;
  markup?: ReplyMarkup | undefined;
  /** Ephemeral: only this person and the bot see it; `receiver` is the one of the two who did not write it. */
  only?: { userId: number; receiver: User; replaces?: number | undefined } | undefined;
  service?: boolean;
  via?: StoredMessage['via'];
  linkPreview?: string;
}

/** Kinds that a bot only gets when it asked for them by name. */
const OPT_IN = new Set<string>(['chat_member', 'message_reaction', 'message_reaction_count']);
/** Service messages that come back to the very bot that caused them. */
const ECHOED = [
  'pinned_message',
  'new_chat_title',
  'left_chat_member',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'general_forum_topic_hidden',
  'general_forum_topic_unhidden',
] as const;

/** Puts a message into a chat, shows it on the page and queues the update for every bot that may see it. */
export function post(em: Emulator, chat: ChatState, draft: NewMessage): StoredMessage {
  const id = ++chat.lastMessageId;
  const inTopic = draft.threadId !== undefined;
  const wire: Message = {
    message_id: id,
    ...(draft.from === undefined ? {} : { from: draft.from }),
    ...(draft.senderChat === undefined ? {} : { sender_chat: chatToWire(em.world, draft.senderChat) }),
    chat: chatToWire(em.world, chat),
    date: em.seconds(),
    ...(draft.threadId === undefined ? {} : { message_thread_id: draft.threadId }),
    ...(inTopic && chat.isForum ? { is_topic_message: true } : {}),
    ...(draft.only === undefined ? {} : { receiver_user: draft.only.receiver, ephemeral_message_id: id }),
    ...draft.content,
  };
  const stored: StoredMessage = {
    wire,
    markup: draft.markup,
    offered: new Set(),
    // A message in a topic replies to the message that opened the topic, unless it replies to another one.
    replyTo: draft.replyTo ?? (chat.isForum && draft.threadId !== id ? draft.threadId : undefined),
    deleted: false,
    only: draft.only && { userId: draft.only.userId, replaces: draft.only.replaces },
    botId: draft.botId,
    service: draft.service ?? false,
    via: draft.via,
    linkPreview: draft.linkPreview ?? '',
    votes: em.world.polls.get(wire.poll?.id ?? '')?.votes,
    reactions: [],
  };
  (stored.only === undefined ? chat.messages : chat.ephemeral).set(id, stored);
  // What was being written is there now.
  if (draft.botId !== undefined && chat.draft !== undefined) {
    chat.draft = undefined;
    em.bus.emit({ type: 'draft', chatKey: chat.key, data: { draft: null } });
  }
  announce(em, chat, stored, 'message');
  return stored;
}

/** Tells page and bots about a new or an edited message. */
export function announce(
  em: Emulator,
  chat: ChatState,
  stored: StoredMessage,
  type: 'message' | 'edit',
): void {
  em.world.version++;
  const keyboard = isInline(stored.markup) ? stored.markup.inline_keyboard.flat() : [];
  for (const button of [...keyboard, ...richButtons(stored.wire.rich_message)]) {
    if (button.callback_data !== undefined) stored.offered.add(button.callback_data);
  }
  let body: string | undefined;
  for (const bot of em.world.bots.values()) {
    if (!sees(bot, chat, stored)) continue;
    const isEdit = type === 'edit';
    const kind: UpdateKind =
      chat.type === 'channel'
        ? isEdit
          ? 'edited_channel_post'
          : 'channel_post'
        : isEdit
          ? 'edited_message'
          : 'message';
    body ??= JSON.stringify(messageToWire(chat, stored));
    pushBody(em, bot, kind, body, chat.key);
  }
  tellPeople(em, chat, stored, type);
}

/** Tells page and driver of a message: everybody in the chat, or the one person who sees it. */
export function tellPeople(
  em: Emulator,
  chat: ChatState,
  stored: StoredMessage,
  type: 'message' | 'edit' | 'delete',
): void {
  if (!em.bus.active()) return;
  const message = shownMessage(chat, stored);
  const data = type === 'delete' ? { message, message_id: message.message_id } : { message };
  em.bus.emit({ type, chatKey: chat.key, userId: stored.only?.userId, data });
}

/** The message for page and driver: like the Bot API's, with every kind of keyboard, an id always, and the deleted mark. */
export function shownMessage(chat: ChatState, stored: StoredMessage): Message & { deleted?: true } {
  return Object.assign(messageToWire(chat, stored), {
    message_id: stored.wire.message_id,
    ...(stored.only?.replaces !== undefined && { replaces: stored.only.replaces }),
    ...(stored.markup !== undefined && { reply_markup: stored.markup }),
    ...(stored.reactions.length > 0 && {
      reactions: stored.reactions.map(({ userId, type }) => ({ ...type, user_id: userId })),
    }),
    ...(stored.votes !== undefined && {
      votes: [...stored.votes].map(([userId, options]) => ({ user_id: userId, option_ids: options })),
    }),
    ...(stored.deleted && { deleted: true as const }),
  });
}

export function pushCallback(em: Emulator, bot: BotState, chat: ChatState, query: CallbackQuery): void {
  pushBody(em, bot, 'callback_query', JSON.stringify(query), chat.key);
}

/** What a person asks a bot in inline mode, or has chosen of its answer. */
export function pushInline(
  em: Emulator,
  bot: BotState,
  told: { inline_query: InlineQuery } | { chosen_inline_result: ChosenInlineResult },
): void {
  const [kind, body] =
    'inline_query' in told
      ? (['inline_query', told.inline_query] as const)
      : (['chosen_inline_result', told.chosen_inline_result] as const);
  pushBody(em, bot, kind, JSON.stringify(body), `inline ${body.from.id}`);
}

/** A person wants no more of what the bot is writing to them. */
export function pushStopped(em: Emulator, bot: BotState, chat: ChatState, draftId: number): void {
  const body = JSON.stringify({ chat: chatToWire(em.world, chat), draft_id: draftId });
  pushBody(em, bot, 'stopped_message_generation', body, chat.key);
}

/**
 * What a person's reaction tells the bots that may hear of it: `message_reaction`, or the counts where nobody sees who
 * reacted, as in channels.
 */
export function pushReactions(
  em: Emulator,
  chat: ChatState,
  stored: StoredMessage,
  user: User,
  before: readonly ReactionType[],
  after: readonly ReactionType[],
): void {
  const place = { chat: chatToWire(em.world, chat), message_id: stored.wire.message_id, date: em.seconds() };
  const isAnonymous = memberOf(chat, user.id).anonymous;
  const actor = isAnonymous ? { actor_chat: place.chat } : { user };
  for (const bot of em.world.bots.values()) {
    const hears = chat.type === 'private' ? chat.botId === bot.id : isAdmin(memberOf(chat, bot.id));
    if (!hears) continue;
    if (chat.type === 'channel') {
      const counts = new Map<string, { type: ReactionType; total_count: number }>();
      for (const { type } of stored.reactions) {
        const { total_count: far } = counts.get(JSON.stringify(type)) ?? { total_count: 0 };
        counts.set(JSON.stringify(type), { type, total_count: far + 1 });
      }
      const reactions = [...counts.values()];
      pushBody(em, bot, 'message_reaction_count', JSON.stringify({ ...place, reactions }), chat.key);
    } else {
      const body = JSON.stringify({ ...place, ...actor, old_reaction: before, new_reaction: after });
      pushBody(em, bot, 'message_reaction', body, chat.key);
    }
  }
}

/** A vote in a poll that shows who voted, to the bot that sent it. */
export function pushPollAnswer(em: Emulator, pollId: string, user: User, options: readonly number[]): void {
  const state = em.world.polls.get(pollId);
  const bot = state === undefined ? undefined : em.world.bots.get(state.botId);
  if (state === undefined || bot === undefined) return;
  const ids = options.map((index) => state.poll.options[index]?.persistent_id);
  const answer = { poll_id: pollId, user, option_ids: options, option_persistent_ids: ids };
  pushBody(em, bot, 'poll_answer', JSON.stringify(answer), `poll ${pollId}`);
}

/** The new state of a poll, to the bot that sent it. */
export function pushPoll(em: Emulator, pollId: string): void {
  const state = em.world.polls.get(pollId);
  const bot = state === undefined ? undefined : em.world.bots.get(state.botId);
  if (state !== undefined && bot !== undefined) {
    pushBody(em, bot, 'poll', JSON.stringify(state.poll), `poll ${pollId}`);
  }
}

/** `my_chat_member` to the bot itself, or `chat_member` to the bots that are administrators there. */
export function memberUpdate(
  em: Emulator,
  chat: ChatState,
  actor: User,
  before: MemberState,
  after: MemberState,
): void {
  const update = {
    chat: chatToWire(em.world, chat),
    from: actor,
    date: em.seconds(),
    old_chat_member: memberToWire(em.world, chat, before),
    new_chat_member: memberToWire(em.world, chat, after),
  };
  const body = JSON.stringify(update);
  for (const bot of em.world.bots.values()) {
    if (bot.id === after.userId) {
      pushBody(em, bot, 'my_chat_member', body, chat.key);
    } else if (chat.type !== 'private' && isAdmin(memberOf(chat, bot.id))) {
      pushBody(em, bot, 'chat_member', body, chat.key);
    }
  }
}

function pushBody(em: Emulator, bot: BotState, kind: UpdateKind, body: string, lane: string): void {
  const wanted = bot.allowed === undefined ? !OPT_IN.has(kind) : bot.allowed.has(kind);
  if (wanted) queueOf(em, bot.id).push(kind, body, lane);
}

function sees(bot: BotState, chat: ChatState, stored: StoredMessage): boolean {
  const { wire } = stored;
  if (stored.only !== undefined) return wire.receiver_user?.id === bot.id;
  if (stored.botId === bot.id) return stored.service && ECHOED.some((name) => wire[name] !== undefined);
  if (chat.type === 'private') return chat.botId === bot.id && stored.botId === undefined;
  const member = memberOf(chat, bot.id);
  const isAboutBot = wire.left_chat_member?.id === bot.id;
  if (!isIn(member)) return isAboutBot && chat.type === 'group';
  if (stored.service || chat.type === 'channel') return true;
  if (stored.botId !== undefined) return false;
  return !bot.privacy || isAdmin(member) || isMeantFor(bot, chat, stored);
}

/** Privacy mode: commands that name no other bot, replies to what the bot wrote, and what was sent via it. A mention is not enough. */
function isMeantFor(bot: BotState, chat: ChatState, stored: StoredMessage): boolean {
  if (stored.via?.botId === bot.id) return true;
  const original = stored.replyTo === undefined ? undefined : chat.messages.get(stored.replyTo);
  if (original !== undefined && original.botId === bot.id && !original.service) return true;
  const text = stored.wire.text ?? stored.wire.caption ?? '';
  const entities = stored.wire.entities ?? stored.wire.caption_entities ?? [];
  return entities.some((entity) => {
    if (entity.type !== 'bot_command') return false;
    const addressee = text.slice(entity.offset, entity.offset + entity.length).split('@')[1];
    return addressee === undefined || addressee.toLowerCase() === bot.user.username?.toLowerCase();
  });
}
