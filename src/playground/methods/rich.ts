import type { RichBlock, RichMessage } from '@grammyjs/types';
import { badRequest, refusals } from '../errors.ts';
import type { FileKind } from '../files.ts';
import { codePoints } from '../formatting.ts';
import { isRecord } from '../params.ts';
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
  blocks: number;
  characters: number;
  media: FileKind[];
}
type Reader = (reading: Reading, value: unknown, depth: number) => unknown;

const flag: Reader = (_, value) => value === true || undefined;
const optional =
  (read: Reader): Reader =>
  (reading, value, depth) =>
    value === undefined ? undefined : read(reading, value, depth);
const oneOf =
  (...values: unknown[]): Reader =>
  (_, value) => {
    if (!values.includes(value)) throw wrong(`one of ${values.join(', ')} expected`);
    return value;
  };
const string: Reader = (reading, value) => {
  if (typeof value !== 'string') throw wrong('string expected');
  reading.characters += codePoints(value);
  return value;
};
const number: Reader = (_, value) => {
  if (typeof value !== 'number') throw wrong('number expected');
  return value;
};
const place: Reader = (_, value) => {
  if (!isRecord(value) || typeof value['latitude'] !== 'number' || typeof value['longitude'] !== 'number') {
    throw badRequest('Invalid location specified');
  }
  return value;
};
const list =
  (read: Reader, most = Infinity): Reader =>
  (reading, value, depth) => {
    if (!Array.isArray(value) || value.length === 0) throw badRequest('List must be non-empty');
    if (value.length > most) throw wrong(`at most ${most} expected`);
    return value.map((one: unknown) => read(reading, one, depth));
  };
const record =
  (shape: Readonly<Record<string, Reader>>): Reader =>
  (reading, value, depth) => {
    if (!isRecord(value)) throw wrong('object expected');
    const read = Object.entries(shape).map(([name, field]) => [name, field(reading, value[name], depth)]);
    return Object.fromEntries(read.filter(([, field]) => field !== undefined));
  };

/** Rich text is shown as it came; its kinds, its buttons and its length are looked at. */
const text: Reader = (reading, value, depth) => {
  if (depth > MAX_DEPTH) throw tooLarge();
  if (typeof value === 'string') return string(reading, value, depth);
  if (Array.isArray(value)) return value.map((one: unknown) => text(reading, one, depth));
  if (!isRecord(value)) throw wrong('rich text expected');
  const { type } = value;
  if (typeof type !== 'string' || !TEXT_TYPES.has(type)) throw wrong('unknown type of rich text');
  for (const name of ['expression', 'alternative_text']) optional(string)(reading, value[name], depth);
  return {
    ...value,
    ...(value['text'] !== undefined && { text: text(reading, value['text'], depth + 1) }),
    ...(type === 'button' && { button: button(reading, value['button'], depth) }),
  };
};
const button: Reader = (reading, value, depth) => {
  if (!isRecord(value)) throw wrong('object expected');
  const kinds = BUTTON_KINDS.filter((kind) => value[kind] !== undefined);
  if (kinds.length !== 1) throw wrong('a button is of exactly one kind');
  const data = value['callback_data'];
  const size = typeof data === 'string' ? Buffer.byteLength(data) : 0;
  if (data !== undefined && (size === 0 || size > MAX_DATA_BYTES)) throw badRequest(refusals.dataInvalid);
  optional(oneOf('danger', 'success', 'primary', 'link'))(reading, value['style'], depth);
  return { ...value, text: text(reading, value['text'], depth) };
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
    type: optional(oneOf('a', 'A', 'i', 'I', '1')),
  })(reading, value, depth);
  return isRecord(fields) ? { label: labelOf(fields), ...fields } : fields;
};
const cell = record({
  text: optional(text),
  is_header: flag,
  colspan: optional(number),
  rowspan: optional(number),
  align: (reading, value, depth) => oneOf('left', 'center', 'right')(reading, value ?? 'left', depth),
  valign: (reading, value, depth) => oneOf('top', 'middle', 'bottom')(reading, value ?? 'top', depth),
});
const row: Reader = (reading, value, depth) => {
  countBlock(reading);
  return list(cell, MAX_COLUMNS)(reading, value, depth);
};

/** Every kind of block with its fields. A thinking block is for drafts alone. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  paragraph: { text },
  heading: { text, size: oneOf(1, 2, 3, 4, 5, 6) },
  pre: { text, language: optional(string) },
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
  buttons: { buttons: list(button, 8), align: optional(oneOf('left', 'center', 'right')) },
  ...Object.fromEntries(Object.keys(MEDIA).map((name) => [name, { caption }])),
};

function readBlock(reading: Reading, value: unknown, depth: number): RichBlock {
  countBlock(reading);
  if (depth > MAX_DEPTH) throw tooLarge();
  if (!isRecord(value)) throw badRequest('Block must be non-empty');
  const { type } = value;
  const shape = typeof type === 'string' && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (typeof type !== 'string' || shape === undefined) throw badRequest('Block is not allowed');
  const fields = record(shape)(reading, value, depth);
  const block: unknown = { type, ...mediaOf(reading, type, value), ...(isRecord(fields) && fields) };
  if (!isBlock(block)) throw badRequest('Block is not allowed');
  return block;
}

function mediaOf({ call, media }: Reading, type: string, value: Record<string, unknown>): object {
  const kind = MEDIA[type];
  if (kind === undefined) return {};
  if (media.push(kind) > MAX_MEDIA) throw tooLarge();
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
  if (reading.blocks > MAX_BLOCKS) throw tooLarge();
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
export function readRich(call: Call): { rich: RichMessage; media: readonly FileKind[] } | undefined {
  const value = call.params.json('rich_message', 'rich message');
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw badRequest('object expected as rich message');
  const sources = ['blocks', 'html', 'markdown'].filter((name) => value[name] !== undefined);
  if (sources.length === 0) throw badRequest('Rich message must be non-empty');
  if (sources.length > 1) throw wrong('exactly one of blocks, html and markdown expected');
  if (sources[0] !== 'blocks') throw badRequest('the emulator reads rich messages as blocks only');
  const reading: Reading = { call, blocks: 0, characters: 0, media: [] };
  const source = value['blocks'];
  if (!Array.isArray(source) || source.length === 0) throw badRequest('Rich message must be non-empty');
  const read = source.map((one: unknown) => readBlock(reading, one, 1));
  if (reading.characters > MAX_TEXT) throw tooLarge();
  return { rich: { blocks: read, ...(value['is_rtl'] === true && { is_rtl: true }) }, media: reading.media };
}

function wrong(reason: string): ReturnType<typeof badRequest> {
  return badRequest(`can't parse RichMessage: ${reason}`);
}

function tooLarge(): ReturnType<typeof badRequest> {
  return badRequest('rich message is too long');
}
