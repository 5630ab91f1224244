import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionSql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFaultyProxy, type FaultyProxy } from '../../../test/chaos/proxy.ts';
import { createTestDatabase, LOST, type TestDatabase } from '../../../test/support/database.ts';
import { Secret } from '../../domain/secret.ts';
import { openDatabase, type Database } from './database.ts';

/* What becomes of a transaction whose network breaks. An error that nobody can catch would fail the run of its own. */

let database: TestDatabase;
let proxy: FaultyProxy;
let client: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`create table step (name text)`;
  const { socketDir, port } = database.target;
  proxy = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
});
beforeEach(async () => {
  await database.sql`delete from step`;
  const { user, database: name } = database.target;
  client = openDatabase({
    target: { url: new Secret(`postgres://${user}@127.0.0.1:${proxy.port}/${name}`) },
    max: 1,
  });
});
afterEach(async () => {
  proxy.cutAll();
  await client.sql.end({ timeout: 0 });
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
const ended = async (work: PromiseLike<unknown>): Promise<string> =>
  await Promise.resolve(work).then(() => 'no error', codeOf);
const steps = async (): Promise<unknown[]> =>
  (await database.sql`select name from step`).map((row) => row['name']);
const write = (tx: TransactionSql, name: string) => tx`insert into step values (${name})`;

/** The driver may tell of the end once more, to a statement that is then not run. */
async function goesOn(): Promise<void> {
  await client.sql`select 1`.catch(() => undefined);
  await client.sql.begin((tx) => write(tx, 'after'));
}

const BREAKS = [
  ['cut', 'up'],
  ['cut', 'down'],
  ['reset', 'up'],
  ['reset', 'down'],
] as const;

test.each(BREAKS)(
  'who asks again at once after a connection broke (%s, %s) is answered',
  async (kind, way) => {
    for (let round = 0; round < 5; round++) {
      await client.sql`select 1`.catch(() => undefined);
      proxy.harmOpen({ kind, way, after: 0 });
      // Two at once: what one of them does next must not meet the end of the connection either.
      const ask = async (who: number) => await client.sql<{ who: number }[]>`select ${who}::int as who`;
      const answers = await Promise.all(
        [1, 2].map(async (who) => {
          for (;;) {
            try {
              return await ask(who);
            } catch (error) {
              expect(codeOf(error)).toMatch(LOST);
            }
          }
        }),
      );
      expect(answers).toEqual([[{ who: 1 }], [{ who: 2 }]]);
    }
  },
);

describe('a transaction whose connection breaks', () => {
  test.each(BREAKS)(
    'within a statement (%s, %s) rejects, keeps nothing, and the client goes on',
    async (kind, way) => {
      const work = client.sql.begin(async (tx) => {
        await write(tx, 'before');
        proxy.harmOpen({ kind, way, after: 0 });
        await write(tx, 'within');
      });
      expect(await ended(work)).toMatch(LOST);
      await goesOn();
      expect(await steps()).toEqual(['after']);
    },
  );

  test('is no success where its work has passed over the error', async () => {
    const work = client.sql.begin(async (tx) => {
      proxy.harmOpen({ kind: 'cut', way: 'up', after: 0 });
      await write(tx, 'within').catch(() => undefined);
      return 'well';
    });
    expect(await ended(work)).toMatch(LOST);
    await goesOn();
  });

  test('rejects while its work still waits for something else', async () => {
    const other = Promise.withResolvers<void>();
    const work = client.sql.begin(async (tx) => {
      proxy.harmOpen({ kind: 'cut', way: 'up', after: 0 });
      await write(tx, 'within').catch(() => undefined);
      await other.promise;
    });
    expect(await ended(work)).toMatch(LOST);
    other.resolve();
    await goesOn();
  });

  test('between its statements takes no further one', async () => {
    const heard = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<string>();
    const work = client.sql.begin(async (tx) => {
      await write(tx, 'before');
      proxy.cutAll();
      await heard.promise;
      finished.resolve(await ended(Promise.try(() => write(tx, 'later'))));
    });
    expect(await ended(work)).toMatch(LOST);
    heard.resolve();
    expect(await finished.promise).toMatch(LOST);
    await goesOn();
    expect(await steps()).toEqual(['after']);
  });

  test('takes no further statement, in whatever way it is made', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'peyk-lost-'));
    const file = join(folder.path, 'step.sql');
    await writeFile(file, `insert into step values ('file')`);
    const refused: string[] = [];
    const finished = Promise.withResolvers<void>();
    const work = client.sql.begin(async (tx) => {
      proxy.harmOpen({ kind: 'cut', way: 'up', after: 0 });
      await write(tx, 'within').catch(() => undefined);
      const ways = [
        () => write(tx, 'plain'),
        () => tx.unsafe(`insert into step values ('unsafe')`),
        () => tx.file(file),
        () => tx.savepoint((inner) => write(inner, 'savepoint')),
      ];
      for (const way of ways) refused.push(await ended(Promise.try(way)));
      finished.resolve();
    });
    expect(await ended(work)).toMatch(LOST);
    await finished.promise;
    expect(refused).toHaveLength(4);
    for (const code of refused) expect(code).toMatch(LOST);
    await goesOn();
    expect(await steps()).toEqual(['after']);
  });

  test('rejects the savepoint too in which it broke, and each around it', async () => {
    const codes: string[] = [];
    const finished = Promise.withResolvers<void>();
    const work = client.sql.begin(async (tx) => {
      const outer = tx.savepoint(async (middle) => {
        const inner = middle.savepoint(async (deep) => {
          proxy.harmOpen({ kind: 'reset', way: 'up', after: 0 });
          await write(deep, 'within');
        });
        codes.push(await ended(inner));
        return await inner;
      });
      codes.push(await ended(outer));
      finished.resolve();
      return await outer;
    });
    expect(await ended(work)).toMatch(LOST);
    await finished.promise;
    expect(codes).toHaveLength(2);
    for (const code of codes) expect(code).toMatch(LOST);
    await goesOn();
  });

  test('before it was committed is not committed', async () => {
    const work = client.sql.begin(async (tx) => {
      await write(tx, 'before');
      proxy.harmOpen({ kind: 'cut', way: 'up', after: 0 });
    });
    expect(await ended(work)).toMatch(LOST);
    await goesOn();
    expect(await steps()).toEqual(['after']);
  });

  test('before the answer to its commit came is no success, though it is committed', async () => {
    const work = client.sql.begin(async (tx) => {
      await write(tx, 'before');
      proxy.harmOpen({ kind: 'cut', way: 'down', after: 0 });
    });
    expect(await ended(work)).toMatch(LOST);
    expect(await steps()).toEqual(['before']);
    await goesOn();
  });
});

