import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { urlOf } from '../pages/address.ts';
import { refusalFor } from '../pages/guard.ts';
import type { Neighbour } from '../pages/neighbour.ts';
import { SECURITY_HEADERS, servePage } from '../pages/page-files.ts';
import { createControl, type Control } from './control/control.ts';
import { createControlServer } from './control/control-http.ts';
import { dispatch, errorAnswer, jsonAnswer, type Answer } from './bot-api/dispatch.ts';
import { createEmulator, queueOf, type Emulator } from './emulator.ts';
import { ApiError } from './errors.ts';
import { MAX_DOWNLOAD_BYTES } from './files.ts';
import { seedWorld } from './control/seed.ts';
import { paramsFromObject, readParams } from './bot-api/transport.ts';
import type { BotState } from './types.ts';
import { startWebhookSender, type WebhookSender } from './bot-api/webhook.ts';
import type { Welcome } from './welcome.ts';
import { addBot } from './world.ts';

export interface PlaygroundOptions {
  /** 0 (the default) takes any free port. */
  port?: number;
  /** Where to listen; only this machine reaches the default, 127.0.0.1. */
  host?: string;
  /** Tokens of the bots, `<id>:<35 characters>`; when absent, one bot whose token is made up for this start. */
  tokens?: string[];
  /** Lets any well-formed token in: the first call with it makes the bot. */
  anyToken?: boolean;
  /** Username of the first bot. */
  botUsername?: string;
  /** The clock, in ms. */
  now?: () => number;
  /** Telegram's published rate limits; off unless asked. */
  limiter?: boolean;
  seedWorld?: boolean;
  /** What a newcomer reads above the first message of the first bot's chat, by language. */
  welcome?: Readonly<Record<string, Welcome>>;
  /** Another page of this machine that the page leads to. */
  beside?: Neighbour | undefined;
  /** Further paths, and what GET answers there as JSON. */
  answers?: Readonly<Record<string, object>>;
  /**
   * Ids of messages, updates and new people begin after this. For a bot whose database remembers an earlier run:
   * the same ids would mean other things. Default 0.
   */
  firstId?: number;
  /** First wait before an update goes to a webhook again, in ms; it doubles up to a minute. */
  webhookRetryMs?: number;
}

export interface Playground {
  /** Base of the Bot API, without a slash at its end: what grammY takes as `client.apiRoot`. */
  apiRoot: string;
  pageUrl: string;
  token: string;
  botUsername: string;
  control: Control;
  /** Everything inside, for tests that need more than the control functions. */
  emulator: Emulator;
  calls: Emulator['calls'];
  close: () => Promise<void>;
}

/** The same at each start: a bot keeps what it remembers under its id. */
const DEFAULT_ID = 7700000001;
const DEFAULT_USERNAME = 'PeykSandboxBot';
const PAGE_FOLDER = new URL('page/', import.meta.url);
/** What a bot's token looks like. */
export const TOKEN = /^(\d{1,15}):[A-Za-z0-9_-]{35}$/;

