// @ts-check
// Line icons on a 24 by 24 grid, drawn with the text colour. `flip` marks those that point along the line
// of reading and are mirrored in a right-to-left page.

import { h } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, { d: string, flip?: boolean }>} */
const SHAPES = {
  back: { d: 'M15 5l-7 7 7 7', flip: true },
  send: { d: 'M4 12l16-8-5 16-3.5-6.500zM11.5 13.500L20 4', flip: true },
  attach: {
    d: 'M20 11.500l-8.3 8.300a5 5 0 0 1-7.1-7.100l8.9-8.900a3.4 3.4 0 0 1 4.8 4.800l-8.8 8.800a1.7 1.7 0 0 1-2.4-2.400l7.7-7.7',
  },
  slash: {
    d: 'M14.5 7l-5 10M5.5 3.500h13a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2z',
  },
  reply: { d: 'M10 6L4 12l6 6M4.5 12H14a6 6 0 0 1 6 6v1', flip: true },
  edit: { d: 'M4 20l1-4.500L16.5 4a2 2 0 0 1 3 0l.5.5a2 2 0 0 1 0 3L8.5 19zM14.5 6l3.5 3.5' },
  forward: { d: 'M14 6l6 6-6 6M19.500 12H10a6 6 0 0 0-6 6v1', flip: true },
  more: {
    d: 'M12 4.500a.7.7 0 1 0 .01 0zM12 11.300a.7.7 0 1 0 .01 0zM12 18.100a.7.7 0 1 0 .01 0z',
  },
  search: { d: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.500 4.500' },
  theme: {
    d: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.500v17M12 8l4.500-2M12 12h8M12 16l4.500 2',
  },
  close: { d: 'M6 6l12 12M18 6L6 18' },
  plus: { d: 'M12 5v14M5 12h14' },
  info: { d: 'M12 11v6M12 7.500v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z' },
  log: { d: 'M4 6h16M4 12h10M4 18h13' },
  down: { d: 'M12 5v14M6 13l6 6 6-6' },
  file: { d: 'M13.5 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.500zM13.5 3v5.500H19' },
  download: { d: 'M12 4v11M7 11l5 5 5-5M5 20h14' },
  link: { d: 'M8 16L16 8M9.5 8H16v6.5', flip: true },
  copy: { d: 'M9 9h10v11H9zM5 15V4h10' },
  lock: { d: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3' },
  group: {
    d: 'M9 11.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.800a3.5 3.5 0 0 1 0 6.400M18 14.500c2.2.9 3.5 2.7 3.5 5.5',
  },
  channel: { d: 'M4 10v4h3l9 5V5l-9 5zM19.5 9.500a4 4 0 0 1 0 5M7.5 14.500V20h3v-3.8' },
  forum: { d: 'M4 5h12v9H9l-5 4zM19 9h1.500v11l-4-3H10' },
  person: { d: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.5 3.5-7 8-7s8 2.5 8 7' },
  reset: { d: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.500M4.5 4v4.500H9' },
  keyboard: { d: 'M3 6h18v12H3zM7 10v.01M11 10v.01M15 10v.01M17.5 10v.01M8 14h8' },
  mask: {
    d: 'M3 9c3-2 6-2 9 0 3-2 6-2 9 0 0 4-1 7-4 7-2.5 0-3-2-5-2s-2.5 2-5 2c-3 0-4-3-4-7zM7.5 11.500h2M14.5 11.500h2',
  },
  phone: {
    d: 'M8 3h8a1.5 1.5 0 0 1 1.500 1.500v15A1.5 1.5 0 0 1 16 21H8a1.5 1.500 0 0 1-1.500-1.500v-15A1.5 1.500 0 0 1 8 3zM11 18h2',
  },
  chat: { d: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5' },
  steer: { d: 'M4 7h9M17 7h3M15 4.500v5M4 17h3M11 17h9M9 14.500v5M4 12h5M13 12h7M11 9.500v5' },
  incoming: { d: 'M19 5L6 18M6 9v9h9', flip: true },
  outgoing: { d: 'M5 19L18 6M9 6h9v9', flip: true },
  check: { d: 'M5 12.500l4.5 4.500L19 7.5' },
};

/**
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const shape = SHAPES[name];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', shape?.flip ? 'icon flip' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', shape?.d ?? '');
  svg.appendChild(path);
  return svg;
}

/**
 * A round button that shows nothing but an icon.
 * @param {string} shape
 * @param {string} label
 * @param {() => void} onClick
 * @returns {HTMLButtonElement}
 */
export function iconButton(shape, label, onClick) {
  return h(
    'button',
    { type: 'button', class: 'plain icon-button', 'aria-label': label, title: label, on: { click: onClick } },
    icon(shape),
  );
}
