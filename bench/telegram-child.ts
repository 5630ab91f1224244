import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { machineTime, serve } from './child.ts';

/*
 * As little of the Bot API as the benchmarks need, and as cheap: one bot, updates made beforehand, every call
 * answered with the same few bytes, all but updates after a delay if one is set.
 */

const BOT = { id: 7700000001, is_bot: true, first_name: 'Bench', username: 'BenchBot' };
const MAX_UPDATES = 100;
const LONGEST_POLL_MS = 20_000;

const Text = z.object({ text: z.string() });

let botId = BOT.id;
let lastUpdate = 0;
let queue: { readonly id: number; readonly json: string }[] = [];
let delayMs = 0;
/** Of the one file that people have sent. */
let fileRows = 0;
let waiting: ((handedAt: number) => void) | null = null;
let handed: ((at: number) => void) | null = null;
/** The update whose handing out is awaited. */
let pushed = 0;
let polled: (() => void) | null = null;
/** Answers to other chats are not counted. */
let onlyChat: number | null = null;
/** All of sendMessage so far. */
let sends = 0;
/** Each editMessageText since that was asked last. */
let edits: { readonly at: number; readonly text: string }[] = [];
/** Called as a sendMessage comes in, and as it has been answered. */
let onSend: { came: () => void; answered: () => void } = { came: noop, answered: noop };

const server = createServer((request, response) => {
  const method = request.url?.slice(request.url.lastIndexOf('/') + 1) ?? '';
  if (request.url?.startsWith('/file/') === true) {
    Readable.from(fileOf(fileRows)).pipe(response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    if (method === 'getUpdates') {
      getUpdates(response, body);
      return;
    }
    if (method === 'sendMessage') sends += 1;
    if (method === 'editMessageText') {
      edits.push({ at: machineTime(), text: Text.parse(JSON.parse(body)).text });
    }
    const counted = method === 'sendMessage' && isFor(body, onlyChat) ? onSend : null;
    counted?.came();
    const answer = (): void => {
      write(response, resultOf(method));
      counted?.answered();
    };
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
});

/** Whether a call goes to the chat that is measured; null: all are. */
function isFor(body: string, chat: number | null): boolean {
  return chat === null || Number(/"chat_id":(\d+)/u.exec(body)?.[1] ?? 0) === chat;
}

function getUpdates(response: ServerResponse, body: string): void {
  const offset = Number(/"offset":(\d+)/u.exec(body)?.[1] ?? 0);
  const gone = queue.findIndex(({ id }) => id >= offset);
  queue = gone === -1 ? [] : queue.slice(gone);
  polled?.();
  const answer = (): void => {
    const batch = queue.slice(0, MAX_UPDATES).map(({ json }) => json);
    if (queue.slice(0, MAX_UPDATES).some(({ id }) => id === pushed)) {
      handed?.(machineTime());
      handed = null;
    }
    write(response, `[${batch.join()}]`);
  };
  if (queue.length > 0) {
    answer();
    return;
  }
  waiting = answer;
  const over = (): void => {
    if (waiting === answer) waiting = null;
  };
  // Whoever waits for longer gives up, and would be lost for the rounds to come.
  const late = setTimeout(() => {
    if (waiting !== answer) return;
    over();
    write(response, '[]');
  }, LONGEST_POLL_MS);
  response.once('close', () => {
    clearTimeout(late);
    over();
  });
}

function resultOf(method: string): string {
  if (method === 'getFile') return '{"file_id":"file","file_unique_id":"file","file_path":"numbers.csv"}';
  if (method === 'getMe') return JSON.stringify({ ...BOT, id: botId });
  if (method === 'sendMessage' || method === 'editMessageText') {
    return '{"message_id":1,"date":1800000000,"chat":{"id":1,"type":"private","first_name":"P"},"text":"x"}';
  }
  return 'true';
}

function write(response: ServerResponse, result: string): void {
  const text = `{"ok":true,"result":${result}}`;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** A column of that many numbers, each another one. */
function* fileOf(rows: number): Generator<string> {
  yield 'phone\n';
  for (let from = 0; from < rows; from += 10_000) {
    const count = Math.min(10_000, rows - from);
    yield Array.from({ length: count }, (_, n) => `0912${String(from + n).padStart(7, '0')}\n`).join('');
  }
}

function release(): void {
  const answer = waiting;
  waiting = null;
  answer?.(machineTime());
}

function enqueue(rest: object): void {
  lastUpdate += 1;
  queue.push({ id: lastUpdate, json: JSON.stringify({ update_id: lastUpdate, ...rest }) });
}

function noop(): void {
  // Nobody listens.
}

const Listen = z.object({ botId: z.int().default(BOT.id) });
const Flood = z.object({
  count: z.int(),
  chats: z.int(),
  firstChat: z.int(),
  text: z.string(),
  delayMs: z.number(),
});
const Push = z.object({
  update: z.record(z.string(), z.unknown()),
  until: z.enum(['handed', 'sent']),
  chat: z.int(),
});

serve(
  {
    listen: async (payload) => {
      botId = Listen.parse(payload).botId;
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port, not on a path
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },

    /** Hands out that many commands of that many people; resolves with the milliseconds until each was answered. */
    flood: async (payload) => {
      const { count, chats, firstChat, text, delayMs: delay } = Flood.parse(payload);
      delayMs = delay;
      onlyChat = null;
      for (let index = 0; index < count; index += 1) enqueue(messageOf(firstChat + (index % chats), text));
      const began = machineTime();
      let left = count;
      const done = new Promise<number>((resolve) => {
        onSend = {
          came: noop,
          answered: () => {
            left -= 1;
            if (left === 0) resolve(machineTime() - began);
          },
        };
      });
      release();
      const ms = await done;
      delayMs = 0;
      return ms;
    },

    /** Hands out one update; resolves with when, and if asked with when the answering sendMessage came. */
    push: async (payload) => {
      const { update, until, chat } = Push.parse(payload);
      onlyChat = chat;
      enqueue(update);
      pushed = lastUpdate;
      const at = new Promise<number>((resolve) => {
        handed = resolve;
      });
      const sent = new Promise<number>((resolve) => {
        if (until === 'sent') onSend = { came: () => resolve(machineTime()), answered: noop };
        else resolve(0);
      });
      release();
      return { handedAt: await at, sentAt: await sent };
    },

    /** Hands out one update and waits for nothing. */
    throwIn: (payload) => {
      enqueue(Push.shape.update.parse(payload));
      release();
    },

    /** What a file that was sent holds from now on. */
    file: (payload) => {
      fileRows = z.object({ rows: z.int() }).parse(payload).rows;
    },

    edits: () => {
      const found = edits;
      edits = [];
      return found;
    },

    /** How many messages were sent so far, to whatever chat. */
    sends: () => sends,

    /** Resolves with the time of the first question for updates from now on. */
    polled: async () => {
      await new Promise<void>((resolve) => {
        polled = resolve;
      });
      polled = null;
      return machineTime();
    },
  },
  async () => {
    server.closeAllConnections();
    server.close();
  },
);

function messageOf(chat: number, text: string): object {
  const person = { id: chat, first_name: `P${chat}` };
  return {
    message: {
      message_id: lastUpdate + 1,
      date: 1_800_000_000,
      chat: { ...person, type: 'private' },
      from: { ...person, is_bot: false, language_code: 'en' },
      text,
      entities: [{ type: 'bot_command', offset: 0, length: text.length }],
    },
  };
}
