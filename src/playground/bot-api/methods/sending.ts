import type { Message } from '@grammyjs/types';
import { chatFor, topicFor } from '../access.ts';
import { badRequest } from '../../errors.ts';
import type { FileKind } from '../../files.ts';
import { fileContent, inputMedia, textContent } from './content.ts';
import type { Call, Method } from './method.ts';
import { contactContent, readLive, readLocation, venueContent } from './places.ts';
import { readRich } from './rich.ts';
import { send, sendToAllOrOne, targetOf, TEXT, type Needed } from './send.ts';

const ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

/** The right each kind of file needs. */
const FILES: Readonly<Record<FileKind, Needed>> = {
  photo: ['can_send_photos', 'photos'],
  document: ['can_send_documents', 'documents'],
  video: ['can_send_videos', 'videos'],
  animation: ['can_send_other_messages', 'animations'],
  audio: ['can_send_audios', 'music'],
  voice: ['can_send_voice_notes', 'voice notes'],
  video_note: ['can_send_video_notes', 'video notes'],
  sticker: ['can_send_other_messages', 'stickers'],
};

/** The faces that a die can show, by its emoji. */
const DICE: Readonly<Record<string, number>> = { '🎲': 6, '🎯': 6, '🎳': 6, '🏀': 5, '⚽': 5, '🎰': 64 };

export const sendingMethods: Readonly<Record<string, Method>> = {
  sendMessage: (call) => {
    const { content, linkPreview } = textContent(call);
    return sendToAllOrOne(call, [TEXT], () => ({ content, linkPreview }));
  },
  sendRichMessage: (call) => {
    const read = readRich(call);
    if (read === undefined) throw badRequest('Rich message must be non-empty');
    const { rich, media } = read;
    const needed = [TEXT, ...media.map((kind) => FILES[kind])];
    return sendToAllOrOne(call, needed, () => ({ content: { rich_message: rich } }));
  },
  sendPhoto: (call) => sendFile(call, 'photo'),
  sendDocument: (call) => sendFile(call, 'document'),
  sendVideo: (call) => sendFile(call, 'video'),
  sendAnimation: (call) => sendFile(call, 'animation'),
  sendAudio: (call) => sendFile(call, 'audio'),
  sendVoice: (call) => sendFile(call, 'voice'),
  sendVideoNote: (call) => sendFile(call, 'video_note'),
  sendSticker: (call) => sendFile(call, 'sticker'),
  sendMediaGroup,
  sendLocation: (call) => {
    const location = { ...readLocation(call.params), ...readLive(call.params) };
    return sendToAllOrOne(call, [['can_send_messages', 'locations']], () => ({ content: { location } }));
  },
  sendVenue: (call) => {
    const content = venueContent(call.params);
    return sendToAllOrOne(call, [['can_send_messages', 'venues']], () => ({ content }));
  },
  sendContact: (call) => {
    const content = contactContent(call.params);
    return sendToAllOrOne(call, [['can_send_messages', 'contacts']], () => ({ content }));
  },
  sendDice: (call) => {
    const emoji = call.params.str('emoji') || '🎲';
    const faces = DICE[emoji.replaceAll('\uFE0F', '')];
    return send(call, ['can_send_other_messages', 'dice'], () => {
      if (faces === undefined) throw badRequest('EMOTICON_INVALID');
      return { content: { dice: { emoji, value: 1 + ((call.em.world.nextDie++ * 5) % faces) } } };
    });
  },
  sendChatAction: ({ em, bot, params }) => {
    if (!ACTIONS.has(params.str('action'))) throw badRequest('wrong parameter action in request');
    const chat = chatFor(em, bot, params, 'write');
    topicFor(bot, chat, params);
    return true;
  },
};

function sendFile(call: Call, kind: FileKind): Message {
  return sendToAllOrOne(call, [FILES[kind]], () => ({ content: fileContent(call, kind) }));
}

function sendMediaGroup(call: Call): Message[] {
  const { params } = call;
  params.required('media');
  const list = params.json('media', 'media');
  if (!Array.isArray(list)) throw badRequest('expected an Array of InputMedia');
  const items = list.map((value: unknown) => inputMedia(call, value, true));
  const target = targetOf(call, ...items.map(({ kind }) => FILES[kind]));
  if (items.length === 0) throw badRequest('there are no messages to send');
  if (items.length > 10) throw badRequest('too many messages to send as an album');
  const kinds = new Set(items.map(({ kind }) => kind));
  const alone = items.find(({ kind }) => kind === 'document' || kind === 'audio')?.kind;
  if (alone !== undefined && kinds.size > 1)
    throw badRequest(`${alone} can't be mixed with other media types`);
  target.count();
  // A single one is sent as an ordinary message, without a group.
  const group = items.length > 1 ? { media_group_id: nextGroupId(call) } : {};
  return items
    .map(({ make }) => make())
    .map((content) => target.place({ content: { ...group, ...content } }));
}

function nextGroupId({ em }: Call): string {
  return String(13_900_000_000_000_000n + BigInt(em.world.nextMediaGroupId++));
}
