import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { refusalFor } from '../pages/guard.ts';
import { servePage } from '../pages/page-files.ts';
import { adminEndpoints } from './admin-endpoints.ts';
import type { AdminDeps } from './admin-endpoints.ts';
import { deliver } from './deliver.ts';
import { jsonAnswer, readText } from './http.ts';
import type { Answer } from './http.ts';
import { readJson, writeJson } from './json.ts';
import { tellOfChanges } from './changes.ts';

const PAGE_FOLDER = new URL('phone/', import.meta.url);

/** What the page shows, as long as nobody asks for more. */
const ON_SHOW = ['/state', '/messages', '/switches', '/faults'];

/**
 * The admin interface and its page at `/`: JSON over HTTP, without authentication, for loopback only. Success answers 200 with the
 * endpoint's result, a mistake 400, 404 or 405 with `error`, and what pages of other sites ask for 403 (`src/pages/guard.ts`).
 */
export function createAdmin(deps: AdminDeps): RequestListener {
  const endpoints = adminEndpoints(deps);

  const shown = (): string => {
    const answers = endpoints
      .filter(({ method, path }) => method === 'GET' && ON_SHOW.includes(path))
      .map(({ run }) => run({}));
    // A clock that goes is no news.
    return writeJson(answers).replace(/"now":\d+/, '');
  };

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
    if (refusal !== undefined) return deliver(response, failed(403, refusal));
    const path = addressOf(request)?.pathname ?? '';
    if (request.method === 'GET' && path === '/events') return tellOfChanges(response, shown);
    if (request.method === 'GET' && (await servePage(PAGE_FOLDER, path, response))) return undefined;
    return deliver(response, await answer(request).catch((error: unknown) => failed(500, explain(error))));
  }

  return (request, response) => {
    handle(request, response).catch(() => response.socket?.destroy());
  };
}

/** Not by URL.parse, which Node 20 does not have. */
function addressOf({ url = '' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, 'http://admin') ? new URL(url, 'http://admin') : undefined;
}

function failed(httpStatus: number, error: string): Answer {
  return jsonAnswer({ error }, httpStatus);
}

function explain(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
