import type { Message, MessageEntity } from '@grammyjs/types';
import { badRequest, type ApiError } from '../../errors.ts';
import { checkKind, fileToWire, type FileKind } from '../../files.ts';
import { captionText, messageText } from '../../text/formatting.ts';
import { attachedFile, isRecord } from '../params.ts';
import type { MessageContent } from '../../types.ts';
import type { Call } from './method.ts';

/** Fields of a message that its caption or text is made of; with new media, the rest go too. */
export const TEXT_FIELDS = [
  'text',
  'entities',
  'rich_message',
  'caption',
  'caption_entities',
  'show_caption_above_media',
] as const;
export const MEDIA_FIELDS = [
  'photo',
  'document',
  'video',
  'animation',
  'audio',
  'voice',
  'video_note',
  'sticker',
  'has_media_spoiler',
] as const;
/** Everything that a forward or a copy of a message takes along. */
const CONTENT_FIELDS = [
  ...TEXT_FIELDS,
  ...MEDIA_FIELDS,
  'link_preview_options',
  'contact',
  'location',
  'venue',
  'dice',
  'poll',
] as const;

/** What is copied or forwarded of a message. */
export function contentOf(wire: Message): MessageContent {
  return Object.fromEntries(
    CONTENT_FIELDS.flatMap((name) => (wire[name] === undefined ? [] : [[name, wire[name]]])),
  );
}

/** Text, or the linkPreview switches, as the parameters of sendMessage and editMessageText give them. */
export function textContent({ em, params }: Call): { content: MessageContent; linkPreview: string } {
  const parsed = messageText(em.world, {
    text: params.str('text'),
    parseMode: params.str('parse_mode'),
    entities: params.json('entities', 'entities'),
  });
  const options = params.json('link_preview_options', 'link preview options');
  const shown = isRecord(options) && Object.keys(options).length > 0 ? { link_preview_options: options } : {};
  const content = { text: parsed.text, ...entityField('entities', parsed.entities), ...shown };
  return { content, linkPreview: JSON.stringify(options ?? null) };
}

/** Caption of a call whose parameters stand at its top level. */
export function captionContent({ em, params }: Call): MessageContent {
  const parsed = captionText(em.world, {
    text: params.str('caption'),
    parseMode: params.str('parse_mode'),
    entities: params.json('caption_entities', 'entities'),
  });
  return captionField(parsed.text, parsed.entities);
}

/** Kinds of files by their names in `media`; voice, video notes and stickers stand in no list of media. */
const INPUT_MEDIA: readonly string[] = ['photo', 'video', 'animation', 'audio', 'document'];
const NUMBERS: Partial<Record<FileKind, readonly string[]>> = {
  video: ['width', 'height', 'duration'],
  animation: ['width', 'height', 'duration'],
  audio: ['duration'],
  voice: ['duration'],
  video_note: ['length', 'duration'],
};
const TEXTS: Partial<Record<FileKind, readonly string[]>> = {
  audio: ['performer', 'title'],
  sticker: ['emoji'],
};
const MAX_NOTE_LENGTH = 640;
/** Nobody looks into a sticker or a video note: these are the usual sizes. */
const STICKER = { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false };
const NOTE_LENGTH = 240;

/** A file, its caption and its switches, as the parameters of sendPhoto, sendVideo and the like give them. */
export function fileContent(call: Call, kind: FileKind): MessageContent {
  const { params } = call;
  const said = (name: string): unknown => (params.has(name) ? params.str(name) : undefined);
  const media = mediaContent(call, kind, { field: kind, source: params.str(kind), said });
  if (kind === 'video_note' || kind === 'sticker') return media;
  return { ...media, ...captionContent(call), ...switches(kind, said) };
}

/** One element of `media`: what it is, and how its content is made once nothing else can refuse it. */
export interface InputMedia {
  kind: FileKind;
  make: () => MessageContent;
}

