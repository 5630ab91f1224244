import { existsSync } from 'node:fs';
import process from 'node:process';
import { openTables, type Started } from '../app/storage.ts';
import { isAppError } from '../domain/errors.ts';
import { describeConfigMistakes, loadConfig, type Config } from '../process/config.ts';
import { createLogger, createSecretRegistry } from '../process/log.ts';
import type { Database } from '../storage/database.ts';
import { migrationsFolder } from '../storage/migrations-folder.ts';

/** It was called in a way that it does not know. */
export const BAD_USE = 64;
const UNREACHABLE = 69;
const BAD_SETTINGS = 78;

/** What Node and Postgres call a server that is not there, does not take us, or does not answer. */
const NOT_THERE =
  /^(?:E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|NOENT|TIMEDOUT|ACCES|PIPE)|ENOTFOUND|EAI_AGAIN|CONNECT(?:ION)?_(?:TIMEOUT|CLOSED|DESTROYED|ENDED)|28P01|28000|3D000|57P0[123]|53300)$/u;

/**
 * Runs a command of the operator on the deployment's database: settings as for Peyk itself, tables up to date, no key
 * opened. A mistake in the settings, and a database that is not there, are told without a value of the settings.
 * @returns the exit code: what `work` returns, 69 without a database, 78 with wrong settings
 */
export async function onDatabase(
  work: (database: Database, config: Config) => Promise<number>,
): Promise<number> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const secrets = createSecretRegistry();
  const started: Started = [];
  try {
    const config = loadConfig(process.env);
    if (config.database.url !== null) secrets.keep(config.database.url);
    const log = createLogger({ level: 'warn', pretty: true, secrets });
    const migrations = migrationsFolder();
    const { database } = await openTables({ config, log, secrets, migrations, besidePeyk: true }, started);
    return await work(database, config);
  } catch (error) {
    if (isAppError(error, 'config')) {
      process.stderr.write(`${describeConfigMistakes(error)}\n`);
      return BAD_SETTINGS;
    }
    const code = codeOf(error);
    if (code === null) throw error;
    process.stderr.write(
      `The database cannot be reached (${code}). Nothing more was changed. Is it running, and does DATABASE_URL lead to it?\n`,
    );
    return UNREACHABLE;
  } finally {
    for (let part = started.pop(); part !== undefined; part = started.pop()) await part.stop();
  }
}

/** A line for whoever runs the command. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The code of an error that says that there is no database; null for any other. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return NOT_THERE.test(error.code) ? error.code : null;
}
