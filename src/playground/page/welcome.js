// @ts-check
// What a newcomer reads above the first message of the bot's chat, where the server has something to say.
import { betweenPresses, fill, h } from '../../pages/common/dom.js';
import { richText } from './entities.js';
import { hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { neighbourLink } from '../../pages/common/neighbour.js';
import { go } from './nav.js';
import { botOf, chatTitle, me, on, openChat, store } from './store.js';
import { textActions } from './text-actions.js';

/** @returns {HTMLElement} */
export function createWelcome() {
  const root = h('section', { class: 'welcome', 'data-testid': 'welcome', hidden: true });
  const draw = () => {
    const chat = openChat();
    const bot = chat && botOf(chat);
    const said = store.welcome?.[document.documentElement.lang];
    root.hidden = !said || !bot || bot !== store.bots[0];
    if (root.hidden || !said || !chat || !bot) return;
    const title = chatTitle(chat);
    fill(
      root,
      h('span', { class: `face ${hue(bot.id)}`, 'aria-hidden': 'true' }, initials(title)),
      h('h2', { dir: 'auto' }, said.title),
      text('p', said.about),
      h(
        'ol',
        null,
        said.steps.map((/** @type {any} */ step) => text('li', step)),
      ),
      h('div', { class: 'ways' }, neighbourLink(store.beside), otherLanguage()),
    );
  };
  const change = betweenPresses(root);
  for (const topic of ['open', 'world']) on(topic, () => change(draw));
  return root;
}

/**
 * @param {string} tag
 * @param {{ text: string, entities: any[] }} rich
 */
function text(tag, rich) {
  return h(tag, { class: 'text', dir: 'auto' }, richText(rich.text, rich.entities, textActions));
}

/** The language is that of the person on screen: another one is another person's. */
function otherLanguage() {
  const mine = me()?.language_code;
  const other = store.users.find((user) => user.language_code !== mine);
  if (!other) return null;
  return h(
    'button',
    {
      type: 'button',
      class: 'plain',
      lang: other.language_code,
      'data-testid': 'other-language',
      on: { click: () => go({ user: other.id, chat: other.id }) },
    },
    t('other_language'),
  );
}
