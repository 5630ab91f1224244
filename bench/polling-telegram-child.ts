import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineTime, serve } from './child.ts';

/* A Bot API without updates, which writes down when a text with a number of ours reached it. */

const BOT = { id: 7700000001, is_bot: true, first_name: 'Bench', username: 'BenchBot' };
const POLL_MS = 20_000;

let said: { readonly ref: number; readonly at: number }[] = [];
let lastMessage = 0;

const server = createServer((request, response) => {
  const method = request.url?.slice(request.url.lastIndexOf('/') + 1) ?? '';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    const ref = method === 'sendMessage' ? /\bref(\d+)\b/u.exec(body)?.[1] : undefined;
    if (ref !== undefined) said.push({ ref: Number(ref), at: machineTime() });
    if (method === 'getUpdates') setTimeout(() => write(response, '[]'), POLL_MS).unref();
    else write(response, resultOf(method));
  });
});

function resultOf(method: string): string {
  if (method === 'getMe') return JSON.stringify(BOT);
  if (method !== 'sendMessage' && method !== 'editMessageText') return 'true';
  lastMessage += 1;
  return `{"message_id":${lastMessage},"date":1800000000,"chat":{"id":1,"type":"private","first_name":"P"},"text":"x"}`;
}

function write(response: ServerResponse, result: string): void {
  const text = `{"ok":true,"result":${result}}`;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

serve(
  {
    listen: async () => {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port, not on a path
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },

    /** What was said with a number, `ref1` and so on, since the last time this was asked. */
    said: () => {
      const found = said;
      said = [];
      return found;
    },
  },
  async () => {
    server.closeAllConnections();
    server.close();
  },
);
