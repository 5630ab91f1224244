import type { RichBlock, RichMessage } from '@grammyjs/types';
import { badRequest, refusals } from '../../errors.ts';
import type { FileKind } from '../../files.ts';
import { codePoints } from '../../text/formatting.ts';
import { isRecord } from '../params.ts';
import { detectEntities } from '../../text/entities-detect.ts';
import { richHtml, type NamedMedia } from '../../text/rich-html.ts';
import { richMarkdown } from '../../text/rich-markdown.ts';
import { embeddedMedia } from './content.ts';
import type { Call } from './method.ts';

const MAX_TEXT = 32_768;
const MAX_BLOCKS = 500;
const MAX_DEPTH = 16;
const MAX_MEDIA = 50;
const MAX_COLUMNS = 20;
const MAX_DATA_BYTES = 64;
// prettier-ignore
const TEXT_TYPES = new Set([
  'bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'date_time', 'text_mention', 'subscript',
  'superscript', 'marked', 'code', 'custom_emoji', 'mathematical_expression', 'url', 'email_address',
  'phone_number', 'bank_card_number', 'mention', 'hashtag', 'cashtag', 'bot_command', 'button', 'anchor',
  'anchor_link', 'reference', 'reference_link',
]);
// prettier-ignore
const BUTTON_KINDS = [
  'url', 'callback_data', 'web_app', 'login_url', 'switch_inline_query', 'copy_text', 'disabled',
  'switch_inline_query_current_chat', 'switch_inline_query_chosen_chat',
];
/** Looks, within which addresses and the like are found all the same. */
const STYLES = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'subscript',
  'superscript',
  'marked',
]);
/** The kinds of media a block is made of, by their names in it. */
const MEDIA: Readonly<Record<string, FileKind>> = {
  photo: 'photo',
  video: 'video',
  animation: 'animation',
  audio: 'audio',
  document: 'document',
  voice_note: 'voice',
};

/** What has been read so far of one message. */
interface Reading {
  call: Call;
  /** Whether addresses, names and the like are found in its texts. */
  detects: boolean;
  /** Blocks that a message cannot have. */
  isDraft: boolean;
  blocks: number;
  characters: number;
  media: FileKind[];
}
type Reader = (reading: Reading, value: unknown, depth: number) => unknown;

/** Readers of what may be missing. */
const MAY_MISS = new WeakSet<Reader>();
const optional = (read: Reader): Reader => {
  const reader: Reader = (reading, value, depth) =>
    value === undefined ? undefined : read(reading, value, depth);
  MAY_MISS.add(reader);
  return reader;
};
const flag = optional((_, value) => value === true || undefined);
const oneOf =
  (refusal: string, ...values: unknown[]): Reader =>
  (_, value) => {
    if (!values.includes(value)) throw badRequest(refusal);
    return value;
  };
const string: Reader = (reading, value) => {
  if (typeof value !== 'string') throw wrong('expected a String');
  reading.characters += codePoints(value);
  return value;
};
const number: Reader = (_, value) => {
  if (typeof value !== 'number') throw wrong('expected a Number');
  return value;
};
const span = (name: string): Reader =>
  optional((_, value) => {
    if (typeof value !== 'number' || value < 0) throw badRequest(`Invalid table cell ${name} specified`);
    return value > 1 ? value : undefined;
  });
const place: Reader = (_, value) => {
  if (!isRecord(value) || typeof value['latitude'] !== 'number' || typeof value['longitude'] !== 'number') {
    throw badRequest('Invalid location specified');
  }
  return value;
};
const list =
  (read: Reader, most = Infinity, refusal = 'BUTTONS_TOO_MUCH'): Reader =>
  (reading, value, depth) => {
    if (!Array.isArray(value) || value.length === 0) throw badRequest('List must be non-empty');
    if (value.length > most) throw badRequest(refusal);
    return value.map((one: unknown) => read(reading, one, depth));
  };
const record =
  (shape: Readonly<Record<string, Reader>>): Reader =>
  (reading, value, depth) => {
    if (!isRecord(value)) throw wrong('expected an Object');
    const read = Object.entries(shape).map(([name, field]) => {
      if (value[name] === undefined && !MAY_MISS.has(field)) throw wrong(`Can't find field "${name}"`);
      return [name, field(reading, value[name], depth)];
    });
    return Object.fromEntries(read.filter(([, field]) => field !== undefined));
  };

/** In what is read so, nothing is found. */
const asIs =
  (read: Reader): Reader =>
  (reading, value, depth) => {
    const { detects } = reading;
    reading.detects = false;
    const made = read(reading, value, depth);
    reading.detects = detects;
    return made;
  };
