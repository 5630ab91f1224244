import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Proxy } from './proxy.ts';
import type { TlsTrust } from './tls-trust.ts';
import { openHttpTunnel, openSocksTunnel } from './tunnels.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WireError, wireFailure } from './wire-error.ts';

export interface DialTarget {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

export interface DialOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly proxy?: Proxy;
  /** By what the target's certificate is judged. That of an https proxy is by the runtime's own authorities. */
  readonly trust: TlsTrust;
  /** Finds the target's addresses. With a proxy it is not asked: the name is the proxy's to resolve. */
  readonly lookup: LookupFunction;
}

/**
 * Opens the connection that an HTTP request can be written to: TCP, then the proxy's tunnel, then TLS.
 * Not one byte of HTTP for the target is written. Rejects with a WireError; the socket is then destroyed.
 */
export async function dial(target: DialTarget, options: DialOptions): Promise<Socket> {
  const guard = new AbortController();
  const timer = setTimeout(() => guard.abort(new WireError('timeout')), options.timeoutMs);
  const giveUp = (): void => guard.abort(new WireError('aborted'));
  if (options.signal?.aborted) giveUp();
  options.signal?.addEventListener('abort', giveUp);
  try {
    return await dialGuarded(target, options, guard.signal);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', giveUp);
  }
}

async function dialGuarded(target: DialTarget, options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const { proxy, lookup, trust } = options;
  const first = proxy ?? target;
  const opened: Socket[] = [];
  const open = async (socket: Socket, ready: string, otherwise: 'unreachable' | 'tls'): Promise<Socket> => {
    opened.push(socket);
    await untilReady(socket, ready, otherwise, signal);
    return socket;
  };
  try {
    let socket = await open(
      connectTcp({ host: first.host, port: first.port, ...(proxy === undefined ? { lookup } : {}) }),
      'connect',
      'unreachable',
    );
    socket.setNoDelay(true);
    if (proxy !== undefined) {
      if (proxy.kind === 'https') socket = await open(wrapTls(socket, proxy.host), 'secureConnect', 'tls');
      if (proxy.kind === 'socks5') await openSocksTunnel(socket, proxy, target, signal);
      else await openHttpTunnel(socket, proxy, target, signal);
    }
    if (!target.secure) return socket;
    return await open(wrapTls(socket, target.host, trust), 'secureConnect', 'tls').catch((error: unknown) => {
      trust.forget();
      throw error;
    });
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw new WireError(wireFailure(error, 'unreachable'));
  }
}

function wrapTls(socket: Socket, host: string, trust?: TlsTrust): Socket {
  const resuming = trust?.session() ?? null;
  const wrapped = connectTls({
    socket,
    // Checked against the certificate even for an address, where no server name is sent.
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(trust === undefined ? {} : { secureContext: trust.context }),
    ...(resuming === null ? {} : { session: resuming.ticket }),
  });
  // Told of only when the certificate has been judged, or a session resumed that had been.
  wrapped.on('session', (ticket) => trust?.keep(ticket, wrapped.isSessionReused() ? resuming : null));
  return wrapped;
}

async function untilReady(
  socket: Socket,
  ready: string,
  otherwise: 'unreachable' | 'tls',
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Stays for good: an error that arrives while nobody listens would end the process.
  socket.on('error', (error) => reject(new WireError(wireFailure(error, otherwise))));
  socket.once(ready, () => resolve());
  socket.once('close', () => reject(new WireError('reset')));
  await unlessAborted(promise, signal);
}
