import { Api } from 'grammy';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { LostAnswer } from '../outgoing/errors.ts';
import { createTelegramFetch } from '../outgoing/http.ts';
import { createUploads } from './uploads.ts';

const TOKEN = '7700000001:AAcanary-token-that-must-not-leak_00';
const never = new AbortController().signal;

let folder: string;
let listener: RequestListener;
let close: () => Promise<void>;
let uploads: ReturnType<typeof createUploads>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-uploads-test-'));
  listener = (_request, response) => response.end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const root = `http://127.0.0.1:${address.port}`;
  const http = createTelegramFetch();
  uploads = createUploads({
    api: new Api(TOKEN, { apiRoot: root, fetch: http.fetch }),
    save: async (path, into) => await http.save(`${root}/file/bot${TOKEN}/${path}`, into),
    folder,
    now: () => new Date(),
    log: createMemoryLog(),
  });
  close = async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((closed) => {
      server.close(closed);
    });
    rmSync(folder, { recursive: true, force: true });
  };
});
afterEach(async () => {
  await close();
});

/** Answers getFile, then hands out so many bytes of a file. */
function offers(bytes: number, ending: 'end' | 'cut' = 'end'): RequestListener {
  return (request, response) => {
    if (request.url?.endsWith('/getFile') === true) {
      response.end(
        '{"ok":true,"result":{"file_id":"x","file_unique_id":"y","file_path":"documents/rows.csv"}}',
      );
      return;
    }
    response.writeHead(200, ending === 'cut' ? { 'content-length': bytes + 1 } : {});
    response.write(Buffer.alloc(bytes, 7));
    if (ending === 'end') response.end();
    else setImmediate(() => response.destroy());
  };
}

const refuses =
  (description: string): RequestListener =>
  (_request, response) => {
    response.statusCode = 400;
    response.end(JSON.stringify({ ok: false, error_code: 400, description: `Bad Request: ${description}` }));
  };

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a file that somebody sent', () => {
  it('lies on the disk for its owner alone, for as long as it is needed', async () => {
    listener = offers(3_000_000);
    const taken = await uploads.take('x', 3_000_000, never);
    expect((await readFile(taken.path)).equals(Buffer.alloc(3_000_000, 7))).toBe(true);
    expect(statSync(taken.path).mode & 0o777).toBe(0o600);
    await taken[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      'is longer than it may be',
      offers(1001),
      { code: 'bad_input', params: { field: 'file', reason: 'too_large' } },
    ],
    [
      'is too big for Telegram',
      refuses('file is too big'),
      { params: { field: 'file', reason: 'too_large' } },
    ],
    [
      'is gone',
      refuses('wrong file_id or the file is temporarily unavailable'),
      { params: { field: 'file', reason: 'gone' } },
    ],
    [
      'is not given',
      ((request, response) => {
        if (request.url?.endsWith('/getFile') === true) offers(1)(request, response);
        else response.writeHead(404).end();
      }) satisfies RequestListener,
      { params: { field: 'file', reason: 'gone' } },
    ],
  ])('%s: says so and leaves nothing behind', async (_name, answer, expected) => {
    listener = answer;
    const error = await caught(uploads.take('x', 1000, never));
    expect(error).toMatchObject(expected);
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that breaks off is asked for again by somebody, and leaves nothing behind', async () => {
    listener = offers(500, 'cut');
    const error = await caught(uploads.take('x', 1000, never));
    expect(error).toBeInstanceOf(LostAnswer);
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is given up when the process has to go', async () => {
    const stop = new AbortController();
    listener = (request, response) => {
      if (request.url?.endsWith('/getFile') === true) offers(1)(request, response);
      else stop.abort(new Error('has to go'));
    };
    expect(await caught(uploads.take('x', 1000, stop.signal))).toMatchObject({ message: 'has to go' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('sweeps what a killed process has left, and nothing else', async () => {
  const long = new Date(Date.now() - 7_200_000);
  for (const [name, time] of [
    ['peyk-upload-old', long],
    ['peyk-upload-new', new Date()],
    ['of-somebody-else', long],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), 'rows');
    utimesSync(join(folder, name), time, time);
  }
  await uploads.sweep();
  expect(readdirSync(folder).toSorted()).toEqual(['of-somebody-else', 'peyk-upload-new']);
});