describe('a connection that breaks', () => {
  test.each([0, 9, 100, 400, 480])(
    'while it is made, after %d bytes, costs no more than what waits for it',
    async (after) => {
      for (const [kind, way] of BREAKS) {
        proxy.harmNext({ kind, way, after });
        // The driver may try again by itself.
        expect(await ended(client.sql`select 1`)).toMatch(/^no error$|^(?:CONNECT|E)/u);
        expect(await ended(client.sql.begin((tx) => tx`select 1`))).toMatch(/^no error$|^(?:CONNECT|E)/u);
        proxy.cutAll();
      }
      await goesOn();
      expect(await steps()).toEqual(['after']);
    },
  );

  test('under many transactions at once ends each of them', async () => {
    const { user, database: name } = database.target;
    const target = { url: new Secret(`postgres://${user}@127.0.0.1:${proxy.port}/${name}`) };
    const many = openDatabase({ target, max: 5 });
    const arrived = new Set<number>();
    const all = Promise.withResolvers<void>();
    const works = Array.from({ length: 5 }, async (_, index) => {
      const work = many.sql.begin(async (tx) => {
        await write(tx, String(index));
        arrived.add(index);
        if (arrived.size === 5) all.resolve();
        await all.promise;
        await tx`select pg_sleep(1000)`;
      });
      return await ended(work);
    });
    await all.promise;
    proxy.cutAll();
    for (const code of await Promise.all(works)) expect(code).toMatch(LOST);
    await many.sql.end({ timeout: 0 });
    expect(await steps()).toEqual([]);
  });
});

describe('a transaction on a connection that lives', () => {
  test('gives what its work gives, with options too', async () => {
    expect(await client.sql.begin('read only', async (tx) => await tx`select 1 as one`)).toEqual([
      { one: 1 },
    ]);
    const refused = client.sql.begin('read only', (tx) => write(tx, 'never'));
    expect(await ended(refused)).toBe('25006');
    expect(await client.sql.begin(() => 'no statement')).toBe('no statement');
  });

  test('needs work', () => {
    expect(() => Reflect.apply(client.sql.begin, undefined, ['read only'])).toThrow(TypeError);
  });
});
