import type { Update } from '@grammyjs/types';
import type { Clock } from '../../ports/runtime.ts';

/** Knows which press of a button was made while an equal one was still being answered: an impatient finger, not a second wish. */
export interface PressRepeats {
  arrived(update: Update): void;
  isRepeat(updateId: number): boolean;
  ended(update: Update): void;
}

/** What another process handles never ends here. */
const LONGEST_MS = 60_000;

export function createPressRepeats(clock: Pick<Clock, 'monotonic'>): PressRepeats {
  /** By person, message and button. */
  const inHand = new Map<string, { readonly id: number; readonly at: number }>();
  const repeats = new Map<number, number>();

  return {
    arrived(update) {
      const key = keyOf(update);
      if (key === null) return;
      const now = clock.monotonic();
      for (const [each, { at }] of inHand) if (now - at > LONGEST_MS) inHand.delete(each);
      for (const [each, at] of repeats) if (now - at > LONGEST_MS) repeats.delete(each);
      const first = inHand.get(key);
      if (first === undefined) inHand.set(key, { id: update.update_id, at: now });
      else if (first.id !== update.update_id) repeats.set(update.update_id, now);
    },

    isRepeat: (updateId) => repeats.has(updateId),

    ended(update) {
      const key = keyOf(update);
      repeats.delete(update.update_id);
      if (key !== null && inHand.get(key)?.id === update.update_id) inHand.delete(key);
    },
  };
}

/** Null for what is no press, or none that Telegram writes: it has not been read by now. */
function keyOf({ callback_query: press }: Update): string | null {
  try {
    const { message, from, data } = press ?? {};
    return message === undefined || from === undefined || data === undefined
      ? null
      : `${from.id} ${message.chat.id} ${message.message_id} ${data}`;
  } catch {
    return null;
  }
}
