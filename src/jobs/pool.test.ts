import type { Pool, PoolConfig } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

function made(more: PoolConfig = {}): Pool {
  return createPool({ ...pgPoolConfig(database.target), ...more }, createMemoryLog());
}

/** Asks for a connection as the queue's library does when its worker has ended: whatever it gets, it gives back. */
async function askedTooLate(pool: Pool): Promise<unknown> {
  return await new Promise((answered, failed) => {
    pool.connect((error, _client, release?: () => void) => {
      try {
        release?.();
        answered(error);
      } catch (thrown) {
        failed(thrown);
      }
    });
  });
}

test('a connection that is asked for after the end is refused, and nothing is thrown at giving it back', async () => {
  const pool = made();
  await pool.end();
  await expect(askedTooLate(pool)).resolves.toMatchObject({
    message: 'Cannot use a pool after calling end on the pool',
  });
});

test('a connection that does not become free in time is refused, and nothing is thrown at giving it back', async () => {
  const pool = made({ connectionTimeoutMillis: 0 });
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  pool.options.connectionTimeoutMillis = 1;
  await expect(askedTooLate(pool)).resolves.toMatchObject({
    message: 'timeout exceeded when trying to connect',
  });
  for (const client of taken) client.release();
  await pool.end();
});

test('a connection that is given back twice is free once', async () => {
  const pool = made();
  await new Promise<void>((done) => {
    pool.connect((_error, _client, release) => {
      release();
      release();
      done();
    });
  });
  expect([pool.idleCount, pool.totalCount]).toEqual([1, 1]);
  await pool.end();
});
