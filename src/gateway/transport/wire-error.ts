import type { WireFailure } from '../../domain/attempt.ts';

/**
 * A call that got no complete answer. It keeps one closed word and nothing of what it came from: the errors
 * of sockets and HTTP parsers carry addresses, paths and bytes, and a path can hold a key.
 */
export class WireError extends Error {
  readonly reason: WireFailure;

  constructor(reason: WireFailure) {
    super(reason);
    this.reason = reason;
  }
}

const BY_CODE: Readonly<Record<string, WireFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too_big',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
};

/** The closed word for whatever a socket or the HTTP library threw. */
export function wireFailure(error: unknown, otherwise: WireFailure): WireFailure {
  if (error instanceof WireError) return error.reason;
  return BY_CODE[codeOf(error)] ?? otherwise;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
