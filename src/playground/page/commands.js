// @ts-check
// The bot's commands for this chat and person: a list that opens with its button or by typing "/".
import { get } from './api.js';
import { createChoices } from './choices.js';
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { attempt } from '../../pages/common/notices.js';
import { botOf, on, openChat, store } from './store.js';

/** @typedef {{ command: string, description: string, bot: string }} Command */

/**
 * @param {{ input: HTMLTextAreaElement, onPick: (text: string) => void }} options
 */
export function createCommandMenu({ input, onPick }) {
  const list = createChoices({ input, id: 'command-menu' });
  const { element } = list;
  /** @type {Command[]} */
  let commands = [];
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
  const draw = () =>
    list.show(
      (shown() ?? []).map((one) => ({
        id: text(one),
        testId: `command-${one.command}`,
        content: [
          h('bdi', { dir: 'ltr', class: 'name' }, `/${one.command}`),
          h('span', { dir: 'auto', class: 'muted' }, one.description),
        ],
        pick: () => pick(one),
      })),
      { label: t('commands'), ...(held && { empty: t('no_commands') }) },
    );
  const close = () => {
    held = false;
    list.hide();
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
      const one = shown()?.find((each) => text(each) === list.chosen()?.id);
      const isLeft = event.key === 'Escape' || (event.key === 'Tab' && one);
      if (!element.hidden && isLeft) {
        close();
        if (event.key === 'Tab' && one) input.value = `${text(one)} `;
        event.preventDefault();
        return true;
      }
      // A command typed out in full is sent as it stands.
      const isWhole = one && (input.value === `/${one.command}` || input.value === text(one));
      if (event.key === 'Enter' && isWhole) return false;
      return list.handleKey(event);
    },
  };
}
