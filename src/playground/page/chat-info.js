// @ts-check
// Who is in a chat and as what; and what a person can do to the chat itself.
import { post } from './api.js';
import { h, isolated } from '../../pages/common/dom.js';
import { hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { go } from './nav.js';
import { attempt, form, sheet } from '../../pages/common/notices.js';
import { botOf, chatTitle, emit, nameById, store } from './store.js';

const STANDINGS = ['creator', 'administrator', 'member', 'restricted', 'left', 'kicked'];

/** @param {number} chatId */
export function openChatInfo(chatId) {
  const chat = store.chats.find((one) => one.id === chatId);
  if (!chat) return;
  const kind = t(chat.is_forum ? 'forum' : chat.type);
  const dialog = sheet(
    chatTitle(chat),
    h('p', { class: 'muted' }, kind, ' · ', h('bdi', { dir: 'ltr', class: 'selectable' }, String(chat.id))),
  );
  if (chat.type === 'private') {
    dialog.append(h('div', { class: 'actions' }, inlineSwitch(chat, dialog), blocking(chat, dialog)));
    return;
  }
  const everyone = [...store.users, ...store.bots];
  dialog.append(
    h('h3', null, t('members')),
    h(
      'ul',
      { class: 'people' },
      everyone.map((person) => member(chat, person.id)),
    ),
  );
  if (chat.type === 'group') {
    const upgrade = h('button', { type: 'button' }, t('upgrade'));
    upgrade.addEventListener('click', () =>
      attempt(async () => {
        const answer = await post('migrate', { chat_id: chat.id });
        dialog.close();
        emit('refresh');
        const fresh = answer.chat_id ?? answer.migrate_to_chat_id ?? answer.chat?.id;
        if (fresh) go({ chat: fresh });
      }),
    );
    dialog.append(h('div', { class: 'actions' }, upgrade));
  }
}

/** @param {number} chatId */
export function newTopic(chatId) {
  const dialog = sheet(
    t('new_topic'),
    form([{ name: 'name', label: t('name'), required: true }], {
      submit: t('create'),
      onSubmit: async ({ name }) => {
        const answer = await post('topic', { chat_id: chatId, user_id: store.userId, name });
        dialog.close();
        emit('refresh');
        const topic = answer.message_thread_id ?? answer.topic?.message_thread_id;
        if (topic) go({ chat: chatId, topic });
      },
    }),
  );
}

/**
 * @param {import('./store.js').Chat} chat
 * @param {number} userId
 */
function member(chat, userId) {
  const status = chat.members?.find((one) => one.user_id === userId)?.status ?? 'left';
  const name = nameById(userId);
  const select = h(
    'select',
    { 'aria-label': `${name}: ${t('status')}` },
    STANDINGS.map((one) => h('option', { value: one, selected: one === status }, t(one))),
  );
  select.addEventListener('change', () =>
    attempt(async () => {
      await post('member', {
        chat_id: chat.id,
        user_id: userId,
        status: select.value,
        actor_id: store.userId,
      });
      emit('refresh');
    }),
  );
  return h(
    'li',
    null,
    h('span', { class: `face small ${hue(userId)}`, 'aria-hidden': 'true' }, initials(name)),
    isolated(name, 'grow'),
    select,
  );
}

/**
 * @param {import('./store.js').Chat} chat
 * @param {HTMLDialogElement} dialog
 */
function blocking(chat, dialog) {
  const bot = botOf(chat);
  const button = h(
    'button',
    { type: 'button', class: chat.blocked ? '' : 'danger' },
    t(chat.blocked ? 'unblock_bot' : 'block_bot'),
  );
  button.addEventListener('click', () =>
    attempt(async () => {
      await post('block', { user_id: store.userId, bot: bot?.username, blocked: !chat.blocked });
      dialog.close();
      emit('refresh');
    }),
  );
  return button;
}

/**
 * What BotFather's /setinline does.
 * @param {import('./store.js').Chat} chat
 * @param {HTMLDialogElement} dialog
 */
function inlineSwitch(chat, dialog) {
  const bot = botOf(chat);
  const button = h(
    'button',
    { type: 'button', 'data-testid': 'inline-mode' },
    t(bot?.inline ? 'inline_off' : 'inline_on'),
  );
  button.addEventListener('click', () =>
    attempt(async () => {
      await post('inline-mode', { bot: bot?.username, enabled: !bot?.inline, feedback: true });
      dialog.close();
    }),
  );
  return button;
}
