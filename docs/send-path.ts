import { subscribe } from 'node:diagnostics_channel';
import { Session } from 'node:inspector';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Message } from '@grammyjs/types';
import { z } from 'zod';
import { startApp } from '../src/app/app.ts';
import { Secret } from '../src/domain/secret.ts';
import { createDriver, type Driver } from '../src/playground/control/driver.ts';
import { startPlayground, type Playground } from '../src/playground/server.ts';
import { loadConfig } from '../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../src/process/log.ts';
import { startSandbox, type Sandbox } from '../src/sandbox/server.ts';
import { startEmbeddedPostgres } from '../src/storage/database/embedded.ts';

const ROOT = join(import.meta.dirname, '..');
const SENDS = 5;
const IDLE_MS = 4000;
const PATIENCE = { timeoutMs: 120_000 };

/** Functions, by file and place in it. */
type Functions = Map<string, Set<number>>;

/**
 * Counts the files of `src` of which a function is called in each of some sends between the tap on Send, as Telegram hands
 * it out, and the request at the gateway, and is not called while nobody does anything. Whatever runs meanwhile counts, from the
 * queue to the words of the card; the stand-ins do not. Starts the whole application against them, on a database of its own.
 */
export async function filesOfASend(): Promise<number> {
  await using ends = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'peyk-figures-'));
  ends.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = ends.adopt(await startEmbeddedPostgres({ dataDir, durable: false }), (each) => each.stop());
  const sandbox = ends.adopt(await startSandbox({ deliverySeconds: 600 }), (each) => each.close());
  const playground = ends.adopt(await startPlayground(), (each) => each.close());
  ends.adopt(await startBot(sandbox, playground, server.target), (each) => each.stop());
  const driver = ends.adopt(createDriver(playground), (each) => each.close());
  const calls = watchCalls(sandbox);
  ends.defer(() => calls.end());

  const sara = await linked(driver);
  let always: Functions | null = null;
  for (let n = 0; n < SENDS; n += 1) {
    const { message_id: said } = sara.send(sara, `/send 09121234567 Send ${n}`);
    const card = await driver.waitForMessage(
      sara,
      (message) => message.message_id > said && sendLabel(message) !== '',
      PATIENCE,
    );
    const sent = calls.untilSend();
    sara.tap(card, sendLabel(card));
    const called = await sent;
    always = always === null ? called : both(always, called);
    await sleep(IDLE_MS / 2);
  }
  calls.take();
  await sleep(IDLE_MS);
  const idle = calls.take();
  return [...(always ?? [])].filter(([path, places]) => {
    const quiet = idle.get(path) ?? new Set();
    return [...places].some((place) => !quiet.has(place));
  }).length;
}

async function startBot(
  sandbox: Sandbox,
  { token, apiRoot }: Playground,
  database: NonNullable<Parameters<typeof startApp>[0]['database']>,
) {
  const secrets = createSecretRegistry();
  const config = loadConfig({ UNDO_SECONDS: '0', ROLES: 'bot,worker', RATE_LIMIT: '0' });
  return await startApp({
    config: {
      ...config,
      telegram: { ...config.telegram, token: new Secret(token), apiRoot },
      gateway: { ...config.gateway, baseUrl: sandbox.baseUrl, wsUrl: sandbox.wsUrl },
      masterKeys: [{ kid: 'figures', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }],
    },
    secrets,
    log: createLogger({ level: 'info', pretty: false, secrets, destination: { write: () => undefined } }),
    migrations: join(ROOT, 'drizzle'),
    database,
    outgoingLimits: { privateChat: null, group: null, overall: null },
  });
}

/** Somebody to whose private chat the demo account is linked. */
async function linked(driver: Driver) {
  const sara = driver.user({ first_name: 'Sara', language_code: 'en' });
  const says = (part: string) =>
    driver.waitForMessage(sara, ({ text }) => text?.includes(part) === true, PATIENCE);
  sara.start();
  sara.send(sara, '/connect');
  await says('Send the API key');
  sara.send(sara, 'sandbox-key-demo');
  sara.tap(await says('Use it in this chat?'), '✅ Link');
  await says('Which sender line');
  sara.send(sara, '3000123456');
  await says('Try: /send');
  return sara;
}

function sendLabel({ reply_markup: markup }: Message): string {
  return markup?.inline_keyboard.flat().find(({ text }) => text.startsWith('✅'))?.text ?? '';
}

const Request = z.object({ request: z.object({ url: z.string(), headers: z.object({ host: z.string() }) }) });

/** Counts calls of functions: since the count before, or from now until a send reaches the gateway. */
function watchCalls(sandbox: Sandbox) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = (): Functions => {
    const called: Functions = new Map();
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      for (const { url, functions } of result) {
        const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
        if (!/^src\/(?!sandbox|playground)/u.test(path)) continue;
        const places = functions.flatMap(({ ranges: [range] }) =>
          range === undefined || range.count === 0 || range.startOffset === 0 ? [] : [range.startOffset],
        );
        if (places.length > 0) called.set(path, new Set(places));
      }
    });
    return called;
  };
  let arrived: () => void = () => undefined;
  const { host } = new URL(sandbox.baseUrl);
  subscribe('http.server.request.start', (message) => {
    const { url, headers } = Request.parse(message).request;
    if (headers.host === host && url.endsWith('/sms/send')) arrived();
  });
  return {
    take,
    untilSend: async (): Promise<Functions> =>
      await new Promise((resolve) => {
        take();
        arrived = () => resolve(take());
      }),
    end: () => session.disconnect(),
  };
}

function both(one: Functions, other: Functions): Functions {
  return new Map(
    [...one].flatMap(([path, places]) => {
      const left = places.intersection(other.get(path) ?? new Set());
      return left.size === 0 ? [] : [[path, left] as const];
    }),
  );
}
