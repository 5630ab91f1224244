import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Html } from '../html.ts';
import { LeftOut, telegramFailure } from './errors.ts';
import type { PaceClock, Waiting } from './outgoing-pace.ts';

interface CardEdit {
  readonly chatId: number;
  readonly messageId: number;
  readonly text: Html;
  /** Left out, the message loses its buttons. */
  readonly replyMarkup?: InlineKeyboardMarkup;
  /** Milliseconds that must lie between the last edit of this message and this one. */
  readonly minGapMs?: number;
  /** Rather fails with {@link LeftOut} than waits for that, or for the pace of the chat. */
  readonly orLater?: boolean;
}

/** What became of an edit: this content or newer is shown, or there is no such message any more. */
type EditOutcome = 'shown' | 'gone';

export interface CardEditor {
  /**
   * Shows new content on a message. Of several edits in a short time only the newest is sent; the
   * last one always is. Resolves when this content or newer is on the message.
   * @throws what the Bot API call throws, when it fails for another reason than a flood limit; LeftOut
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
   * long after the call when a flood limit holds it up; `current` is what it would give now. `waits` is called when it
   * is held up, with the milliseconds for which it is so at least.
   */
  readonly send: (
    current: EditPayload,
    newest: () => EditPayload,
    worth: 'ordinary' | 'later',
    waits: (ms: number) => void,
  ) => Promise<unknown>;
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
      if (await send(card, card.pending)) card.sentAt = deps.clock.now();
      if (card.pending !== null) continue;
      if (flushing === 0) await rest(card, card.longestGapMs);
    }
    cards.delete(key);
  }

  function gapLeft(card: Card, gap: number): number {
    return card.sentAt + (flushing > 0 ? 0 : gap) - deps.clock.now();
  }

  async function keepGap(card: Card): Promise<void> {
    while (!deps.waiting.stopped()) {
      const gap = card.pending?.minGapMs ?? deps.defaultGapMs;
      card.longestGapMs = Math.max(card.longestGapMs, gap);
      const left = gapLeft(card, gap);
      if (left <= 0) return;
      await rest(card, left);
    }
  }

  /** Whether Telegram was asked. */
  async function send(card: Card, first: CardEdit): Promise<boolean> {
    let sent = first;
    const waiters: Waiter[] = [];
    const take = (): void => {
      sent = card.pending ?? sent;
      card.pending = null;
      waiters.push(...card.waiters.splice(0));
    };
    const newest = (): EditPayload => {
      take();
      return payloadOf(sent);
    };
    const worth = card.waiters.every(({ orLater }) => orLater) ? 'later' : 'ordinary';
    const waits = (ms: number): void => {
      if (worth === 'later') return;
      const left = Math.max(ms, LEAST_WAIT_MS);
      card.heldUntil = deps.clock.now() + left;
      card.waiters = leaveOut(card.waiters, new LeftOut(left));
    };
    try {
      await deps.send(payloadOf(first), newest, worth, waits);
      if (card.pending === first) take();
      for (const waiter of waiters) waiter.resolve('shown');
    } catch (error) {
      if (error instanceof LeftOut) {
        take();
        card.waiters = leaveOut(waiters, error);
        // Somebody who waits has joined them meanwhile.
        if (card.waiters.length > 0) card.pending = sent;
        return false;
      }
      if (card.pending === first) take();
      const { kind } = telegramFailure(error);
      // Something newer is to follow, and settles these too.
      if (card.pending !== null && kind !== 'message_gone') {
        card.waiters.unshift(...waiters);
        return true;
      }
      for (const waiter of waiters) {
        if (kind === 'message_gone') waiter.resolve('gone');
        else waiter.reject(error);
      }
    } finally {
      card.heldUntil = Number.NEGATIVE_INFINITY;
    }
    return true;
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
      const known = cards.get(key);
      const { orLater = false, minGapMs = deps.defaultGapMs } = edit;
      const left =
        known === undefined ? 0 : Math.max(gapLeft(known, minGapMs), known.heldUntil - deps.clock.now());
      if (orLater && left > 0) return Promise.reject(new LeftOut(left));
      const { promise, resolve, reject } = Promise.withResolvers<EditOutcome>();
      const forget = (): void => {
        unsettled.delete(promise);
      };
      unsettled.add(promise);
      promise.then(forget, forget);
      if (known !== undefined) {
        known.pending = edit;
        known.waiters.push({ resolve, reject, orLater });
        known.wake?.abort();
        return promise;
      }
      const fresh: Card = {
        pending: edit,
        waiters: [{ resolve, reject, orLater }],
        heldUntil: Number.NEGATIVE_INFINITY,
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

/** Whoever is not to wait, and finds somebody who does, comes back after this at the earliest. */
const LEAST_WAIT_MS = 1000;

/** Sends those away who come back later; gives the others. */
function leaveOut(waiters: readonly Waiter[], error: LeftOut): Waiter[] {
  for (const { orLater, reject } of waiters) if (orLater) reject(error);
  return waiters.filter(({ orLater }) => !orLater);
}

interface Waiter {
  readonly resolve: (outcome: EditOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly orLater: boolean;
}

interface Card {
  pending: CardEdit | null;
  waiters: Waiter[];
  /** Until then at least what is being sent waits for the pace of the chat, for somebody who waits with it. */
  heldUntil: number;
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
