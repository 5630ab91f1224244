import { performance } from 'node:perf_hooks';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';

import { omitUndefined } from '../values.ts';
import type { Proxy } from './proxy.ts';

/** Where a session is resumed nobody looks at the certificate. After so long one does, whatever tickets came meanwhile. */
const VOUCHED_MS = 600_000;

/** A session that can be resumed, and when a certificate last vouched for it. */
export interface TlsSession {
  readonly ticket: Buffer;
  readonly vouchedAt: number;
}

/** The authorities by which a target is trusted, and the last session that was begun under them. */
export interface TlsTrust {
  readonly context: SecureContext;
  /** What a handshake may resume; null: it has to be a full one. */
  session(): TlsSession | null;
  /** Keeps a ticket that the server gave on a connection that had resumed a session, or none. */
  keep(ticket: Buffer, resumed: TlsSession | null): void;
  /** Keeps nothing: a handshake has failed, and what it tried to resume may be why. */
  forget(): void;
}

export interface TrustSettings {
  /** PEM, instead of the runtime's own. */
  readonly ca?: string;
  readonly proxy?: Proxy;
}

/** The trust for a target, one for each way to it and each set of authorities. */
export type TlsTrusts = (
  target: { readonly host: string; readonly port: number },
  settings: TrustSettings,
) => TlsTrust;

/** Opens nothing; sessions stay in memory, and none is resumed under other settings than it was begun. */
export function createTlsTrusts(): TlsTrusts {
  const trusts = new Map<string, TlsTrust>();
  return ({ host, port }, { ca, proxy }) => {
    const way = proxy === undefined ? null : [proxy.kind, proxy.host, proxy.port, proxy.username];
    const key = JSON.stringify([host, port, way, ca]);
    const trust = trusts.get(key) ?? createTrust(ca);
    trusts.set(key, trust);
    return trust;
  };
}

function createTrust(ca: string | undefined): TlsTrust {
  let context: SecureContext | null = null;
  let last: TlsSession | null = null;
  return {
    get context() {
      return (context ??= createSecureContext(omitUndefined({ ca })));
    },
    session: () => (last !== null && performance.now() - last.vouchedAt < VOUCHED_MS ? last : null),
    keep(ticket, resumed) {
      const vouchedAt = resumed?.vouchedAt ?? performance.now();
      if (last === null || vouchedAt >= last.vouchedAt) last = { ticket, vouchedAt };
    },
    forget() {
      last = null;
    },
  };
}
