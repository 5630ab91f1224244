import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import {
  checkDatabase,
  checkKeys,
  makeStores,
  masterKeysThere,
  openServer,
  type Started,
  type StorageOptions,
} from '../../app/storage.ts';
import type { Config } from '../../process/config.ts';
import { EXIT } from '../../process/exit-codes.ts';
import { createDatabaseCheck, readRights, type Rights } from '../../storage/database/database-check.ts';
import { type Database, openDatabase } from '../../storage/database/database.ts';
import { hasDatabase } from '../../storage/database/embedded.ts';
import { findPostgresBinaries } from '../../storage/database/embedded/binaries.ts';
import { createForeignSeals } from '../../storage/keys/foreign-seals.ts';
import { loadMasterKeys, type MasterKeys } from '../../storage/keys/master-keys.ts';
import { type MigrationState, readMigrationState } from '../../storage/database/migrate.ts';
import { unusableDatabase } from '../../storage/database/session-check.ts';
import { bad, type ClockSeen, type Examined, type Finding, inTime, look, refusal, well } from './finding.ts';

type Opened = Pick<StorageOptions, 'config' | 'log' | 'secrets' | 'migrations'>;

/** Postgres has no such table, or no such column: it is to be made by a migration. */
const NOT_YET = new Set(['42P01', '42703']);
/** To start an embedded server, and to repair it after a crash. */
const START_MS = 30_000;

/** The database, its tables and the keys for what is in it. An embedded server that does not run is started for the look. */
export async function examineDatabase(options: Opened): Promise<Examined> {
  const { config } = options;
  if (config.database.url === null && !hasDatabase(resolve(config.database.dataDir)))
    return { findings: beforeTheFirstStart(config) };
  const started: Started = [];
  try {
    const { target } = await inTime(openServer({ ...options, tool: 'beside' }, started), START_MS);
    const isRunning = config.database.url === null && started.length === 0;
    const database = openDatabase({ target, max: 4 });
    started.push({ name: 'database', stop: () => database.close() });
    await inTime(checkDatabase(config, database));
    return await inTime(examine(options, database, isRunning));
  } catch (error) {
    const { url } = config.database;
    const why = url === null ? null : unusableDatabase(error, url.reveal());
    return { findings: refusal('database', why ?? error) };
  } finally {
    for (let part = started.pop(); part !== undefined; part = started.pop()) await part.stop();
  }
}

function beforeTheFirstStart(config: Config): readonly Finding[] {
  try {
    findPostgresBinaries();
    return [well('database', 'none yet: the first start makes it in DATA_DIR'), newestKey(fileKeys(config))];
  } catch (error) {
    return refusal('database', error);
  }
}

async function examine(
  { config, migrations }: Opened,
  database: Database,
  isRunning: boolean,
): Promise<Examined> {
  const problem = await createDatabaseCheck(database)();
  if (problem !== null) return { findings: [bad('database', problem, EXIT.wrong)] };
  const askedAt = Date.now();
  const rights = await readRights(database.sql);
  const aheadMs = (askedAt + Date.now()) / 2 - rights.now;
  const where =
    config.database.url === null
      ? `in DATA_DIR${isRunning ? ', where a Peyk runs' : ''}`
      : `at ${new URL(config.database.url.reveal()).host}`;
  const clocks: readonly ClockSeen[] = config.database.url === null ? [] : [{ of: 'the database', aheadMs }];
  const answers = well('database', `Postgres ${rights.version} ${where} answers and takes writes`);
  let state: MigrationState;
  try {
    state = await readMigrationState(database.sql, migrations);
  } catch (error) {
    return { clocks, findings: [answers, ...refusal('tables', error)] };
  }
  return { clocks, findings: [answers, tables(state, rights), ...(await keys(config, database, state))] };
}

function tables({ pending, applied, newer }: MigrationState, { mayCreate, foreignTables }: Rights): Finding {
  const may = mayCreate && foreignTables === 0;
  const lack = mayCreate
    ? `${foreignTables} of them belong to another user: have that user give them to the one in DATABASE_URL`
    : 'the user in DATABASE_URL may not make any: grant it CREATE on the database and on its schema';
  if (pending.length > 0 && !may)
    return bad('tables', `${pending.length} migrations wait, and ${lack}`, EXIT.wrong);
  if (applied === 0) return well('tables', 'none yet: the start makes them');
  if (pending.length > 0)
    return look('tables', `the start applies ${pending.length} migrations. Take a backup before`);
  if (!may) return look('tables', `up to date; for the next upgrade ${lack}`);
  if (newer > 0)
    return well('tables', `a newer Peyk has added to them (${newer}); this one can work on them`);
  return well('tables', `up to date, ${applied} migrations`);
}

async function keys(config: Config, database: Database, state: MigrationState): Promise<readonly Finding[]> {
  try {
    const ring = state.applied === 0 ? fileKeys(config) : await masterKeysThere(config, database);
    if (ring === null || state.applied === 0) return [newestKey(ring)];
    await checkKeys(makeStores(config, database, ring).stores.bindings);
    const clock = { monotonic: () => performance.now() };
    const foreign = await createForeignSeals(database, ring, clock)();
    if (foreign === 0) return [well('master key', `${ring[0].kid} and what is stored fit`)];
    return [
      look(
        'master key',
        `${foreign} stored credentials are under a key that is not here: add it behind ${ring[0].kid}`,
      ),
    ];
  } catch (error) {
    if (error instanceof postgres.PostgresError && NOT_YET.has(error.code))
      return [look('master key', 'can be held against what is stored once the migrations are applied')];
    return refusal('master key', error);
  }
}

/** Those of the settings or of the file; null where there is none yet. */
function fileKeys(config: Config): MasterKeys | null {
  const [newest, ...older] = config.masterKeys;
  if (newest !== undefined) return [newest, ...older];
  const dataDir = resolve(config.database.dataDir);
  if (!existsSync(join(dataDir, 'master.key'))) return null;
  return loadMasterKeys({ masterKeys: undefined, dataDir }).keys;
}

function newestKey(ring: MasterKeys | null): Finding {
  return ring === null
    ? well('master key', 'none yet, and nothing that needs one: the start makes master.key in DATA_DIR')
    : well('master key', `${ring[0].kid}; nothing is stored under any yet`);
}
