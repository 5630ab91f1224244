// @ts-check
// Which reply keyboard, if any, stands under the conversation for the person on screen.
import { store, visibleMessages } from './store.js';

/** One-time keyboards that were used. @type {Set<string>} */
const spent = new Set();

/** The newest message whose markup sets the keyboard, unless it takes the keyboard away. @returns {any} */
export function currentKeyboard() {
  const setter = visibleMessages().findLast((message) => {
    const markup = message.reply_markup;
    return (markup?.keyboard || markup?.remove_keyboard || markup?.force_reply) && isForMe(message);
  });
  if (!setter || setter.reply_markup.remove_keyboard || spent.has(key(setter))) return undefined;
  if (!setter.reply_markup.force_reply) return setter;
  const answered = visibleMessages().some(
    (message) => message.message_id > setter.message_id && message.from?.id === store.userId,
  );
  return answered ? undefined : setter;
}

/** @param {any} message */
export function spendKeyboard(message) {
  if (message.reply_markup?.one_time_keyboard) spent.add(key(message));
}

/** @param {any} message */
function key(message) {
  return `${store.userId}:${message.chat.id}:${message.message_id}`;
}

/** @param {any} message */
function isForMe(message) {
  if (!message.reply_markup.selective) return true;
  if (message.reply_to_message?.from?.id === store.userId) return true;
  const username = store.users.find((user) => user.id === store.userId)?.username?.toLowerCase();
  return (message.entities ?? []).some((/** @type {any} */ entity) => {
    if (entity.type === 'text_mention') return entity.user?.id === store.userId;
    const text = message.text?.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    return entity.type === 'mention' && !!username && text === `@${username}`;
  });
}
