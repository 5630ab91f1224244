import type { MessageEntity } from '@grammyjs/types';
import { detectEntities, overlap } from './entities-detect.ts';
import { MarkupError, parseHtml, type ParsedText } from './entities-html.ts';
import { parseMarkdownV2 } from './entities-markdown.ts';
import { badRequest } from '../errors.ts';
import { isRecord } from '../bot-api/params.ts';
import type { World } from '../types.ts';

/** Limits in code points after parsing; the source text may have at most 32,768 bytes. */
export const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;
const MAX_SOURCE_BYTES = 1 << 15;
const MAX_ENTITIES = 100;
const STYLES = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);
const QUOTES = new Set(['blockquote', 'expandable_blockquote']);

export interface TextInput {
  text: string;
  parseMode: string;
  /** The parsed `entities` parameter, if there was one. Ignored when a parse mode is given. */
  entities: unknown;
}

/** The text of a message: never empty, at most {@link MAX_TEXT} code points. Throws Telegram's refusals. */
export function messageText(world: World, input: TextInput): ParsedText {
  if (input.text === '') throw badRequest('message text is empty');
  const parsed = formatted(world, input);
  if (parsed.text === '') throw badRequest('text must be non-empty');
  if (codePoints(parsed.text) > MAX_TEXT) throw badRequest('message is too long');
  return parsed;
}

/** The caption of a file: may be empty, at most {@link MAX_CAPTION} code points. */
export function captionText(world: World, input: TextInput): ParsedText {
  const parsed = formatted(world, input);
  if (codePoints(parsed.text) > MAX_CAPTION) throw badRequest('message caption is too long');
  return parsed;
}

/** A text without limits of its own: the caller knows them. */
export function plainText(world: World, text: string, parseMode: string): ParsedText {
  return formatted(world, { text, parseMode, entities: undefined });
}

/** What a person typed: trimmed, with the entities that Telegram finds itself. */
export function typedText(text: string): ParsedText {
  const clean = text.replaceAll('\r', '').trim();
  return { text: clean, entities: sorted(detectEntities(clean)) };
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function formatted(world: World, input: TextInput): ParsedText {
  if (Buffer.byteLength(input.text) > MAX_SOURCE_BYTES) throw badRequest('text is too long');
  const parsed = trim(parse(input));
  const given = parsed.entities
    .filter((entity) => entity.length > 0 && /\S/u.test(slice(parsed.text, entity)))
    .flatMap((entity) => withPerson(world, entity));
  const fixed = fixEntities(given);
  const blocking = fixed.filter((entity) => !STYLES.has(entity.type) && !QUOTES.has(entity.type));
  const found = detectEntities(parsed.text).filter(
    (entity) => !blocking.some((other) => overlap(other, entity)),
  );
  return { text: parsed.text, entities: sorted([...fixed, ...found]).slice(0, MAX_ENTITIES) };
}

function parse(input: TextInput): ParsedText {
  const mode = input.parseMode.toLowerCase();
  if (input.text === '' || mode === '' || mode === 'none') {
    return { text: input.text, entities: readEntities(input.entities, input.text) };
  }
  try {
    if (mode === 'html') return parseHtml(input.text);
    if (mode === 'markdownv2') return parseMarkdownV2(input.text);
  } catch (error) {
    if (error instanceof MarkupError) throw badRequest(`can't parse entities: ${error.message}`);
    throw error;
  }
  throw badRequest('unsupported parse_mode');
}

const ENTITY_TYPES = new Set([
  ...STYLES,
  ...QUOTES,
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'date_time',
]);

/** Explicit entities: those Telegram finds by itself are ignored, as the server does. */
function readEntities(value: unknown, text: string): MessageEntity[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (!isRecord(item)) throw badRequest("can't parse MessageEntity: expected an Object");
    const { type, offset, length } = item;
    if (typeof type !== 'string') throw badRequest(`can't parse MessageEntity: Can't find field "type"`);
    if (typeof offset !== 'number') throw badRequest(`can't parse MessageEntity: Can't find field "offset"`);
    if (typeof length !== 'number') throw badRequest(`can't parse MessageEntity: Can't find field "length"`);
    if (offset > text.length) {
      throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
    }
    if (offset + length > text.length) {
      throw badRequest(`entity beginning at UTF-16 offset ${offset} ends after the end of the text`);
    }
    return isFormattingEntity(item) ? [item] : [];
  });
}

function isFormattingEntity(value: object): value is MessageEntity {
  return 'type' in value && typeof value.type === 'string' && ENTITY_TYPES.has(value.type);
}

function withPerson(world: World, entity: MessageEntity): MessageEntity[] {
  if (entity.type !== 'text_mention') return [entity];
  const user = world.users.get(entity.user.id);
  return user === undefined ? [] : [{ ...entity, user }];
}

/**
 * Code, pre, links and the like cannot cross each other (the first one wins), code and pre hold nothing, and
 * quotes do not nest; styles are cut around code and joined when they repeat.
 */
function fixEntities(entities: readonly MessageEntity[]): MessageEntity[] {
  const solid: MessageEntity[] = [];
  for (const entity of sorted(entities.filter((item) => !STYLES.has(item.type)))) {
    const isFree = solid.every((other) => !overlap(other, entity) || nestable(other, entity));
    if (isFree) solid.push(entity);
  }
  const code = solid.filter((entity) => entity.type === 'code' || entity.type === 'pre');
  const styles: MessageEntity[] = [];
  for (const entity of sorted(entities.filter((item) => STYLES.has(item.type)))) {
    for (const part of cutAround(entity, code)) {
      const same = styles.findLast((other) => other.type === part.type);
      if (same !== undefined && same.offset + same.length >= part.offset) {
        const end = Math.max(same.offset + same.length, part.offset + part.length);
        same.length = end - same.offset;
      } else {
        styles.push(part);
      }
    }
  }
  return [...solid, ...styles];
}

function nestable(outer: MessageEntity, inner: MessageEntity): boolean {
  const contains = outer.offset <= inner.offset && outer.offset + outer.length >= inner.offset + inner.length;
  return contains && QUOTES.has(outer.type) && !QUOTES.has(inner.type);
}

function cutAround(entity: MessageEntity, holes: readonly MessageEntity[]): MessageEntity[] {
  let parts = [{ ...entity }];
  for (const hole of holes) {
    parts = parts.flatMap((part) => {
      if (!overlap(part, hole)) return [part];
      const holeEnd = hole.offset + hole.length;
      const before = { ...part, length: hole.offset - part.offset };
      const after = { ...part, offset: holeEnd, length: part.offset + part.length - holeEnd };
      return [before, after].filter((piece) => piece.length > 0);
    });
  }
  return parts;
}

/** Cuts white space at both ends (at the beginning only as far as no entity begins in it). */
function trim(parsed: ParsedText): ParsedText {
  const source = parsed.text;
  const end = source.trimEnd().length;
  const firstEntity = Math.min(...parsed.entities.map((entity) => entity.offset), source.length);
  const lead = Math.min(source.length - source.trimStart().length, firstEntity, end);
  const text = source.slice(lead, end);
  const entities = parsed.entities.flatMap((entity) => {
    const offset = entity.offset - lead;
    const length = Math.min(entity.length, text.length - offset);
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
  return { text, entities };
}

function sorted(entities: readonly MessageEntity[]): MessageEntity[] {
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

function slice(text: string, entity: MessageEntity): string {
  return text.slice(entity.offset, entity.offset + entity.length);
}
