// @ts-check
// Asks for one of the chats in which the person on screen may write.
import { h } from '../../pages/common/dom.js';
import { attempt, sheet } from '../../pages/common/notices.js';
import { canWrite, chatTitle, store } from './store.js';

/**
 * @param {string} title
 * @param {(chatId: number) => Promise<unknown>} act
 */
export function chooseChat(title, act) {
  const targets = store.chats.filter((chat) => !chat.unmet && canWrite(chat));
  const choose = (/** @type {number} */ chatId) => {
    dialog.close();
    attempt(() => act(chatId));
  };
  const dialog = sheet(
    title,
    h(
      'div',
      { class: 'choices' },
      targets.map((chat) =>
        h('button', { type: 'button', dir: 'auto', on: { click: () => choose(chat.id) } }, chatTitle(chat)),
      ),
    ),
  );
}
