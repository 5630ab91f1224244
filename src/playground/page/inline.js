// @ts-check
// Inline mode: what a bot offers while a person types `@bot words`.
import { fileUrl, post } from './api.js';
import { createChoices } from './choices.js';
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { startBot } from './links.js';
import { attempt, toast } from '../../pages/common/notices.js';
import { on, openChat, store } from './store.js';

/** A bot is not asked at every letter. */
const PAUSE_MS = 250;

/** @typedef {{ key: string, bot: import('./store.js').Bot, query: string, chatId: number, answers: any[], asked: Set<string> }} Search */

/**
 * @param {{ input: HTMLTextAreaElement, onPick: (chosen: { inline_query_id: string, result_id: string }) => void }} options
 */
export function createInlineResults({ input, onPick }) {
  const list = createChoices({ input, id: 'inline-results', onEnd: () => askForMore() });
  /** @type {Search | undefined} */
  let search;
  let timer = 0;

  /** @returns {Search | undefined} */
  const wanted = () => {
    const [, name, query = ''] = /^@(\w+)\s([^]*)$/.exec(input.value) ?? [];
    const bot = store.bots.find((one) => one.inline && one.username.toLowerCase() === name?.toLowerCase());
    const chat = openChat();
    if (!bot || !chat) return undefined;
    const key = JSON.stringify([store.userId, chat.id, bot.id, query]);
    return { key, bot, query, chatId: chat.id, answers: [], asked: new Set() };
  };
  const show = () => {
    if (!search) return list.hide();
    const { answers, bot } = search;
    const button = answers[0]?.button;
    const rows = answers.flatMap((answer) =>
      answer.results.map((/** @type {any} */ one) => ({
        id: one.id,
        testId: `result-${one.id}`,
        content: row(one),
        pick: () => onPick({ inline_query_id: answer.inline_query_id, result_id: one.id }),
      })),
    );
    const start = button && {
      id: '',
      testId: 'inline-button',
      content: [h('bdi', { class: 'name' }, button.text)],
      pick: () =>
        button.start_parameter
          ? attempt(() => startBot(bot.username, button.start_parameter))
          : toast(t('unsupported_button')),
    };
    list.show(start ? [start, ...rows] : rows, { label: t('inline_results', { name: `@${bot.username}` }) });
  };
  const ask = async (/** @type {string} */ offset) => {
    const mine = search;
    if (!mine || mine.asked.has(offset)) return;
    mine.asked.add(offset);
    const { bot, query, chatId } = mine;
    const said = await post('inline', {
      user_id: store.userId,
      chat_id: chatId,
      bot: bot.username,
      query,
      offset,
    });
    mine.asked.add(said.inline_query_id);
    const answer = said.answer ?? early.get(said.inline_query_id);
    if (answer) hear(answer, mine);
  };
  const askForMore = () => {
    const next = search?.answers.at(-1)?.next_offset;
    if (next) attempt(() => ask(next));
  };
  /** Answers that came before the question was acknowledged. @type {Map<string, any>} */
  const early = new Map();
  const hear = (/** @type {any} */ answer, /** @type {Search | undefined} */ asker) => {
    const isKnown = asker?.answers.some((one) => one.inline_query_id === answer.inline_query_id);
    if (!asker?.asked.has(answer.inline_query_id)) early.set(answer.inline_query_id, answer);
    else if (asker === search && !isKnown) {
      asker.answers.push(answer);
      show();
    }
  };
  on('inline-answer', (answer) => hear(answer, search));

  return {
    element: list.element,
    handleKey: list.handleKey,
    update() {
      const now = wanted();
      if (now && now.key === search?.key) return;
      window.clearTimeout(timer);
      search = now;
      early.clear();
      list.hide();
      if (now) timer = window.setTimeout(() => attempt(() => ask('')), PAUSE_MS);
    },
  };
}

/** @param {any} result */
function row({ type, title, description, file_id: fileId }) {
  return [
    fileId && h('img', { src: fileUrl(fileId), alt: '' }),
    h(
      'span',
      { class: 'lines' },
      h('span', { dir: 'auto' }, title || type),
      description && h('span', { dir: 'auto', class: 'muted' }, description),
    ),
  ];
}
