import type {
  Chat,
  ChatMember,
  ChatMemberUpdated,
  MaybeInaccessibleMessage,
  Message,
  Update,
  User,
} from '@grammyjs/types';
import { InputFile, type MiddlewareFn } from 'grammy';
import { AppError } from '../../domain/errors.ts';
import { can } from '../../domain/roles.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat, seesNumbers } from '../../i18n/format.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Log } from '../../ports/runtime.ts';
import type { ChatType, ChatView, Identity } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type { PlaceWatch } from '../alerts/places.ts';
import { postingRight } from '../alerts/posting-right.ts';
import { keyboard, type Buttons } from '../buttons.ts';
import { contactOf } from '../forms/contact.ts';
import type { IncomingFile } from '../forms/file-reference.ts';
import type { Html } from '../html.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import type { RequestContext } from '../request-context.ts';
import { wordsOf } from './command-in.ts';
import type { KitContext } from './context.ts';
import { nameOf, titleOf } from './names.ts';

export interface IdentifyDeps extends Pick<Stores, 'identities' | 'buttons'> {
  readonly gateways: Gateways;
  readonly log: Log;
  /** Reads a file by the path that Telegram gave; see TelegramFetch.download. */
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  readonly defaults: { readonly lang: Locale; readonly timeZone: string };
}

/** Telegram's own accounts that speak for a group or a linked channel; they are nobody. */
const GROUP_ANONYMOUS = 1087968824;
const TELEGRAM_ITSELF = 777000;
const PICTURE_NAME = 'picture.png';
/** Telegram has refused to say, or has not answered; after all else nothing could be told to anybody either. */
const UNSAID: ReadonlySet<string> = new Set([
  'refused',
  'no_rights',
  'too_many',
  'lost_answer',
  'surely_unsent',
]);

/**
 * Finds out who speaks where and makes the request context. A message of an anonymous admin, a channel, another bot or
 * a linked channel has no person and ends here, except that an anonymous admin is passed on to be asked.
 */
export function identify(deps: IdentifyDeps & Pick<PlaceWatch, 'placeOpened'>): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const migrated = ctx.message?.migrate_to_chat_id;
    if (migrated !== undefined && ctx.chat !== undefined) {
      await deps.identities.migrateChat(ctx.chat.id, migrated);
      return;
    }
    const origin = ctx.message?.migrate_from_chat_id;
    if (origin !== undefined && ctx.chat !== undefined) {
      await deps.identities.migrateChat(origin, ctx.chat.id);
      return;
    }
    const seen = whoAndWhere(ctx.update);
    if (seen === null) return;
    const { chat, user, message } = seen;
    const threadId = message?.is_topic_message === true ? message.message_thread_id : undefined;
    ctx.formKey = `${chat.id}:${threadId ?? 0}:${user.id}`;
    const identity = await deps.identities.identify({
      chat: { telegramId: chat.id, type: chat.type, title: titleOf(chat) },
      person: { id: user.id, name: nameOf(user), username: user.username ?? null },
      formKey: ctx.formKey,
      threadId,
    });
    // A form that has already taken this update was interrupted after it remembered the answer.
    if (identity.form?.updateId === ctx.update.update_id) return;
    // Who writes here has let the bot in. Only a press can come from a place that it has left.
    if (identity.isShut && ctx.message !== undefined)
      await deps.placeOpened({
        chatTelegramId: chat.id,
        personId: user.id,
        updateId: ctx.update.update_id,
      });
    ctx.formRow = identity.form;
    ctx.request = makeRequest(deps, ctx, identity, user, threadId);
    await next();
  };
}

/**
 * The request context of a press, or of a link that was opened, as one in another chat: the person's role there, and that
 * chat's account. What is said in answer stays where they are.
 */
export async function requestAtHome(
  deps: IdentifyDeps,
  ctx: KitContext,
  home: Pick<ChatView, 'telegramId' | 'type' | 'title'>,
  place = ctx.request.chat,
): Promise<RequestContext> {
  const { request } = ctx;
  const { from } = ctx.callbackQuery ?? ctx.message ?? {};
  if (from === undefined) throw new Error('only a press and an opened link have another home');
  const identity = await deps.identities.identify({
    chat: home,
    person: { id: from.id, name: nameOf(from), username: from.username ?? null },
    formKey: ctx.formKey,
  });
  return makeRequest(deps, ctx, { ...identity, form: null }, from, request.threadId, place);
}

/** Whether the message was written in the group's own name by one of its admins. */
export function isAnonymousAdmin(message: Message | undefined): boolean {
  return (
    message !== undefined && message.sender_chat !== undefined && message.sender_chat.id === message.chat.id
  );
}

export interface Seen {
  readonly chat: Chat & { readonly type: ChatType };
  readonly user: User;
  readonly message: Message | undefined;
}

