// @ts-check
// A forum's topics: the one on screen, and what has come into the others.
import { newTopic } from './chat-info.js';
import { betweenPresses, fill, h, isolated } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { go } from './nav.js';
import * as model from './store.js';

const { store } = model;

/** @returns {HTMLElement} */
export function createTopics() {
  const root = h('nav', { class: 'topics' });
  const draw = () => {
    const chat = model.openChat();
    root.hidden = !chat?.is_forum;
    if (!chat?.is_forum) return;
    const focused =
      document.activeElement instanceof HTMLElement && root.contains(document.activeElement)
        ? document.activeElement.dataset['testid']
        : undefined;
    const named = (chat.topics ?? []).filter((topic) => topic.message_thread_id !== model.GENERAL);
    const all = [{ message_thread_id: model.GENERAL, name: t('general'), closed: false }, ...named];
    root.setAttribute('aria-label', t('topics'));
    fill(
      root,
      all.map((topic) => entry(chat, topic)),
      iconButton('plus', t('new_topic'), () => newTopic(chat.id)),
    );
    if (focused)
      /** @type {HTMLElement | null} */ (root.querySelector(`[data-testid="${focused}"]`))?.focus();
  };
  const drawInView = () => {
    draw();
    root.querySelector('.here')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  model.on('open', drawInView);
  const change = betweenPresses(root);
  for (const topic of ['world', 'messages', 'message', 'gone']) model.on(topic, () => change(draw));
  return root;
}

/**
 * @param {model.Chat} chat
 * @param {model.Topic} topic
 */
function entry(chat, { message_thread_id: id, name, closed }) {
  const here = id === store.threadId;
  const unread = here ? 0 : model.unreadInTopic(chat, id);
  return h(
    'button',
    {
      type: 'button',
      class: here ? 'topic here' : 'topic',
      'data-testid': `topic-${id}`,
      'aria-current': here ? 'true' : undefined,
      title: name,
      on: { click: () => go({ chat: chat.id, topic: id }) },
    },
    isolated(name),
    closed && icon('lock'),
    unread > 0 && h('span', { class: 'count' }, figure(unread)),
  );
}
