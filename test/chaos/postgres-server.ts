import process from 'node:process';
import postgres from 'postgres';
import { ARRAY_TYPES } from '../../src/storage/array-types.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/embedded.ts';

export interface PostgresServer {
  /** The path of the socket that it listens on now; another one after each restart. */
  socket(): string;
  /** Ends it without a shutdown, as `pg_ctl restart -m immediate` does, and starts it again. */
  restart(): Promise<void>;
  /** Runs work on a connection that no proxy touches. */
  ask<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** A real server with data of its own, as durable as in production. */
export async function startPostgresServer(dataDir: string): Promise<PostgresServer> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  let changing: Promise<void> = Promise.resolve();
  // Also when this process ends by a mistake of its own.
  const quit = (): void => void process.kill(server.pid, 'SIGQUIT');
  process.on('exit', quit);
  const restart = async (): Promise<void> => {
    // Every session ends at once and the log is replayed at the next start.
    process.kill(server.pid, 'SIGQUIT');
    await server.exited;
    await server.stop();
    server = await startEmbeddedPostgres({ dataDir });
  };
  return {
    socket: () => `${server.target.socketDir}/.s.PGSQL.${server.target.port}`,
    restart: () => (changing = changing.then(restart)),
    async ask(work) {
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
        types: ARRAY_TYPES,
        onnotice: () => undefined,
      });
      try {
        return await work(sql);
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
    async stop() {
      await changing.catch(() => undefined);
      await server.stop();
      // A run of many stands would gather these.
      process.off('exit', quit);
    },
  };
}
