import { Pool } from 'pg';
import type { PoolConfig } from 'pg';
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
  return pool;
}
