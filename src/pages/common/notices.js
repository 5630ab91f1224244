// @ts-check
// Toasts, alerts and small forms.
import { byId, h } from './dom.js';
import { icon } from './icons.js';
import { t } from './i18n.js';

/**
 * @param {string} text
 * @param {{ bad?: boolean }} [options]
 */
export function toast(text, { bad = false } = {}) {
  const element = h('div', { class: bad ? 'toast bad' : 'toast', 'data-testid': 'toast', dir: 'auto' }, text);
  const box = byId('toasts');
  box.append(element);
  while (box.children.length > 3) box.firstElementChild?.remove();
  window.setTimeout(() => element.classList.add('going'), 4500);
  window.setTimeout(() => element.remove(), 5000);
}

/** @param {unknown} error */
export function toastError(error) {
  toast(t('failed', { why: error instanceof Error ? error.message : String(error) }), { bad: true });
}

/**
 * Runs work started by a press; what goes wrong is shown, never lost.
 * @param {() => Promise<unknown>} work
 */
export function attempt(work) {
  work().catch(toastError);
}

/** @param {string} text */
export function alertBox(text) {
  const ok = h('button', { type: 'button', class: 'primary', autofocus: true }, t('ok'));
  const dialog = h(
    'dialog',
    { class: 'alert', role: 'alertdialog', 'data-testid': 'alert', 'aria-label': t('ok') },
    h('p', { dir: 'auto' }, text),
    h('div', { class: 'actions' }, ok),
  );
  ok.addEventListener('click', () => dialog.close());
  show(dialog);
}

/**
 * A dialog with a heading and a way out. The caller fills it.
 * @param {string} title
 * @param {...any} children
 * @returns {HTMLDialogElement}
 */
export function sheet(title, ...children) {
  const close = h(
    'button',
    { type: 'button', class: 'plain icon-button', 'aria-label': t('close') },
    icon('close'),
  );
  const dialog = h(
    'dialog',
    { class: 'sheet', 'aria-label': title },
    h('header', null, h('h2', { dir: 'auto' }, title), close),
    ...children,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (/** @type {Event} */ event) => {
    if (event.target === dialog) dialog.close();
  });
  show(dialog);
  return dialog;
}

/**
 * @typedef {{ name: string, label: string, value?: string, required?: boolean, type?: string, options?: [string, string][],
 *   dir?: string, list?: string[], min?: number, pattern?: string }} Field
 */

/**
 * @param {Field[]} fields
 * @param {{ submit: string, extra?: any, onSubmit: (values: Record<string, string>, data: FormData) => Promise<unknown> }} options
 */
export function form(fields, { submit, extra, onSubmit }) {
  const element = h(
    'form',
    { class: 'form', autocomplete: 'off' },
    fields.map(field),
    extra,
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, submit)),
  );
  element.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = new FormData(element);
    /** @type {Record<string, string>} */
    const values = {};
    for (const [name, value] of data) if (typeof value === 'string') values[name] = value.trim();
    attempt(() => onSubmit(values, data));
  });
  return element;
}

/** @param {Field} field */
function field({
  name,
  label,
  value,
  options,
  list,
  type = 'text',
  required = false,
  dir = 'auto',
  min,
  pattern,
}) {
  if (options) {
    return h(
      'label',
      null,
      h('span', null, label),
      h(
        'select',
        { name },
        options.map(([id, text]) => h('option', { value: id, selected: id === value }, text)),
      ),
    );
  }
  const listId = list ? `list-${name}` : undefined;
  return h(
    'label',
    null,
    h('span', null, label),
    h('input', { name, value, required, type, dir, min, pattern, list: listId }),
    list &&
      h(
        'datalist',
        { id: listId },
        list.map((item) => h('option', { value: item })),
      ),
  );
}

/** @param {HTMLDialogElement} dialog */
function show(dialog) {
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
