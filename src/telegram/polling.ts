import type { Api } from 'grammy';
import type { Clock, Log } from '../ports/runtime.ts';
import { telegramFailure } from './errors.ts';
import type { Intake } from './intake.ts';

export interface Polling {
  /** Asks Telegram for updates until the signal is aborted, and resolves when the last question has ended. */
  run(signal: AbortSignal): Promise<void>;
  /** When Telegram answered last in this run; null before the first time. */
  lastAnswer(): Date | null;
}

const WAIT_SECONDS = 50;
const LONGEST_PAUSE_MS = 30_000;

/** What Telegram is asked for. */
export const UPDATE_KINDS = ['message', 'callback_query', 'my_chat_member'] as const;

/**
 * Long polling. Updates are acknowledged only with the next question, after `accept` has written them: what
 * is not written comes again, to whoever asks next. Telegram answers one asker of a token at a time.
 */
export function createPolling(deps: {
  readonly api: Api;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Log;
}): Polling {
  const { api, intake, clock, log } = deps;
  let last: Date | null = null;

  return {
    lastAnswer: () => last,
    async run(signal) {
      last = null;
      let offset = 0;
      let pause = 500;
      while (!signal.aborted) {
        try {
          const updates = await api.getUpdates(
            // The first answer comes at once: it shows that Telegram is there.
            { offset, timeout: last === null ? 0 : WAIT_SECONDS, limit: 100, allowed_updates: UPDATE_KINDS },
            isClientSignal(signal) ? signal : undefined,
          );
          await intake.accept(updates);
          last = clock.now();
          offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
          pause = 500;
        } catch (error) {
          if (signal.aborted) return;
          const { kind } = telegramFailure(error);
          log.warn(
            kind === 'unknown' ? { err: error, pauseMs: pause } : { kind, pauseMs: pause },
            'updates could not be taken in',
          );
          // Nobody is told apart from a webhook of earlier; from another who polls it takes nothing.
          if (kind === 'conflict') await api.deleteWebhook().catch(() => undefined);
          await clock.sleep(pause, signal).catch(() => undefined);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        }
      }
    },
  };
}

/** The client's signal type is that of an older package; what it uses, the built-in one has. */
export function isClientSignal(signal: unknown): signal is NonNullable<Parameters<Api['getUpdates']>[1]> {
  return signal instanceof AbortSignal;
}
