// @ts-check
// A message while its bot writes it: below the others, until it is sent or half a minute has passed.
import { get, post } from './api.js';
import { fill, h } from '../../pages/common/dom.js';
import { richText } from './entities.js';
import { t } from '../../pages/common/i18n.js';
import { attempt } from '../../pages/common/notices.js';
import { richMessage } from './rich.js';
import { on, openChat, store } from './store.js';
import { textActions } from './text-actions.js';

const SHOWN_MS = 30_000;

/** @param {{ onChange: () => void }} options */
export function createDraftView({ onChange }) {
  const element = h('div', {
    class: 'written',
    'data-testid': 'written',
    'aria-live': 'off',
    hidden: true,
  });
  let timer = 0;
  const show = (/** @type {any} */ draft) => {
    window.clearTimeout(timer);
    element.hidden = !draft;
    fill(element);
    if (draft) {
      timer = window.setTimeout(() => show(null), SHOWN_MS);
      const message = { ...draft, message_id: 0, chat: openChat() };
      const body = draft.rich_message
        ? richMessage(message)
        : h(
            'div',
            { class: 'text', dir: 'auto' },
            richText(draft.text || t('thinking'), draft.entities, textActions),
          );
      const bubble = h('div', { class: 'bubble' }, body, draft.can_stop && stop());
      fill(element, h('div', { class: 'message in' }, h('div', { class: 'stack' }, bubble)));
    }
    onChange();
  };
  const load = () => {
    const chat = openChat();
    const user = store.userId;
    show(null);
    if (chat?.type !== 'private' || chat.unmet) return;
    attempt(async () => {
      const { draft } = await get('draft', { chat: chat.id, user });
      if (draft && store.chatId === chat.id && store.userId === user) show(draft);
    });
  };
  on('open', load);
  on('draft', (event) => {
    if (event.chat_id === store.chatId) show(event.draft);
  });
  return element;
}

function stop() {
  const click = () => attempt(() => post('stop-draft', { user_id: store.userId, chat_id: store.chatId }));
  return h('button', { type: 'button', 'data-testid': 'stop', on: { click } }, t('stop_writing'));
}
