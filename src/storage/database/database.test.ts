import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, LOST, type TestDatabase } from '../../../test/support/database.ts';
import { Secret } from '../../domain/secret.ts';
import { describeError } from '../../process/log-errors.ts';
import { openDatabase, pgPoolConfig } from './database.ts';
import { openLockSession } from './lock-session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

describe('openDatabase', () => {
  it('serves SQL, with limits on statements and locks', async () => {
    const [row] = await database.sql`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('application_name') as name,
      current_setting('client_connection_check_interval') as alive`;
    expect(row).toEqual({ statement: '30s', lock: '10s', name: 'peyk', alive: '2s' });
    expect(await database.sql`select 'سلام' as text`).toEqual([{ text: 'سلام' }]);
  });

  it('begins a transaction behind any number of statements, and keeps what follows it out of it', async () => {
    await database.sql`create table if not exists behind (n int)`;
    const client = openDatabase({ target: database.target, max: 1 });
    await client.sql`select 1`;
    for (let before = 90; before <= 110; before++) {
      const statements = Array.from({ length: before }, () => client.sql`select 1`.execute());
      const transaction = client.sql.begin((tx) => tx`insert into behind values (1)`);
      const after = client.sql`insert into behind values (1)`.execute();
      await Promise.all([...statements, transaction, after]);
    }
    // Looked at from outside: an open transaction would show its own client what nobody else sees.
    const [row] = await database.sql<{ n: number }[]>`select count(*)::int as n from behind`;
    expect(row?.n).toBe(42);
    await client.close();
  });

  it('refuses a value that cannot be written before it meets the statements of others', async () => {
    const client = openDatabase({ target: database.target, max: 1 });
    await client.sql`select 1`;
    for (const bad of [undefined as never, new Date(Number.NaN)]) {
      const ahead = client.sql<{ n: number }[]>`select 1 as n`.execute();
      expect(() => client.sql`select ${bad}::text`).toThrow('a statement has a');
      await expect(client.sql.begin((tx) => tx`select ${bad}::text`)).rejects.toThrow('a statement has a');
      expect(await ahead).toEqual([{ n: 1 }]);
      await recovers(client);
    }
    await client.close();
  });

  it('goes on after its connections were ended, idle or within a statement', async () => {
    const client = openDatabase({ target: database.target, max: 1 });
    const [idle] = await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await end(idle?.pid);
    // The client may hear of it only from its next statement, which then fails.
    await recovers(client);
    let [busy, broken] = await sleep(client);
    // The end of the one before may be told as late as this: then it does not run.
    while (!(await isActive(busy, broken))) [busy, broken] = await sleep(client);
    await end(busy);
    expect(await broken).toMatch(LOST);
    await recovers(client);
    await client.close();
  });

  it('answers the next statement after one whose connection was ended', async () => {
    const client = openDatabase({ target: database.target, max: 1 });
    for (let round = 0; round < 5; round++) {
      const [busy, broken] = await sleep(client);
      expect(await isActive(busy, broken)).toBe(true);
      await end(busy);
      expect(await broken).toMatch(LOST);
      expect(await client.sql`select 1 as one`).toEqual([{ one: 1 }]);
    }
    await client.close();
  });

  it('rejects a transaction whose connection ended within a statement, and goes on', async () => {
    const client = openDatabase({ target: database.target, max: 1 });
    const work = client.sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const broken = tx`select pg_sleep(1000)`.execute();
      await isActive(own?.pid, broken);
      await Promise.all([broken, end(own?.pid)]);
    });
    expect(await work.catch(errorCode)).toMatch(LOST);
    await recovers(client);
    await client.close();
  });

  it('writes nothing more when the connection of a transaction ended between its statements', async () => {
    await database.sql`create table if not exists after_loss (step text)`;
    const client = openDatabase({ target: database.target, max: 1 });
    const steps: string[] = [];
    const finished = Promise.withResolvers<void>();
    const work = client.sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await end(own?.pid);
      steps.push('ended');
      try {
        await tx.savepoint((inner) => inner`insert into after_loss values ('inner')`);
      } finally {
        steps.push('cleaned up');
        try {
          await tx`insert into after_loss values ('outer')`;
        } catch {
          steps.push('refused');
        }
        finished.resolve();
      }
    });
    expect(await work.catch(errorCode)).toMatch(LOST);
    await finished.promise;
    await recovers(client);
    expect(await client.sql`select * from after_loss`).toEqual([]);
    expect(steps).toEqual(['ended', 'cleaned up', 'refused']);
    await client.close();
  });

  it('still rolls back, also to a savepoint, what failed on a connection that lives', async () => {
    await database.sql`create table if not exists kept (step text)`;
    await database.sql.begin(async (tx) => {
      await tx`insert into kept ${tx({ step: 'outer' })}`;
      await tx.savepoint((inner) => inner`insert into kept select 1 / 0`).catch(() => undefined);
    });
    const failed = database.sql.begin(async (tx) => {
      await tx`insert into kept values ('never')`;
      await tx`select 1 / 0`;
    });
    expect(await failed.catch(errorCode)).toBe('22012');
    expect(await database.sql`select * from kept`).toEqual([{ step: 'outer' }]);
    await expect(database.sql.reserve()).rejects.toThrow(/not safe/);
  });

  it('frees the advisory locks of a session that was ended', async () => {
    const client = openDatabase({ target: database.target, max: 1 });
    const [holder] = await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_advisory_lock(1)`;
    await end(holder?.pid);
    expect(await database.sql`select pg_try_advisory_xact_lock(1) as free`).toEqual([{ free: true }]);
    await client.close();
  });

  it('rejects, and does not end the process, when there is no server', async () => {
    const client = openDatabase({
      target: { url: new Secret('postgres://u:canary-password@127.0.0.1:1/none') },
    });
    const error: unknown = await client.sql`select 1`.catch((cause: unknown) => cause);
    expect(errorCode(error)).toBe('ECONNREFUSED');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('canary-password');
    await client.close();
  });

  it('has no values in the log of a statement that failed', async () => {
    const { sql } = database;
    await sql`create table hidden_values (phone text primary key)`;
    const insert = () => sql`insert into hidden_values values (${'canary-phone'})`;
    await insert();
    for (const failing of [insert(), sql`select ${'canary-phone'}::int`]) {
      const logged = JSON.stringify(describeError(await failing.catch((cause: unknown) => cause)));
      expect(logged).not.toContain('canary');
      expect(logged).toMatch(/23505|22P02/);
    }
  });

  it('tells notices by severity and code alone', async () => {
    const told: string[] = [];
    const client = openDatabase({ target: database.target, max: 1, log: (message) => told.push(message) });
    await client.sql.unsafe(`do $$ begin raise warning 'canary'; end $$`);
    expect(told).toEqual(['WARNING 01000']);
    await client.close();
  });
});

describe('what a commit is worth', () => {
  it('is asked for by each session, whatever the server has set', async () => {
    const kept = (sql: TestDatabase['sql']) => sql`select current_setting('synchronous_commit') as kept`;
    const { target } = database;
    await database.sql.begin('read write', (tx) =>
      tx.unsafe(`alter database ${target.database} set synchronous_commit = off`),
    );
    const client = openDatabase({ target, max: 1 });
    const lock = openLockSession(target, 'peyk-test', () => undefined);
    expect(await kept(client.sql)).toEqual([{ kept: 'on' }]);
    expect(await kept(lock)).toEqual([{ kept: 'on' }]);
    await Promise.all([client.close(), lock.end()]);
    await database.sql.begin('read write', (tx) =>
      tx.unsafe(`alter database ${target.database} reset synchronous_commit`),
    );
  });
});

describe('pgPoolConfig', () => {
  it('lets the job queue reach the same database', async () => {
    // Its driver. A pool has ended before its connections have, and one that the database ends then ends the process.
    const client = new Client(pgPoolConfig(database.target));
    await client.connect();
    const { rows } = await client.query('select current_database() as name');
    await client.end();
    expect(rows).toEqual([{ name: database.target.database }]);
  });

  it('hands an address of the operator on as it is', () => {
    const url = 'postgres://user:p%40ss@db.example:6432/peyk?sslmode=require';
    expect(pgPoolConfig({ url: new Secret(url) }, 3)).toMatchObject({ connectionString: url, max: 3 });
  });
});

async function end(pid = 0): Promise<void> {
  await database.sql`select pg_terminate_backend(${pid}, 5000)`;
}

/** A statement that waits in the server, and the process there that runs it; with how it has ended. */
async function sleep(client: { sql: TestDatabase['sql'] }): Promise<[number | undefined, Promise<unknown>]> {
  const [own] = await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(() => []);
  return [own?.pid, client.sql`select pg_sleep(1000)`.then(() => 'answered', errorCode)];
}

/** True once a process waits for its statement; false when the statement has ended without. */
async function isActive(pid: number | undefined, statement: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  statement.then(over, over);
  const look = () => database.sql`
    select 1 from pg_stat_activity where pid = ${pid ?? 0} and state = 'active' and wait_event = 'PgSleep'`;
  while (!isOver) if ((await look()).length > 0) return true;
  return false;
}

/**
 * The driver may tell a connection's end once more, to the first statement of the next; that one is
 * not run.
 */
async function recovers(client: { sql: TestDatabase['sql'] }): Promise<void> {
  await client.sql`select 1`.catch(() => undefined);
  expect(await client.sql`select 1 as one`).toEqual([{ one: 1 }]);
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
