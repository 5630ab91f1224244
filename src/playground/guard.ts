import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Why a request to the control API or the page is not let in, or undefined when it is. Another site must not
 * reach it through the visitor's browser: neither by a name that resolves to this machine, nor by a form.
 */
export function refusalFor(request: IncomingMessage): string | undefined {
  const host = request.headers.host ?? '';
  if (!LOOPBACK.test(host)) return 'this server answers to loopback host names only';
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return 'cross-origin requests are refused';
  const site = request.headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  const isControl = request.url?.startsWith('/_control/') === true;
  if (isForeign && (changes || isControl)) return 'cross-site requests are refused';
  return undefined;
}

/** JSON for every POST; the upload takes a form, which {@link refusalFor} ties to the same origin. */
export function hasRightType(request: IncomingMessage, isUpload: boolean): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === (isUpload ? 'multipart/form-data' : 'application/json');
}
