import { checkedUrl, isTimeFormat } from './entities-link.ts';
import { badRequest } from '../errors.ts';
import { isRecord } from '../bot-api/params.ts';
import {
  all,
  isElement,
  joined,
  parse,
  plain,
  trimmed,
  type Element,
  type Node,
  type Text,
} from './rich-tree.ts';

/** Blocks and texts as `blocks` of a rich message has them, not looked at yet. */
type Block = Readonly<Record<string, unknown>>;

// prettier-ignore
const STYLES: Readonly<Record<string, string>> = {
  b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline', ins: 'underline', s: 'strikethrough',
  strike: 'strikethrough', del: 'strikethrough', code: 'code', mark: 'marked', sub: 'subscript', sup: 'superscript',
  'tg-spoiler': 'spoiler',
};
/** What a button of a type carries, by the attributes that say it. */
const BUTTONS: Readonly<
  Record<string, (at: (name: string) => string, has: (name: string) => boolean) => unknown>
> = {
  url: (at) => at('url'),
  callback_data: (at) => at('data'),
  web_app: (at) => ({ url: at('url') }),
  login_url: (at, has) => ({
    url: at('url'),
    ...(has('forward-text') && { forward_text: at('forward-text') }),
    ...(has('request-write-access') && { request_write_access: true }),
  }),
  switch_inline_query: (at) => at('query'),
  switch_inline_query_current_chat: (at) => at('query'),
  switch_inline_query_chosen_chat: (at, has) => ({
    query: at('query'),
    ...Object.fromEntries(
      ['user', 'bot', 'group', 'channel']
        .filter((kind) => has(`allow-${kind}-chats`))
        .map((kind) => [`allow_${kind}_chats`, true]),
    ),
  }),
  copy_text: (at) => ({ text: at('text') }),
  disabled: () => ({}),
};
/** The kinds of media by the tag, and by how its address ends. */
const MEDIA_TAGS: Readonly<Record<string, string>> = {
  img: 'photo',
  video: 'video',
  audio: 'audio',
  'tg-document': 'document',
};
const MEDIA_ENDS: readonly (readonly [RegExp, string])[] = [
  [/\.gif$/i, 'animation'],
  [/\.(?:ogg|oga|opus)$/i, 'voice_note'],
];
/** What may stand in `media` beside `html` or `markdown`, by its identifier. */
export type NamedMedia = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * The blocks that Rich HTML describes, as `blocks` would have them. Tags that nobody knows are left out, with what stands in
 * them kept.
 */
