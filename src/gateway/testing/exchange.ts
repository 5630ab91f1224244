import { onTestFinished } from 'vitest';

import { AppError } from '../../domain/errors.ts';
import type { GatewayVersion, SmsGateway } from '../../ports/gateway.ts';
import type { GatewayOptions } from '../compose.ts';
import { gatewayOf } from './accounts.ts';
import { answer, startRawServer } from './raw-server.ts';

/** A request as the gateway sees it. */
export interface SeenRequest {
  readonly method: string;
  /** Without the prefix of the version and, in version 4, without the key. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly json: unknown;
}

export interface Exchange {
  readonly gateway: SmsGateway;
  readonly url: string;
  readonly seen: () => readonly SeenRequest[];
  readonly connections: () => number;
}

/** A gateway of one version in front of a server that answers with these bodies, the last one for ever. */
export async function exchange(
  version: GatewayVersion,
  bodies: unknown,
  options: Partial<GatewayOptions> = {},
): Promise<Exchange> {
  const queue = Array.isArray(bodies) ? [...bodies] : [bodies];
  const server = await startRawServer({
    onRequest(socket) {
      const body: unknown = queue.length > 1 ? queue.shift() : queue[0];
      answer(200, typeof body === 'string' ? body : JSON.stringify(body))(socket);
    },
  });
  const gateway = gatewayOf(version, server.url, { random: () => 0, ...options });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  const { url, connections } = server;
  return { gateway, url, seen: () => server.requests().map(readRequest), connections };
}

/** An answer of version 4 or 3. */
export function rest(payload: object = {}, status = 200, message = ''): object {
  return { return: { status, message }, ...payload };
}

/** An answer of version 1. */
export function v1(result: unknown): object {
  return { status: 200, result };
}

/** What a call threw, which must be an AppError. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error('expected an AppError', { cause: error });
}

function readRequest(raw: string): SeenRequest {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  const [method = '', target = ''] = head.split(' ');
  const url = new URL(target, 'http://gateway');
  const text = Buffer.from(body, 'latin1').toString();
  return {
    method,
    path: url.pathname.replace(/^\/api\/(?:v4\/[^/]+|v[13]\/rest)/, ''),
    query: Object.fromEntries(url.searchParams),
    json: text === '' ? undefined : JSON.parse(text),
  };
}
