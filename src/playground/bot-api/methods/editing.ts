import { isDeepStrictEqual } from 'node:util';
import type { Location, Message } from '@grammyjs/types';
import { chatFor, messageFor } from '../access.ts';
import { announce, tellPeople } from '../../deliver.ts';
import { badRequest, refusals } from '../../errors.ts';
import { may } from '../../people/members.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import type { ChatState, MessageContent, ReplyMarkup, StoredMessage } from '../../types.ts';
import { messageToWire } from '../../wire.ts';
import { captionContent, inputMedia, MEDIA_FIELDS, TEXT_FIELDS, textContent } from './content.ts';
import { readLive, readLocation } from './places.ts';
import { readRich } from './rich.ts';
import { messageIds } from './message-ids.ts';
import type { Call, Method } from './method.ts';

/** Media that a caption stands under. */
const CAPTIONED = ['photo', 'document', 'video', 'animation', 'audio', 'voice'] as const;
const TWO_DAYS_SECONDS = 2 * 24 * 60 * 60;

/** What an edit makes of a message; throws Telegram's refusals, of the message too. */
export type Edit = (call: Call) => (stored: StoredMessage) => Change;

export const edits = {
  text: (call) => {
    const rich = readRich(call)?.rich;
    const { content, linkPreview } =
      rich === undefined ? textContent(call) : { content: { rich_message: rich }, linkPreview: '' };
    return (stored) => {
      if (stored.wire.text === undefined && stored.wire.rich_message === undefined)
        throw badRequest('there is no text in the message to edit');
      return { content, linkPreview };
    };
  },
  caption:
    (call) =>
    ({ wire }) => {
      if (!CAPTIONED.some((name) => wire[name] !== undefined)) {
        throw badRequest('there is no caption in the message to edit');
      }
      return { content: captionContent(call) };
    },
  markup: () => () => ({}),
  media: (call) => {
    const value = call.params.json('media', 'input media');
    if (value === undefined) throw badRequest('input media is not specified');
    return ({ wire }) => {
      const content = inputMedia(call, value).make();
      if (wire.media_group_id !== undefined) content.media_group_id = wire.media_group_id;
      return { content };
    };
  },
} satisfies Record<string, Edit>;

export const editingMethods: Readonly<Record<string, Method>> = {
  editMessageText: (call) => edit(call, edits.text(call)),
  editMessageCaption: (call) => edit(call, edits.caption(call)),
  editMessageReplyMarkup: (call) => edit(call, edits.markup()),
  editMessageMedia: (call) => edit(call, edits.media(call)),
  editMessageLiveLocation: (call) => {
    const location = { ...readLocation(call.params), ...readLive(call.params, true) };
    return edit(call, (stored) => ({ location: { ...liveOf(stored), ...location } }));
  },
  stopMessageLiveLocation: (call) =>
    edit(call, (stored) => {
      const { latitude, longitude } = liveOf(stored);
      return { location: { latitude, longitude } };
    }),
  deleteMessage: ({ em, bot, params }) => {
    const id = params.int('message_id', 0);
    if (id === 0) throw badRequest('message identifier is not specified');
    const chat = chatFor(em, bot, params, 'write');
    const stored = messageFor(chat, id, 'message to delete');
    checkDeletable({ em, bot }, chat, stored);
    remove({ em }, chat, stored);
    return true;
  },
  deleteMessages: ({ em, bot, params }) => {
    const ids = messageIds(params);
    const chat = chatFor(em, bot, params, 'write');
    const found = ids.flatMap((id) => chat.messages.get(id) ?? []);
    const present = found.filter((stored) => !stored.deleted);
    for (const stored of present) checkDeletable({ em, bot }, chat, stored);
    for (const stored of present) remove({ em }, chat, stored);
    return true;
  },
};

/** Takes a message away for everyone who sees it. Bots are not told about it, as with Telegram. */
export function remove({ em }: Pick<Call, 'em'>, chat: ChatState, stored: StoredMessage): void {
  stored.deleted = true;
  const id = stored.wire.message_id;
  chat.pinned = chat.pinned.filter((pinned) => pinned !== id);
  em.world.version++;
  tellPeople(em, chat, stored, 'delete');
}

interface Change {
  content?: MessageContent;
  linkPreview?: string;
  location?: Location;
}

/** The place of a live location that still moves. */
function liveOf({ wire }: StoredMessage): Location {
  const live = wire.venue === undefined ? wire.location : undefined;
  if (live?.live_period === undefined) throw badRequest("message can't be edited");
  return live;
}

