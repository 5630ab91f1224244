// @ts-check
// The buttons under a message. Rows keep the order in which the bot sent them, in either reading direction.
import { post } from './api.js';
import { copy } from '../../pages/common/clipboard.js';
import { h } from '../../pages/common/dom.js';
import { icon } from '../../pages/common/icons.js';
import { t } from '../../pages/common/i18n.js';
import { chooseChat } from './choose-chat.js';
import { draftPlace, keepDraft } from './drafts.js';
import { openLink } from './links.js';
import { go } from './nav.js';
import { alertBox, toast, toastError } from '../../pages/common/notices.js';
import { emit, store } from './store.js';

const PATIENCE_MS = 10_000;
const STYLES = new Set(['primary', 'success', 'danger']);

/** Presses that wait for the bot, by message and place: a message drawn anew keeps its busy button.
 * @type {Map<string, { query?: string, timer: number }>} */
const waiting = new Map();
/** Answers that came before the press itself was acknowledged. @type {Map<string, any>} */
const early = new Map();

/** @param {any} message */
export function inlineKeyboard(message) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!Array.isArray(rows) || rows.length === 0) return null;
  return h(
    'div',
    { class: 'inline-keyboard', dir: 'ltr' },
    rows.map((/** @type {any[]} */ row, /** @type {number} */ y) =>
      h(
        'div',
        { class: 'row' },
        row.map((button, x) => inlineButton(message, button, `${y}.${x}`)),
      ),
    ),
  );
}

/**
 * @param {any} message
 * @param {any} button
 * @param {string} spot
 */
export function inlineButton(message, button, spot) {
  const key = `${store.userId}:${message.chat.id}:${message.message_id}:${spot}`;
  const style = STYLES.has(button.style) ? ` ${button.style}` : '';
  const busy = waiting.has(key) ? ' busy' : '';
  const mark = button.url ? 'link' : button.copy_text ? 'copy' : undefined;
  return h(
    'button',
    {
      type: 'button',
      class: `inline${style}${busy}`,
      'data-testid': 'btn',
      'data-key': key,
      'aria-disabled': button.disabled ? 'true' : undefined,
      'aria-busy': busy ? 'true' : undefined,
      title: button.url,
      on: { click: () => press(message, button, key) },
    },
    h('span', { dir: 'auto' }, String(button.text ?? '')),
    mark && icon(mark),
  );
}

/**
 * @param {any} message
 * @param {any} button
 * @param {string} key
 */
function press(message, button, key) {
  if (button.disabled) toast(button.disabled.text ?? t('disabled_button'));
  else if (typeof button.callback_data === 'string') tap(message, button.callback_data, key);
  else if (button.url) openLink(button.url);
  else if (button.copy_text) copy(String(button.copy_text.text ?? ''));
  else if (typeof button.switch_inline_query_current_chat === 'string') {
    emit('insert', inlineWords(message, button.switch_inline_query_current_chat));
  } else if (typeof button.switch_inline_query === 'string') {
    chooseChat(t('send_in'), async (chatId) => {
      keepDraft(draftPlace(chatId), inlineWords(message, button.switch_inline_query));
      go({ chat: chatId });
    });
  } else toast(t('unsupported_button'));
}

/**
 * What asks the bot that the message is from, or came via.
 * @param {any} message
 * @param {string} query
 */
function inlineWords(message, query) {
  return `@${(message.via_bot ?? message.from)?.username ?? ''} ${query}`;
}

/**
 * @param {any} message
 * @param {string} data
 * @param {string} key
 */
function tap(message, data, key) {
  if (waiting.has(key)) return;
  waiting.set(key, {
    timer: window.setTimeout(() => {
      settle(key);
      if (key.startsWith(`${store.userId}:`)) toast(t('no_answer'));
    }, PATIENCE_MS),
  });
  showBusy(key, true);
  post('tap', { user_id: store.userId, chat_id: message.chat.id, message_id: message.message_id, data }).then(
    (answer) => {
      const query = String(answer.callback_query_id);
      const came = early.get(query);
      early.delete(query);
      const entry = waiting.get(key);
      if (entry) entry.query = query;
      if (came) callbackAnswered(came);
    },
    (error) => {
      settle(key);
      toastError(error);
    },
  );
}

/** @param {any} answer a `callback_answer` event */
export function callbackAnswered(answer) {
  const query = String(answer.callback_query_id);
  if (answer.user_id !== undefined && answer.user_id !== store.userId) return;
  const found = [...waiting].find(([, entry]) => entry.query === query);
  if (found) settle(found[0]);
  else if ([...waiting.values()].some((entry) => entry.query === undefined)) {
    early.set(query, answer);
    return;
  }
  if (answer.url) openLink(answer.url);
  else if (answer.text) (answer.show_alert ? alertBox : toast)(answer.text);
}

/** @param {string} key */
function settle(key) {
  window.clearTimeout(waiting.get(key)?.timer);
  waiting.delete(key);
  showBusy(key, false);
}

/**
 * @param {string} key
 * @param {boolean} busy
 */
function showBusy(key, busy) {
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  button?.classList.toggle('busy', busy);
  if (busy) button?.setAttribute('aria-busy', 'true');
  else button?.removeAttribute('aria-busy');
}