/** Null where nobody speaks whom anything could be answered. */
export function whoAndWhere(update: Update): Seen | null {
  const change = update.my_chat_member;
  if (change !== undefined)
    return welcomes(change) ? { chat: change.chat, user: change.from, message: undefined } : null;
  const reaction = update.message_reaction;
  if (reaction !== undefined) {
    const { chat, user } = reaction;
    return user === undefined || user.is_bot ? null : { chat, user, message: undefined };
  }
  const press = update.callback_query;
  if (press !== undefined) {
    const message = press.message;
    if (message === undefined || press.from.is_bot) return null;
    return {
      chat: message.chat,
      user: press.from,
      message: 'date' in message && message.date !== 0 ? message : undefined,
    };
  }
  const message = update.message ?? update.edited_message;
  if (message === undefined || message.from === undefined) return null;
  if (message.via_bot !== undefined || message.from.id === TELEGRAM_ITSELF) return null;
  if (isAnonymousAdmin(message)) return { chat: message.chat, user: message.from, message };
  if (message.sender_chat !== undefined || message.from.is_bot || message.from.id === GROUP_ANONYMOUS)
    return null;
  return { chat: message.chat, user: message.from, message };
}

/** The bot came into a group, by a person's hand. */
function welcomes(change: ChatMemberUpdated): boolean {
  const was = change.old_chat_member.status;
  const is = change.new_chat_member.status;
  const isGroup = change.chat.type === 'group' || change.chat.type === 'supergroup';
  return (
    isGroup &&
    !change.from.is_bot &&
    (was === 'left' || was === 'kicked') &&
    (is === 'member' || is === 'administrator')
  );
}