export function richHtml(source: string, media: NamedMedia): Block[] {
  const root = parse(source);
  const references = new Set(all(root, 'tg-reference').map(({ attributes }) => attributes.get('name') ?? ''));
  return blocksOf(root.children);

  function blocksOf(nodes: readonly Node[]): Block[] {
    const blocks: Block[] = [];
    let line: Node[] = [];
    const flush = (): void => {
      const text = trimmed(joined(line.map(textOf)));
      // An anchor alone stands between blocks; elsewhere it is a part of the text.
      if (isRecord(text) && text['type'] === 'anchor') blocks.push(text);
      else if (text !== '') blocks.push({ type: 'paragraph', text });
      line = [];
    };
    for (const node of nodes) {
      const made = typeof node === 'string' ? undefined : blockOf(node);
      if (made === undefined) line.push(node);
      else {
        flush();
        blocks.push(...made);
      }
    }
    flush();
    return blocks;
  }

  /** The blocks of an element; undefined when it is a part of a text. */
  function blockOf(element: Element): Block[] | undefined {
    const { name, attributes, children } = element;
    const has = (attribute: string): boolean => attributes.has(attribute);
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) return [{ type: 'heading', size: Number(heading), text: content(element) }];
    const made = mediaBlock(element);
    if (made !== undefined) return [made];
    switch (name) {
      case 'p':
      case 'div':
        return blocksOf(children);
      case 'pre':
        return [preformatted(element)];
      case 'footer':
        return [{ type: 'footer', text: content(element) }];
      case 'hr':
        return [{ type: 'divider' }];
      case 'ul':
      case 'ol':
        return [{ type: 'list', items: items(element) }];
      case 'blockquote': {
        const credit = creditOf(element);
        const rest = children.filter((child) => !isElement(child, 'cite'));
        return has('expandable')
          ? [{ type: 'expandable_blockquote', text: content({ ...element, children: rest }), ...credit }]
          : [{ type: 'blockquote', blocks: blocksOf(rest), ...credit }];
      }
      case 'aside': {
        const rest = children.filter((child) => !isElement(child, 'cite'));
        return [{ type: 'pullquote', text: content({ ...element, children: rest }), ...creditOf(element) }];
      }
      case 'figure': {
        const [inner] = children.flatMap((child) =>
          typeof child === 'string' ? [] : (blockOf(child) ?? []),
        );
        return inner === undefined ? [] : [{ ...inner, ...captionOf(element) }];
      }
      case 'figcaption':
        return [];
      case 'tg-map': {
        const number = (attribute: string, fallback = 0): number =>
          Number(attributes.get(attribute) ?? fallback);
        const location = { latitude: number('lat'), longitude: number('long') };
        return [{ type: 'map', location, zoom: number('zoom', 14), width: 600, height: 300 }];
      }
      case 'tg-collage':
      case 'tg-slideshow':
        return [{ type: name.slice('tg-'.length), blocks: blocksOf(children), ...captionOf(element) }];
      case 'table':
        return [table(element)];
      case 'details': {
        const summary = children.find((child) => isElement(child, 'summary'));
        const blocks = blocksOf(children.filter((child) => child !== summary));
        const open = has('open') && { is_open: true };
        return [{ type: 'details', summary: summary === undefined ? '' : content(summary), blocks, ...open }];
      }
      case 'tg-math-block':
        return [{ type: 'mathematical_expression', expression: plain(children).trim() }];
      case 'tg-thinking':
        return [{ type: 'thinking', text: content(element) }];
      case 'tg-button-row': {
        const align = attributes.get('align');
        const buttons = children.flatMap((child) => (isElement(child, 'tg-button') ? [button(child)] : []));
        return [{ type: 'buttons', buttons, ...(align !== undefined && { align }) }];
      }
      default:
        return undefined;
    }
  }

  function content({ children }: Element): Text {
    return trimmed(joined(children.map(textOf)));
  }

  function textOf(node: Node): Text {
    if (typeof node === 'string') return node.replaceAll(/[\t\n\f\r ]+/g, ' ');
    const { name, attributes, children } = node;
    const text = joined(children.map(textOf));
    const style = STYLES[name];
    if (style !== undefined) return text === '' ? '' : { type: style, text };
    const at = (attribute: string): string => attributes.get(attribute) ?? '';
    switch (name) {
      case 'br':
        return '\n';
      case 'p':
      case 'div':
        return [text, '\n'];
      case 'a':
        return attributes.has('href') ? link(at('href'), text) : { type: 'anchor', name: at('name') };
      case 'img':
        return emoji(/^tg:\/\/emoji\?id=(-?\d+)$/.exec(at('src'))?.[1] ?? '', at('alt'));
      case 'tg-emoji':
        return emoji(at('emoji-id'), plain(children));
      case 'tg-time': {
        const format = at('format');
        const unix = Number(at('unix'));
        if (!isTimeFormat(format) || !(unix > 0)) return text;
        return { type: 'date_time', text, unix_time: unix, date_time_format: format };
      }
      case 'tg-math':
        return { type: 'mathematical_expression', expression: plain(children) };
      case 'tg-reference':
        return { type: 'reference', text, name: at('name') };
      case 'tg-button':
        return { type: 'button', button: button(node) };
      default:
        return text;
    }
  }

  function link(href: string, text: Text): Text {
    if (href.startsWith('#')) {
      const name = href.slice(1);
      return references.has(name)
        ? { type: 'reference_link', text, reference_name: name }
        : { type: 'anchor_link', text, anchor_name: name };
    }
    const [scheme, rest] = /^(mailto:|tel:|tg:\/\/user\?id=)(.*)$/i.exec(href)?.slice(1) ?? [];
    switch (scheme?.toLowerCase()) {
      case 'mailto:':
        return { type: 'email_address', text, email_address: rest };
      case 'tel:':
        return { type: 'phone_number', text, phone_number: rest };
      case undefined:
        if (/^[./]/.test(href) || checkedUrl(href) === undefined)
          throw badRequest('RICH_MESSAGE_URL_INVALID');
        return { type: 'url', text, url: href };
      default:
        return { type: 'text_mention', text, user: { id: Number(rest) } };
    }
  }

  function button({ attributes, children }: Element): Block {
    const at = (name: string): string => attributes.get(name) ?? '';
    const type = at('type');
    const kind = Object.hasOwn(BUTTONS, type) ? BUTTONS[type] : undefined;
    const style = attributes.get('style');
    return {
      text: trimmed(joined(children.map(textOf))),
      ...(style !== undefined && { style }),
      ...(kind !== undefined && { [type]: kind(at, (name) => attributes.has(name)) }),
    };
  }

  function preformatted({ children }: Element): Block {
    const [only, ...others] = children.filter((child) => typeof child !== 'string' || child.trim() !== '');
    const code = only !== undefined && others.length === 0 && isElement(only, 'code') ? only : undefined;
    const language = /(?:^|\s)language-(\S+)/.exec(code?.attributes.get('class') ?? '')?.[1];
    const text = plain(code?.children ?? children)
      .replace(/^\n/, '')
      .replace(/\n$/, '');
    return { type: 'pre', text, ...(language !== undefined && { language }) };
  }

  function items({ name, attributes, children }: Element): Block[] {
    const rows = children.filter((child) => isElement(child, 'li'));
    const isReversed = attributes.has('reversed');
    const listType = attributes.get('type');
    let value = Number(attributes.get('start') ?? (isReversed ? rows.length : 1));
    return rows.map((row) => {
      const box = all(row, 'input').find((input) => input.attributes.get('type') === 'checkbox');
      value = Number(row.attributes.get('value') ?? value);
      const type = row.attributes.get('type') ?? listType;
      const item = {
        blocks: blocksOf(row.children),
        ...(box !== undefined && { has_checkbox: true }),
        ...(box?.attributes.has('checked') === true && { is_checked: true }),
        ...(name === 'ol' && { value, ...(type !== undefined && { type }) }),
      };
      value += isReversed ? -1 : 1;
      return item;
    });
  }

  function table(element: Element): Block {
    const has = (name: string): boolean => element.attributes.has(name);
    const caption = element.children.find((child) => isElement(child, 'caption'));
    const cells = all(element, 'tr').map((row) =>
      row.children.flatMap((cell) => {
        if (!isElement(cell, 'td') && !isElement(cell, 'th')) return [];
        const number = (name: string): object =>
          Number(cell.attributes.get(name)) > 1 ? { [name]: Number(cell.attributes.get(name)) } : {};
        const said = (name: string): object =>
          cell.attributes.has(name) ? { [name]: cell.attributes.get(name) } : {};
        const isHeader = cell.name === 'th' && { is_header: true, align: 'center' };
        const rest = { ...number('colspan'), ...number('rowspan'), ...said('align'), ...said('valign') };
        return [{ text: content(cell), ...isHeader, ...rest }];
      }),
    );
    return {
      type: 'table',
      cells,
      ...(has('bordered') && { is_bordered: true }),
      ...(has('striped') && { is_striped: true }),
      ...(has('compact') && { is_compact: true }),
      ...(caption !== undefined && { caption: content(caption) }),
    };
  }

  function mediaBlock({ name, attributes }: Element): Block | undefined {
    const source = attributes.get('src') ?? '';
    const byTag = Object.hasOwn(MEDIA_TAGS, name) ? MEDIA_TAGS[name] : undefined;
    if (byTag === undefined || source.startsWith('tg://emoji')) return undefined;
    const id = /^tg:\/\/(?:photo|video|audio|document)\?id=([\w-]{1,64})$/.exec(source)?.[1];
    const named = id === undefined ? undefined : media.get(id);
    if (id !== undefined && named === undefined) throw badRequest('RICH_MESSAGE_PHOTO_NO_MEDIA_FOUND');
    const path = source.replace(/[?#].*$/, '');
    const kind =
      named === undefined
        ? (MEDIA_ENDS.find(([end]) => end.test(path))?.[1] ?? byTag)
        : String(named['type']);
    const veil = attributes.has('tg-spoiler') && { has_spoiler: true };
    return { type: kind, [kind]: { ...(named ?? { type: kind, media: source }), ...veil } };
  }

  function captionOf(element: Element): Block {
    const caption = element.children.find((child) => isElement(child, 'figcaption'));
    if (caption === undefined) return {};
    const rest = caption.children.filter((child) => !isElement(child, 'cite'));
    return { caption: { text: content({ ...caption, children: rest }), ...creditOf(caption) } };
  }

  function creditOf({ children }: Element): Block {
    const cite = children.find((child) => isElement(child, 'cite'));
    return cite === undefined ? {} : { credit: content(cite) };
  }
}

function emoji(id: string, alternative: string): Text {
  if (
    !/^-?[1-9]\d*$/.test(id) ||
    (alternative !== '' && !/\p{Extended_Pictographic}|\p{RI}/u.test(alternative))
  ) {
    throw badRequest('RICH_MESSAGE_EMOJI_INVALID');
  }
  return { type: 'custom_emoji', custom_emoji_id: id, alternative_text: alternative };
}
