// @ts-check
// Turns a text and its entities (UTF-16 offsets) into DOM nodes.
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';

/**
 * @typedef {{ type: string, offset: number, length: number, url?: string, language?: string, user?: any }} Entity
 * @typedef {{ type: string, from: number, to: number, source: Entity }} Span
 * @typedef {{ onLink: (url: string) => void, onCommand: (command: string) => void, onCopy: (text: string) => void,
 *   onSearch: (wanted: string) => void }} Actions
 */

const BLOCKS = new Set(['pre', 'blockquote', 'expandable_blockquote']);
// Telegram's clients find these by themselves where a bot has not marked them.
const FOUND =
  /(?<url>\bhttps?:\/\/[^\s<>"«»“”]+|\bt\.me\/[^\s<>"«»“”]+)|(?<=^|[\s(«"])(?<command>\/[A-Za-z][A-Za-z0-9_]{0,31}(?:@[A-Za-z0-9_]{3,32})?)(?![\w/])/gu;

/**
 * @param {string} text
 * @param {Entity[] | undefined} entities
 * @param {Actions} actions
 * @returns {DocumentFragment}
 */
export function richText(text, entities, actions) {
  const fragment = document.createDocumentFragment();
  build(fragment, { text, actions, plain: false }, 0, text.length, prepare(text, entities ?? []));
  return fragment;
}

/**
 * Drops what cannot be shown, snaps edges to whole characters, and cuts inline spans at the edges of block
 * spans that they cross, so that a block is never broken in two.
 * @param {string} text
 * @param {Entity[]} entities
 * @returns {Span[]}
 */
function prepare(text, entities) {
  /** @type {Span[]} */
  let spans = [];
  for (const source of entities) {
    if (!Number.isInteger(source?.offset) || !Number.isInteger(source?.length)) continue;
    const from = snap(text, Math.max(0, source.offset));
    const to = snap(text, Math.min(text.length, source.offset + source.length));
    if (from < to) spans.push({ type: String(source.type), from, to, source });
  }
  for (const block of spans.filter((span) => BLOCKS.has(span.type))) {
    for (const edge of [block.from, block.to]) {
      spans = spans.flatMap((span) =>
        span !== block &&
        span.from < edge &&
        span.to > edge &&
        (!BLOCKS.has(span.type) || crosses(span, block))
          ? [
              { ...span, to: edge },
              { ...span, from: edge },
            ]
          : [span],
      );
    }
  }
  return sorted(spans);
}

/**
 * @param {Span} a
 * @param {Span} b
 */
function crosses(a, b) {
  return (a.from < b.from && a.to < b.to) || (a.from > b.from && a.to > b.to);
}

/** @param {Span[]} spans */
function sorted(spans) {
  const rank = (/** @type {Span} */ span) => (BLOCKS.has(span.type) ? 0 : 1);
  return spans.sort((a, b) => a.from - b.from || b.to - a.to || rank(a) - rank(b));
}

/**
 * Moves an offset that would cut a surrogate pair to the pair's start.
 * @param {string} text
 * @param {number} offset
 */
function snap(text, offset) {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff && offset > 0 ? offset - 1 : offset;
}

/**
 * @param {Node} parent
 * @param {{ text: string, actions: Actions, plain: boolean }} context `plain`: no links are looked for
 * @param {number} from
 * @param {number} to
 * @param {Span[]} spans all inside from–to, sorted
 */
function build(parent, context, from, to, spans) {
  let at = from;
  let rest = spans;
  while (rest.length > 0) {
    const [span, ...others] = rest;
    if (!span) break;
    if (span.from > at) addText(parent, context, context.text.slice(at, span.from));
    /** @type {Span[]} */
    const inner = [];
    /** @type {Span[]} */
    const after = [];
    for (const other of others) {
      if (other.from >= span.to) after.push(other);
      else if (other.to <= span.to) inner.push(other);
      else {
        inner.push({ ...other, to: span.to });
        after.push({ ...other, from: span.to });
      }
    }
    const { outer, hole, plain } = element(span, context);
    build(hole, { ...context, plain: context.plain || plain }, span.from, span.to, sorted(inner));
    parent.appendChild(outer);
    at = span.to;
    rest = sorted(after);
    // A block stands on its own lines, so the line break that ends it is not shown a second time.
    if (BLOCKS.has(span.type) && at < to && context.text[at] === '\n' && rest[0]?.from !== at) at += 1;
  }
  if (at < to) addText(parent, context, context.text.slice(at, to));
}

/**
 * @param {Span} span
 * @param {{ text: string, actions: Actions }} context
 * @returns {{ outer: Node, hole: Node, plain: boolean }}
 */
function element(span, { text, actions }) {
  const content = text.slice(span.from, span.to);
  const same = (/** @type {Node} */ node, plain = false) => ({ outer: node, hole: node, plain });
  switch (span.type) {
    case 'bold':
      return same(h('strong', null));
    case 'italic':
      return same(h('em', null));
    case 'underline':
      return same(h('u', null));
    case 'strikethrough':
      return same(h('s', null));
    case 'code':
      return same(
        tappable(h('code', { dir: 'auto' }), t('copy'), () => actions.onCopy(content)),
        true,
      );
    case 'pre': {
      const code = h('code', null);
      return {
        outer: tappable(
          h('pre', { dir: 'auto', 'data-language': span.source.language }, code),
          t('copy'),
          () => actions.onCopy(content),
        ),
        hole: code,
        plain: true,
      };
    }
    case 'spoiler':
      return same(spoiler());
    case 'blockquote':
      return same(h('blockquote', { dir: 'auto' }));
    case 'expandable_blockquote':
      return expandable();
    case 'text_link':
      return same(link(String(span.source.url ?? ''), actions), true);
    case 'url':
      return same(link(content, actions), true);
    case 'email':
      return same(h('a', { href: `mailto:${content}` }), true);
    case 'mention':
    case 'text_mention':
    case 'phone_number':
      return same(h('span', { class: 'mention' }), true);
    case 'hashtag':
    case 'cashtag':
      return same(
        tappable(h('span', { class: 'mention' }), t('search'), () => actions.onSearch(content)),
        true,
      );
    case 'bot_command':
      return same(command(content, actions), true);
    default:
      return same(h('span', null));
  }
}

/**
 * @param {Node} parent
 * @param {{ actions: Actions, plain: boolean }} context
 * @param {string} text
 */
function addText(parent, { actions, plain }, text) {
  if (plain) {
    parent.appendChild(document.createTextNode(text));
    return;
  }
  let at = 0;
  for (const match of text.matchAll(FOUND)) {
    const found = match.groups?.['url'] ? match[0].replace(/[.,;:!?)\]}،؛؟]+$/u, '') : match[0];
    const start = match.index;
    if (start > at) parent.appendChild(document.createTextNode(text.slice(at, start)));
    const node = match.groups?.['url'] ? link(found, actions) : command(found, actions);
    node.appendChild(document.createTextNode(found));
    parent.appendChild(node);
    at = start + found.length;
  }
  if (at < text.length) parent.appendChild(document.createTextNode(text.slice(at)));
}

