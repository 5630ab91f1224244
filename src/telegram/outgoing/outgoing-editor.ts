import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Html } from '../html.ts';
import { telegramFailure } from './errors.ts';
import type { PaceClock, Waiting } from './outgoing-pace.ts';

interface CardEdit {
  readonly chatId: number;
  readonly messageId: number;
  readonly text: Html;
  /** Left out, the message loses its buttons. */
  readonly replyMarkup?: InlineKeyboardMarkup;
  /** Milliseconds that must lie between the last edit of this message and this one. */
  readonly minGapMs?: number;
}

/** What became of an edit: this content or newer is shown, or there is no such message any more. */
type EditOutcome = 'shown' | 'gone';

export interface CardEditor {
  /**
   * Shows new content on a message. Of several edits in a short time only the newest is sent; the
   * last one always is. Resolves when this content or newer is on the message.
   * @throws what the Bot API call throws, when it fails for another reason than a flood limit
   */
  edit(edit: CardEdit): Promise<EditOutcome>;
  /** Sends what waits for its gap now and resolves when nothing is pending. Never rejects. */
  flush(): Promise<void>;
  /** Resolves when nothing is pending. Never rejects. */
  idle(): Promise<void>;
  /** Messages that are remembered. */
  size(): number;
}

/** The payload of editMessageText that an edit stands for. */
export interface EditPayload {
  readonly chat_id: number;
  readonly message_id: number;
  readonly text: string;
  readonly parse_mode: 'HTML';
  readonly link_preview_options: { readonly is_disabled: true };
  readonly reply_markup?: InlineKeyboardMarkup;
}

export interface EditorDeps {
  readonly clock: PaceClock;
  readonly waiting: Waiting;
  readonly defaultGapMs: number;
  /**
   * Calls editMessageText. What counts is what `newest` gives at the moment of sending, which can be
   * long after the call when a flood limit holds it up; `current` is what it would give now.
   */
  readonly send: (current: EditPayload, newest: () => EditPayload) => Promise<unknown>;
}

export function createCardEditor(deps: EditorDeps): CardEditor {
  const cards = new Map<string, Card>();
  const unsettled = new Set<Promise<EditOutcome>>();
  let flushing = 0;

  /** Sends until nothing is pending, then stays for the gap so that the next edit keeps its distance. */
  async function work(key: string, card: Card): Promise<void> {
    while (card.pending !== null) {
      await keepGap(card);
      // Also what it has shown last: another process may have shown something else since.
      await send(card, card.pending);
      card.sentAt = deps.clock.now();
      if (card.pending !== null) continue;
      if (flushing === 0) await rest(card, card.longestGapMs);
    }
    cards.delete(key);
  }

  async function keepGap(card: Card): Promise<void> {
    while (!deps.waiting.stopped()) {
      const gap = card.pending?.minGapMs ?? deps.defaultGapMs;
      card.longestGapMs = Math.max(card.longestGapMs, gap);
      const left = card.sentAt + (flushing > 0 ? 0 : gap) - deps.clock.now();
      if (left <= 0) return;
      await rest(card, left);
    }
  }

  async function send(card: Card, first: CardEdit): Promise<void> {
    let sent = first;
    const waiters: Waiter[] = [];
    const take = (): void => {
      sent = card.pending ?? sent;
      card.pending = null;
      waiters.push(...card.waiters.splice(0));
    };
    try {
      await deps.send(payloadOf(first), () => {
        take();
        return payloadOf(sent);
      });
      if (card.pending === first) take();
      for (const waiter of waiters) waiter.resolve('shown');
    } catch (error) {
      if (card.pending === first) take();
      const { kind } = telegramFailure(error);
      // Something newer is to follow, and settles these too.
      if (card.pending !== null && kind !== 'message_gone') {
        card.waiters.unshift(...waiters);
        return;
      }
      for (const waiter of waiters) {
        if (kind === 'message_gone') waiter.resolve('gone');
        else waiter.reject(error);
      }
    }
  }

  /** Ends early when an edit or a flush comes in between. */
  async function rest(card: Card, ms: number): Promise<void> {
    const wake = new AbortController();
    card.wake = wake;
    await deps.waiting.sleep(ms, wake.signal).catch(() => {});
    card.wake = null;
  }

  async function idle(): Promise<void> {
    while (unsettled.size > 0) await Promise.allSettled(unsettled);
  }

  return {
    edit(edit) {
      const key = `${edit.chatId}:${edit.messageId}`;
      const { promise, resolve, reject } = Promise.withResolvers<EditOutcome>();
      const forget = (): void => {
        unsettled.delete(promise);
      };
      unsettled.add(promise);
      promise.then(forget, forget);
      const card = cards.get(key);
      if (card !== undefined) {
        card.pending = edit;
        card.waiters.push({ resolve, reject });
        card.wake?.abort();
        return promise;
      }
      const fresh: Card = {
        pending: edit,
        waiters: [{ resolve, reject }],
        sentAt: Number.NEGATIVE_INFINITY,
        longestGapMs: deps.defaultGapMs,
        wake: null,
      };
      cards.set(key, fresh);
      void work(key, fresh);
      return promise;
    },
    async flush() {
      flushing += 1;
      for (const card of cards.values()) card.wake?.abort();
      await idle();
      flushing -= 1;
    },
    idle,
    size: () => cards.size,
  };
}

interface Waiter {
  readonly resolve: (outcome: EditOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Card {
  pending: CardEdit | null;
  readonly waiters: Waiter[];
  sentAt: number;
  longestGapMs: number;
  wake: AbortController | null;
}

function payloadOf(edit: CardEdit): EditPayload {
  return {
    chat_id: edit.chatId,
    message_id: edit.messageId,
    text: edit.text.markup,
    parse_mode: 'HTML',
    // A card may quote somebody's text, and its links must not unfold under it.
    link_preview_options: { is_disabled: true },
    ...(edit.replyMarkup === undefined ? {} : { reply_markup: edit.replyMarkup }),
  };
}
