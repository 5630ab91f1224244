import type { MessageEntity } from '@grammyjs/types';
import { isTimeFormat, linkEntity } from './entities-link.ts';

export interface ParsedText {
  text: string;
  entities: MessageEntity[];
}

/** What is wrong with the markup, in the server's words (without `can't parse entities: `). */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
}

const SIMPLE: Readonly<Record<string, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler'>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
};
const OTHER_TAGS = new Set(['a', 'code', 'pre', 'blockquote', 'tg-emoji', 'tg-time']);
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

interface OpenTag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  offset: number;
}

/**
 * Telegram's HTML: offsets of the entities are UTF-16 units of the text without markup, offsets in the errors
 * are bytes of the source. Throws {@link MarkupError}.
 */
export function parseHtml(source: string): ParsedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  /** A `code` with a language inside `pre` (or around it) makes one `pre` with that language. */
  const languages = new WeakMap<MessageEntity, string>();
  let text = '';
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (char === '&') {
      const decoded = decodeReference(source, at);
      if (decoded !== undefined) {
        text += decoded.text;
        at = decoded.end;
        continue;
      }
    }
    if (char !== '<') {
      text += char;
      at++;
    } else if (source[at + 1] === '/') {
      at = closeTag(at);
    } else {
      const tag = readStartTag(source, at);
      open.push({ name: tag.name, attributes: tag.attributes, offset: text.length });
      at = tag.end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    throw new MarkupError(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  }
  if (!text.isWellFormed()) {
    throw new MarkupError(
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    );
  }
  return { text, entities };

  function closeTag(begin: number): number {
    const tag = open.at(-1);
    if (tag === undefined) {
      throw new MarkupError(`Unexpected end tag at byte offset ${byteOffset(source, begin)}`);
    }
    let end = endOfWord(source, begin + 2);
    const name = source.slice(begin + 2, end).toLowerCase();
    end = skipSpace(source, end);
    if (source[end] !== '>') {
      throw new MarkupError(`Unclosed end tag at byte offset ${byteOffset(source, begin)}`);
    }
    if (name !== '' && name !== tag.name) {
      throw new MarkupError(
        `Unmatched end tag at byte offset ${byteOffset(source, begin)}, expected "</${tag.name}>", found "</${name}>"`,
      );
    }
    open.pop();
    if (text.length > tag.offset) addEntity(tag);
    return end + 1;
  }

  function addEntity(tag: OpenTag): void {
    const range = { offset: tag.offset, length: text.length - tag.offset };
    const language = /^language-(.+)$/s.exec(tag.attributes.get('class') ?? '')?.[1];
    const inner = entities.at(-1);
    const isSame = inner !== undefined && inner.offset === range.offset && inner.length === range.length;
    if (tag.name === 'pre' || tag.name === 'code') {
      const known = inner === undefined ? undefined : languages.get(inner);
      if (tag.name === 'pre' && isSame && inner.type === 'code' && known !== undefined) {
        entities[entities.length - 1] = { type: 'pre', ...range, language: known };
      } else if (tag.name === 'code' && isSame && inner.type === 'pre' && language !== undefined) {
        entities[entities.length - 1] = { type: 'pre', ...range, language };
      } else {
        const entity: MessageEntity = { type: tag.name, ...range };
        if (tag.name === 'code' && language !== undefined) languages.set(entity, language);
        entities.push(entity);
      }
      return;
    }
    const entity = otherEntity(tag, range, text);
    if (entity !== undefined) entities.push(entity);
  }
}

function otherEntity(
  tag: OpenTag,
  range: { offset: number; length: number },
  text: string,
): MessageEntity | undefined {
  const simple = SIMPLE[tag.name];
  if (simple !== undefined) return { type: simple, ...range };
  switch (tag.name) {
    case 'a':
      return linkEntity(tag.attributes.get('href') || text.slice(range.offset), range);
    case 'blockquote':
      return { type: tag.attributes.has('expandable') ? 'expandable_blockquote' : 'blockquote', ...range };
    case 'tg-time': {
      const unix = Number(tag.attributes.get('unix') ?? 0);
      const format = tag.attributes.get('format') ?? '';
      if (!isTimeFormat(format)) throw new MarkupError('Invalid date-time format specified');
      if (!Number.isInteger(unix) || unix <= 0) return undefined;
      return { type: 'date_time', ...range, unix_time: unix, date_time_format: format };
    }
    default: {
      const id = tag.attributes.get('emoji-id') ?? '';
      if (!/^-?[1-9]\d*$/.test(id)) throw new MarkupError('Invalid custom emoji identifier specified');
      return { type: 'custom_emoji', ...range, custom_emoji_id: id };
    }
  }
}

