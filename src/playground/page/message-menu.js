// @ts-check
// What can be done with one message: react, answer, change, pass on, and see what it made.
import { post } from './api.js';
import { chooseChat } from './choose-chat.js';
import { copy } from '../../pages/common/clipboard.js';
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { openMenu } from './menu.js';
import { go } from './nav.js';
import { attempt } from '../../pages/common/notices.js';
import { serviceText } from './service.js';
import * as model from './store.js';
import { showTrace } from './trace.js';

const { store } = model;

/** Some of those that Telegram has. */
const REACTIONS = ['👍', '👎', '❤', '🔥', '🎉', '🙏', '👀', '👌'];
const LONG_PRESS_MS = 450;
const WANDER_PX = 10;

/**
 * Opens the menu of a message by a secondary click, by the menu key and by a long press.
 * @param {HTMLElement} list where the messages stand
 */
export function offerMenus(list) {
  const open = (/** @type {EventTarget | null} */ target, /** @type {{ x: number, y: number }} */ at) => {
    const item = target instanceof Element ? target.closest('[data-id]') : null;
    const message = item && model.messagesOf(store.chatId ?? 0).get(Number(item.getAttribute('data-id')));
    if (message) openMessageMenu(message, at);
    return !!message;
  };
  let timer = 0;
  let byTouch = false;
  /** @type {{ x: number, y: number }} */
  let from = { x: 0, y: 0 };
  const stop = () => window.clearTimeout(timer);
  list.addEventListener('contextmenu', (event) => {
    const target = /** @type {Element} */ (event.target);
    // A long press has a timer of its own; links, pictures and chosen text keep the browser's menu.
    if (byTouch) event.preventDefault();
    else if (!target.closest('a') && String(getSelection()) === '' && open(target, keyed(event)))
      event.preventDefault();
  });
  list.addEventListener('pointerdown', (event) => {
    byTouch = event.pointerType === 'touch' && event.isPrimary;
    stop();
    if (!byTouch) return;
    from = { x: event.clientX, y: event.clientY };
    timer = window.setTimeout(() => {
      if (open(event.target, from)) swallowClick();
    }, LONG_PRESS_MS);
  });
  list.addEventListener('pointermove', (event) => {
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > WANDER_PX) stop();
  });
  for (const end of ['pointerup', 'pointercancel']) list.addEventListener(end, stop);
}

/** The menu key says no place: then it is where the focus is. @param {MouseEvent} event */
function keyed(event) {
  if (event.button === 2 || event.clientX !== 0) return { x: event.clientX, y: event.clientY };
  const box = /** @type {Element} */ (event.target).getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}

/** The finger that opened the menu comes up over a button or a code: that is no press, however late it is heard. */
function swallowClick() {
  const end = new AbortController();
  const once = { capture: true, signal: end.signal };
  const swallow = (/** @type {MouseEvent} */ event) => {
    // A click by a key has no count, and is no finger's.
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
    end.abort();
  };
  window.addEventListener('click', swallow, once);
  window.addEventListener('pointerdown', () => end.abort(), once);
}

/**
 * @param {any} message
 * @param {Element | { x: number, y: number }} at
 */
export function openMessageMenu(message, at) {
  const chat = model.openChat();
  if (!chat) return;
  const isNote = serviceText(message) !== undefined;
  const writes = !isNote && model.canWrite(chat);
  // What one person sees is answered and copied, and no more.
  const isShared = !isNote && !message.receiver_user;
  const text = message.text ?? message.caption;
  openMenu({
    label: t('message_menu'),
    at,
    top: isShared ? reactionRow(message) : undefined,
    items: [
      writes && { icon: 'reply', id: 'reply', label: t('reply'), act: () => model.emit('reply', message) },
      writes &&
        isShared &&
        model.isEditable(message) && {
          icon: 'edit',
          id: 'edit',
          label: t('edit'),
          act: () => model.emit('edit', message),
        },
      typeof text === 'string' && { icon: 'copy', id: 'copy', label: t('copy_text'), act: () => copy(text) },
      isShared && { icon: 'forward', id: 'forward', label: t('forward'), act: () => chooseTarget(message) },
      { icon: 'info', id: 'trace', label: t('what_it_made'), act: () => showTrace(message) },
    ],
  });
}

/** @param {any} message */
function reactionRow(message) {
  const mine = ownReaction(message);
  return h(
    'div',
    { class: 'reaction-row', role: 'group', 'aria-label': t('react') },
    REACTIONS.map((emoji) =>
      h(
        'button',
        {
          type: 'button',
          class: 'plain',
          'data-testid': 'react',
          'aria-pressed': String(emoji === mine),
          'aria-label': `${t('react')} ${emoji}`,
          on: { click: () => react(message, emoji) },
        },
        shownEmoji(emoji),
      ),
    ),
  );
}

/** Telegram leaves out the mark without which a few of them are drawn as letters. @param {string} emoji */
export function shownEmoji(emoji) {
  return /^\p{Emoji_Presentation}/u.test(emoji) ? emoji : `${emoji}\uFE0F`;
}

/**
 * Reacts to a message; the own reaction once more takes it back.
 * @param {any} message
 * @param {string} emoji
 */
export function react(message, emoji) {
  attempt(() =>
    post('react', {
      user_id: store.userId,
      chat_id: message.chat.id,
      message_id: message.message_id,
      ...(ownReaction(message) === emoji ? {} : { emoji }),
    }),
  );
}

/** @param {any} message */
function ownReaction(message) {
  return message.reactions?.find((/** @type {any} */ one) => one.user_id === store.userId)?.emoji;
}

/** @param {any} message */
function chooseTarget(message) {
  chooseChat(t('forward_to'), async (chatId) => {
    const to = { user_id: store.userId, chat_id: chatId };
    await post('forward', { ...to, from_chat_id: message.chat.id, message_id: message.message_id });
    go({ chat: chatId });
  });
}
