import process from 'node:process';
import { openTables, type Started, type StorageOptions } from '../app/storage.ts';
import { isAppError } from '../domain/errors.ts';
import { describeConfigMistakes, loadConfig, type Config } from '../process/config.ts';
import { EXIT } from '../process/exit-codes.ts';
import { createLogger, createSecretRegistry } from '../process/log.ts';
import type { Database } from '../storage/database/database.ts';
import { migrationsFolder } from '../storage/database/migrations-folder.ts';

/** What Node and Postgres call a server that is not there, does not take us, or does not answer. */
const NOT_THERE =
  /^(?:E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|NOENT|TIMEDOUT|ACCES|PIPE)|ENOTFOUND|EAI_AGAIN|CONNECT(?:ION)?_(?:TIMEOUT|CLOSED|DESTROYED|ENDED)|28P01|28000|3D000|57P0[123]|53300)$/u;

/**
 * Runs a command of the operator with the settings of Peyk itself. A mistake in them, and a database that is not there,
 * are told without a value of the settings.
 * @returns the exit code: what `work` returns, 69 without a database, 78 with wrong settings
 */
export async function withSettings(work: (config: Config) => Promise<number>): Promise<number> {
  let isEmbedded = false;
  try {
    const config = loadConfig(process.env);
    isEmbedded = config.database.url === null;
    return await work(config);
  } catch (error) {
    if (isAppError(error, 'config')) {
      process.stderr.write(`${describeConfigMistakes(error, 'This cannot be done')}\n`);
      return EXIT.badSettings;
    }
    const code = codeOf(error);
    if (code === null) throw error;
    const hint = isEmbedded
      ? 'Peyk may be starting or stopping just now: run this again in some seconds.'
      : 'Is it running, and does DATABASE_URL lead to it?';
    process.stderr.write(`The database cannot be reached (${code}). Nothing more was changed. ${hint}\n`);
    return EXIT.unreachable;
  }
}

/** Opens what a command needs of the deployment's database, and closes it when the work is done. */
export async function opened<T>(
  { config, tool }: { readonly config: Config; readonly tool: 'beside' | 'alone' },
  open: (options: StorageOptions, started: Started) => Promise<T>,
  work: (parts: T) => Promise<number>,
): Promise<number> {
  const secrets = createSecretRegistry();
  if (config.database.url !== null) secrets.keep(config.database.url);
  const log = createLogger({ level: 'warn', pretty: true, secrets });
  const started: Started = [];
  try {
    return await work(await open({ config, log, secrets, migrations: migrationsFolder(), tool }, started));
  } finally {
    for (let part = started.pop(); part !== undefined; part = started.pop()) await part.stop();
  }
}

/** Runs a command on the database, beside a Peyk that runs: tables up to date, no key opened. Returns as {@link withSettings}. */
export async function onDatabase(
  work: (database: Database, config: Config) => Promise<number>,
): Promise<number> {
  return await withSettings(
    async (config) =>
      await opened(
        { config, tool: 'beside' },
        openTables,
        async ({ database }) => await work(database, config),
      ),
  );
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
