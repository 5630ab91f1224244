import type { Api } from 'grammy';
import type { Clock, Log } from '../ports/runtime.ts';
import { telegramFailure } from './errors.ts';
import type { Intake } from './intake.ts';

export interface Polling {
  /** Ends the open question to Telegram and resolves when the loop has ended. */
  stop(): Promise<void>;
  /** When Telegram answered last; null before the first time. */
  lastAnswer(): Date | null;
}

const WAIT_SECONDS = 50;
const LONGEST_PAUSE_MS = 30_000;
const KINDS = ['message', 'callback_query', 'my_chat_member'] as const;

/**
 * Long polling. Updates are acknowledged only with the next question, after `accept` has written them: what
 * is not written comes again.
 */
export function startPolling(deps: {
  readonly api: Api;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Log;
}): Polling {
  const { api, intake, clock, log } = deps;
  const stopping = new AbortController();
  let last: Date | null = null;
  const ended = run();

  return {
    lastAnswer: () => last,
    async stop() {
      stopping.abort();
      await ended;
    },
  };

  async function run(): Promise<void> {
    let offset = 0;
    let pause = 500;
    while (!stopping.signal.aborted) {
      try {
        const updates = await api.getUpdates(
          { offset, timeout: WAIT_SECONDS, limit: 100, allowed_updates: KINDS },
          isClientSignal(stopping.signal) ? stopping.signal : undefined,
        );
        await intake.accept(updates);
        last = clock.now();
        offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
        pause = 500;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const { kind } = telegramFailure(error);
        log.warn(
          kind === 'unknown' ? { err: error, pauseMs: pause } : { kind, pauseMs: pause },
          'updates could not be taken in',
        );
        await clock.sleep(pause, stopping.signal).catch(() => undefined);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}

/** The client's signal type is that of an older package; what it uses, the built-in one has. */
export function isClientSignal(signal: unknown): signal is NonNullable<Parameters<Api['getUpdates']>[1]> {
  return signal instanceof AbortSignal;
}
