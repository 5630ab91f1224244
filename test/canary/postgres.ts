import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';
import { type WireTap, startWireTap } from './wire-tap.ts';

/** An operator's own server, with a password, that writes down all it can. */
export interface LoudPostgres {
  /** The address that Peyk gets, with the password in it; its bytes are written down on the way. */
  url(database?: string): string;
  readonly wire: WireTap;
  /** A connection that Peyk does not use. */
  readonly admin: postgres.Sql;
  readonly pid: number;
  readonly dataDir: string;
  /** Ends it with a checkpoint, so that everything is in its files. */
  stop(): Promise<void>;
}

const DATABASE = 'canaries';
const ROLE = 'peyk_app';

/** What Postgres can be told to write down of statements, values, errors and connections. */
const LOUD: Readonly<Record<string, string>> = {
  log_statement: 'all',
  log_min_duration_statement: '0',
  log_min_messages: 'debug2',
  log_min_error_statement: 'debug5',
  log_error_verbosity: 'verbose',
  log_parameter_max_length: '-1',
  log_parameter_max_length_on_error: '-1',
  log_duration: 'on',
  log_lock_waits: 'on',
};

export async function startLoudPostgres(dataDir: string, password: string): Promise<LoudPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const { socketDir, port, user } = server.target;
  const quiet = { host: socketDir, port, user, max: 1, fetch_types: false, onnotice: () => undefined };
  const first = postgres({ ...quiet, database: 'postgres' });
  await first.unsafe(`create role ${ROLE} login password '${password.replaceAll("'", "''")}'`);
  await first.unsafe(`create database ${DATABASE} owner ${ROLE}`);
  // Only then: whoever makes a role with a password tells it to the log.
  for (const [name, value] of Object.entries(LOUD))
    await first.unsafe(`alter database ${DATABASE} set ${name} = '${value}'`);
  const rules = [`local all ${user} trust`, 'local all all scram-sha-256'];
  writeFileSync(join(dataDir, 'postgres/pg_hba.conf'), `${rules.join('\n')}\n`);
  await first`select pg_reload_conf()`;
  await first.end();
  const wire = await startWireTap({ path: `${socketDir}/.s.PGSQL.${port}` });
  // Its own statements are about what is searched, and would be found in the log.
  const admin = postgres({ ...quiet, database: DATABASE, connection: { log_statement: 'none' } });
  return {
    url: (database = DATABASE) =>
      `postgres://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${wire.port}/${database}`,
    wire,
    admin,
    pid: server.pid,
    dataDir,
    async stop() {
      await admin`checkpoint`;
      await admin.end();
      await wire.close();
      await server.stop();
    },
  };
}

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', () => listening());
  });
  const address = server.address();
  await new Promise<void>((closed) => {
    server.close(() => closed());
  });
  return typeof address === 'object' && address !== null ? address.port : 1;
}
