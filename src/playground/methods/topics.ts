import { chatFor } from '../access.ts';
import { chatChanged } from '../emulator.ts';
import { badRequest } from '../errors.ts';
import { may } from '../members.ts';
import { closeTopic, createTopic, deleteTopic, editTopic } from '../topics.ts';
import type { ChatState, TopicState } from '../types.ts';
import type { Call, Method } from './method.ts';

export const topicMethods: Readonly<Record<string, Method>> = {
  createForumTopic: (call) => {
    const chat = forumFor(call, 'create a topic');
    const name = call.params.str('name').trim();
    if (name === '') throw badRequest('name must be non-empty');
    const topic = createTopic(call.em, chat, {
      name: Array.from(name).slice(0, 128).join(''),
      iconColor: call.params.int('icon_color', 0x6f_b9_f0),
      iconCustomEmojiId: call.params.str('icon_custom_emoji_id') || undefined,
      author: { user: call.bot.user, botId: call.bot.id },
    });
    return {
      message_thread_id: topic.id,
      name: topic.name,
      icon_color: topic.iconColor,
      ...(topic.iconCustomEmojiId === undefined ? {} : { icon_custom_emoji_id: topic.iconCustomEmojiId }),
    };
  },
  editForumTopic: (call) => {
    const chat = forumFor(call, 'edit the topic');
    const topic = topicOf(call, chat);
    const name = call.params.has('name') ? call.params.str('name').trim() : topic.name;
    if (name === '' || name === topic.name) throw badRequest('TOPIC_NOT_MODIFIED');
    editTopic(call.em, chat, topic, name, { user: call.bot.user, botId: call.bot.id });
    return true;
  },
  closeForumTopic: (call) => setClosed(call, true),
  reopenForumTopic: (call) => setClosed(call, false),
  deleteForumTopic: (call) => {
    const chat = forumFor(call, 'delete the topic');
    deleteTopic(call.em, chat, topicOf(call, chat));
    chatChanged(call.em, chat);
    return true;
  },
};

function setClosed(call: Call, closed: boolean): true {
  const chat = forumFor(call, 'close or open the topic');
  const topic = topicOf(call, chat);
  if (topic.closed === closed) throw badRequest('TOPIC_NOT_MODIFIED');
  closeTopic(call.em, chat, topic, closed, { user: call.bot.user, botId: call.bot.id });
  return true;
}

function forumFor({ em, bot, params }: Call, deed: string): ChatState {
  const chat = chatFor(em, bot, params, 'write');
  if (!chat.isForum) throw badRequest('the chat is not a forum');
  if (!may(chat, bot.id, 'can_manage_topics')) throw badRequest(`not enough rights to ${deed}`);
  return chat;
}

function topicOf({ params }: Call, chat: ChatState): TopicState {
  const topic = chat.topics.get(params.int('message_thread_id', 0));
  if (topic === undefined || topic.deleted) throw badRequest('TOPIC_ID_INVALID');
  return topic;
}