/** Reads one element of `media` (sendMediaGroup, editMessageMedia) with its own caption. Throws Telegram's refusals. */
export function inputMedia(call: Call, value: unknown, forAlbum = false): InputMedia {
  if (!isRecord(value)) throw wrongMedia('expected an Object');
  const { type, media, caption } = value;
  const parsed = captionText(call.em.world, {
    text: typeof caption === 'string' ? caption : '',
    parseMode: typeof value['parse_mode'] === 'string' ? value['parse_mode'] : '',
    entities: value['caption_entities'],
  });
  if (typeof type !== 'string') throw wrongMedia('Can\'t find field "type"');
  if (typeof media !== 'string' || isMissing(call, media)) throw wrongMedia('media not found');
  if (type === 'animation' && forAlbum) throw wrongMedia(`type "${type}" can't be used in sendMediaGroup`);
  if (!isInputMedia(type)) throw wrongMedia(`type "${type}" is unsupported`);
  const said = (name: string): unknown => value[name];
  return {
    kind: type,
    make: () => ({
      ...mediaContent(call, type, { field: 'media', source: media, said }),
      ...captionField(parsed.text, parsed.entities),
      ...switches(type, said),
    }),
  };
}

/** A file that stands in a block of a rich message; its caption is the block's. Throws Telegram's refusals. */
export function embeddedMedia(call: Call, kind: FileKind, value: unknown): MessageContent {
  const source = isRecord(value) ? value['media'] : undefined;
  if (!isRecord(value) || typeof source !== 'string' || isMissing(call, source)) {
    throw wrongMedia('media not found');
  }
  return mediaContent(call, kind, { field: 'media', source, said: (name) => value[name] });
}

function isMissing({ params }: Call, media: string): boolean {
  if (media === '') return true;
  return media.startsWith('attach://') && attachedFile(params, 'media', media) === undefined;
}

interface Media {
  /** file_id, URL or `attach://<field>`; may be empty when the part has the parameter's own name. */
  source: string;
  field: string;
  /** What the caller says of the file, by the name of the parameter. */
  said: (name: string) => unknown;
}

/** Stores or finds the file and gives the field of the message. */
function mediaContent({ em, params }: Call, kind: FileKind, media: Media): MessageContent {
  const upload = attachedFile(params, media.field, media.source);
  if (upload !== undefined) return fileToWire(em.files.add(kind, upload, detailsOf(kind, media.said)));
  if (media.source === '' || media.source.startsWith('attach://')) {
    throw badRequest(`there is no ${kind.replace('_', ' ')} in the request`);
  }
  if (/^https?:\/\//i.test(media.source)) throw badRequest('failed to get HTTP URL content');
  const known = em.files.get(media.source);
  if (known === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  checkKind(known, kind);
  return fileToWire(known);
}

function detailsOf(kind: FileKind, said: Media['said']): Record<string, unknown> {
  const numbers = (NUMBERS[kind] ?? []).map((name) => [
    name,
    Math.max(0, Math.trunc(Number(said(name) ?? 0))),
  ]);
  const texts = (TEXTS[kind] ?? []).flatMap((name) => {
    const text = said(name);
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  const details: Record<string, unknown> = Object.fromEntries([...numbers, ...texts]);
  if (kind === 'sticker') return { ...STICKER, ...details };
  if (kind !== 'video_note') return details;
  if (Number(details['length']) > MAX_NOTE_LENGTH) throw badRequest('wrong video note length');
  return { ...details, length: Number(details['length']) || NOTE_LENGTH };
}

function switches(kind: FileKind, said: Media['said']): MessageContent {
  if (kind !== 'photo' && kind !== 'video' && kind !== 'animation') return {};
  const isOn = (name: string): boolean => ['true', 'yes', '1'].includes(String(said(name)).toLowerCase());
  const caption = said('caption');
  return {
    ...(isOn('has_spoiler') && { has_media_spoiler: true }),
    ...(typeof caption === 'string' &&
      caption !== '' &&
      isOn('show_caption_above_media') && { show_caption_above_media: true }),
  };
}

function isInputMedia(type: string): type is FileKind {
  return INPUT_MEDIA.includes(type);
}

function captionField(text: string, entities: MessageEntity[]): MessageContent {
  return text === '' ? {} : { caption: text, ...entityField('caption_entities', entities) };
}

function entityField(name: 'entities' | 'caption_entities', entities: MessageEntity[]): MessageContent {
  return entities.length === 0 ? {} : { [name]: entities };
}

function wrongMedia(reason: string): ApiError {
  return badRequest(`can't parse InputMedia: ${reason}`);
}
