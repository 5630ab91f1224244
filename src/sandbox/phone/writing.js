// @ts-check
// Writes as a phone does: the text goes into the inbox of a line.
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { post } from '../../pages/common/http.js';
import { attempt, toast } from '../../pages/common/notices.js';

/**
 * @param {{ account: string, line: string, from: string, message: string }} text
 */
export async function writeFrom(text) {
  await post('/inbound', text);
  toast(t('wrote', { line: text.line }));
}

/**
 * The field at the foot of a phone.
 * @param {{ from: string[], account: string, lines: string[] }} phone the numbers that may write, and the lines that they may write to
 */
export function createWriting({ from, account, lines }) {
  const choose = (/** @type {string} */ label, /** @type {string[]} */ values) =>
    h(
      'select',
      { 'aria-label': label, dir: 'ltr' },
      values.map((value) => h('option', { value }, value)),
    );
  const who = choose(t('phone'), from);
  const line = choose(t('line'), lines);
  const input = h('textarea', { rows: 1, dir: 'auto', 'data-testid': 'answer', enterkeyhint: 'send' });
  const name = () => {
    const label = t('write_as', { number: who.value });
    input.placeholder = label;
    input.setAttribute('aria-label', label);
  };
  who.addEventListener('change', name);
  name();
  const grow = () => {
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight + 2}px`;
  };
  const send = () => {
    const message = input.value;
    if (message.trim() === '') return;
    input.value = '';
    grow();
    attempt(async () => {
      try {
        await writeFrom({ account, from: who.value, line: line.value, message });
      } catch (error) {
        if (input.value === '') input.value = message;
        throw error;
      }
    });
  };
  input.addEventListener('input', grow);
  input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'send',
      'aria-label': t('send'),
      title: t('send'),
      'data-testid': 'send',
      on: { click: send },
    },
    icon('send'),
  );
  const choices = h(
    'div',
    { class: 'choices' },
    from.length > 1 && who,
    lines.length > 1 && h('label', null, h('span', { class: 'muted' }, t('line')), line),
  );
  return h('div', { class: 'writing' }, choices, h('div', { class: 'write' }, input, button));
}
