import type { Api } from 'grammy';
import { AppError } from '../domain/errors.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { telegramFailure, type TelegramFailure } from '../telegram/outgoing/errors.ts';
import { isClientSignal } from '../telegram/updates/polling.ts';

const TELEGRAM_API = 'https://api.telegram.org';

/** Where the Bot API is asked. */
export function apiRootOf({ telegram }: Pick<Config, 'telegram'>): string {
  return telegram.apiRoot ?? TELEGRAM_API;
}

/** A token that Telegram does not know: that never becomes right. */
export function tokenRefused(): AppError {
  return new AppError('config', 'Telegram refuses the bot token', {
    params: { TELEGRAM_BOT_TOKEN: 'Telegram does not know this bot token' },
  });
}

interface Asking {
  readonly config: Pick<Config, 'telegram' | 'proxy'>;
  /** Where Telegram is asked. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks Telegram who the bot is, until it answers: it may be out of reach when Peyk starts. Each time that it is, the log
 * says where, why and what to try.
 * @throws AppError `config` for a token that Telegram does not know, since that never becomes right; the signal's reason
 *   where it was aborted
 */
export async function whoAmI(api: Api, { config, host, clock, log, signal }: Asking) {
  for (let pause = 500; ; pause = Math.min(pause * 2, 30_000)) {
    try {
      return await api.getMe(isClientSignal(signal) ? signal : undefined);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = telegramFailure(error);
      if (failure.kind === 'unauthorized') throw tokenRefused();
      const why = whyNoAnswer(failure, { config, host });
      log.warn({ kind: failure.kind, ...why, pauseMs: pause }, 'Telegram does not answer yet');
      await clock.sleep(pause, signal);
    }
  }
}

/** Where, why and what to try. */
export function whyNoAnswer(
  { description = '' }: TelegramFailure,
  { config, host }: Pick<Asking, 'config' | 'host'>,
) {
  const { proxy, telegram } = config;
  const at = proxy === null ? host : `${host}, by the proxy ${new URL(proxy.url.reveal()).host}`;
  const known = REASONS.find(([code]) => code.test(description))?.[1];
  return {
    host: at,
    reason: known === undefined ? description : `${known} (${description})`,
    hint:
      proxy !== null
        ? 'is PROXY_URL right, does the proxy run, and may it be used for this?'
        : telegram.apiRoot === null
          ? 'where Telegram is blocked, PROXY_URL names a proxy that leads there'
          : 'is TELEGRAM_API_ROOT right, and does the server run?',
  };
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED$/u, 'the connection is refused: nothing listens there'],
  [/ENOTFOUND$|EAI_AGAIN$/u, 'the name cannot be resolved'],
  [/TIMEOUT$|ETIMEDOUT$/u, 'no answer in time'],
  [/EHOSTUNREACH$|ENETUNREACH$/u, 'there is no way there'],
  [/ECONNRESET$|UND_ERR_SOCKET$/u, 'the connection was cut'],
  [/CERT|TLS|SSL/u, 'its certificate is not trusted'],
  // A proxy that answers a CONNECT by anything but yes.
  [/^UND_ERR_ABORTED$|SOCKS5_AUTH/u, 'the proxy refuses: it may want another user or password'],
  [/SOCKS5_REPLY/u, 'the proxy cannot reach it'],
  [/^HTTP_/u, 'something answers there that is not Telegram'],
];
