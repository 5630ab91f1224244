import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../src/storage/database/migrate.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { unsafeStatements } from './support/migration-rules.ts';
import { talkIn } from './support/talk.ts';
import { startWorld } from './support/world.ts';

/* Old and new programs work on one database while an upgrade goes on. */

const FOLDER = join(import.meta.dirname, '../drizzle');
/** The last of what the first release came with: nothing is older than that. */
const BASE = '0006_enqueue.sql';

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

describe('each migration after the first release', () => {
  const later = files.filter((name) => name > BASE);

  it('is there to be looked at', () => {
    expect(files).toContain(BASE);
    expect(later.length).toBeGreaterThan(0);
  });

  it.each(later)('adds, and takes nothing away that programs before it use: %s', (name) => {
    expect(unsafeStatements(readFileSync(join(FOLDER, name), 'utf8'))).toEqual([]);
  });
});

describe('what breaks or holds up older programs', () => {
  it.each([
    'DROP TABLE "person";',
    'drop index if exists person_username;',
    'TRUNCATE "person";',
    'ALTER TABLE "person" DROP COLUMN "username";',
    'ALTER TABLE "person" RENAME COLUMN "username" TO "handle";',
    'ALTER TABLE "person" RENAME TO "people";',
    'ALTER TABLE "person" ALTER COLUMN "username" SET NOT NULL;',
    'ALTER TABLE "person" ADD COLUMN "age" integer NOT NULL;',
    'ALTER TABLE "person" ADD COLUMN "a" text DEFAULT \'x\' NOT NULL, ADD COLUMN "b" text NOT NULL;',
    'ALTER TABLE person ADD age integer NOT NULL;',
    'ALTER TABLE "person" ALTER COLUMN "telegram_id" SET DATA TYPE text;',
    'ALTER TABLE "person" ALTER COLUMN "telegram_id" TYPE text USING telegram_id::text;',
    'ALTER TABLE "person" ADD CONSTRAINT "one_name" UNIQUE("username");',
    'ALTER TABLE "person" ADD CONSTRAINT "adult" CHECK (age > 17);',
    'ALTER TABLE "person" ADD CONSTRAINT "f" FOREIGN KEY ("chat_id") REFERENCES "chat"("id");',
    'CREATE UNIQUE INDEX "one_name" ON "person" USING btree ("username");',
    'CREATE INDEX "by_name" ON "person" USING btree ("name");',
    'CREATE TABLE "other" ("id" integer);--> statement-breakpoint\nCREATE INDEX "by_name" ON "person" ("name");',
    'UPDATE "person" SET "username" = null;',
    'DO $$ BEGIN DELETE FROM person; END $$;',
    'CREATE TRIGGER t BEFORE INSERT ON "person" FOR EACH ROW EXECUTE FUNCTION f();',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ select 1; $$;',
    'SELECT 1; DROP TABLE "person";',
    'ALTER SYSTEM SET work_mem = 1;',
    '-- allowed: short\nDROP TABLE "person";',
    '-- a word that does not say why\nDROP TABLE "person";',
  ])('is named: %s', (sql) => {
    expect(unsafeStatements(sql)).not.toEqual([]);
  });

  it.each([
    'CREATE TABLE "other" ("id" integer PRIMARY KEY NOT NULL, CONSTRAINT "c" UNIQUE("id"));',
    'CREATE TABLE "other" ("id" integer);--> statement-breakpoint\nCREATE UNIQUE INDEX "o" ON "other" ("id");--> statement-breakpoint\nALTER TABLE "other" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."chat"("id");',
    'ALTER TABLE "person" ADD COLUMN "age" integer;',
    'ALTER TABLE "person" ADD COLUMN "age" integer DEFAULT 0 NOT NULL;',
    'ALTER TABLE "person" ADD CONSTRAINT "f" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") NOT VALID;',
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM x; DROP TABLE y; END $$;',
    '-- contract: nothing reads it since the release before this one\nALTER TABLE "person" DROP COLUMN "username";',
    '-- allowed: a table of one row for each deployment\nCREATE INDEX "i" ON "deployment" ("one");',
  ])('is not: %s', (sql) => {
    expect(unsafeStatements(sql)).toEqual([]);
  });
});

describe('old and new on one database', () => {
  let folder: string;
  let database: TestDatabase;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'peyk-newer-'));
    database = await createTestDatabase({ empty: true });
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The migrations with one more behind them, as a release to come may have. */
  function withOneMore(sql: string): void {
    cpSync(FOLDER, folder, { recursive: true });
    const journal = join(folder, 'meta', '_journal.json');
    const parsed: { entries: { tag: string; when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'));
    const when = Math.max(...parsed.entries.map((each) => each.when)) + 1000;
    writeFileSync(
      journal,
      JSON.stringify({ ...parsed, entries: [...parsed.entries, { tag: '9999_next', when }] }),
    );
    writeFileSync(join(folder, '9999_next.sql'), sql);
  }

  const ADDS =
    'ALTER TABLE "person" ADD COLUMN "age" integer DEFAULT 0 NOT NULL;--> statement-breakpoint\nCREATE TABLE "other" ("id" integer);';

  it('this program starts on what the next one has added to, and does its work', async () => {
    expect(unsafeStatements(ADDS)).toEqual([]);
    withOneMore(ADDS);
    await using world = await startWorld();
    expect(await migrate(world.database.sql, folder)).toEqual(['9999_next']);
    // Its own migrations are looked at as at every start.
    expect(await migrate(world.database.sql, FOLDER)).toEqual([]);
    const talk = talkIn(world);
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, '1 accepted');
    expect(talk.sends(account.username)).toHaveLength(1);
  });

  it('of three programs that start on an old database one migrates, and none of them fails', async () => {
    const older = files.filter((name) => name <= BASE);
    cpSync(FOLDER, folder, { recursive: true });
    const journal = join(folder, 'meta', '_journal.json');
    const parsed: { entries: unknown[] } = JSON.parse(readFileSync(journal, 'utf8'));
    writeFileSync(journal, JSON.stringify({ ...parsed, entries: parsed.entries.slice(0, older.length) }));
    expect(await migrate(database.sql, folder)).toHaveLength(older.length);
    const clients = [1, 2, 3].map(() => openDatabase({ target: database.target, max: 1 }));
    const done = await Promise.all(clients.map(({ sql }) => migrate(sql, FOLDER)));
    expect(done.filter((applied) => applied.length > 0)).toHaveLength(1);
    expect(done.flat()).toHaveLength(files.length - older.length);
    await Promise.all(clients.map((client) => client.close()));
  });
});
