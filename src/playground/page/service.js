// @ts-check
// What happened in a chat, in words: the small centred notes between messages.
import { t } from '../../pages/common/i18n.js';
import { personName, senderOf, summary } from './store.js';

/**
 * @param {any} message
 * @returns {string | undefined} undefined for a message that is not a service message
 */
export function serviceText(message) {
  const by = personName(senderOf(message));
  if (message.new_chat_members || message.new_chat_member) {
    const joined = message.new_chat_members ?? [message.new_chat_member];
    const who = joined.map(personName).join(', ');
    return joined.length === 1 && joined[0].id === message.from?.id
      ? t('s_joined', { who })
      : t('s_added', { by, who });
  }
  if (message.left_chat_member) {
    const who = personName(message.left_chat_member);
    return message.left_chat_member.id === message.from?.id
      ? t('s_left', { who })
      : t('s_removed', { by, who });
  }
  if (message.new_chat_title) return t('s_title', { by, text: message.new_chat_title });
  if (message.group_chat_created || message.supergroup_chat_created || message.channel_chat_created) {
    return message.chat?.title ? t('s_created', { by, text: message.chat.title }) : t('s_created_plain');
  }
  if (message.migrate_to_chat_id) return t('s_migrated');
  if (message.migrate_from_chat_id) return t('s_migrated_from');
  if (message.pinned_message)
    return t('s_pinned', { by, text: summary(message.pinned_message, t).slice(0, 60) });
  if (message.forum_topic_created) return t('s_topic', { by, text: message.forum_topic_created.name });
  if (message.forum_topic_edited) return t('s_topic_edited', { text: message.forum_topic_edited.name ?? '' });
  if (message.forum_topic_closed) return t('s_topic_closed');
  if (message.forum_topic_reopened) return t('s_topic_reopened');
  if (!hasContent(message)) {
    const kind = Object.keys(message).find((key) => SERVICE_KEY.test(key));
    if (kind) return t('s_other');
  }
  return undefined;
}

const SERVICE_KEY =
  /^(delete_chat_photo|new_chat_photo|general_forum_topic_|message_auto_delete|chat_|boost_|video_chat_|write_access|users_shared)/;

/** @param {any} message */
function hasContent(message) {
  return message.text !== undefined || message.caption !== undefined || message.photo || message.document;
}