/** Rich text is shown as it came; its kinds, its buttons and its length are looked at, and what stands in it is found. */
const text: Reader = (reading, value, depth) => {
  if (depth > MAX_DEPTH) throw badRequest('RICH_MESSAGE_DEPTH_INVALID');
  if (typeof value === 'string') {
    string(reading, value, depth);
    return reading.detects ? foundIn(value) : value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => text(reading, one, depth)).flat();
  if (!isRecord(value)) throw wrong('expected a RichText');
  const { type } = value;
  if (typeof type !== 'string') throw wrong('Can\'t find field "type"');
  if (!TEXT_TYPES.has(type)) throw wrong(`type "${type}" is unsupported`);
  for (const name of ['expression', 'alternative_text']) optional(string)(reading, value[name], depth);
  const within = STYLES.has(type) ? text : asIs(text);
  const inner = value['text'] === undefined ? undefined : within(reading, value['text'], depth + 1);
  if (type === 'text_mention') {
    const id = isRecord(value['user']) ? Number(value['user']['id']) : 0;
    const user = reading.call.em.world.users.get(id);
    return user === undefined ? inner : { ...value, user, text: inner };
  }
  return {
    ...value,
    ...(inner !== undefined && { text: inner }),
    ...(type === 'button' && { button: button(reading, value['button'], depth) }),
  };
};
const button: Reader = (reading, value, depth) => {
  if (!isRecord(value)) throw wrong('expected an Object');
  const kinds = BUTTON_KINDS.filter((kind) => value[kind] !== undefined);
  if (kinds.length !== 1) throw badRequest('BUTTON_TYPE_INVALID');
  const data = value['callback_data'];
  const size = typeof data === 'string' ? Buffer.byteLength(data) : 0;
  if (data !== undefined && (size === 0 || size > MAX_DATA_BYTES)) throw badRequest(refusals.dataInvalid);
  optional(oneOf('invalid button style specified', 'danger', 'success', 'primary', 'link'))(
    reading,
    value['style'],
    depth,
  );
  return { ...value, text: asIs(text)(reading, value['text'], depth) };
};
const blocks = list((reading, value, depth) => readBlock(reading, value, depth + 1));
const caption = optional(record({ text, credit: optional(text) }));
const item: Reader = (reading, value, depth) => {
  countBlock(reading);
  const fields = record({
    blocks,
    has_checkbox: flag,
    is_checked: flag,
    value: optional(number),
    type: optional(oneOf('Invalid list item type specified', 'a', 'A', 'i', 'I', '1')),
  })(reading, value, depth);
  return isRecord(fields) ? { label: labelOf(fields), ...fields } : fields;
};
/** One of the ways, of which the first is meant when there is none. */
function aligned(name: string, ...ways: string[]): Reader {
  const reader: Reader = (reading, value, depth) =>
    oneOf(`can't parse InputRichBlock: Invalid ${name} specified`, ...ways)(reading, value ?? ways[0], depth);
  MAY_MISS.add(reader);
  return reader;
}
const cell = record({
  text: optional(text),
  is_header: flag,
  colspan: span('colspan'),
  rowspan: span('rowspan'),
  align: aligned('align', 'left', 'center', 'right'),
  valign: aligned('valign', 'top', 'middle', 'bottom'),
});
const row: Reader = (reading, value, depth) => {
  countBlock(reading);
  return list(cell, MAX_COLUMNS, 'RICH_MESSAGE_TABLE_COLS_TOO_MANY')(reading, value, depth);
};

/** Every kind of block with its fields. A thinking block is for drafts alone. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  paragraph: { text },
  heading: { text, size: oneOf('Invalid section heading size specified', 1, 2, 3, 4, 5, 6) },
  pre: { text: asIs(text), language: optional(string) },
  footer: { text },
  divider: {},
  mathematical_expression: { expression: string },
  anchor: { name: string },
  list: { items: list(item) },
  blockquote: { blocks, credit: optional(text) },
  expandable_blockquote: { text, credit: optional(text) },
  pullquote: { text, credit: optional(text) },
  collage: { blocks, caption },
  slideshow: { blocks, caption },
  table: { cells: list(row), is_bordered: flag, is_striped: flag, is_compact: flag, caption: optional(text) },
  details: { summary: text, blocks, is_open: flag },
  map: { location: place, zoom: number, width: number, height: number, caption },
  buttons: { buttons: list(button, 8), align: aligned('align', 'left', 'center', 'right') },
  thinking: { text },
  ...Object.fromEntries(Object.keys(MEDIA).map((name) => [name, { caption }])),
};

function readBlock(reading: Reading, value: unknown, depth: number): RichBlock {
  countBlock(reading);
  if (depth > MAX_DEPTH) throw badRequest('RICH_MESSAGE_DEPTH_INVALID');
  if (!isRecord(value)) throw wrong('expected an Object');
  const { type } = value;
  if (typeof type !== 'string') throw wrong('Can\'t find field "type"');
  const shape = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (shape === undefined) throw wrong(`type "${type}" is unsupported`);
  if (type === 'thinking' && !reading.isDraft) throw badRequest('Block is not allowed');
  const fields = record(shape)(reading, value, depth);
  const block: unknown = { type, ...mediaOf(reading, type, value), ...(isRecord(fields) && fields) };
  if (!isBlock(block)) throw badRequest('Block is not allowed');
  return block;
}

function mediaOf({ call, media }: Reading, type: string, value: Record<string, unknown>): object {
  const kind = MEDIA[type];
  if (kind === undefined) return {};
  if (media.push(kind) > MAX_MEDIA) throw badRequest('RICH_MESSAGE_MEDIA_TOO_MANY');
  const given = value[type];
  const file = embeddedMedia(call, kind, given)[kind];
  const isVeiled = isRecord(given) && given['has_spoiler'] === true;
  return { [type]: file, ...(isVeiled && { has_spoiler: true }) };
}

function isBlock(value: unknown): value is RichBlock {
  return isRecord(value) && typeof value['type'] === 'string' && Object.hasOwn(BLOCKS, value['type']);
}

function countBlock(reading: Reading): void {
  reading.blocks++;
  if (reading.blocks > MAX_BLOCKS) throw badRequest('RICH_MESSAGE_BLOCKS_TOO_MANY');
}

/** What stands before an item: a bullet, or its number in its way of counting. */
function labelOf({ value, type }: Record<string, unknown>): string {
  if (typeof value !== 'number') return '•';
  if (type === undefined || type === '1') return `${value}.`;
  const small = type === 'a' || type === 'A' ? letters(value) : roman(value);
  return `${type === 'A' || type === 'I' ? small.toUpperCase() : small}.`;
}

