/** A refusal in Telegram's envelope: HTTP status and `error_code` are the same number. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly parameters: { retry_after?: number; migrate_to_chat_id?: number } | undefined;

  constructor(
    code: number,
    description: string,
    parameters?: { retry_after?: number; migrate_to_chat_id?: number },
  ) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

/** A mistake in a control request (not part of the Bot API): answered with HTTP 400 and `{error}`. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/**
 * `Bad Request: …` as the Bot API server words it: it lowers the first letter of the reason, unless the
 * second one is a capital or an underscore, which leaves codes such as `BUTTON_DATA_INVALID` alone.
 */
export function badRequest(reason: string): ApiError {
  return new ApiError(400, `Bad Request: ${lowerFirst(reason)}`);
}

export function forbidden(reason: string): ApiError {
  return new ApiError(403, `Forbidden: ${lowerFirst(reason)}`);
}

export function conflict(reason: string): ApiError {
  return new ApiError(409, `Conflict: ${reason}`);
}

export function tooManyRequests(seconds: number): ApiError {
  return new ApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

/** The words that the README pins to their sources. */
export const refusals = {
  notModified:
    'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  queryTooOld: 'query is too old and response timeout expired or query ID is invalid',
  otherGetUpdates: 'terminated by other getUpdates request; make sure that only one bot instance is running',
  webhookActive:
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  setWebhook: 'terminated by setWebhook request',
  upgraded: 'group chat was upgraded to a supergroup chat',
  cannotInitiate: "bot can't initiate conversation with a user",
  blocked: 'bot was blocked by the user',
  deactivated: 'user is deactivated',
  dataInvalid: 'BUTTON_DATA_INVALID',
} as const;

function lowerFirst(reason: string): string {
  const second = reason[1];
  if (second !== undefined && (second === '_' || (second >= 'A' && second <= 'Z'))) return reason;
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