/**
 * @param {string} url
 * @param {Actions} actions
 */
function link(url, actions) {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
  // Only addresses that cannot run anything become links.
  if (!/^(https?|tg|mailto|tel):/i.test(address)) return h('span', { class: 'mention' });
  return h('a', {
    href: address,
    title: address,
    target: '_blank',
    rel: 'noopener noreferrer',
    on: {
      click: (/** @type {Event} */ event) => {
        event.preventDefault();
        actions.onLink(address);
      },
    },
  });
}

/**
 * @param {string} text
 * @param {Actions} actions
 */
function command(text, actions) {
  return h('button', {
    class: 'command',
    type: 'button',
    dir: 'ltr',
    on: { click: () => actions.onCommand(text) },
  });
}

/**
 * Text that does something when it is tapped, and can still be selected.
 * @param {any} element
 * @param {string} title
 * @param {() => void} act
 */
function tappable(element, title, act) {
  element.classList.add('tappable');
  for (const [name, value] of Object.entries({ role: 'button', tabindex: '0', title }))
    element.setAttribute(name, value);
  element.addEventListener('click', () => {
    if (String(getSelection()) === '') act();
  });
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') act();
  });
  return element;
}

function spoiler() {
  const element = h('span', { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': t('spoiler') });
  const reveal = () => {
    element.classList.add('shown');
    for (const name of ['role', 'tabindex', 'aria-label']) element.removeAttribute(name);
  };
  element.addEventListener(
    'click',
    (/** @type {Event} */ event) => {
      if (element.classList.contains('shown')) return;
      event.preventDefault();
      event.stopPropagation();
      reveal();
    },
    true,
  );
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' || event.key === ' ') reveal();
  });
  return element;
}

function expandable() {
  const hole = h('div', { class: 'quoted' });
  const toggle = h('button', { class: 'more', type: 'button', 'aria-expanded': 'false' }, t('expand'));
  const outer = h('blockquote', { class: 'expandable', dir: 'auto' }, hole, toggle);
  toggle.addEventListener('click', () => {
    const shown = outer.classList.toggle('open');
    toggle.textContent = t(shown ? 'collapse' : 'expand');
    toggle.setAttribute('aria-expanded', String(shown));
  });
  // A quotation short enough to be seen whole needs no button; that is known once it is laid out.
  requestAnimationFrame(() => {
    toggle.hidden = hole.scrollHeight <= hole.clientHeight + 1;
  });
  return { outer, hole, plain: false };
}
