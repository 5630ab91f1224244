import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { AppError } from '../../domain/errors.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { saveFile } from '../forms/save-file.ts';
import { LostAnswer, networkCode, SurelyUnsent } from './errors.ts';

/** The part of a logger that calls to Telegram use. */
export interface TelegramLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** An AbortSignal of any make. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface TelegramFetchOptions {
  /** `http:`, `https:`, `socks5:` or `socks:`, with the user and password in it if it needs them. */
  readonly proxy?: URL;
  /** Most sockets to one origin. */
  readonly connections?: number;
  readonly log?: TelegramLog;
  /** Told of each call that was answered. */
  readonly answered?: Metrics['telegramCall'];
  /** Told of the header `date` of each answer that has one: the clock over there. */
  readonly dated?: (date: string) => void;
  /**
   * Milliseconds until an answer must be complete: for a call, for an upload, and beyond what
   * getUpdates itself asks Telegram to wait.
   */
  readonly timeouts?: { readonly call?: number; readonly upload?: number; readonly poll?: number };
}

/** What grammY hands to its fetch. */
interface TelegramRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable | null;
  readonly signal?: CancelSignal | null;
}

/** What grammY reads of a response. */
interface TelegramResponse {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
}

export interface TelegramFetch {
  /** For grammY's `client.fetch`. */
  readonly fetch: (url: string | URL, init?: TelegramRequest) => Promise<TelegramResponse>;
  /**
   * Reads a file that people sent. The address holds the bot token and is in no error and no log.
   * @throws {AppError} `bad_input` with reason `too_large` or `gone`
   */
  readonly download: (url: string, maxBytes: number) => Promise<Uint8Array>;
  /** The same into a file that is not there yet, a piece at a time; see {@link saveFile}. */
  readonly save: (
    url: string,
    into: { readonly file: string; readonly maxBytes: number; readonly signal: AbortSignal },
  ) => Promise<void>;
  /** Ends every connection; calls that still wait fail with {@link LostAnswer}. */
  close(): Promise<void>;
}

/**
 * The HTTP side of the Bot API: one request per call, no redirect, no repeat, sockets capped.
 * The answer is read to its end before the call resolves.
 * @throws {SurelyUnsent} (from `fetch`) when nothing of the request was written
 * @throws {LostAnswer} (from `fetch`) when Telegram may have acted on it all the same
 */
export function createTelegramFetch(options: TelegramFetchOptions = {}): TelegramFetch {
  const connections = options.connections ?? 128;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const dispatcher = createDispatcher(options.proxy, connections);
  return {
    async fetch(url, init = {}) {
      const target = URL.parse(String(url));
      if (target === null) throw new SurelyUnsent('BAD_URL');
      const body = init.body ?? null;
      const method = target.pathname.slice(target.pathname.lastIndexOf('/') + 1);
      const contentType = init.headers?.['content-type'];
      const request: Dispatcher.DispatchOptions & { connections: number } = {
        origin: target.origin,
        path: target.pathname + target.search,
        method: init.method === 'GET' ? 'GET' : 'POST',
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        body,
        // One deadline for the whole call replaces the client's separate ones.
        headersTimeout: 0,
        bodyTimeout: 0,
        // The SOCKS dispatcher takes its cap from the request and has no other place for it.
        connections,
      };
      const started = performance.now();
      const answer = await exchange(dispatcher, request, init.signal ?? null, {
        deadlineMs: deadline(method, body, timeouts),
        maxBytes: MAX_ANSWER_BYTES,
      });
      const ms = Math.round(performance.now() - started);
      options.log?.debug({ method, status: answer.status, ms }, 'telegram answered');
      options.answered?.({ method, status: answer.status, ms });
      if (answer.date !== undefined) options.dated?.(answer.date);
      const parsed = parseEnvelope(answer);
      return {
        ok: answer.status >= 200 && answer.status < 300,
        status: answer.status,
        json: () => Promise.resolve(parsed),
      };
    },
    async download(url, maxBytes) {
      const target = URL.parse(url);
      if (target === null) throw new SurelyUnsent('BAD_URL');
      const request: Dispatcher.DispatchOptions & { connections: number } = {
        origin: target.origin,
        path: target.pathname,
        method: 'GET',
        headersTimeout: 0,
        bodyTimeout: 0,
        connections,
      };
      const answer = await exchange(dispatcher, request, null, { deadlineMs: timeouts.upload, maxBytes });
      if (answer.status === 200) return answer.body;
      throw new AppError('bad_input', `a file was not given: HTTP ${answer.status}`, {
        params: { field: 'file', reason: 'gone' },
      });
    },
    async save(url, into) {
      const address = URL.parse(url);
      if (address === null) throw new SurelyUnsent('BAD_URL');
      await saveFile(dispatcher, address, { ...into, deadlineMs: timeouts.upload, connections });
    },
    close: () => dispatcher.destroy(),
  };
}

