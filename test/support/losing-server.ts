import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../src/storage/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';
import { clusterFolder } from '../../src/storage/database/embedded/cluster.ts';

/** A database server that forgets what it had confirmed, as a replica does that takes over too early. */
export interface LosingServer {
  readonly target: () => EmbeddedPostgres['target'];
  /** Ends it as a crash does and starts it again; from here on it can go back to this moment. */
  remember(): Promise<void>;
  /** Ends it as a crash does, and starts it with what it had when it was to remember. */
  goBack(): Promise<void>;
  /** Runs work on a connection of its own. */
  ask<T>(work: (sql: Database['sql']) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function startLosingServer(): Promise<LosingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-losing-'));
  const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')];
  let server = await startEmbeddedPostgres({ dataDir });
  const crash = async (): Promise<void> => {
    process.kill(server.pid, 'SIGQUIT');
    await server.exited;
    await server.stop();
  };
  return {
    target: () => server.target,
    async remember() {
      await crash();
      rmSync(copy, { recursive: true, force: true });
      cpSync(clusterFolder(dataDir), copy, { recursive: true });
      server = await startEmbeddedPostgres({ dataDir });
    },
    async goBack() {
      await crash();
      rmSync(clusterFolder(dataDir), { recursive: true, force: true });
      cpSync(copy, clusterFolder(dataDir), { recursive: true });
      server = await startEmbeddedPostgres({ dataDir });
    },
    async ask(work) {
      const database = openDatabase({ target: server.target, max: 1 });
      try {
        return await work(database.sql);
      } finally {
        await database.close();
      }
    },
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