/** One edit of one message of a chat. */
function edit(call: Call, next: ReturnType<Edit>): Message | true {
  const { em, bot, params } = call;
  const id = params.int('message_id', 0);
  const isInlineMessage = params.str('chat_id') === '' && id === 0;
  if (isInlineMessage && params.str('inline_message_id') === '')
    throw badRequest('message identifier is not specified');
  const markup = readReplyMarkup(params, true);
  if (isInlineMessage) {
    const { chat, stored } = inlineMessage(call);
    change(call, chat, stored, next, markup);
    return true;
  }
  const chat = chatFor(em, bot, params, 'edit');
  const stored = messageFor(chat, id, 'message to edit');
  change(call, chat, stored, next, markup);
  return messageToWire(chat, stored);
}

/** The message that a person sent via the bot, as the bot knows it. */
function inlineMessage({ em, bot, params }: Call): { chat: ChatState; stored: StoredMessage } {
  const at = em.world.inlineMessages.get(params.str('inline_message_id'));
  const chat = em.world.chats.get(at?.chatKey ?? '');
  const stored = chat?.messages.get(at?.messageId ?? 0);
  if (chat === undefined || stored === undefined || stored.deleted || stored.via?.botId !== bot.id) {
    throw badRequest('MESSAGE_ID_INVALID');
  }
  return { chat, stored };
}

/** Edits a message and tells of it: only what differs counts, and the keyboard goes when none is given. */
export function change(
  call: Call,
  chat: ChatState,
  stored: StoredMessage,
  edited: ReturnType<Edit>,
  markup: ReplyMarkup | undefined,
): void {
  const { em } = call;
  if (!isEditable(call, chat, stored)) throw badRequest("message can't be edited");
  const next = edited(stored);
  if (isUnchanged(stored, next, markup)) throw badRequest(refusals.notModified);
  em.limiter?.edit(chat.key, chat.type === 'group' || chat.type === 'supergroup');
  apply(stored, next, markup);
  stored.wire.edit_date = em.seconds();
  announce(em, chat, stored, 'edit');
}

function isEditable({ bot }: Call, chat: ChatState, stored: StoredMessage): boolean {
  if (stored.service || stored.wire.forward_origin !== undefined) return false;
  // A message that came with a keyboard of the other kinds is never editable.
  if (stored.markup !== undefined && !('inline_keyboard' in stored.markup)) return false;
  if (stored.botId === bot.id || stored.via?.botId === bot.id) return true;
  return chat.type === 'channel' && may(chat, bot.id, 'can_edit_messages');
}

function isUnchanged(stored: StoredMessage, next: Change, markup: ReplyMarkup | undefined): boolean {
  if (!isDeepStrictEqual(stored.markup, markup)) return false;
  if (next.linkPreview !== undefined && next.linkPreview !== stored.linkPreview) return false;
  const { content, location } = next;
  if (location !== undefined) return isDeepStrictEqual(stored.wire.location, location);
  if (content === undefined) return true;
  const keys = changedKeys(content);
  return keys.every((key) => isDeepStrictEqual(stored.wire[key], content[key]));
}

/** New media replaces everything; text and caption leave the media as it is. */
function changedKeys(
  content: MessageContent,
): readonly ((typeof TEXT_FIELDS)[number] | (typeof MEDIA_FIELDS)[number])[] {
  const isMedia = CAPTIONED.some((name) => content[name] !== undefined);
  return isMedia ? [...TEXT_FIELDS, ...MEDIA_FIELDS] : TEXT_FIELDS;
}

function apply(stored: StoredMessage, next: Change, markup: ReplyMarkup | undefined): void {
  stored.markup = markup;
  const { content, location } = next;
  if (location !== undefined) stored.wire.location = location;
  if (next.linkPreview !== undefined) stored.linkPreview = next.linkPreview;
  if (content === undefined) return;
  for (const key of changedKeys(content)) delete stored.wire[key];
  if (content.text !== undefined || content.rich_message !== undefined)
    delete stored.wire.link_preview_options;
  Object.assign(stored.wire, content);
}

function checkDeletable({ em, bot }: Pick<Call, 'em' | 'bot'>, chat: ChatState, stored: StoredMessage): void {
  const isOwn = stored.botId === bot.id;
  const isAllowed = chat.type === 'private' || isOwn || may(chat, bot.id, 'can_delete_messages');
  const isRight = chat.type === 'channel' && isOwn ? may(chat, bot.id, 'can_post_messages') : isAllowed;
  if (!isRight) throw badRequest("message can't be deleted");
  if (em.seconds() - stored.wire.date >= TWO_DAYS_SECONDS) {
    throw badRequest("message can't be deleted for everyone");
  }
}