const TIMEOUTS = { call: 60_000, upload: 500_000, poll: 25_000 };
const CONNECT_TIMEOUT = 10_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly body: Buffer;
}

function createDispatcher(proxy: URL | undefined, connections: number): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT };
  if (proxy === undefined) return new Agent({ connections, connect });
  if (proxy.protocol === 'socks5:' || proxy.protocol === 'socks:') {
    return new Socks5ProxyAgent(proxy, { connect: buildConnector(connect) });
  }
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw new TypeError('the proxy must be http, https or socks5');
  }
  return new ProxyAgent({
    uri: proxy.href,
    connections,
    proxyTls: connect,
    requestTls: connect,
    clientFactory: createProxyPool,
  });
}

/**
 * A proxy that hangs up on CONNECT must fail the call. The client takes its own socket error, when it
 * comes out of a connector, for a reason to connect again at once, without end.
 */
function createProxyPool(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (request: Omit<Dispatcher.ConnectOptions, 'origin'>) =>
      connect(request).catch((error: unknown) => {
        throw new SurelyUnsent(`PROXY_${networkCode(error)}`);
      }),
  });
}

/** One request and its whole answer. Only the moment at which writing begins parts unsent from lost. */
function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: CancelSignal | null,
  { deadlineMs, maxBytes }: { readonly deadlineMs: number; readonly maxBytes: number },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let date: string | undefined;
  let written = false;
  let settled = false;
  let abort: ((reason: Error) => void) | undefined;

  const onAbort = (): void => fail('ABORTED');
  const timer = setTimeout(() => fail('TIMEOUT'), deadlineMs);
  signal?.addEventListener('abort', onAbort);

  function settle(): boolean {
    if (settled) return false;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    return true;
  }

  function fail(code: string): void {
    if (!settle()) return;
    const error = written ? new LostAnswer(code) : new SurelyUnsent(code);
    reject(error);
    abort?.(error);
  }

  if (signal?.aborted === true) {
    fail('ABORTED');
    return promise;
  }
  try {
    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        // It gave up while it waited for a connection: nothing must be written any more.
        if (settled) controller.abort(new SurelyUnsent('ABORTED'));
        else written = true;
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode;
        date = typeof headers['date'] === 'string' ? headers['date'] : undefined;
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size > maxBytes) fail('TOO_LARGE');
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (settle()) resolve({ status, date, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        fail(networkCode(error));
      },
    });
  } catch (error) {
    fail(networkCode(error));
  }
  return promise;
}

/** Whatever is not the Bot API's envelope comes from something in between, such as a proxy's error page. */
function parseEnvelope(answer: Answer): object {
  try {
    const parsed: unknown = JSON.parse(answer.body.toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null && 'ok' in parsed && typeof parsed.ok === 'boolean') {
      return parsed;
    }
  } catch {
    // The parser's message quotes the answer; the status says enough.
  }
  throw new LostAnswer(`HTTP_${answer.status}`);
}

function deadline(method: string, body: string | Readable | null, timeouts: typeof TIMEOUTS): number {
  if (typeof body === 'object' && body !== null) return timeouts.upload;
  if (method.toLowerCase() !== 'getupdates') return timeouts.call;
  const seconds = /"timeout":(\d{1,4})\b/u.exec(body ?? '')?.[1] ?? '0';
  return Number(seconds) * 1000 + timeouts.poll;
}
