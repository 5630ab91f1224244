import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const FIRST = {
  when: 1000,
  sql: 'create table a (id int);--> statement-breakpoint\ncreate table b (id int);',
};
const SECOND = { when: 2000, sql: 'alter table a add column note text;' };

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-migrations-'));
  database = await createTestDatabase({ empty: true });
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('migrate', () => {
  it('applies what is missing, once, and tells what it applied', async () => {
    write(FIRST);
    expect(await migrate(database.sql, folder)).toEqual(['0000_step']);
    write(FIRST, SECOND);
    expect(await migrate(database.sql, folder)).toEqual(['0001_step']);
    expect(await migrate(database.sql, folder)).toEqual([]);
    expect(await tables()).toEqual(['a', 'b']);
    expect(await database.sql`select note from a`).toEqual([]);
  });

  it('lets one of four processes that start at once migrate while the others wait', async () => {
    write(FIRST, SECOND);
    const clients = Array.from({ length: 4 }, () => openDatabase({ target: database.target, max: 1 }));
    const applied = await Promise.all(clients.map(({ sql }) => migrate(sql, folder)));
    expect(applied.flat()).toEqual(['0000_step', '0001_step']);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('leaves nothing of a migration that fails, and can be tried again', async () => {
    write(FIRST, {
      when: 2000,
      sql: 'create table c (id int);--> statement-breakpoint\ncreate table a (id int);',
    });
    await expect(migrate(database.sql, folder)).rejects.toThrow(/already exists/);
    expect(await tables()).toEqual([]);
    write(FIRST, SECOND);
    expect(await migrate(database.sql, folder)).toHaveLength(2);
  });

  it('works on a database to which a newer Peyk has added something', async () => {
    write(FIRST, SECOND);
    await migrate(database.sql, folder);
    write(FIRST);
    expect(await migrate(database.sql, folder)).toEqual([]);
    write(FIRST, SECOND);
    expect(await migrate(database.sql, folder)).toEqual([]);
  });

  it('refuses a database from which a newer Peyk has taken something away', async () => {
    write(FIRST);
    await migrate(database.sql, folder);
    write(FIRST, { when: 2000, sql: '-- contract: nothing reads it since 2.0\ndrop table b;' });
    expect(await migrate(database.sql, folder)).toEqual(['0001_step']);
    expect(await migrate(database.sql, folder)).toEqual([]);
    write(FIRST);
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('newer Peyk'),
    });
  });

  it('does not put a migration of its own behind those of a newer Peyk', async () => {
    write(FIRST, { when: 3000, sql: 'create table later (id int);' });
    await migrate(database.sql, folder);
    write(FIRST, SECOND);
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({ code: 'config' });
    expect(await tables()).toEqual(['a', 'b', 'later']);
  });

  it('refuses a migration that changed after it was applied, and one that slipped in before', async () => {
    write(FIRST, SECOND);
    await migrate(database.sql, folder);
    write(FIRST, { when: 2000, sql: 'alter table a add column other text;' });
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      message: expect.stringContaining('0001_step differs'),
    });
    write(FIRST, { when: 1500, sql: 'create table c (id int);' }, SECOND);
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({ code: 'config' });
    expect(await tables()).toEqual(['a', 'b']);
  });

  it('is not bound by the limits that other statements have', async () => {
    write({ when: 1000, sql: `select set_config('peyk.seen', current_setting('statement_timeout'), false)` });
    await migrate(database.sql, folder);
    const client = openDatabase({ target: database.target, max: 1 });
    write(FIRST, {
      when: 3000,
      sql: `do $$ begin assert current_setting('statement_timeout') = '0'; end $$`,
    });
    await database.sql`drop schema drizzle cascade`;
    expect(await migrate(client.sql, folder)).toHaveLength(2);
    expect(await client.sql`show statement_timeout`).toEqual([{ statement_timeout: '30s' }]);
    await client.close();
  });
});

/** Writes the folder as drizzle-kit would. */
function write(...migrations: readonly { when: number; sql: string }[]): void {
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const entries = migrations.map(({ when }, idx) => ({
    idx,
    version: '7',
    when,
    tag: `000${idx}_step`,
    breakpoints: true,
  }));
  writeFileSync(
    join(folder, 'meta', '_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  for (const [index, { sql }] of migrations.entries())
    writeFileSync(join(folder, `000${index}_step.sql`), sql);
}

async function tables(): Promise<unknown[]> {
  const rows = await database.sql`select tablename from pg_tables where schemaname = 'public' order by 1`;
  return rows.map((row) => row['tablename']);
}
