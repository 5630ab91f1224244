// @ts-check
// The bot's commands for this chat and person: a list that opens with its button or by typing "/".
import { get } from './api.js';
import { fill, h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { attempt } from '../../pages/common/notices.js';
import { botOf, on, openChat, store } from './store.js';

/** @typedef {{ command: string, description: string, bot: string }} Command */

/**
 * @param {{ input: HTMLTextAreaElement, onPick: (text: string) => void }} options
 */
export function createCommandMenu({ input, onPick }) {
  const element = h('ul', {
    class: 'command-menu',
    id: 'command-menu',
    role: 'listbox',
    'data-testid': 'command-menu',
    hidden: true,
  });
  /** @type {Command[]} */
  let commands = [];
  let chosen = 0;
  let held = false;
  let turn = 0;

  const shown = () => {
    const typed = /^\/([A-Za-z0-9_]*)$/.exec(input.value)?.[1]?.toLowerCase();
    if (typed === undefined) return held && input.value === '' ? commands : undefined;
    return commands.filter((one) => one.command.startsWith(typed));
  };
  const text = (/** @type {Command} */ one) => {
    const chat = openChat();
    return chat?.type === 'private' || store.bots.length < 2
      ? `/${one.command}`
      : `/${one.command}@${one.bot}`;
  };
  const draw = () => {
    const list = shown();
    const empty = held && list?.length === 0;
    element.hidden = !list || (list.length === 0 && !empty);
    input.setAttribute('aria-expanded', String(!element.hidden));
    if (element.hidden || !list) return;
    chosen = Math.min(chosen, Math.max(0, list.length - 1));
    element.setAttribute('aria-label', t('commands'));
    fill(
      element,
      list.length === 0 && h('li', { class: 'muted' }, t('no_commands')),
      list.map((one, index) =>
        h(
          'li',
          {
            role: 'option',
            id: `command-${index}`,
            class: index === chosen ? 'chosen' : undefined,
            'aria-selected': String(index === chosen),
            'data-testid': `command-${one.command}`,
            on: {
              // Before the input loses focus.
              mousedown: (/** @type {Event} */ event) => event.preventDefault(),
              click: () => pick(one),
            },
          },
          h('bdi', { dir: 'ltr', class: 'name' }, `/${one.command}`),
          h('span', { dir: 'auto', class: 'muted' }, one.description),
        ),
      ),
    );
    input.setAttribute('aria-activedescendant', list.length > 0 ? `command-${chosen}` : '');
    element.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    held = false;
    chosen = 0;
    element.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const pick = (/** @type {Command} */ one) => {
    close();
    onPick(text(one));
  };

  const load = () => {
    const chat = openChat();
    const user = store.userId;
    turn += 1;
    const mine = turn;
    commands = [];
    if (!chat || chat.type === 'channel') return;
    const present = store.bots.filter((bot) =>
      chat.type === 'private'
        ? botOf(chat)?.id === bot.id
        : chat.members?.some((one) => one.user_id === bot.id && !['left', 'kicked'].includes(one.status)),
    );
    attempt(async () => {
      const lists = await Promise.all(
        present.map((bot) => get('commands', { bot: bot.username, chat: chat.id, user })),
      );
      if (mine !== turn) return;
      commands = lists.flatMap((list, index) =>
        (list.commands ?? []).map((/** @type {any} */ one) => ({
          ...one,
          bot: present[index]?.username ?? '',
        })),
      );
      if (!element.hidden) draw();
    });
  };
  on('open', load);
  on('commands', load);

  input.setAttribute('aria-controls', 'command-menu');
  input.setAttribute('aria-autocomplete', 'list');
  document.addEventListener('pointerdown', (event) => {
    const target = event.target;
    if (!element.hidden && target instanceof Element && !target.closest('.composer')) close();
  });

  return {
    element,
    close,
    toggle: () => {
      const opened = element.hidden;
      if (!opened) {
        close();
        return;
      }
      held = true;
      input.focus();
      draw();
    },
    update: () => {
      if (input.value !== '') held = false;
      if (!held && shown() === undefined) close();
      else draw();
    },
    /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
    handleKey: (event) => {
      const list = shown() ?? [];
      if (element.hidden || list.length === 0) {
        if (!element.hidden && event.key === 'Escape') {
          close();
          return true;
        }
        return false;
      }
      const one = list[chosen];
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        chosen = (chosen + (event.key === 'ArrowDown' ? 1 : list.length - 1)) % list.length;
        draw();
      } else if (event.key === 'Escape') close();
      else if (event.key === 'Tab' && one) {
        close();
        input.value = `${text(one)} `;
      } else if (event.key === 'Enter' && !event.isComposing && one && !event.shiftKey) {
        // A command typed out in full is sent as it stands.
        if (input.value === `/${one.command}` || input.value === text(one)) return false;
        pick(one);
      } else return false;
      event.preventDefault();
      return true;
    },
  };
}
