import type { IncomingMessage, RequestListener } from 'node:http';
import { z } from 'zod';
import { refusalFor } from '../pages/guard.ts';
import { adminEndpoints } from './admin-endpoints.ts';
import type { AdminDeps } from './admin-endpoints.ts';
import { deliver } from './deliver.ts';
import { jsonAnswer, readText } from './http.ts';
import type { Answer } from './http.ts';
import { readJson } from './json.ts';

/**
 * The admin interface: JSON over HTTP, without authentication, for loopback only. Success answers 200 with the
 * endpoint's result, a mistake 400, 404 or 405 with `error`, and what pages of other sites ask for 403 (`src/pages/guard.ts`).
 */
export function createAdmin(deps: AdminDeps): RequestListener {
  const endpoints = adminEndpoints(deps);

  async function answer(request: IncomingMessage): Promise<Answer> {
    const refusal = refusalFor(request);
    if (refusal !== undefined) return failed(403, refusal);
    const url = URL.parse(request.url ?? '', 'http://admin');
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

  return (request, response) => {
    answer(request)
      .catch((error: unknown) => failed(500, explain(error)))
      .then((made) => deliver(response, made))
      .catch(() => response.socket?.destroy());
  };
}

function failed(httpStatus: number, error: string): Answer {
  return jsonAnswer({ error }, httpStatus);
}

function explain(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
