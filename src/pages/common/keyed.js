// @ts-check
import { h } from './dom.js';

/**
 * Keeps a list on screen as its items are: what stays is the same element, drawn anew only when its item is another, so that
 * focus, an open choice and a press that has begun outlive whatever else changes.
 * @template T
 * @param {HTMLElement} list
 * @param {{ key: (item: T) => string, make: (item: T) => HTMLElement, draw: (element: HTMLElement, item: T) => void }} how
 * @returns {(items: T[]) => void}
 */
export function keyed(list, { key, make, draw }) {
  /** @type {Map<string, { row: HTMLElement, element: HTMLElement, text: string }>} */
  let known = new Map();
  return (items) => {
    const next = new Map();
    const { lang } = document.documentElement;
    let at = list.firstElementChild;
    for (const item of items) {
      const id = key(item);
      const text = lang + JSON.stringify(item);
      let entry = known.get(id);
      if (!entry) {
        const element = make(item);
        entry = { element, row: h('li', null, element), text: '' };
      }
      if (entry.text !== text) draw(entry.element, item);
      entry.text = text;
      next.set(id, entry);
      if (entry.row === at) at = at.nextElementSibling;
      else list.insertBefore(entry.row, at);
    }
    for (const [id, { row }] of known) if (!next.has(id)) row.remove();
    known = next;
  };
}
