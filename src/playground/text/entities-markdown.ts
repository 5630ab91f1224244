import type { MessageEntity } from '@grammyjs/types';
import { byteOffset, MarkupError, type ParsedText } from './entities-html.ts';
import { isTimeFormat, linkEntity } from './entities-link.ts';

type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote';

interface OpenEntity {
  kind: Kind;
  language: string;
  offset: number;
  sourceAt: number;
}

const RESERVED = '_*[]()~`>#+-=|{}.!\n';
const TYPES = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
} as const;

/**
 * Telegram's MarkdownV2. Offsets of entities are UTF-16 units of the text without markup, offsets in the
 * errors are bytes of the source. Throws {@link MarkupError}.
 */
export function parseMarkdownV2(source: string): ParsedText {
  const open: OpenEntity[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let inQuote = false;
  let lineStart = true;
  let at = 0;
  for (; at < source.length; at++) {
    const char = source.charAt(at);
    const next = source.charCodeAt(at + 1);
    if (char === '\\' && next > 0 && next <= 126) {
      at++;
      text += source.charAt(at);
      if (source[at] !== '\r') lineStart = source[at] === '\n';
      continue;
    }
    const last = open.at(-1);
    const inCode = last !== undefined && ['Code', 'Pre', 'PreCode'].includes(last.kind);
    if (!(inCode ? char === '`' : RESERVED.includes(char))) {
      if (char !== '\r') lineStart = false;
      text += char;
      continue;
    }
    if (last !== undefined && endsHere(last.kind, char)) finish(last, char);
    else begin(char);
  }
  if (inQuote) closeLastQuote();
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw noEnd(unclosed);
  return { text, entities };

  function endsHere(kind: Kind, char: string): boolean {
    if (inQuote && char === '\n' && source[at + 1] !== '>') return true;
    const two = source.slice(at, at + 2);
    switch (kind) {
      case 'Bold':
        return char === '*';
      case 'Italic':
        return char === '_' && two !== '__';
      case 'Underline':
        return two === '__';
      case 'Strikethrough':
        return char === '~';
      case 'Spoiler':
        return two === '||';
      case 'Code':
        return char === '`';
      case 'Pre':
      case 'PreCode':
        return source.startsWith('```', at);
      case 'BlockQuote':
        return false;
      case 'TextUrl':
      case 'CustomEmoji':
        return char === ']';
    }
  }

  function begin(char: string): void {
    const sourceAt = at;
    const push = (kind: Kind, language = ''): void => {
      open.push({ kind, language, offset: text.length, sourceAt });
    };
    const two = source.slice(at, at + 2);
    switch (char) {
      case '_':
        if (two === '__') at++;
        return push(two === '__' ? 'Underline' : 'Italic');
      case '*':
        return push('Bold');
      case '~':
        return push('Strikethrough');
      case '[':
        return push('TextUrl');
      case '`':
        return beginCode(push);
      case '\n':
        text += '\n';
        lineStart = true;
        return undefined;
      default:
    }
    if (two === '||' || two === '![') {
      at++;
      return push(two === '||' ? 'Spoiler' : 'CustomEmoji');
    }
    if (char === '>' && lineStart) {
      if (!inQuote) push('BlockQuote');
      inQuote = true;
      return undefined;
    }
    throw new MarkupError(`Character '${char}' is reserved and must be escaped with the preceding '\\'`);
  }

  function beginCode(push: (kind: Kind, language?: string) => void): void {
    if (!source.startsWith('```', at)) return push('Code');
    at += 3;
    const word = /^[^\s\0`]*/.exec(source.slice(at))?.[0] ?? '';
    const after = source[at + word.length];
    const hasLanguage = word !== '' && after !== undefined && after !== '`';
    if (hasLanguage) at += word.length;
    const newline = /^(?:\r\n|\n\r|\n|\r)/.exec(source.slice(at, at + 2))?.[0] ?? '';
    at += newline.length - 1;
    return hasLanguage ? push('PreCode', word) : push('Pre');
  }

  function finish(last: OpenEntity, char: string): void {
    if (char === '\n' && inQuote) return endQuoteAtNewline(last);
    const range = { offset: last.offset, length: text.length - last.offset };
    let entity: MessageEntity | undefined;
    switch (last.kind) {
      case 'Pre':
      case 'PreCode':
        at += 2;
        entity = { type: 'pre', ...range, ...(last.kind === 'PreCode' ? { language: last.language } : {}) };
        break;
      case 'TextUrl': {
        const url = source[at + 1] === '(' ? readUrl() : text.slice(last.offset);
        entity = linkEntity(url, range);
        break;
      }
      case 'CustomEmoji':
        if (source[at + 1] !== '(') {
          throw new MarkupError('The entity must contain a tg://emoji or tg://time URL');
        }
        entity = emojiOrTime(readUrl(), range);
        break;
      case 'BlockQuote':
        break;
      case 'Bold':
      case 'Italic':
      case 'Underline':
      case 'Strikethrough':
      case 'Spoiler':
      case 'Code':
        if (last.kind === 'Underline' || last.kind === 'Spoiler') at++;
        entity = { type: TYPES[last.kind], ...range };
    }
    open.pop();
    if (entity !== undefined && range.length > 0) entities.push(entity);
    return undefined;
  }

  /** A quote ends with its line; an empty spoiler mark right before that end makes it expandable. */
  function endQuoteAtNewline(last: OpenEntity): void {
    const expandable = last.kind === 'Spoiler' && last.sourceAt === at - 2;
    if (expandable) open.pop();
    const quote = open.at(-1);
    if (quote === undefined || quote.kind !== 'BlockQuote') throw noEnd(quote ?? last);
    open.pop();
    inQuote = false;
    lineStart = true;
    text += '\n';
    const type = expandable ? 'expandable_blockquote' : 'blockquote';
    entities.push({ type, offset: quote.offset, length: text.length - quote.offset });
  }

  function closeLastQuote(): void {
    const last = open.at(-1);
    const expandable = last?.kind === 'Spoiler' && last.sourceAt === source.length - 2;
    if (expandable) open.pop();
    const quote = open.at(-1);
    if (quote?.kind !== 'BlockQuote') return;
    open.pop();
    if (text.length === quote.offset) return;
    const type = expandable ? 'expandable_blockquote' : 'blockquote';
    entities.push({ type, offset: quote.offset, length: text.length - quote.offset });
  }

  function readUrl(): string {
    at += 2;
    const urlAt = at;
    let url = '';
    while (at < source.length && source[at] !== ')') {
      const next = source.charCodeAt(at + 1);
      if (source[at] === '\\' && next > 0 && next <= 126) at++;
      url += source.charAt(at++);
    }
    if (at >= source.length) {
      throw new MarkupError(`Can't find end of a URL at byte offset ${byteOffset(source, urlAt)}`);
    }
    return url;
  }

  function noEnd(entity: OpenEntity): MarkupError {
    const offset = byteOffset(source, entity.sourceAt);
    return new MarkupError(`Can't find end of ${entity.kind} entity at byte offset ${offset}`);
  }
}

function emojiOrTime(url: string, range: { offset: number; length: number }): MessageEntity {
  const emoji = /^tg:(?:\/\/)?emoji\?(?:.*&)?id=([1-9]\d*)/i.exec(url)?.[1];
  if (emoji !== undefined) return { type: 'custom_emoji', ...range, custom_emoji_id: emoji };
  const unix = /^tg:(?:\/\/)?time\?(?:.*&)?unix=(\d+)/i.exec(url)?.[1];
  const format = /[?&]format=([^&]*)/.exec(url)?.[1] ?? '';
  if (unix === undefined || !isTimeFormat(format)) {
    throw new MarkupError('Invalid tg://emoji or tg://time URL specified');
  }
  return { type: 'date_time', ...range, unix_time: Number(unix), date_time_format: format };
}
