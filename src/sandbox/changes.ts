import type { ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from '../pages/page-files.ts';

const LOOK_MS = 250;
const BEATS = 80;

/**
 * Keeps an answer open and writes an event whenever what is `shown` has become another text. States follow from the
 * clock alone, so nobody can tell when they change: it is looked at, and only while somebody listens.
 */
export function tellOfChanges(response: ServerResponse, shown: () => string): void {
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
