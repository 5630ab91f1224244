// @ts-check
// A rich message: its blocks, one below the other.
import { fileUrl } from './api.js';
import { inlineButton } from './buttons.js';
import { h } from '../../pages/common/dom.js';
import { openLink } from './links.js';
import { plain } from './rich-words.js';

const INLINE = /** @type {Record<string, string>} */ ({
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  subscript: 'sub',
  superscript: 'sup',
  marked: 'mark',
  code: 'code',
});

/** @param {any} message */
export function richMessage(message) {
  const { blocks, is_rtl: isRtl } = message.rich_message;
  let spot = 0;
  const press = (/** @type {any} */ button) =>
    inlineButton(message, { ...button, text: plain(button.text) }, `rich.${spot++}`);

  /** @param {any} value @returns {any} */
  const text = (value) => {
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(text);
    if (!value) return null;
    if (value.type === 'button') return press(value.button);
    if (value.type === 'spoiler') return h('details', null, h('summary', null, '…'), text(value.text));
    if (value.type === 'url') {
      const click = () => openLink(value.url);
      return h(
        'button',
        { type: 'button', class: 'plain', title: value.url, on: { click } },
        text(value.text),
      );
    }
    const tag = INLINE[value.type];
    const inner = value.text === undefined ? plain(value) : text(value.text);
    return tag ? h(/** @type {any} */ (tag), null, inner) : h('span', null, inner);
  };
  const credit = (/** @type {any} */ value) => value && h('cite', { class: 'muted' }, text(value));
  const note = (/** @type {any} */ caption) =>
    caption && h('figcaption', { class: 'muted' }, text(caption.text), credit(caption.credit));

  /** @param {any} block @returns {any} */
  const view = (block) => {
    switch (block.type) {
      case 'heading':
        return h(
          'div',
          { role: 'heading', 'aria-level': String(block.size + 1) },
          h('b', null, text(block.text)),
        );
      case 'pre':
        return h('pre', { dir: 'ltr' }, text(block.text));
      case 'mathematical_expression':
        return h('pre', { dir: 'ltr' }, block.expression);
      case 'thinking':
        return h('p', { class: 'muted' }, text(block.text));
      case 'divider':
        return h('hr', null);
      case 'list':
        return h(
          'ul',
          { class: 'plain' },
          block.items.map((/** @type {any} */ item) =>
            h(
              'li',
              { class: 'item' },
              h('span', null, item.has_checkbox ? (item.is_checked ? '☑' : '☐') : item.label),
              h('div', null, item.blocks.map(view)),
            ),
          ),
        );
      case 'blockquote':
        return h('blockquote', null, block.blocks.map(view), credit(block.credit));
      case 'expandable_blockquote':
      case 'pullquote':
        return h('blockquote', null, text(block.text), credit(block.credit));
      case 'collage':
      case 'slideshow':
        return h('figure', null, block.blocks.map(view), note(block.caption));
      case 'details':
        return h(
          'details',
          { open: block.is_open },
          h('summary', null, text(block.summary)),
          block.blocks.map(view),
        );
      case 'table':
        return h(
          'table',
          null,
          block.caption && h('caption', null, text(block.caption)),
          block.cells.map((/** @type {any[]} */ row) =>
            h(
              'tr',
              null,
              row.map(({ is_header: isHeader, colspan, rowspan, text: inner }) =>
                h(isHeader ? 'th' : 'td', { colspan, rowspan }, text(inner)),
              ),
            ),
          ),
        );
      case 'map':
        return h(
          'figure',
          null,
          h('bdi', { dir: 'ltr' }, `${block.location.latitude}, ${block.location.longitude}`),
          note(block.caption),
        );
      case 'buttons':
        return h('div', { class: 'row' }, block.buttons.map(press));
      case 'photo':
        return h(
          'figure',
          null,
          h('img', { src: fileUrl(block.photo.at(-1).file_id), alt: plain(block.caption?.text ?? '') }),
          note(block.caption),
        );
      default: {
        const file = block[block.type];
        if (!file?.file_id) return h('p', null, text(block.text));
        const name = String(file.file_name ?? block.type);
        return h(
          'figure',
          null,
          h('a', { href: fileUrl(file.file_id), download: name }, name),
          note(block.caption),
        );
      }
    }
  };
  return h('div', { class: 'text', dir: isRtl ? 'rtl' : 'auto' }, blocks.map(view));
}
