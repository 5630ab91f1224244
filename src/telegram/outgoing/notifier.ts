import type { Api } from 'grammy';
import type { Locale } from '../../i18n/define.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Log } from '../../ports/runtime.ts';
import type { ButtonStore } from '../../ports/stores.ts';
import { keyboard, type Buttons } from '../buttons.ts';
import type { Html } from '../html.ts';
import { telegramFailure, untilTaken } from './errors.ts';
import type { CardEditor } from './outgoing-editor.ts';

export interface MessageRef {
  readonly chatTelegramId: number;
  readonly threadId: number | null;
  readonly messageId: number | null;
}

export interface RenderedCard {
  readonly content: Html;
  readonly buttons: Buttons;
}

export interface CardContent extends RenderedCard {
  readonly chatId: string;
  readonly locale: Locale;
  /** Nobody has asked for it: it is shown from time to time, and the newest content always gets there. */
  readonly isProgress?: boolean;
  /** `show` rather fails with LeftOut than waits for that, or for Telegram's pace. */
  readonly orLater?: boolean;
  /** Asked right before Telegram is: false when newer content has gone ahead of this. */
  readonly goAhead: () => boolean;
  /** Told instead of sending another message where the one that shows the card is gone. */
  readonly onGone?: () => void;
}

/** What is said about a card, in its chat. */
export type Said = Pick<CardContent, 'chatId' | 'locale' | 'content' | 'buttons'>;

/** Shows cards: sends a new one, edits the one that is there. */
export interface Notifier {
  /**
   * Returns the id of the message that shows the card now: another one when the old is gone. Null when it
   * cannot be known (the answer was lost: it is not sent again) or cannot be shown (the bot was blocked or removed).
   */
  show(place: MessageRef, card: CardContent): Promise<number | null>;
  /** Leaves a line without buttons where a card was; nothing where the message is gone. */
  retire(place: MessageRef, content: Html): Promise<void>;
  /** Deletes a message, or takes its buttons off where it cannot, or where its text stays; false where another try may do so. */
  withdraw(place: MessageRef, how?: { readonly keepsText: boolean }): Promise<boolean>;
  /** Says something about a card, as a reply to it, with buttons where there are any. Nothing happens where nothing can be shown. */
  tell(place: MessageRef, said: Said): Promise<void>;
}

export function createNotifier(deps: {
  readonly api: Api;
  readonly editor: CardEditor;
  readonly buttons: ButtonStore;
  readonly metrics: Pick<Metrics, 'possibleDuplicate'>;
  readonly log: Log;
}): Notifier {
  return {
    async show(place, card) {
      try {
        return await showCard(place, card);
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!FINAL.has(kind)) throw error;
        deps.log.info({ kind, chat: card.chatId }, 'a card could not be shown');
        return null;
      }
    },

    async retire({ chatTelegramId, messageId }, content) {
      if (messageId === null) return;
      try {
        await deps.editor.edit({ chatId: chatTelegramId, messageId, text: content, minGapMs: 0 });
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!FINAL.has(kind)) throw error;
        deps.log.info({ kind }, 'a card that has moved could not be closed');
      }
    },

    async withdraw({ chatTelegramId, messageId }, { keepsText } = { keepsText: false }) {
      if (messageId === null) return true;
      const disarm = async () => await deps.api.editMessageReplyMarkup(chatTelegramId, messageId);
      try {
        await (keepsText ? disarm() : deps.api.deleteMessage(chatTelegramId, messageId).catch(disarm));
        return true;
      } catch (error) {
        const { kind } = telegramFailure(error);
        deps.log.info({ kind }, 'a message could not be taken away');
        return !PASSING.has(kind);
      }
    },

    async tell({ chatTelegramId, threadId, messageId }, { chatId, locale, content, buttons }) {
      try {
        const markup = await keyboard(deps.buttons, chatId, locale, buttons);
        await untilTaken(
          async () =>
            await deps.api.sendMessage(chatTelegramId, content.markup, {
              parse_mode: 'HTML',
              link_preview_options: { is_disabled: true },
              ...(threadId === null ? {} : { message_thread_id: threadId }),
              ...(messageId === null
                ? {}
                : { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } }),
              ...(markup === undefined ? {} : { reply_markup: markup }),
            }),
          () => deps.metrics.possibleDuplicate(),
        );
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!FINAL.has(kind)) throw error;
        deps.log.info({ kind }, 'something about a card could not be said');
      }
    },
  };

  async function showCard(place: MessageRef, card: CardContent): Promise<number | null> {
    const markup = await keyboard(deps.buttons, card.chatId, card.locale, card.buttons);
    if (!card.goAhead()) return null;
    if (place.messageId !== null) {
      const shown = await deps.editor.edit({
        chatId: place.chatTelegramId,
        messageId: place.messageId,
        text: card.content,
        minGapMs: card.isProgress === true ? PROGRESS_GAP_MS : 0,
        orLater: card.orLater ?? false,
        ...(markup === undefined ? {} : { replyMarkup: markup }),
      });
      if (shown === 'shown') return place.messageId;
      if (card.onGone !== undefined) return (card.onGone(), null);
    }
    // Two cards of one draft do no harm: whichever is pressed, the draft is confirmed once. None at all does.
    const sent = await untilTaken(
      async () =>
        await deps.api.sendMessage(place.chatTelegramId, card.content.markup, {
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
          ...(place.threadId === null ? {} : { message_thread_id: place.threadId }),
          ...(markup === undefined ? {} : { reply_markup: markup }),
        }),
      () => deps.metrics.possibleDuplicate(),
    );
    return sent.message_id;
  }
}

const PROGRESS_GAP_MS = 5000;

/** What is deleted once more after these is gone, and nothing else is. */
const PASSING: ReadonlySet<string> = new Set(['lost_answer', 'surely_unsent', 'too_many']);

/** After these, trying again would show nothing or show it twice. */
const FINAL: ReadonlySet<string> = new Set([
  'lost_answer',
  'blocked',
  'kicked',
  'chat_gone',
  'no_rights',
  'thread_gone',
]);
