/**
 * Every failure that Peyk foresees, by code. The code picks the sentence that a person reads;
 * the message is for the log alone. Codes that begin with `gateway_` keep three kinds apart:
 * they refused, they did not answer, we cannot read what they answered.
 */
export type AppErrorCode =
  | 'bad_input'
  | 'not_allowed'
  | 'not_connected'
  | 'already_connected'
  | 'expired'
  | 'stale'
  | 'busy'
  | 'rate_limited'
  | 'gateway_refused'
  | 'gateway_no_answer'
  | 'gateway_unreadable'
  | 'gateway_unsupported'
  | 'config'
  | 'crypto'
  | 'internal';

/** What a text may show: plain values, already free of secrets and addresses. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The one error type that crosses layers. `message` goes to the log and never to a chat. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly params: ErrorParams;

  constructor(code: AppErrorCode, message: string, options: { params?: ErrorParams; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.params = options.params ?? {};
  }
}

export function isAppError(error: unknown, code?: AppErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}
