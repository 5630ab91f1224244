import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, isAppError } from '../domain/errors.ts';
import type { Config } from '../process/config.ts';
import type { Logger, SecretRegistry } from '../process/log.ts';
import { createCallsInHand } from '../storage/restore/calls-in-hand.ts';
import { createSealer } from '../storage/keys/crypto.ts';
import { openDatabase, type Database, type PostgresTarget } from '../storage/database/database.ts';
import { hasDatabase, runningPostgres, startEmbeddedPostgres } from '../storage/database/embedded.ts';
import { loadMasterKeys, type MasterKeys } from '../storage/keys/master-keys.ts';
import { migrate } from '../storage/database/migrate.ts';
import { checkSession, unusableDatabase } from '../storage/database/session-check.ts';
import { createStores, type Stores } from '../storage/stores.ts';

/** What has been started, in order; it is stopped in the reverse. */
export type Started = { readonly name: string; readonly stop: () => Promise<void> }[];

export interface StorageOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly secrets: SecretRegistry;
  /** The folder with the SQL migrations. */
  readonly migrations: string;
  /** A database that is there already, instead of the one that the settings name. */
  readonly database?: PostgresTarget;
  /**
   * For a tool of the operator: where a Peyk runs on the embedded database, its server is used and left as it is
   * (`beside`), or the tool refuses (`alone`). None makes a database: what it says is said of the one that people use.
   */
  readonly tool?: 'beside' | 'alone';
  /** Told what the start does next, for whoever waits for it. */
  readonly tell?: (step: string) => void;
}

/** Opens the database, brings its tables up to date, and makes every store. */
export async function openStorage(options: StorageOptions, started: Started) {
  const { config, secrets } = options;
  const { target, broken, database } = await openTables(options, started);
  const masterKeys =
    (await masterKeysThere(config, database)) ??
    loadMasterKeys({ masterKeys: undefined, dataDir: resolve(config.database.dataDir) }).keys;
  for (const { key } of masterKeys) secrets.keep(key);
  const made = makeStores(config, database, masterKeys);
  await checkKeys(made.stores.bindings);
  return { target, broken, database, masterKeys, ...made };
}

/** Makes every store on a database; asks it nothing. */
export function makeStores(
  { defaultTimeZone: timeZone, gateway, keep }: Config,
  database: Database,
  masterKeys: MasterKeys,
) {
  const sealer = createSealer(masterKeys);
  const hand = createCallsInHand();
  const stores = createStores({
    database,
    sealer,
    masterKeys,
    timeZone,
    gateway: gateway.baseUrl ?? gateway.wsUrl ?? '',
    hand,
    keep,
  });
  return { sealer, stores, hand };
}

/** Opens the database and brings its tables up to date. Of what they hold nothing is opened: no key is needed. */
export async function openTables(options: StorageOptions, started: Started) {
  const { log, migrations, tell } = options;
  const { target, broken } = await openServer(options, started);
  const database = openDatabase({ target, max: 16, log: (message) => log.debug({}, message) });
  started.push({ name: 'database', stop: () => database.close() });
  await checkDatabase(options.config, database);
  tell?.('bringing its tables up to date');
  await migrate(database.sql, migrations);
  return { target, broken, database };
}

/** Makes the first connection. Throws UnusableDatabase, or AppError `config` where a pooler stands between. */
export async function checkDatabase({ database: { url } }: Config, { sql }: Database): Promise<void> {
  try {
    await checkSession(sql);
  } catch (error) {
    throw (url === null ? null : unusableDatabase(error, url.reveal())) ?? error;
  }
}

/** The server that the settings lead to, or the embedded one. */
export async function openServer(
  { config, database, tool, tell }: StorageOptions,
  started: Started,
): Promise<{ target: PostgresTarget; broken: Promise<void> }> {
  if (database !== undefined) return { target: database, broken: new Promise(() => undefined) };
  if (config.database.url !== null) {
    tell?.('connecting to the database');
    return { target: { url: config.database.url }, broken: new Promise(() => undefined) };
  }
  const dataDir = resolve(config.database.dataDir);
  const running = tool === undefined ? null : peykOn(dataDir);
  if (running !== null && tool === 'alone') {
    throw new AppError(
      'config',
      `Peyk already runs on the data directory ${dataDir}: stop it, run this again, then start it`,
    );
  }
  if (running !== null) return { target: running, broken: new Promise(() => undefined) };
  const server = await startEmbeddedPostgres({ dataDir, log: tell });
  let stopping = false;
  started.push({
    name: 'embedded database',
    stop: async () => {
      stopping = true;
      await server.stop();
    },
  });
  const broken = new Promise<void>((ended) => {
    void server.exited.then(() => {
      if (!stopping) ended();
    });
  });
  return { target: server.target, broken };
}

/** The server of the Peyk that runs there, for a tool; null where none runs. */
function peykOn(dataDir: string): PostgresTarget | null {
  if (hasDatabase(dataDir)) return runningPostgres(dataDir);
  throw new AppError(
    'config',
    `the data directory ${dataDir} has no database: run this in the folder in which Peyk is started, with the same settings`,
  );
}

/**
 * The master keys that there are; null where there is none yet, and nothing was sealed under one.
 * @throws AppError `config` where there were, or they cannot be read
 */
export async function masterKeysThere(config: Config, { sql }: Database): Promise<MasterKeys | null> {
  const [newest, ...older] = config.masterKeys;
  if (newest !== undefined) return [newest, ...older];
  const dataDir = resolve(config.database.dataDir);
  if (existsSync(join(dataDir, 'master.key'))) return loadMasterKeys({ masterKeys: undefined, dataDir }).keys;
  const sealed = await sql`select 1 from binding where credentials is not null limit 1`;
  if (sealed.length === 0) return null;
  // A new key would open nothing, and would hide that the old one is missing.
  throw new AppError('config', 'the master key is gone', {
    params: {
      MASTER_KEYS:
        'accounts are linked, but the file master.key in DATA_DIR is missing; put the old one back',
    },
  });
}

/**
 * Opens one thing that is sealed: wrong keys would otherwise show only when somebody needs their account.
 * @throws AppError `config` where they do not open it
 */
export async function checkKeys(bindings: Stores['bindings']): Promise<void> {
  try {
    await bindings.probeSeal();
  } catch (error) {
    if (!isAppError(error, 'crypto')) throw error;
    throw new AppError('config', 'the master keys do not open what is stored', {
      params: {
        MASTER_KEYS: 'accounts are sealed under another key than these; add it behind the newest one',
      },
    });
  }
}
