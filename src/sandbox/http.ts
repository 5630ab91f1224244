import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { urlOf } from '../pages/address.ts';
import type { Json } from './json.ts';
import { writeJson } from './json.ts';

/** What is sent back. `body` is complete; its length in bytes is announced. */
export type Answer = {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Why there is no request to open: what came was none. What is cut short may have been opened before. */
export type Unreadable = 'too_long' | 'cut_short' | 'not_http';

const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DRAINED_BYTES = 64 * MAX_BODY_BYTES;
const PARSE_FAILURE_LINGER_MS = 1000;

export function jsonAnswer(value: Json, httpStatus = 200): Answer {
  return {
    httpStatus,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: writeJson(value),
  };
}

/**
 * Starts an HTTP server on a port (0 for a free one) and gives its address and the way to end it
 * at once. `unreadable` words the answer to what is not HTTP at all, has too long a head, or ended in its middle.
 */
export async function listen(options: {
  host: string;
  port: number;
  onRequest: RequestListener;
  unreadable: (what: Unreadable) => Json;
}): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 65_000 },
    options.onRequest,
  );
  answerParseFailures(server, options.unreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/**
 * The body as text, or why there is none. What exceeds the cap is still read and thrown away, so that the
 * client can finish writing and then read the answer.
 */
export async function readText(
  request: IncomingMessage,
): Promise<{ text: string } | 'too_large' | 'aborted'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      if (!(chunk instanceof Buffer)) continue;
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      if (bytes > MAX_DRAINED_BYTES) return 'aborted';
    }
  } catch {
    return 'aborted';
  }
  if (!request.complete) return 'aborted';
  return bytes > MAX_BODY_BYTES ? 'too_large' : { text: Buffer.concat(chunks).toString('utf8') };
}

function answerParseFailures(server: Server, unreadable: (what: Unreadable) => Json): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
    const cutShort = error.code === 'HPE_INVALID_EOF_STATE';
    const { headers, body } = jsonAnswer(
      unreadable(tooLong ? 'too_long' : cutShort ? 'cut_short' : 'not_http'),
    );
    const head = [
      `HTTP/1.1 ${tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
      `content-type: ${headers['content-type']}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // Bytes still arriving would turn the close into a reset and take the answer along.
    setTimeout(() => socket.destroy(), PARSE_FAILURE_LINGER_MS).unref();
  });
}
