import { vi } from 'vitest';

import type { SendAnswer } from '../../ports/gateway.ts';
import { DEFAULT_TIMEOUTS } from '../transport/transport.ts';
import { answer, startRawServer } from './raw-server.ts';
import type { Behaviour, RawServer } from './raw-server.ts';

export interface WireFault {
  readonly title: string;
  readonly behaviour: (url: () => string) => Behaviour;
  readonly expected: Partial<Extract<SendAnswer, { outcome: 'unknown' }>>;
  /** A server that never reads sees no request. */
  readonly requests?: number;
}

const HTML = '<!doctype html><title>Bad gateway</title><h1>502</h1>';

/** Plays a call by a server that fails so. Where an answer never comes, the time for it is over as soon as the request has come. */
export async function underFault<T>(fault: WireFault, play: (server: RawServer) => Promise<T>): Promise<T> {
  let url = '';
  const server = await startRawServer(fault.behaviour(() => url));
  ({ url } = server);
  if (fault.expected.reason === 'timeout') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    return await play(server);
  } finally {
    vi.useRealTimers();
    await server.close();
  }
}

/** What can go wrong between a request and its answer. */
export const WIRE_FAULTS: readonly WireFault[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    title: `a redirect ${status} to itself`,
    behaviour: (url: () => string) =>
      ({
        onRequest: (socket, request) => {
          const path = request.split(' ')[1] ?? '/';
          answer(status, '', { location: `${url()}${path}` })(socket);
        },
      }) satisfies Behaviour,
    expected: { reason: 'unreadable', stage: 'complete' } as const,
  })),
  ...[421, 425, 429, 500, 503].map((status) => ({
    title: `status ${status} without an envelope`,
    behaviour: () => ({ onRequest: answer(status, '', { 'retry-after': '0' }) }),
    expected: { reason: 'unreadable', stage: 'complete' } as const,
  })),
  {
    title: 'an HTML page with status 200',
    behaviour: () => ({ onRequest: answer(200, HTML, { 'content-type': 'text/html' }) }),
    expected: { reason: 'unreadable', stage: 'complete' },
  },
  {
    title: 'a reset before the request is read',
    behaviour: () => ({
      onConnection: (socket) => socket.once('readable', () => socket.resetAndDestroy()),
    }),
    expected: { reason: 'reset', stage: 'request' },
    requests: 0,
  },
  {
    title: 'a reset after the request is read',
    behaviour: () => ({ onRequest: (socket) => socket.resetAndDestroy() }),
    expected: { reason: 'reset', stage: 'request' },
  },
  {
    title: 'an orderly close instead of an answer',
    behaviour: () => ({ onRequest: (socket) => socket.end() }),
    expected: { reason: 'reset', stage: 'request' },
  },
  {
    title: 'an answer that never comes',
    behaviour: () => ({ onRequest: () => void vi.advanceTimersByTime(DEFAULT_TIMEOUTS.sendMs) }),
    expected: { reason: 'timeout', stage: 'request' },
  },
  {
    title: 'a body shorter than its length',
    behaviour: () => ({
      onRequest: (socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"return":{"status":200'),
    }),
    expected: { reason: 'truncated', stage: 'answer' },
  },
  {
    title: 'a body shorter than its length, of a connection that was to end',
    behaviour: () => ({
      onRequest: (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 500\r\n\r\n{"return"'),
    }),
    expected: { reason: 'truncated', stage: 'answer' },
  },
  {
    title: 'chunks that end too early',
    behaviour: () => ({
      onRequest: (socket) =>
        socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ret\r\n'),
    }),
    expected: { reason: 'truncated', stage: 'answer' },
  },
  {
    title: 'a reset in the middle of the body',
    behaviour: () => ({
      onRequest: (socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"return"', () =>
          socket.resetAndDestroy(),
        ),
    }),
    expected: { stage: 'answer' },
  },
  {
    title: 'a body without an end',
    behaviour: () => ({
      onRequest: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const more = (): void => {
          while (!socket.destroyed && socket.write(`1000\r\n${' '.repeat(4096)}\r\n`));
        };
        socket.on('drain', more);
        more();
      },
    }),
    expected: { reason: 'too_big', stage: 'answer' },
  },
  {
    title: 'headers without an end',
    behaviour: () => ({
      onRequest: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(64 * 1024)}`),
    }),
    expected: { reason: 'too_big', stage: 'request' },
  },
  {
    title: 'bytes that are not HTTP',
    behaviour: () => ({ onRequest: (socket) => socket.end('220 mail.example ESMTP\r\n') }),
    expected: { reason: 'protocol', stage: 'request' },
  },
];
