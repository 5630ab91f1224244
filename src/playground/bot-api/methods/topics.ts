import type { Message } from '@grammyjs/types';
import { chatFor } from '../access.ts';
import { post } from '../../deliver.ts';
import { chatChanged } from '../../emulator.ts';
import { badRequest } from '../../errors.ts';
import { may } from '../../people/members.ts';
import { closeTopic, createTopic, deleteTopic, editTopic } from '../../people/topics.ts';
import type { ChatState, MessageContent, TopicState } from '../../types.ts';
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
  unpinAllForumTopicMessages: (call) => {
    const chat = forumFor(call, 'edit the topic');
    const topic = topicOf(call, chat);
    return unpin(
      call,
      chat,
      (message) => message.is_topic_message === true && message.message_thread_id === topic.id,
    );
  },
  unpinAllGeneralForumTopicMessages: (call) => {
    const chat = forumFor(call, 'edit the topic');
    return unpin(call, chat, (message) => message.is_topic_message !== true);
  },
  editGeneralForumTopic: (call) => {
    const chat = forumFor(call, 'edit the topic');
    const name = call.params.str('name').trim();
    if (name === '' || name === chat.general.name) throw badRequest('TOPIC_NOT_MODIFIED');
    chat.general.name = name;
    return tellGeneral(call, chat, { forum_topic_edited: { name } });
  },
  closeGeneralForumTopic: (call) => setGeneral(call, 'closed', true, { forum_topic_closed: {} }),
  reopenGeneralForumTopic: (call) => setGeneral(call, 'closed', false, { forum_topic_reopened: {} }),
  hideGeneralForumTopic: (call) => setGeneral(call, 'hidden', true, { general_forum_topic_hidden: {} }),
  unhideGeneralForumTopic: (call) => setGeneral(call, 'hidden', false, { general_forum_topic_unhidden: {} }),
  deleteForumTopic: (call) => {
    const chat = forumFor(call, 'delete the topic');
    deleteTopic(call.em, chat, topicOf(call, chat));
    chatChanged(call.em, chat);
    return true;
  },
};

function setGeneral(call: Call, field: 'closed' | 'hidden', value: boolean, content: MessageContent): true {
  const chat = forumFor(call, 'close or open the topic');
  if (chat.general[field] === value) throw badRequest('TOPIC_NOT_MODIFIED');
  chat.general[field] = value;
  return tellGeneral(call, chat, content);
}

function tellGeneral({ em, bot }: Call, chat: ChatState, content: MessageContent): true {
  post(em, chat, { from: bot.user, botId: bot.id, service: true, content });
  chatChanged(em, chat);
  return true;
}

function unpin({ em }: Call, chat: ChatState, isThere: (message: Message) => boolean): true {
  chat.pinned = chat.pinned.filter((id) => {
    const wire = chat.messages.get(id)?.wire;
    return wire === undefined || !isThere(wire);
  });
  chatChanged(em, chat);
  return true;
}

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
