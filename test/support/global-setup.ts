import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareQueue } from '../../src/jobs/engine.ts';
import { openDatabase, pgPoolConfig } from '../../src/storage/database/database.ts';
import { clusterFolder } from '../../src/storage/database/embedded/cluster.ts';
import { lockDataDir } from '../../src/storage/database/embedded/data-lock.ts';
import { stopOrphan } from '../../src/storage/database/embedded/orphan.ts';
import { removeRuntimeFolder } from '../../src/storage/database/embedded/runtime-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { createMemoryLog } from './memory-log.ts';

const PREFIX = 'peyk-test-';
const OLD_MS = 60_000;

/**
 * Where the test run's server listens, and the migrated database that every test database is a copy
 * of.
 */
export interface TestServer {
  readonly socketDir: string;
  readonly port: number;
  readonly user: string;
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** One Postgres server for the whole run. vitest calls what this returns when the run ends. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await clearKilledRuns();
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await migrateTemplate(server);
  const { socketDir, port, user, database } = server.target;
  project.provide('testServer', { socketDir, port, user, template: database });
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** The server's own database serves as the template: nothing stays connected to it. */
async function migrateTemplate({ target }: EmbeddedPostgres): Promise<void> {
  const folder = join(import.meta.dirname, '../../drizzle');
  if (!existsSync(join(folder, 'meta/_journal.json'))) return;
  const database = openDatabase({ target, max: 1 });
  try {
    await migrate(database.sql, folder);
  } finally {
    await database.close();
  }
  // What every start of an application would else do once more.
  await prepareQueue(pgPoolConfig(target, 1), createMemoryLog());
}

/**
 * A run that was killed left its server running: it is ended here. A run that lives holds its
 * directory's lock.
 */
async function clearKilledRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const dataDir = join(tmpdir(), name);
    const made = name.startsWith(PREFIX) ? statSync(dataDir, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (made === undefined || Date.now() - made < OLD_MS) continue;
    const lock = await lockDataDir(dataDir, 0).catch(() => undefined);
    if (lock === undefined) continue;
    await stopOrphan(clusterFolder(dataDir));
    if (lock.previous?.runtimeDir !== undefined) removeRuntimeFolder(lock.previous.runtimeDir);
    rmSync(dataDir, { recursive: true, force: true });
    lock.release();
  }
}
