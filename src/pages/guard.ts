import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Why a request is not let in, whatever it asks for, or undefined when it is. Another site must not reach anything here
 * through the visitor's browser: neither by a name that was made to resolve to this machine, nor by a form, a picture or a
 * script. Programs that are no browser say neither where they come from nor which site that is.
 */
export function refusalFor(request: IncomingMessage): string | undefined {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK.test(host)) return 'this server answers to loopback host names only';
  if (origin !== undefined && origin !== `http://${host}`) return 'cross-origin requests are refused';
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  return isOwn || isVisit(request) ? undefined : 'cross-site requests are refused: type the address in';
}

/** Somebody follows a link from another page of this machine to the page itself, which is not yet anybody's data. */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    url?.split('?')[0] === '/' &&
    headers['sec-fetch-site'] === 'same-site' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}
