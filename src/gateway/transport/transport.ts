import { AppError } from '../../domain/errors.ts';
import { gatewayAddressProblem, hostOf } from '../../domain/gateway-address.ts';
import type { SendHooks } from '../../ports/gateway.ts';
import { createCheckedLookup } from './checked-lookup.ts';
import type { Resolve } from './checked-lookup.ts';
import { createDialAhead } from './dial-ahead.ts';
import { dial } from './dial.ts';
import type { DialTarget } from './dial.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';
import type { Proxy } from './proxy.ts';
import { createReadPool } from './read-pool.ts';
import type { TlsTrusts } from './tls-trust.ts';
import { omitUndefined } from '../values.ts';
import { writeOnce } from './write-once.ts';
import type { WriteResult } from './write-once.ts';

/** Milliseconds. */
export interface GatewayTimeouts {
  /** Opening one connection, proxy and TLS included; 10,000. */
  readonly dialMs: number;
  /** From asking `beforeWrite` to the first byte; 2,000. */
  readonly fenceMs: number;
  /** A send as a whole; 60,000. */
  readonly sendMs: number;
  /** A read as a whole, with its repeats; 15,000. */
  readonly readMs: number;
}

export const DEFAULT_TIMEOUTS: GatewayTimeouts = {
  dialMs: 10_000,
  fenceMs: 2_000,
  sendMs: 60_000,
  readMs: 15_000,
};

/** The one way to a host of the gateway. Paths are appended to the path of its base address. */
export interface Transport {
  read(call: HttpCall, worthRetry: (answer: HttpAnswer) => boolean): Promise<HttpAnswer>;
  write(call: HttpCall, hooks?: SendHooks): Promise<WriteResult>;
  /** So many writes with a fence are to come soon: connections for some of them are made meanwhile. */
  expect(writes: number): void;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly timeouts: GatewayTimeouts;
  readonly proxy?: Proxy;
  readonly ca?: string;
  readonly trusts: TlsTrusts;
  /** Names may lead to inner addresses, and http will do. */
  readonly isPrivateNetwork?: boolean;
  readonly resolve?: Resolve;
  readonly random?: () => number;
}

/** Throws `config` for an address that is not one of a gateway; the address is not repeated. */
export function createTransport(options: TransportOptions): Transport {
  const { timeouts, isPrivateNetwork = false, resolve, proxy, random } = options;
  const { target, prefix } = parseBase(options.baseUrl, isPrivateNetwork);
  const dialOptions = omitUndefined({
    timeoutMs: timeouts.dialMs,
    lookup: createCheckedLookup(omitUndefined({ isPrivateNetwork, resolve })),
    trust: options.trusts(target, options),
    proxy,
  });
  const closing = new AbortController();
  const connect = (signal: AbortSignal) => dial(target, { ...dialOptions, signal });
  const ahead = createDialAhead(connect);
  const pool = createReadPool(
    omitUndefined({ target, dial: dialOptions, deadlineMs: timeouts.readMs, random }),
  );
  return {
    read: (call, worthRetry) => pool.read({ ...call, path: prefix + call.path }, worthRetry),
    async write(call, { beforeWrite, signal } = {}) {
      const result = await writeOnce(
        { ...call, path: prefix + call.path },
        {
          target,
          // While the fence is asked the end of a connection that has waited comes to light; without one it would not.
          connect: beforeWrite === undefined ? connect : ahead.take,
          deadlineMs: timeouts.sendMs,
          fenceMs: timeouts.fenceMs,
          beforeWrite,
          signals: [closing.signal, ...(signal === undefined ? [] : [signal])],
        },
      );
      if (result.kind === 'failed' && result.reason !== 'fence' && result.reason !== 'aborted') ahead.rest();
      return result;
    },
    expect: ahead.expect,
    async close() {
      closing.abort();
      ahead.close();
      await pool.close();
    },
  };
}

function parseBase(address: string, isPrivateNetwork: boolean): { target: DialTarget; prefix: string } {
  const problem = gatewayAddressProblem(address, isPrivateNetwork);
  if (problem !== null) {
    throw new AppError('config', `the address of the gateway cannot be used: ${problem}`);
  }
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return { target: { secure, host: hostOf(url), port }, prefix: url.pathname.replace(/\/+$/, '') };
}
