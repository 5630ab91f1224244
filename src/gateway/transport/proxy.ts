import { AppError } from '../../domain/errors.ts';
import { hostOf } from '../../domain/gateway-address.ts';
import { Secret } from '../../domain/secret.ts';

export interface Proxy {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: Secret;
}

const KINDS: Readonly<Record<string, { kind: Proxy['kind']; port: number }>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
  'socks:': { kind: 'socks5', port: 1080 },
};

/**
 * Reads a proxy address, `http://`, `https://` or `socks5://`, with a user name and password if it has them.
 * Names are resolved by the proxy. Throws `config` without repeating the address, which can hold a password.
 */
export function parseProxy(address: string): Proxy {
  const url = URL.parse(address);
  const known = KINDS[url?.protocol ?? ''];
  if (!url?.hostname || known === undefined) {
    throw new AppError('config', 'the proxy address is not an http, https or socks5 address');
  }
  return {
    kind: known.kind,
    host: hostOf(url),
    port: url.port === '' ? known.port : Number(url.port),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: new Secret(decodeURIComponent(url.password)) }),
  };
}
