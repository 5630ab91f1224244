// @ts-check
// A poll in the conversation: its options to choose from, and what came of it for whoever has voted.
import { post } from './api.js';
import { h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { attempt } from '../../pages/common/notices.js';
import { store } from './store.js';

/** @param {any} message */
export function pollView(message) {
  const { poll } = message;
  const own = message.votes?.find((/** @type {any} */ vote) => vote.user_id === store.userId);
  const isOver = own || poll.is_closed;
  const kind = poll.is_closed
    ? 'poll_closed'
    : poll.type === 'quiz'
      ? 'quiz'
      : poll.is_anonymous
        ? 'poll_anonymous'
        : 'poll_public';
  return h(
    'div',
    { class: 'poll' },
    h('div', { class: 'question', dir: 'auto' }, poll.question),
    h('div', { class: 'muted' }, t(kind)),
    isOver ? results(poll, own?.option_ids ?? []) : choices(message),
    own && poll.explanation && h('div', { class: 'muted', dir: 'auto' }, poll.explanation),
    h(
      'div',
      { class: 'muted foot' },
      t('vote_count', { n: figure(poll.total_voter_count) }),
      own && poll.allows_revoting && !poll.is_closed && retract(message),
    ),
  );
}

/** @param {any} message */
function choices(message) {
  const { poll } = message;
  const type = poll.allows_multiple_answers ? 'checkbox' : 'radio';
  const form = h(
    'form',
    { class: 'ballot' },
    poll.options.map((/** @type {any} */ option, /** @type {number} */ index) =>
      h(
        'label',
        null,
        h('input', {
          type,
          name: `poll-${message.message_id}`,
          value: index,
          'data-testid': `option-${index}`,
        }),
        h('span', { dir: 'auto' }, option.text),
      ),
    ),
    poll.allows_multiple_answers && h('button', { type: 'submit', 'data-testid': 'vote' }, t('vote')),
  );
  const chosen = () => [...form.querySelectorAll('input:checked')].map((input) => Number(input.value));
  form.addEventListener('change', () => {
    if (!poll.allows_multiple_answers) vote(message, chosen());
  });
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    if (chosen().length > 0) vote(message, chosen());
  });
  return form;
}

/**
 * @param {any} poll
 * @param {number[]} own
 */
function results(poll, own) {
  return h(
    'ul',
    { class: 'plain ballot' },
    poll.options.map((/** @type {any} */ option, /** @type {number} */ index) => {
      const share = Math.round((100 * option.voter_count) / Math.max(1, poll.total_voter_count));
      const isRight = poll.correct_option_ids?.includes(index);
      const isWrong = poll.type === 'quiz' && own.includes(index) && !isRight;
      const mark = isRight ? '✓' : isWrong ? '✗' : own.includes(index) ? '●' : '';
      return h(
        'li',
        { class: isRight ? 'right' : isWrong ? 'wrong' : undefined, 'data-testid': `result-of-${index}` },
        h('span', { class: 'share' }, t('percent', { n: figure(share) })),
        h('span', { dir: 'auto' }, option.text),
        mark &&
          h(
            'span',
            { class: 'mark', 'aria-label': t(isRight ? 'right' : isWrong ? 'wrong' : 'your_vote') },
            mark,
          ),
        h('meter', { value: share, min: 0, max: 100, 'aria-hidden': 'true' }),
      );
    }),
  );
}

/** @param {any} message */
function retract(message) {
  const click = () => vote(message, []);
  return h(
    'button',
    { type: 'button', class: 'plain', 'data-testid': 'retract', on: { click } },
    t('retract'),
  );
}

/**
 * @param {any} message
 * @param {number[]} options none takes the vote back
 */
function vote(message, options) {
  attempt(() =>
    post('vote', {
      user_id: store.userId,
      chat_id: message.chat.id,
      message_id: message.message_id,
      option_ids: options,
    }),
  );
}
