import type { User } from '@grammyjs/types';
import { post } from '../deliver.ts';
import { chatChanged, type Emulator } from '../emulator.ts';
import type { ChatState, MessageContent, TopicState } from '../types.ts';

/** Who does it: a person, or a bot (whose id then goes with the service message). */
export interface Author {
  user: User;
  botId?: number;
}

/** Opens a topic; its id is the id of the service message that announces it. */
export function createTopic(
  em: Emulator,
  chat: ChatState,
  options: { name: string; iconColor: number; iconCustomEmojiId?: string | undefined; author: Author },
): TopicState {
  const id = chat.lastMessageId + 1;
  const { name, iconColor, iconCustomEmojiId } = options;
  const topic: TopicState = { id, name, iconColor, iconCustomEmojiId, closed: false, deleted: false };
  chat.topics.set(id, topic);
  const icon = iconCustomEmojiId === undefined ? {} : { icon_custom_emoji_id: iconCustomEmojiId };
  announceTopic(em, chat, topic, options.author, {
    forum_topic_created: { name, icon_color: iconColor, ...icon },
  });
  return topic;
}

export function editTopic(
  em: Emulator,
  chat: ChatState,
  topic: TopicState,
  name: string,
  author: Author,
): void {
  topic.name = name;
  announceTopic(em, chat, topic, author, { forum_topic_edited: { name } });
}

export function closeTopic(
  em: Emulator,
  chat: ChatState,
  topic: TopicState,
  closed: boolean,
  author: Author,
): void {
  topic.closed = closed;
  announceTopic(em, chat, topic, author, closed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} });
}

/** The topic and all its messages are gone. */
export function deleteTopic(em: Emulator, chat: ChatState, topic: TopicState): void {
  topic.deleted = true;
  for (const stored of chat.messages.values()) {
    if (stored.wire.message_thread_id === topic.id) stored.deleted = true;
  }
  chatChanged(em, chat);
}

function announceTopic(
  em: Emulator,
  chat: ChatState,
  topic: TopicState,
  author: Author,
  content: MessageContent,
): void {
  post(em, chat, { from: author.user, botId: author.botId, threadId: topic.id, service: true, content });
  chatChanged(em, chat);
}
