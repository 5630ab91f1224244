import type { Api } from 'grammy';
import type { Secret } from '../../domain/secret.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { isClientSignal, TOKEN_REFUSED, UPDATE_KINDS } from './polling.ts';

export interface WebhookAddress {
  /** Tells Telegram where updates are to be brought and looks now and then whether that still holds, until the signal. */
  run(signal: AbortSignal): Promise<void>;
  /** Why updates may not arrive, as far as this process has looked; null: they do. */
  problem(): string | null;
}

const LOOK_MS = 300_000;
const LONGEST_PAUSE_MS = 30_000;
/** Telegram keeps the last failure of a delivery for ever; only a recent one says something. */
const RECENT_SECONDS = 600;

/** Keeps the webhook of the bot at an address, also when somebody else with the token has moved it. */
export function createWebhookAddress(deps: {
  readonly api: Api;
  readonly url: string;
  readonly secret: Secret;
  readonly clock: Clock;
  readonly log: Log;
}): WebhookAddress {
  const { api, url, secret, clock, log } = deps;
  let problem: string | null = 'Telegram has not been told yet where to bring updates';

  return {
    problem: () => problem,
    async run(signal) {
      let pause = 500;
      let isSet = false;
      while (!signal.aborted) {
        try {
          const stop = isClientSignal(signal) ? signal : undefined;
          if (!isSet)
            await api.setWebhook(url, { secret_token: secret.reveal(), allowed_updates: UPDATE_KINDS }, stop);
          const info = await api.getWebhookInfo(stop);
          const isOurs = info.url === url;
          if (!isOurs) log.error({}, 'somebody else has moved the webhook of this bot; it is set again');
          problem = isOurs ? deliveryProblem(info, clock.now()) : 'the webhook points somewhere else';
          isSet = isOurs;
          pause = 500;
          if (isOurs) await rest(LOOK_MS, signal);
        } catch (error) {
          if (signal.aborted) return;
          const { kind } = telegramFailure(error);
          problem = kind === 'unauthorized' ? TOKEN_REFUSED : 'Telegram could not be asked about the webhook';
          log.warn({ kind, pauseMs: pause }, 'the webhook could not be looked after');
          await rest(pause, signal);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        }
      }
    },
  };

  async function rest(ms: number, signal: AbortSignal): Promise<void> {
    await clock.sleep(ms, signal).catch(() => undefined);
  }
}

/** Whether Telegram has failed of late to bring what waits; null: no. */
export function deliveryProblem(
  info: { readonly pending_update_count: number; readonly last_error_date?: number },
  now: Date,
): string | null {
  const { pending_update_count: waiting, last_error_date: failedAt } = info;
  const isRecent = failedAt !== undefined && now.getTime() / 1000 - failedAt < RECENT_SECONDS;
  return isRecent && waiting > 0 ? 'Telegram could not bring updates here of late' : null;
}
