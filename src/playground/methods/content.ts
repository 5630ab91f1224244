import type { MessageEntity } from '@grammyjs/types';
import { badRequest, type ApiError } from '../errors.ts';
import { documentToWire, photoToWire, type StoredFile } from '../files.ts';
import { captionText, messageText } from '../formatting.ts';
import { attachedFile, isRecord } from '../params.ts';
import type { MessageContent } from '../types.ts';
import type { Call } from './method.ts';

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

export interface MediaInput {
  type: 'photo' | 'document';
  /** file_id, URL or `attach://<field>`; may be empty when the part has the parameter's own name. */
  source: string;
  field: string;
}

/** Stores or finds the file and gives the content of the message. */
export function mediaContent(call: Call, media: MediaInput): MessageContent {
  const file = fileFor(call, media);
  return media.type === 'photo' ? { photo: photoToWire(file) } : { document: documentToWire(file) };
}

/** One element of `media` (sendMediaGroup, editMessageMedia): photo or document with its own caption. */
export function inputMedia(
  call: Call,
  value: unknown,
): { content: MessageContent; kind: 'photo' | 'document' } {
  if (!isRecord(value)) throw wrongMedia('expected an Object');
  const { type, media, caption } = value;
  if (typeof type !== 'string') throw wrongMedia('Can\'t find field "type"');
  if (typeof media !== 'string') throw wrongMedia('media not found');
  if (type !== 'photo' && type !== 'document') throw wrongMedia(`type ${type} is unallowed`);
  const parsed = captionText(call.em.world, {
    text: typeof caption === 'string' ? caption : '',
    parseMode: typeof value['parse_mode'] === 'string' ? value['parse_mode'] : '',
    entities: value['caption_entities'],
  });
  const content = mediaContent(call, { type, source: media, field: 'media' });
  return { content: { ...content, ...captionField(parsed.text, parsed.entities) }, kind: type };
}

function fileFor({ em, params }: Call, media: MediaInput): StoredFile {
  const upload = attachedFile(params, media.field, media.source);
  if (upload !== undefined) {
    return media.type === 'photo' ? em.files.addPhoto(upload) : em.files.addDocument(upload);
  }
  if (media.source === '' || media.source.startsWith('attach://')) {
    throw badRequest(`there is no ${media.type} in the request`);
  }
  if (/^https?:\/\//i.test(media.source)) throw badRequest('failed to get HTTP URL content');
  const known = em.files.get(media.source);
  if (known === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  if (known.kind !== media.type) {
    throw badRequest(`can't use file of type ${capital(known.kind)} as ${capital(media.type)}`);
  }
  return known;
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

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
