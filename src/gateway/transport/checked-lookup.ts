import { ADDRCONFIG } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

import { mayLeadTo } from '../../domain/gateway-address.ts';
import { WireError, wireFailure } from './wire-error.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface CheckedLookupOptions {
  readonly isPrivateNetwork: boolean;
  /** The runtime's own when absent. */
  readonly resolve?: Resolve;
}

/**
 * For the `lookup` of a socket, which asks it once for a connection and dials what it says: between check and
 * dial no name is resolved again. Ends with WireError `inner_address` when any of the addresses is one that the
 * name may not lead to, the others notwithstanding. A socket does not ask it about an IP address.
 */
export function createCheckedLookup(options: CheckedLookupOptions): LookupFunction {
  const { isPrivateNetwork, resolve = resolveAll } = options;
  const checked = async (name: string): Promise<LookupAddress[]> => {
    const found = await resolve(name);
    if (found.length === 0) throw new WireError('dns');
    if (found.every(({ address }) => mayLeadTo(name, address, isPrivateNetwork))) return [...found];
    throw new WireError('inner_address');
  };
  return (name, { all }, callback) => {
    void (async () => {
      const found = await checked(name).catch((error: unknown) => new WireError(wireFailure(error, 'dns')));
      if (found instanceof WireError) callback(found, []);
      else if (all === true) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    })();
  };
}

/** As a socket would ask by itself: only for families that this machine has an address of. */
async function resolveAll(name: string): Promise<readonly LookupAddress[]> {
  return await lookup(name, { all: true, hints: ADDRCONFIG });
}
