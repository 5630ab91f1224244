import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { refusalFor } from '../pages/guard.ts';
import { SECURITY_HEADERS, servePage } from '../pages/page-files.ts';
import { type AdminDeps, adminEndpoints } from './admin-endpoints.ts';
import { deliver } from './deliver.ts';
import { type Answer, jsonAnswer, readText } from './http.ts';
import { type Json, readJson, writeJson } from './json.ts';

/** So many messages of a phone does the page show. */
const PHONE_SHOWS = 200;
const PAGE_FOLDER = new URL('phone/', import.meta.url);

/** What a page may be showing: whoever listens says what it has of messages beyond the newest ones. */
const ON_SHOW = ['/state', '/messages', '/switches', '/faults'];
const LISTENING = z.strictObject({
  limit: z.string().optional(),
  message: z.string().optional(),
  phone: z.string().optional(),
});

/**
 * The admin interface and its page at `/`: JSON over HTTP, without authentication, for loopback only. Success answers 200 with the
 * endpoint's result, a mistake 400, 404 or 405 with `error`, and what pages of other sites ask for 403 (`src/pages/guard.ts`).
 */
export function createAdmin(deps: AdminDeps): RequestListener {
  const endpoints = adminEndpoints(deps);

  const look = (path: string, input: unknown = {}): Json =>
    endpoints.find((one) => one.method === 'GET' && one.path === path)?.run(input) ?? null;

  /** All that a page shows, as one text. Throws for what nobody can show. */
  const shown = ({ limit, message, phone }: z.output<typeof LISTENING>): string => {
    const answers = ON_SHOW.map((path) => look(path, path === '/messages' ? { limit } : {}));
    if (phone !== undefined) answers.push(look('/messages', { phone, limit: PHONE_SHOWS }));
    if (message !== undefined) answers.push(lookForMessage(message));
    // A clock that goes is no news.
    return writeJson(answers).replace(/"now":\d+/, '');
  };

  /** A message that is gone is news once. */
  function lookForMessage(id: string): Json {
    try {
      return look('/message', { id });
    } catch {
      return null;
    }
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = addressOf(request);
    const path = url?.pathname.replace(/(.)\/+$/, '$1');
    const here = endpoints.filter((endpoint) => endpoint.path === path);
    if (here.length === 0) {
      return failed(404, `no such path; known: ${[...new Set(endpoints.map((one) => one.path))].join(' ')}`);
    }
    const endpoint = here.find(({ method }) => method === request.method);
    if (endpoint === undefined) return failed(405, `use ${here.map(({ method }) => method).join(' or ')}`);
    const body = await readText(request);
    if (typeof body === 'string') return failed(400, `body: ${body}`);
    try {
      const query = Object.fromEntries(url?.searchParams ?? []);
      const input = body.text.trim() === '' ? query : readJson(body.text);
      return jsonAnswer(endpoint.run(input));
    } catch (error) {
      return failed(400, explain(error));
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalFor(request);
    if (refusal !== undefined) return give(response, failed(403, refusal));
    const url = addressOf(request);
    const path = url?.pathname ?? '';
    if (request.method === 'GET' && path === '/events') {
      const asked = LISTENING.safeParse(Object.fromEntries(url?.searchParams ?? []));
      if (!asked.success) return give(response, failed(400, explain(asked.error)));
      return tellOfChanges(response, () => shown(asked.data));
    }
    if (request.method === 'GET' && (await servePage(PAGE_FOLDER, path, response))) return undefined;
    return give(response, await answer(request).catch((error: unknown) => failed(500, explain(error))));
  }

  return (request, response) => {
    handle(request, response).catch(() => response.socket?.destroy());
  };
}

/** Not by URL.parse, which Node 20 does not have. */
function addressOf({ url = '' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, 'http://admin') ? new URL(url, 'http://admin') : undefined;
}

/** With the headers of all that a browser may show. */
function give(response: ServerResponse, { headers, ...answer }: Answer): void {
  deliver(response, { ...answer, headers: { ...SECURITY_HEADERS, ...headers } });
}

function failed(httpStatus: number, error: string): Answer {
  return jsonAnswer({ error }, httpStatus);
}

function explain(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

const LOOK_MS = 250;
const BEATS = 80;

/**
 * Keeps an answer open and writes an event whenever what is `shown` has become another text. States follow from the
 * clock alone, so nobody can tell when they change: it is looked at, and only while somebody listens.
 */
function tellOfChanges(response: ServerResponse, shown: () => string): void {
  let before = shown();
  let looks = 0;
  response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(': ready\n\n');
  const timer = setInterval(() => {
    const now = shown();
    looks += 1;
    if (now !== before) response.write('data: {}\n\n');
    else if (looks % BEATS === 0) response.write(': beat\n\n');
    before = now;
  }, LOOK_MS);
  response.on('close', () => clearInterval(timer));
}
