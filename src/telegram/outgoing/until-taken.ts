import { telegramFailure } from './errors.ts';

const MAX_TRIES = 3;

/**
 * Sends what does no harm where it comes twice, and would where it came not at all: a few times, as long as Telegram's answer is lost.
 * @param lost told each time before it is sent once more
 */
export async function untilTaken<T>(send: () => Promise<T>, lost: () => void = () => undefined): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (telegramFailure(error).kind !== 'lost_answer' || tries >= MAX_TRIES) throw error;
      lost();
    }
  }
}