function makeRequest(
  deps: IdentifyDeps,
  ctx: KitContext,
  identity: Identity,
  user: User,
  threadId: number | undefined,
  place: ChatView = identity.chat,
): RequestContext {
  const { chat, person, binding } = identity;
  const said = ctx.message ?? ctx.editedMessage;
  const anonymous = isAnonymousAdmin(said);
  const role = anonymous ? null : identity.role;
  const locale =
    person.lang ?? chat.lang ?? (/^fa\b/u.test(user.language_code ?? '') ? 'fa' : deps.defaults.lang);
  const pressed = ctx.callbackQuery?.message;
  const pressedMessageId = pressed?.message_id ?? null;
  const pressedPicture = pressed !== undefined && 'photo' in pressed && pressed.photo !== undefined;
  const log = deps.log.child({ chat: chat.id });

  const send = async (content: Html, chatId: number, markup: object): Promise<number> => {
    const inThread = chatId === place.telegramId && threadId !== undefined;
    const sent = await ctx.api.sendMessage(chatId, content.markup, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...(inThread ? { message_thread_id: threadId } : {}),
      ...markup,
    });
    return sent.message_id;
  };
  const markupOf = async (buttons: Buttons | undefined) => {
    const made =
      buttons === undefined ? undefined : await keyboard(deps.buttons, place.id, locale, buttons, chat.id);
    return made === undefined ? {} : { reply_markup: made };
  };

  const memberNow = async (personId: number): Promise<ChatMember | null> => {
    try {
      return await ctx.api.getChatMember(place.telegramId, personId);
    } catch (error) {
      const { kind, description } = telegramFailure(error);
      if (!UNSAID.has(kind)) throw error;
      log.info({ kind, description }, 'Telegram does not say who somebody is in a chat');
      return null;
    }
  };

  const disarm = async (messageId: number): Promise<void> => {
    try {
      await ctx.api.editMessageReplyMarkup(place.telegramId, messageId);
    } catch (error) {
      log.debug({ kind: telegramFailure(error).kind }, 'buttons could not be taken off');
    }
  };

  const request: RequestContext = {
    updateId: ctx.update.update_id,
    bot: { id: ctx.me.id, username: ctx.me.username },
    chat,
    isAway: place.id !== chat.id,
    isPrivate: place.type === 'private',
    threadId,
    threadTitle: ctx.message?.reply_to_message?.forum_topic_created?.name,
    person,
    role,
    locale,
    format: createFormat(
      locale,
      chat.timeZone ?? deps.defaults.timeZone,
      seesNumbers(chat.showsNumbers, place.type === 'private' && place.id === chat.id),
    ),
    binding,
    capabilities: deps.gateways.capabilities(binding?.kinds ?? []),
    log,
    inForm: identity.form !== null,
    isEdit: false,
    messageId: said?.message_id ?? null,
    writtenAt: said === undefined ? null : new Date(said.date * 1000),
    pressedMessageId,
    pressedPicture,
    file: fileOf(said),
    contact: contactOf(said),
    subject: subjectOf(pressed, person.id, ctx.me.username),
    repliedTo: repliedTo(said),
    can: (permission) => can(role, permission),

    async say(content, options = {}) {
      const { forceReply, replyTo = forceReply } = options;
      return await send(content, options.chatTelegramId ?? place.telegramId, {
        ...(forceReply === undefined
          ? await markupOf(options.buttons)
          : { reply_markup: { force_reply: true, selective: true } }),
        ...(replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      });
    },

    async sendFile(file, options = {}) {
      const sent = await ctx.api.sendDocument(place.telegramId, new InputFile(file.content, file.name), {
        ...(options.caption === undefined ? {} : { caption: options.caption.markup, parse_mode: 'HTML' }),
        ...(threadId === undefined ? {} : { message_thread_id: threadId }),
        ...(await markupOf(options.buttons)),
      });
      return sent.message_id;
    },
    async sendPicture(picture, options = {}) {
      const sent = await ctx.api.sendPhoto(place.telegramId, new InputFile(picture, PICTURE_NAME), {
        ...(options.caption === undefined ? {} : { caption: options.caption.markup, parse_mode: 'HTML' }),
        ...(threadId === undefined ? {} : { message_thread_id: threadId }),
        ...(await markupOf(options.buttons)),
      });
      return sent.message_id;
    },
    async download(file, maxBytes) {
      if (file.size > maxBytes) throw tooLarge(maxBytes);
      const { file_path: path, file_size: size = 0 } = await ctx.api.getFile(file.id);
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (path === undefined)
        throw new AppError('bad_input', 'Telegram has the file no longer', {
          params: { field: 'file', reason: 'gone' },
        });
      return await deps.readFile(path, maxBytes);
    },
    async rewrite(content, options = {}) {
      if (pressedMessageId === null) {
        if (options.picture === undefined) await request.say(content, options);
        else await request.sendPicture(options.picture, { ...options, caption: content });
        return;
      }
      if (pressedPicture) {
        const caption = { caption: content.markup, parse_mode: 'HTML' } as const;
        const markup = await markupOf(options.buttons);
        if (options.picture === undefined) {
          await ctx.api.editMessageCaption(place.telegramId, pressedMessageId, { ...caption, ...markup });
          return;
        }
        const media = new InputFile(options.picture, PICTURE_NAME);
        await ctx.api.editMessageMedia(
          place.telegramId,
          pressedMessageId,
          { type: 'photo', media, ...caption },
          markup,
        );
        return;
      }
      await ctx.api.editMessageText(place.telegramId, pressedMessageId, content.markup, {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(await markupOf(options.buttons)),
      });
    },

    disarm,

    async forget() {
      if (ctx.message === undefined) return false;
      try {
        return await ctx.api.deleteMessage(place.telegramId, ctx.message.message_id);
      } catch {
        return false;
      }
    },

    async ask(form, given = {}, before) {
      await ctx.form.enter({ command: form, typed: given, before });
    },

    endQuestion: async (known) => await ctx.form.end(known),

    async isTelegramAdmin() {
      const member = await memberNow(person.id);
      return member === null ? null : member.status === 'creator' || member.status === 'administrator';
    },

    async seenNow(personId) {
      const member = await memberNow(personId);
      if (member === null) return null;
      const { status, user: seen } = member;
      const isIn = status === 'restricted' ? member.is_member : status !== 'left' && status !== 'kicked';
      return { id: seen.id, name: nameOf(seen), username: seen.username ?? null, isIn };
    },

    postingRight: async (wanted) =>
      await postingRight(ctx.api, ctx.me.id, { place: wanted, personId: person.id }),

    atHome: async (home) => await requestAtHome(deps, ctx, home, place),

    startLink: (payload) => `https://t.me/${ctx.me.username}?start=${payload}`,
  };
  return request;
}

function fileOf(message: Message | undefined): IncomingFile | null {
  const document = message?.document;
  // Telegram brings a GIF along as a document too.
  if (document === undefined || message?.animation !== undefined) return null;
  return { id: document.file_id, name: document.file_name ?? '', size: document.file_size ?? 0 };
}

function subjectOf(
  pressed: MaybeInaccessibleMessage | undefined,
  personId: number,
  botUsername: string,
): RequestContext['subject'] {
  const target =
    pressed !== undefined && 'reply_to_message' in pressed ? pressed.reply_to_message : undefined;
  if (target?.from?.id !== personId) return null;
  const { message_id: messageId } = target;
  return {
    messageId,
    words: wordsOf(target, botUsername),
    file: fileOf(target),
    contact: contactOf(target),
  };
}

/** In a topic every message replies to the one that opened it, which says nothing about a person. */
function repliedTo(message: Message | undefined): RequestContext['repliedTo'] {
  const target = message?.reply_to_message;
  if (target?.from === undefined || target.forum_topic_created !== undefined) return null;
  const { from } = target;
  if (from.is_bot || target.sender_chat !== undefined || from.id === TELEGRAM_ITSELF) return null;
  return { id: from.id, name: nameOf(from), username: from.username ?? null };
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('bad_input', 'the file is too large', {
    params: { field: 'file', reason: 'too_large', limit: maxBytes },
  });
}
