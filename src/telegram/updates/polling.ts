import type { Api } from 'grammy';
import type { Clock, Log } from '../../ports/runtime.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import type { Intake } from './intake.ts';

export interface Polling {
  /** Asks Telegram for updates until the signal is aborted, and resolves when the last question has ended. */
  run(signal: AbortSignal): Promise<void>;
  /** Why no updates may come from Telegram, in plain words; null: they come. */
  problem(): string | null;
}

const WAIT_SECONDS = 50;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A long poll answers within a minute; two without one mean that something is wrong. */
const SILENCE_MS = 120_000;
/** One refusal may be the last question of the process that led before. */
const CONFLICTS = 2;
/** Whoever else asks for updates does so again within this. */
const CALM_MS = 10_000;

/** Why nothing comes before somebody has seen to the token. */
export const TOKEN_REFUSED = 'Telegram refuses the bot token';

/**
 * What Telegram is asked for. Edits, and what is posted in channels, are looked through for keys and do nothing else. Reactions
 * are brought of private chats, and of groups where the bot is an administrator.
 */
export const UPDATE_KINDS = [
  'message',
  'callback_query',
  'my_chat_member',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'message_reaction',
] as const;

/**
 * Long polling. Updates are acknowledged only with the next question, after `accept` has written them: what
 * is not written comes again, to whoever asks next. Telegram answers one asker of a token at a time.
 */
export function createPolling(deps: {
  readonly api: Api;
  readonly intake: Pick<Intake, 'accept' | 'room'>;
  readonly clock: Clock;
  readonly log: Log;
}): Polling {
  const { api, intake, clock, log } = deps;
  /** By a clock that nobody sets. */
  let last: number | null = null;
  let isHeld = false;
  let refused: { readonly kind: string; readonly times: number; readonly at: number } | null = null;

  const failed = (kind: string): void => {
    const times = refused?.kind === kind ? refused.times + 1 : 1;
    refused = { kind, times, at: clock.monotonic() };
  };
  const answered = (waited: boolean): void => {
    last = clock.monotonic();
    // Two that ask by turns are both answered now and then.
    if (refused?.kind !== 'conflict' || (waited && last - refused.at > CALM_MS)) refused = null;
  };

  return {
    problem() {
      if (refused?.kind === 'unauthorized') return TOKEN_REFUSED;
      if (refused?.kind === 'conflict' && refused.times >= CONFLICTS)
        return 'another program asks for the updates of this bot';
      if (last === null) return 'no answer from Telegram yet';
      if (clock.monotonic() - last <= SILENCE_MS) return null;
      return isHeld
        ? 'too many updates in hand: for two minutes no more have been asked for'
        : 'no answer from Telegram for two minutes';
    },
    async run(signal) {
      last = null;
      refused = null;
      let offset = 0;
      let pause = FIRST_PAUSE_MS;
      /** After a failure the first answer is wanted at once: it shows that Telegram is there. */
      let waits = false;
      while (!signal.aborted) {
        const room = intake.room(signal);
        if (room !== null) {
          isHeld = true;
          await room;
          isHeld = false;
          continue;
        }
        try {
          const updates = await api.getUpdates(
            { offset, timeout: waits ? WAIT_SECONDS : 0, limit: 100, allowed_updates: UPDATE_KINDS },
            isClientSignal(signal) ? signal : undefined,
          );
          answered(waits);
          await intake.accept(updates);
          offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
          waits = true;
          if (refused === null) pause = FIRST_PAUSE_MS;
        } catch (error) {
          if (signal.aborted) return;
          waits = false;
          const { kind } = telegramFailure(error);
          if (kind !== 'unknown') failed(kind);
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
