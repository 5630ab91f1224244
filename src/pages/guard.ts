import type { IncomingMessage } from 'node:http';
import { inUrl } from './address.ts';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/i;
const ONE_WORD = /^[a-z][\w-]*$/i;

/**
 * Why a request is not let in, whatever it asks for, or undefined when it is. Another site must not reach anything here
 * through the visitor's browser: neither by a name that was made to resolve to this machine, nor by a form, a picture or a
 * script. Programs that are no browser say neither where they come from nor which site that is.
 */
export function refusalFor(request: IncomingMessage): string | undefined {
  const { host = '', origin } = request.headers;
  const name = host.replace(/:\d+$/, '');
  const own = inUrl(request.socket.localAddress ?? '');
  // No name can be made to resolve to an address that is said as one.
  const isKnown = LOOPBACK.test(name) || name === own;
  // A name without a dot is given by the network that it leads through, to containers above all: never by another site.
  if (!isKnown && (LOOPBACK.test(own) || !ONE_WORD.test(name)))
    return 'this server answers to loopback host names, to its own address, and on a network to a name without a dot';
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
