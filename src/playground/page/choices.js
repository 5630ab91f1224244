// @ts-check
// A list above the field to write in, of which one is chosen by keyboard or tap.
import { fill, h } from '../../pages/common/dom.js';

/** @typedef {{ id: string, testId: string, content: any[], pick: () => void }} Choice */

/**
 * @param {{ input: HTMLTextAreaElement, id: string, onEnd?: () => void }} options `onEnd` is called when the end of the list is seen
 */
export function createChoices({ input, id, onEnd }) {
  const element = h('ul', { class: 'choices-above', id, role: 'listbox', 'data-testid': id, hidden: true });
  /** @type {Choice[]} */
  let choices = [];
  let chosen = 0;

  const mark = () => {
    for (const [index, option] of [...element.querySelectorAll('[role=option]')].entries()) {
      option.classList.toggle('chosen', index === chosen);
      option.setAttribute('aria-selected', String(index === chosen));
    }
    input.setAttribute('aria-activedescendant', choices.length > 0 ? `${id}-${chosen}` : '');
    element.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' });
  };
  const hide = () => {
    if (element.hidden) return;
    chosen = 0;
    choices = [];
    element.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const seeEnd = () => {
    if (!element.hidden && element.scrollHeight - element.scrollTop - element.clientHeight < 40) onEnd?.();
  };
  element.addEventListener('scroll', seeEnd);

  return {
    element,
    hide,
    chosen: () => choices[chosen],
    /**
     * @param {Choice[]} list
     * @param {{ label: string, empty?: string }} words `empty` stands there when the list is
     */
    show(list, { label, empty }) {
      if (list.length === 0 && !empty) return hide();
      choices = list;
      chosen = Math.min(chosen, Math.max(0, list.length - 1));
      element.hidden = false;
      element.setAttribute('aria-label', label);
      input.setAttribute('aria-controls', id);
      input.setAttribute('aria-expanded', 'true');
      fill(
        element,
        list.length === 0 && h('li', { class: 'muted' }, empty),
        list.map((one, index) =>
          h(
            'li',
            {
              role: 'option',
              id: `${id}-${index}`,
              'data-testid': one.testId,
              on: {
                // Before the input loses focus.
                mousedown: (/** @type {Event} */ event) => event.preventDefault(),
                click: one.pick,
              },
            },
            one.content,
          ),
        ),
      );
      mark();
      seeEnd();
    },
    /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
    handleKey(event) {
      if (element.hidden) return false;
      const one = choices[chosen];
      if (event.key === 'Escape') hide();
      else if (one && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        chosen = (chosen + (event.key === 'ArrowDown' ? 1 : choices.length - 1)) % choices.length;
        mark();
      } else if (one && event.key === 'Enter' && !event.isComposing && !event.shiftKey) one.pick();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
