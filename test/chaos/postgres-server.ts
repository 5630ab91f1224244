import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { DRIVER_TYPES } from '../../src/storage/database/driver-types.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';

export interface PostgresServer {
  /** Whether there is a server now. */
  runs(): boolean;
  /** The path of the socket that it listens on now; another one after each restart. */
  socket(): string;
  /**
   * Ends it without a shutdown, as `pg_ctl restart -m immediate` does, and starts it again. With `keep` a copy of its data is
   * kept before, with `back` it begins again with that copy.
   */
  restart(how?: 'keep' | 'back'): Promise<void>;
  /** Runs work on a connection that no proxy touches. */
  ask<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/**
 * A real server with data of its own, which dies as in production. Sessions that do not ask for more are answered before a
 * commit is on the disk, as they are where an operator or a pooler has set it so.
 */
export async function startPostgresServer(dataDir: string): Promise<PostgresServer> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  let changing: Promise<void> = Promise.resolve();
  // Also when this process ends by a mistake of its own.
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(server.pid, name);
    } catch {
      return false;
    }
  };
  const quit = (): void => void signal('SIGQUIT');
  process.on('exit', quit);
  const copy = `${dataDir}-copy`;
  const restart = async (how?: 'keep' | 'back'): Promise<void> => {
    // Every session ends at once and the log is replayed at the next start.
    quit();
    await server.exited;
    await server.stop();
    if (how === 'keep') await replaceFolder(dataDir, copy);
    if (how === 'back') await replaceFolder(copy, dataDir);
    server = await startEmbeddedPostgres({ dataDir });
  };
  const ask: PostgresServer['ask'] = async (work) => {
    await changing;
    const { socketDir, port, user, database } = server.target;
    const sql = postgres({
      host: socketDir,
      port,
      user,
      database,
      max: 1,
      // The driver's own question for them would be left to nobody where a restart comes in between.
      fetch_types: false,
      types: DRIVER_TYPES,
      onnotice: () => undefined,
    });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  await ask(async (sql) => {
    // It holds for the sessions that begin from now on, over what the server was started with.
    await sql.unsafe(`alter database ${server.target.database} set synchronous_commit = off`);
  });
  return {
    runs: () => signal(0),
    socket: () => `${server.target.socketDir}/.s.PGSQL.${server.target.port}`,
    restart: (how) => (changing = changing.then(async () => await restart(how))),
    ask,
    async stop() {
      await changing.catch(() => undefined);
      await server.stop();
      // A run of many stands would gather these.
      process.off('exit', quit);
    },
  };
}

async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await promisify(execFile)('cp', ['-a', from, to]);
}
