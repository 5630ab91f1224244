import { AppError } from '../domain/errors.ts';

/** An error as it stands in a log line. */
export interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
  [detail: string]: unknown;
}

/**
 * Turns anything thrown into what the log may hold: type, message, stack, a few details by name, and the chain of
 * causes. Nothing else is taken over, because errors of clients carry whole requests (payloads, queries,
 * contexts). Addresses keep their host only: paths and queries hold keys and tokens.
 */
export function describeError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) {
    return {
      type: typeof thrown,
      message: isPrimitive(thrown) ? withoutPaths(String(thrown)) : 'something that is no error',
    };
  }
  const described: LoggedError = { type: thrown.name, message: withoutPaths(messageOf(thrown)) };
  for (const name of DETAILS) {
    const detail: unknown = Reflect.get(thrown, name);
    if (typeof detail === 'number') described[name] = detail;
    if (typeof detail === 'string') described[name] = withoutPaths(detail);
  }
  if (thrown instanceof AppError) described['params'] = thrown.params;
  if (thrown.stack !== undefined)
    described.stack = withoutPaths(thrown.stack.replace(thrown.message, messageOf(thrown)));
  if (depth >= DEEPEST) return described;
  // Some clients keep the cause in a member of their own.
  const cause: unknown = thrown.cause ?? Reflect.get(thrown, 'error');
  if (cause !== undefined && cause !== null) described.cause = describeError(cause, depth + 1);
  if (thrown instanceof AggregateError) {
    described.errors = thrown.errors.slice(0, 5).map((each) => describeError(each, depth + 1));
  }
  return described;
}

/** The database's errors of class 22 (data exception) name the value that did not fit. */
function messageOf(error: Error): string {
  const isOfValue = 'severity' in error && 'code' in error && String(error.code).startsWith('22');
  return isOfValue ? 'a value does not fit its type' : error.message;
}

/** Every address in a text loses its credentials, path and query. */
export function withoutPaths(text: string): string {
  return text
    .slice(0, LONGEST)
    .replaceAll(/(?:https?|wss?|socks5h?|postgres(?:ql)?):\/\/[^\s"'<>`)\]}]+/giu, (address) => {
      const url = URL.parse(address);
      return url === null ? '[address]' : `${url.protocol}//${url.host}/…`;
    });
}

const DETAILS = [
  'code',
  'errno',
  'syscall',
  'method',
  'error_code',
  'description',
  'statusCode',
  'constraint_name',
];

const DEEPEST = 5;

const LONGEST = 8_000;

function isPrimitive(value: unknown): value is string | number | bigint | boolean | null | undefined {
  return value === null || !['object', 'function', 'symbol'].includes(typeof value);
}
