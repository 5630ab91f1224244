import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';

/** The lock under which one process migrates; the number is Peyk's own, chosen once. */
const LOCK = 7_361_202_611;

interface Migration {
  /** Name of the file, without `.sql`. */
  readonly name: string;
  /** When it was made, in ms: its place in the order, and its identity in the table of drizzle. */
  readonly when: number;
  readonly hash: string;
  readonly statements: readonly string[];
  /** It takes something away that programs before it use: they must not work on the database any more. */
  readonly isContract: boolean;
}

interface Applied {
  /** The hashes of what was applied, by when it was made. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly contracts: ReadonlySet<number>;
}

/** A line that the migration begins a statement with, with the reason. */
const CONTRACT = /^-- contract: \S/mu;

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/**
 * Brings the database to the newest schema. Everything happens in one transaction, under a lock: of
 * several processes that start at once one migrates, the others wait for it and find nothing to do;
 * a kill leaves the schema as it was. Forward only. The record is kept in drizzle's own table.
 *
 * A database that a newer Peyk has migrated is worked on as well: what was added stands in nobody's way. Only after a
 * migration that says of itself that it takes something away (`-- contract: why`) is it refused.
 * @param folder where drizzle-kit put `meta/_journal.json` and the SQL files
 * @returns names of the migrations that were applied now
 * @throws AppError `config` when a newer Peyk has taken something away that this one uses, or a migration changed
 *   after it was applied
 */
export async function migrate(sql: postgres.Sql, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder);
  return sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`;
    await tx`select pg_advisory_xact_lock(${LOCK}::bigint)`;
    await ensureRecord(tx);
    const pending = pendingOf(await readApplied(tx), migrations);
    for (const migration of pending) await apply(tx, migration);
    return pending.map(({ name }) => name);
  });
}

/** How the tables of a database stand to the migrations of this program. */
export interface MigrationState {
  /** Names of those that the next start applies. */
  readonly pending: readonly string[];
  readonly applied: number;
  /** Of those that were applied, how many are a newer Peyk's. */
  readonly newer: number;
}

/**
 * Says what {@link migrate} would do, and does nothing.
 * @throws AppError `config` as that does
 */
export async function readMigrationState(sql: postgres.Sql, folder: string): Promise<MigrationState> {
  const migrations = readMigrations(folder);
  const applied = await readApplied(sql);
  const pending = pendingOf(applied, migrations).map(({ name }) => name);
  const known = new Set(migrations.map(({ when }) => when));
  const newer = [...applied.hashes.keys()].filter((when) => !known.has(when)).length;
  return { pending, applied: applied.hashes.size, newer };
}

function readMigrations(folder: string): Migration[] {
  const journal = readFileSync(join(folder, 'meta', '_journal.json'), 'utf8');
  const { entries } = Journal.parse(JSON.parse(journal));
  return entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const statements = text.split('--> statement-breakpoint');
    return { name: tag, when, hash, statements, isContract: CONTRACT.test(text) };
  });
}

async function ensureRecord(tx: postgres.TransactionSql): Promise<void> {
  const [table] = await tx`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (table?.['name'] === null) {
    await tx`create schema if not exists drizzle`;
    await tx`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  }
  const [contracts] = await tx`select to_regclass('drizzle.peyk_contracts') as name`;
  if (contracts?.['name'] === null)
    await tx`create table drizzle.peyk_contracts (created_at bigint primary key)`;
}

async function readApplied(sql: postgres.ISql): Promise<Applied> {
  const [found] = await sql<{ record: boolean; contracts: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as record,
      to_regclass('drizzle.peyk_contracts') is not null as contracts`;
  if (found?.record !== true) return { hashes: new Map(), contracts: new Set() };
  const contracts = found.contracts
    ? sql`select created_at from drizzle.peyk_contracts`
    : sql`select 0::bigint`;
  const rows = await sql<{ hash: string; created_at: number; is_contract: boolean }[]>`
    select hash, created_at, created_at in (${contracts}) as is_contract from drizzle.__drizzle_migrations`;
  return {
    hashes: new Map(rows.map((row) => [row.created_at, row.hash])),
    contracts: new Set(rows.filter((row) => row.is_contract).map((row) => row.created_at)),
  };
}

/** @throws AppError `config` where the one cannot work on what the others have made */
function pendingOf({ hashes, contracts }: Applied, migrations: readonly Migration[]): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.when, migration]));
  const newest = Math.max(0, ...hashes.keys());
  for (const [when, hash] of hashes) {
    const migration = known.get(when);
    if (migration === undefined && contracts.has(when)) {
      throw new AppError(
        'config',
        'a newer Peyk has changed this database so that this one cannot work on it: start the newer Peyk, or restore an older backup',
      );
    }
    if (migration !== undefined && migration.hash !== hash) {
      throw new AppError(
        'config',
        `migration ${migration.name} differs from the one applied to the database`,
      );
    }
  }
  const late = migrations.find(({ when }) => when < newest && !hashes.has(when));
  if (late !== undefined) {
    throw new AppError('config', `migration ${late.name} comes before one that the database already has`);
  }
  return migrations.filter(({ when }) => !hashes.has(when));
}

async function apply(tx: postgres.TransactionSql, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await tx.unsafe(statement);
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
    values (${migration.hash}, ${migration.when}::bigint)`;
  if (migration.isContract)
    await tx`insert into drizzle.peyk_contracts (created_at) values (${migration.when}::bigint)`;
}
