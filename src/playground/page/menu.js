// @ts-check
// A menu that opens where it was asked for, and closes by itself.
import { h } from '../../pages/common/dom.js';
import { icon } from '../../pages/common/icons.js';

const MARGIN_PX = 8;

/**
 * @typedef {{ icon: string, label: string, id: string, act: () => void }} Item
 */

/**
 * Opens a menu at a point of the window, or under an element that asks for it.
 * @param {{ label: string, at: Element | { x: number, y: number }, top?: HTMLElement | undefined, items: (Item | false | undefined)[] }} wanted
 *   top: what stands above the items, its buttons close the menu too
 */
export function openMenu({ label, at, top, items }) {
  const menu = h(
    'div',
    { class: 'menu', popover: 'auto', role: 'menu', 'aria-label': label, 'data-testid': 'menu' },
    top,
    items.map(
      (item) =>
        item &&
        h(
          'button',
          {
            type: 'button',
            class: 'plain',
            role: 'menuitem',
            'data-testid': `menu-${item.id}`,
            on: { click: item.act },
          },
          icon(item.icon),
          item.label,
        ),
    ),
  );
  const buttons = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('button')]);
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const now = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const sideways = document.documentElement.dir === 'rtl' ? -1 : 1;
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: sideways, ArrowLeft: -sideways }[event.key];
    const next =
      { Home: 0, End: -1 }[event.key] ?? (step === undefined ? undefined : (now + step) % buttons.length);
    if (next === undefined) return;
    event.preventDefault();
    buttons.at(next)?.focus();
  });
  menu.addEventListener('toggle', (/** @type {ToggleEvent} */ event) => {
    if (event.newState === 'closed') menu.remove();
  });
  // The press it opens in may end outside of it, by which the browser closes it: nobody has asked for that.
  const press = new AbortController();
  const once = { capture: true, signal: press.signal };
  const stay = () => {
    press.abort();
    if (!menu.isConnected || menu.matches(':popover-open')) return;
    menu.showPopover();
    buttons[0]?.focus({ preventScroll: true });
  };
  window.addEventListener('pointerdown', () => press.abort(), once);
  window.addEventListener('pointerup', stay, once);
  // What it does comes after the menu is gone and focus is back, so that a dialog may take it.
  menu.addEventListener('click', () => menu.hidePopover(), { capture: true });
  document.body.append(menu);
  menu.showPopover();
  place(menu, at);
  buttons[0]?.focus({ preventScroll: true });
}

/**
 * @param {HTMLElement} menu
 * @param {Element | { x: number, y: number }} at
 */
function place(menu, at) {
  const box =
    at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRtl = document.documentElement.dir === 'rtl';
  const x = isRtl ? box.right - width : box.left;
  const y = box.bottom + height + MARGIN_PX > window.innerHeight ? box.top - height : box.bottom;
  const within = (/** @type {number} */ value, /** @type {number} */ room) =>
    `${Math.max(MARGIN_PX, Math.min(value, room - MARGIN_PX))}px`;
  menu.style.left = within(x, window.innerWidth - width);
  menu.style.top = within(y, window.innerHeight - height);
}
