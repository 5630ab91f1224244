import { HttpError } from 'grammy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultyProxy, type FaultyProxy } from '../../../../test/chaos/proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { AppError } from '../../../domain/errors.ts';
import { Secret } from '../../../domain/secret.ts';
import { openDatabase, type Database } from '../../../storage/database/database.ts';
import { LostAnswer, SurelyUnsent } from '../../outgoing/errors.ts';
import { databaseTrouble, isDatabaseAway } from './trouble.ts';

let database: TestDatabase;
let proxy: FaultyProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  const { socketDir, port } = database.target;
  proxy = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
});

afterAll(async () => {
  await proxy.close();
  await database.close();
});

const urlOf = (host: string, port: number) => ({
  url: new Secret(`postgres://${database.target.user}@${host}:${port}/${database.target.database}`),
});

/** What the work throws on a client of its own. */
async function thrown(
  target: Parameters<typeof openDatabase>[0]['target'],
  work: (client: Database) => PromiseLike<unknown>,
): Promise<unknown> {
  const client = openDatabase({ target, max: 1 });
  try {
    await work(client);
  } catch (error) {
    return error;
  } finally {
    // Nothing of it is waited for: what broke may be open still.
    await client.sql.end({ timeout: 0 });
  }
  throw new Error('it did not fail');
}

const ASKED: [string, (client: Database) => PromiseLike<unknown>][] = [
  ['a statement', (client) => client.sql`select 1`],
  ['a transaction', (client) => client.sql.begin((tx) => tx`select 1`)],
];

describe('the database is away', () => {
  test.each(ASKED)('where nothing listens, for %s', async (_, work) => {
    expect(isDatabaseAway(await thrown(urlOf('127.0.0.1', 1), work))).toBe(true);
  });

  test.each(ASKED)('where the socket of its server is gone, for %s', async (_, work) => {
    const target = { ...database.target, socketDir: `${database.target.socketDir}/gone` };
    expect(isDatabaseAway(await thrown(target, work))).toBe(true);
  });

  test.each(ASKED)('where nobody knows its name, for %s', async (_, work) => {
    expect(isDatabaseAway(await thrown(urlOf('db.invalid', 5432), work))).toBe(true);
  });

  test.each(['cut', 'reset'] as const)('where the connection is %s within a statement', async (kind) => {
    const failing = thrown(urlOf('127.0.0.1', proxy.port), async (client) => {
      await client.sql`select 1`;
      proxy.harmOpen({ kind, way: 'down', after: 5 });
      await client.sql`select 1`;
    });
    expect(isDatabaseAway(await failing)).toBe(true);
  });

  test.each(['cut', 'reset'] as const)('where the connection is %s within a transaction', async (kind) => {
    const failing = thrown(urlOf('127.0.0.1', proxy.port), (client) =>
      client.sql.begin(async (tx) => {
        await tx`select 1`;
        proxy.harmOpen({ kind, way: 'up', after: 0 });
        await tx`select 1`;
      }),
    );
    expect(isDatabaseAway(await failing)).toBe(true);
  });

  test('where its server ends the session', async () => {
    const failing = thrown(database.target, (client) =>
      client.sql.begin(async (tx) => {
        const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        const end = async (): Promise<void> => {
          await database.sql`select pg_terminate_backend(${own?.pid ?? 0}, 5000)`;
        };
        await Promise.all([tx`select pg_sleep(1000)`, end()]);
      }),
    );
    expect(isDatabaseAway(await failing)).toBe(true);
  });

  test('where a transaction was idle for too long', async () => {
    const failing = thrown(database.target, (client) =>
      client.sql.begin(async (tx) => {
        await tx`set local idle_in_transaction_session_timeout = 1`;
        await tx`select 1`;
        const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        while ((await database.sql`select from pg_stat_activity where pid = ${own?.pid ?? 0}`).length > 0);
        await tx`select 1`;
      }),
    );
    expect(isDatabaseAway(await failing)).toBe(true);
  });

  test('where two transactions wait for each other', async () => {
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async (mine: number, other: number): Promise<void> =>
      await database.sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${mine})`;
        arrived[mine]?.resolve();
        await arrived[other]?.promise;
        await tx`select pg_advisory_xact_lock(${other})`;
      });
    const ends = await Promise.allSettled([run(0, 1), run(1, 0)]);
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [isDatabaseAway(end.reason)] : []));
    expect(errors).toEqual([true]);
  });

  test.each(['57P01', '57P02', '57P03', '57P05', '25P03', '08006', '40001', '53300'])(
    'where its server says %s',
    (code) => {
      expect(isDatabaseAway(Object.assign(new Error('x'), { severity: 'FATAL', code }))).toBe(true);
    },
  );

  test('where it takes no writes', async () => {
    const failing = thrown(database.target, (client) =>
      client.sql.begin('read only', (tx) => tx`delete from person`),
    );
    expect(databaseTrouble(await failing)).toBe('read_only');
  });

  test('where somebody holds a lock for too long', async () => {
    const failing = thrown(database.target, (client) =>
      database.sql.begin(async (tx) => {
        await tx`lock table person`;
        await client.sql.begin(async (other) => {
          await other`set local lock_timeout = 1`;
          await other`select from person`;
        });
      }),
    );
    expect(databaseTrouble(await failing)).toBe('locked');
  });

  test('where its disk has no room', async () => {
    const failing = thrown(database.target, (client) =>
      client.sql.unsafe(`do $$ begin raise exception using errcode = '53100'; end $$`),
    );
    expect(databaseTrouble(await failing)).toBe('full');
  });

  test('also where that is the cause of another error, however deep', async () => {
    const error = await thrown(urlOf('127.0.0.1', 1), (client) => client.sql`select 1`);
    const wrapped = new AppError('internal', 'x', { cause: new Error('y', { cause: error }) });
    expect(isDatabaseAway(wrapped)).toBe(true);
  });
});

describe('the database is there', () => {
  test.each([
    ['a value that is there already', () => database.sql`insert into person values (1, 'a'), (1, 'b')`],
    ['a statement that is none', () => database.sql`selec`],
    ['a statement that takes too long', () => slow()],
    ['a table that it does not have', () => database.sql`select from nowhere`],
  ])('where it refuses %s', async (_, work) => {
    const error = await work().then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseAway(error)).toBe(false);
  });

  test.each([
    ['Telegram’s connection', new SurelyUnsent('ECONNREFUSED')],
    ['Telegram’s answer', new LostAnswer('ECONNRESET')],
    ['what wraps them', new HttpError('failed', new LostAnswer('ECONNRESET'))],
    ['a file', Object.assign(new Error('no such file'), { code: 'ENOENT', path: '/gone' })],
    ['a mistake', new TypeError('undefined is not a function')],
    ['what is no error', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('where %s is what failed', (_, error) => {
    expect(isDatabaseAway(error)).toBe(false);
    expect(isDatabaseAway(new AppError('internal', 'x', { cause: error }))).toBe(false);
  });

  test('where an error is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isDatabaseAway(error)).toBe(false);
  });
});

async function slow(): Promise<unknown> {
  return await database.sql.begin(async (tx) => {
    await tx`set local statement_timeout = 1`;
    return await tx`select pg_sleep(1000)`;
  });
}