/**
 * Starts the Bot API emulator with the chat page on one port, of loopback unless said otherwise. Nothing is kept when it closes.
 * Rejects when the port is taken, throws RangeError for a token of the wrong shape.
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const em = createEmulator({
    now: options.now ?? Date.now,
    limiter: options.limiter ?? false,
    firstId: options.firstId ?? 0,
    welcome: options.welcome,
    beside: options.beside,
  });
  const tokens = options.tokens ?? [`${DEFAULT_ID}:${randomBytes(26).toString('base64url')}`];
  const username = options.botUsername ?? DEFAULT_USERNAME;
  for (const [index, token] of tokens.entries()) {
    if (!TOKEN.test(token))
      throw new RangeError('a bot token is <digits>:<35 characters of A-Z a-z 0-9 _ ->');
    addBot(em.world, token, index === 0 ? username : `Bot${token.split(':')[0] ?? ''}Bot`);
  }
  const seed = options.seedWorld === true ? seedWorld : () => undefined;
  const control = createControl(em, seed);
  seed(control);
  const webhooks = manageWebhooks(em, options.webhookRetryMs ?? 1000);
  const controlServer = createControlServer(em, control);
  const answers = options.answers ?? {};
  const findBot = (token: string): BotState => botFor(em, token, options.anyToken === true, username);

  // Telegram keeps a connection for longer than any client: one that ends just as a call comes would lose that call.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    route(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else write(response, errorAnswer(new ApiError(500, 'Internal Server Error')));
    });
  });
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalFor(request);
    if (refusal !== undefined) return refuse(response, refusal);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/health') return write(response, jsonAnswer({ ok: true }));
    if (url.pathname.startsWith('/bot')) return botCall(em, findBot, request, response, url);
    if (url.pathname.startsWith('/file/bot')) return download(em, findBot, response, url);
    if (url.pathname.startsWith('/_control/')) return controlServer.handle(request, response);
    const further = Object.hasOwn(answers, url.pathname) ? answers[url.pathname] : undefined;
    if (request.method === 'GET' && further !== undefined)
      return write(response, {
        drop: false,
        status: 200,
        type: 'application/json',
        body: JSON.stringify(further),
      });
    if (request.method === 'GET' && (await servePage(PAGE_FOLDER, url.pathname, response))) return undefined;
    response.writeHead(404, { ...SECURITY_HEADERS, 'content-type': 'text/plain' });
    response.end('Not found');
    return undefined;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const apiRoot = urlOf(server);
  return {
    apiRoot,
    pageUrl: `${apiRoot}/`,
    token: tokens[0] ?? '',
    botUsername: username,
    control,
    emulator: em,
    calls: em.calls,
    async close() {
      webhooks.close();
      controlServer.close();
      for (const queue of em.queues.values()) queue.close();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function botCall(
  em: Emulator,
  findBot: (token: string) => BotState,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const hangUp = new AbortController();
  response.on('close', () => hangUp.abort());
  try {
    const match = /^\/bot([^/]*)\/(?:test\/)?([^/]+)$/.exec(decodeURIComponent(url.pathname));
    if (match === null) throw new ApiError(404, 'Not Found');
    const bot = findBot(match[1] ?? '');
    const params = await readParams(request, url.searchParams);
    write(response, await dispatch(em, bot, match[2] ?? '', params, hangUp.signal));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    write(response, errorAnswer(error));
  }
}

function download(
  em: Emulator,
  findBot: (token: string) => BotState,
  response: ServerResponse,
  url: URL,
): void {
  const match = /^\/file\/bot([^/]*)\/(.+)$/.exec(decodeURIComponent(url.pathname));
  try {
    findBot(match?.[1] ?? '');
    const file = em.files.byPath(match?.[2] ?? '');
    if (file === undefined || file.bytes.length > MAX_DOWNLOAD_BYTES) throw new ApiError(404, 'Not Found');
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': file.bytes.length,
    });
    response.end(file.bytes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    write(response, errorAnswer(error));
  }
}

function botFor(em: Emulator, token: string, anyToken: boolean, username: string): BotState {
  const match = TOKEN.exec(token);
  if (match === null) throw new ApiError(401, 'Unauthorized: invalid token specified');
  const bot = em.world.bots.get(Number(match[1]));
  if (bot?.token === token) return bot;
  if (!anyToken || bot !== undefined) throw new ApiError(401, 'Unauthorized');
  return addBot(em.world, token, em.world.bots.size === 0 ? username : `Bot${match[1] ?? ''}Bot`);
}

/** In the words of the Bot API and of the control API at once. */
function refuse(response: ServerResponse, refusal: string): void {
  response.writeHead(403, { ...SECURITY_HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok: false, error_code: 403, description: refusal, error: refusal }));
}

function write(response: ServerResponse, answer: Answer): void {
  if (answer.drop) {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}

/** Keeps one sender per bot with a webhook. A method call in a webhook's answer goes the way of every call. */
function manageWebhooks(em: Emulator, retryMs: number): { close: () => void } {
  const senders = new Map<number, WebhookSender>();
  em.webhookChanged = (bot) => {
    senders.get(bot.id)?.close();
    senders.delete(bot.id);
    const hook = bot.webhook;
    if (hook === undefined) {
      queueOf(em, bot.id).onPush(undefined);
      return;
    }
    const signal = new AbortController().signal;
    const runMethod = async (name: string, params: Record<string, unknown>): Promise<void> => {
      await dispatch(em, bot, name, paramsFromObject(params), signal);
    };
    senders.set(bot.id, startWebhookSender({ em, bot, hook, retryMs, runMethod }));
  };
  return {
    close() {
      for (const sender of senders.values()) sender.close();
    },
  };
}