function letters(value: number): string {
  const rest = Math.floor((value - 1) / 26);
  const last = String.fromCodePoint(97 + ((value - 1) % 26));
  return rest > 0 ? letters(rest) + last : last;
}

// prettier-ignore
const ROMAN = [
  [1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'],
  [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i'],
] as const;

function roman(value: number): string {
  const next = ROMAN.find(([size]) => size <= value);
  return next === undefined ? '' : next[1] + roman(value - next[0]);
}

/**
 * The `rich_message` parameter, and the kinds of media in it; undefined when there is none. Throws Telegram's refusals where they
 * are known.
 */
export function readRich(
  call: Call,
  isDraft = false,
): { rich: RichMessage; media: readonly FileKind[] } | undefined {
  const value = call.params.json('rich_message', 'rich message');
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw badRequest('object expected as rich message');
  const detects = value['skip_entity_detection'] !== true;
  const reading: Reading = { call, detects, isDraft, blocks: 0, characters: 0, media: [] };
  const read = sourceOf(value).map((one: unknown) => readBlock(reading, one, 1));
  if (reading.characters > MAX_TEXT) throw badRequest('RICH_MESSAGE_TEXT_TOO_LONG');
  return { rich: { blocks: read, ...(value['is_rtl'] === true && { is_rtl: true }) }, media: reading.media };
}

/** The blocks, as they are given or as the markup says them; of several sources the first counts. */
function sourceOf(value: Record<string, unknown>): readonly unknown[] {
  const { blocks: given, markdown, html } = value;
  if (given !== undefined) {
    if (!Array.isArray(given) || given.length === 0) throw badRequest('Rich message must be non-empty');
    return given;
  }
  const markup = typeof markdown === 'string' ? richMarkdown(markdown) : html;
  if (typeof markup !== 'string' || (markdown ?? html) === '')
    throw badRequest('Rich message must be non-empty');
  const made = richHtml(markup, namedMedia(value['media']));
  if (made.length === 0) throw badRequest('RICH_MESSAGE_EMPTY');
  return made;
}

/** What `media` names for the addresses in html and markdown. */
function namedMedia(value: unknown): NamedMedia {
  if (value === undefined) return new Map();
  if (!Array.isArray(value)) throw badRequest('Field "media" must be of type Array');
  return new Map(
    value.map((one: unknown) => {
      const wrongMedia = (reason: string): Error =>
        badRequest(`can't parse InputRichMessageMedia: ${reason}`);
      if (!isRecord(one)) throw wrongMedia('expected an Object');
      const { id, media } = one;
      if (typeof id !== 'string') throw wrongMedia('Can\'t find field "id"');
      if (!isRecord(media)) throw wrongMedia('Can\'t find field "media"');
      return [id, media];
    }),
  );
}

/** The field in which a found text has what it is. */
const FOUND: Readonly<Record<string, readonly [type: string, field: string]>> = {
  url: ['url', 'url'],
  email: ['email_address', 'email_address'],
  bot_command: ['bot_command', 'bot_command'],
  mention: ['mention', 'username'],
  hashtag: ['hashtag', 'hashtag'],
  phone_number: ['phone_number', 'phone_number'],
};

/** A text with what Telegram finds in it by itself. */
function foundIn(value: string): unknown {
  const parts: unknown[] = [];
  let at = 0;
  for (const { type, offset, length } of detectEntities(value).toSorted((a, b) => a.offset - b.offset)) {
    const [kind, field] = FOUND[type] ?? [];
    if (kind === undefined || field === undefined) continue;
    const found = value.slice(offset, offset + length);
    if (offset > at) parts.push(value.slice(at, offset));
    parts.push({ type: kind, text: found, [field]: type === 'mention' ? found.slice(1) : found });
    at = offset + length;
  }
  if (parts.length === 0) return value;
  if (at < value.length) parts.push(value.slice(at));
  return parts.length === 1 ? parts[0] : parts;
}

function wrong(reason: string): ReturnType<typeof badRequest> {
  return badRequest(`can't parse InputRichBlock: ${reason}`);
}
