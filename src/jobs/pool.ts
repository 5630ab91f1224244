import { Pool } from 'pg';
import type { PoolClient, PoolConfig } from 'pg';
import type { Log } from '../ports/runtime.ts';

/** One to listen, one to fetch, the others for outcomes and sweeps: jobs bring their own connections. */
const SIZE = 6;

/** The engine's own connections. A connection that breaks is logged and replaced, never thrown. */
export function createPool(config: PoolConfig, log: Log): Pool {
  const pool = new Pool({
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...config,
    max: SIZE,
    idleTimeoutMillis: 60_000,
  });
  const note = (error: Error): void =>
    log.warn(
      { code: 'code' in error ? String(error.code) : 'unknown' },
      'database connection of the queue broke',
    );
  // Without a listener on both the pool and each client, a lost connection ends the process.
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', note));
  return bearingTwoReleases(pool);
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;
type Release = (reason?: Error | boolean) => void;

/**
 * The library (0.17 and 0.18) gives the connection on which it listens back twice when it breaks while the worker ends.
 * The pool then throws where nobody listens, which would end the process.
 */
function bearingTwoReleases(pool: Pool): Pool {
  const original = pool.connect.bind(pool);
  function connect(): Promise<PoolClient>;
  function connect(connected: Connected): void;
  function connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (connected === undefined) return original();
    original((error, client, release) => {
      let released = false;
      connected(error, client, (reason) => {
        if (released) return;
        released = true;
        release(reason);
      });
    });
    return undefined;
  }
  return Object.assign(pool, { connect });
}
