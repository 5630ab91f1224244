// @ts-check
// Builds DOM nodes. Text only ever enters the page as text nodes, so nothing a chat holds can become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. `on` holds listeners, `class` the class list; `true` sets an empty attribute, and
 * `false`, `null` or `undefined` leaves an attribute out.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) {
        if (listener) element.addEventListener(event, /** @type {EventListener} */ (listener));
      }
    } else element.setAttribute(name === 'class' ? 'class' : name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Node} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false || child === '') continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replaces everything inside an element.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * Gives a way to change what stands in an element that waits while it is pressed: a click on what has been replaced, or moved
 * away, is heard by nobody. What waits happens once each, in the order in which it came.
 * @param {Element} root
 * @returns {(change: () => void) => void}
 */
export function betweenPresses(root) {
  let isPressed = false;
  /** @type {Set<() => void>} */
  const due = new Set();
  const released = () => {
    // The click comes first.
    setTimeout(() => {
      isPressed = false;
      for (const change of due) change();
      due.clear();
    });
  };
  root.addEventListener('pointerdown', (event) => {
    // The browser's own menu, which the other button opens, keeps the end of that press to itself.
    if (event.button !== 0) return;
    isPressed = true;
    for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, released, { once: true });
  });
  return (change) => {
    if (isPressed) due.add(change);
    else change();
  };
}

/**
 * A name or title of unknown direction, kept from disturbing the text around it.
 * @param {string} text
 * @param {string} [className]
 */
export function isolated(text, className) {
  return h('bdi', { class: className }, text);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}
