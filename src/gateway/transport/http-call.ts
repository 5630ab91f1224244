import type { Dispatcher } from 'undici';

import { WireError } from './wire-error.ts';

/** One HTTP request of the interface. `path` begins with a slash and may hold a key: it is never logged. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

export interface HttpAnswer {
  readonly httpStatus: number;
  readonly body: Uint8Array;
  /** The header `date`: the clock over there. */
  readonly date?: string;
}

/** The headers of every call. Compression is declined, so a body has no size other than its bytes. */
export function httpHeaders(call: HttpCall): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(call.body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...call.headers,
  };
}

/** Reads a body of at most `limit` bytes; one byte more rejects with WireError `too_big`, and reading stops. */
export async function readBody(body: Dispatcher.ResponseData['body'], limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new WireError('protocol');
    length += chunk.length;
    if (length > limit) throw new WireError('too_big');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
