import { BotError, GrammyError, HttpError } from 'grammy';

type TelegramFailureKind =
  | 'blocked'
  | 'chat_gone'
  | 'kicked'
  | 'no_rights'
  | 'thread_gone'
  | 'too_many'
  | 'migrated'
  | 'not_modified'
  | 'message_gone'
  | 'query_too_old'
  | 'unauthorized'
  | 'conflict'
  | 'lost_answer'
  | 'surely_unsent'
  | 'left_out'
  | 'refused'
  | 'unknown';

export interface TelegramFailure {
  readonly kind: TelegramFailureKind;
  /** Telegram's own words without anything quoted from the message, fit for the log. */
  readonly description?: string;
  /** Seconds to wait, with `too_many`. */
  readonly retryAfter?: number;
  /** The chat's new id, with `migrated`. */
  readonly migrateTo?: number;
}

/** The request never left for Telegram, so doing it again cannot do it twice. */
export class SurelyUnsent extends Error {
  override readonly name = 'SurelyUnsent';
  readonly code: string;

  constructor(code: string) {
    super(`the request to Telegram was not sent (${code})`);
    this.code = code;
  }
}

/** What is not to wait was not sent, as there was no room for it in the pace of its chat. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
  /** When to come back with it, in milliseconds. */
  readonly afterMs: number;

  constructor(afterMs: number) {
    super('something was left out: the pace of its chat has no room for it');
    this.afterMs = afterMs;
  }
}

/** The request may have been carried out: no answer came, or none that can be read. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
  readonly code: string;

  constructor(code: string) {
    super(`Telegram's answer was lost (${code})`);
    this.code = code;
  }
}

/** What an answer with `ok: false` says, as it comes from Telegram. */
export interface TelegramRefusal {
  readonly error_code: number;
  readonly description: string;
  readonly parameters?: {
    readonly retry_after?: number | undefined;
    readonly migrate_to_chat_id?: number | undefined;
  };
}

/**
 * What went wrong with a call to Telegram, from whatever was thrown. Neither the payload nor the
 * bot token nor an address can be in the result.
 */
export function telegramFailure(error: unknown): TelegramFailure {
  if (error instanceof SurelyUnsent) return { kind: 'surely_unsent', description: error.code };
  if (error instanceof LeftOut) return { kind: 'left_out' };
  if (error instanceof LostAnswer) return { kind: 'lost_answer', description: error.code };
  if (error instanceof BotError) return telegramFailure(error.error);
  if (error instanceof GrammyError) {
    const failure = refusalFailure(error);
    // A malformed token is answered like an unknown method; these two methods always exist.
    const noSuchBot = error.error_code === 404 && (error.method === 'getMe' || error.method === 'getUpdates');
    return noSuchBot ? { ...failure, kind: 'unauthorized' } : failure;
  }
  if (error instanceof HttpError) {
    if (error.error instanceof SurelyUnsent || error.error instanceof LostAnswer) {
      return telegramFailure(error.error);
    }
    const code = errorCode(error.error);
    return { kind: UNSENT_CODES.has(code) ? 'surely_unsent' : 'lost_answer', description: code };
  }
  return { kind: 'unknown' };
}

/** The same for an answer with `ok: false` that was not thrown. */
export function refusalFailure(refusal: TelegramRefusal): TelegramFailure {
  const description = safeDescription(refusal.description);
  const retryAfter = refusal.parameters?.retry_after;
  const migrateTo = refusal.parameters?.migrate_to_chat_id;
  if (migrateTo !== undefined) return { kind: 'migrated', description, migrateTo };
  if (refusal.error_code === 429) return { kind: 'too_many', description, retryAfter: retryAfter ?? 1 };
  if (refusal.error_code === 401) return { kind: 'unauthorized', description };
  if (refusal.error_code === 409) return { kind: 'conflict', description };
  if (refusal.error_code >= 500) return { kind: 'lost_answer', description };
  const known = DESCRIPTIONS.find(([pattern]) => pattern.test(refusal.description));
  return { kind: known?.[1] ?? 'refused', description };
}

/** Failures to get a connection at all, by the system's and the client's codes. */
const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const DESCRIPTIONS: readonly (readonly [RegExp, TelegramFailureKind])[] = [
  [/message is not modified/iu, 'not_modified'],
  [/query is too old|query id is invalid|QUERY_ID_INVALID/iu, 'query_too_old'],
  [/message to [a-z ]+ not found|message not found|MESSAGE_ID_INVALID/iu, 'message_gone'],
  [/thread not found|TOPIC_(?:CLOSED|DELETED|ID_INVALID)/iu, 'thread_gone'],
  [/blocked by the user|user is deactivated|can't initiate conversation/iu, 'blocked'],
  [/chat not found|chat was deleted|PEER_ID_INVALID|CHAT_ID_INVALID/iu, 'chat_gone'],
  [/bot was kicked|bot is not a member|CHANNEL_PRIVATE/iu, 'kicked'],
  [
    /not enough rights|have no rights|administrator rights|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED|CHAT_RESTRICTED|CHAT_SEND_[A-Z]+_FORBIDDEN/iu,
    'no_rights',
  ],
];

/** Telegram quotes what it could not parse, which is somebody's message. */
function safeDescription(description: string): string {
  return description
    .replace(/"[^"]*"?/gu, '"…"')
    .replace(/(?<=\s)'[^']*'?/gu, "'…'")
    .replace(/\b[a-z]+:\/\/\S+/giu, '…')
    .replace(/\d{5,}:[\w-]{20,}/gu, '…')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .slice(0, 200);
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'NO_ANSWER';
  return typeof error.code === 'string' && /^[A-Z0-9_]{1,60}$/u.test(error.code) ? error.code : 'NO_ANSWER';
}

/** The code of an error of the network, and nothing else of it: messages of network errors can carry addresses. */
export function networkCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/u.test(code) ? code : 'FAILED';
}

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