function readStartTag(
  source: string,
  begin: number,
): { name: string; attributes: Map<string, string>; end: number } {
  const offset = (): number => byteOffset(source, begin);
  let at = endOfWord(source, begin + 1);
  if (at >= source.length) throw new MarkupError(`Unclosed start tag at byte offset ${offset()}`);
  const name = source.slice(begin + 1, at).toLowerCase();
  if (!Object.hasOwn(SIMPLE, name) && !OTHER_TAGS.has(name)) {
    throw new MarkupError(`Unsupported start tag "${name}" at byte offset ${offset()}`);
  }
  const unclosed = (): MarkupError =>
    new MarkupError(`Unclosed start tag "${name}" at byte offset ${offset()}`);
  const attributes = new Map<string, string>();
  for (;;) {
    at = skipSpace(source, at);
    if (source[at] === '>') break;
    const nameBegin = at;
    while (at < source.length && !/[\s\0=>/"']/.test(source.charAt(at))) at++;
    const attribute = source.slice(nameBegin, at);
    if (attribute === '') {
      throw new MarkupError(`Empty attribute name in the tag "${name}" at byte offset ${offset()}`);
    }
    at = skipSpace(source, at);
    if (source[at] !== '=') {
      if (at >= source.length) throw unclosed();
      attributes.set(attribute, '');
      continue;
    }
    at = skipSpace(source, at + 1);
    if (at >= source.length) throw unclosed();
    const value = readValue(source, at);
    attributes.set(attribute, value.text);
    at = value.end;
    if (at >= source.length) throw new MarkupError(`Unclosed start tag at byte offset ${offset()}`);
  }
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    throw new MarkupError(`Tag "span" must have class "tg-spoiler" at byte offset ${offset()}`);
  }
  return { name, attributes, end: at + 1 };
}

function readValue(source: string, begin: number): { text: string; end: number } {
  const quote = source.charAt(begin);
  let at = begin;
  if (quote !== '"' && quote !== "'") {
    while (/[A-Za-z0-9.-]/.test(source.charAt(at))) at++;
    if (at < source.length && !/[\s\0>]/.test(source.charAt(at))) {
      throw new MarkupError(`Unexpected end of name token at byte offset ${byteOffset(source, begin)}`);
    }
    return { text: source.slice(begin, at).toLowerCase(), end: at };
  }
  let text = '';
  at++;
  while (at < source.length && source[at] !== quote) {
    const decoded = source[at] === '&' ? decodeReference(source, at) : undefined;
    text += decoded?.text ?? source.charAt(at);
    at = decoded?.end ?? at + 1;
  }
  return { text, end: source[at] === quote ? at + 1 : at };
}

/** `&lt;`, `&#60;`, `&#x3c;`; the semicolon may be missing. Anything else stays as it is. */
function decodeReference(source: string, begin: number): { text: string; end: number } | undefined {
  const match = /^&(?:#x([0-9a-fA-F]+)|#(\d+)|([A-Za-z]+));?/.exec(source.slice(begin, begin + 16));
  if (match === null) return undefined;
  const [whole, hex, decimal, name] = match;
  const end = begin + whole.length;
  if (name !== undefined) {
    const text = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    return text === undefined ? undefined : { text, end };
  }
  if (whole.replace(';', '').length >= 10) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code === 0 || code >= 0x10_ff_ff ? undefined : { text: String.fromCodePoint(code), end };
}

function endOfWord(source: string, from: number): number {
  let at = from;
  while (at < source.length && !/[\s\0>]/.test(source.charAt(at))) at++;
  return at;
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (at < source.length && /[\s\0]/.test(source.charAt(at))) at++;
  return at;
}

/** Byte offset of a UTF-16 position: the errors of the server count bytes. */
export function byteOffset(source: string, position: number): number {
  return Buffer.byteLength(source.slice(0, position));
}
