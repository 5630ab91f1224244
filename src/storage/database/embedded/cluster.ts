import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../domain/errors.ts';
import { explain } from './explain.ts';
import { asIdentity, giveTo, type Identity } from './identity.ts';

const run = promisify(execFile);
const DRAFT = 'postgres.new-';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly identity: Identity;
  readonly initdb: string;
  readonly env: Record<string, string>;
  readonly durable: boolean;
}

/** The folder of the server's files within a data directory. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The user who owns the server's files; undefined when there are none yet. */
export function clusterOwner(dataDir: string): number | undefined {
  return statSync(clusterFolder(dataDir), { throwIfNoEntry: false })?.uid;
}

/**
 * Makes sure that the data directory holds a cluster which the identity owns. A new one is made
 * under another name and renamed when it is whole, so that a kill half-way leaves nothing that
 * looks like a database.
 * @throws AppError `config` when it cannot be made or written
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const cluster = clusterFolder(options.dataDir);
  for (const name of readdirSync(options.dataDir)) {
    if (name.startsWith(DRAFT)) rmSync(join(options.dataDir, name), { recursive: true, force: true });
  }
  if (existsSync(cluster)) {
    giveTo(options.identity, cluster);
    return;
  }
  const draft = join(options.dataDir, `${DRAFT}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  giveTo(options.identity, draft);
  await initialise(draft, options);
  renameSync(draft, cluster);
}

/**
 * Refuses files of another major version: Postgres cannot read them.
 * @param version what the server's program prints as its version
 */
export function checkVersion(dataDir: string, version: string): void {
  const file = join(clusterFolder(dataDir), 'PG_VERSION');
  if (!existsSync(file)) {
    throw new AppError('config', `${clusterFolder(dataDir)} holds no database: move it away and start again`);
  }
  const stored = readFileSync(file, 'utf8').trim();
  const ours = /\d+/.exec(version)?.[0] ?? '';
  if (stored === ours) return;
  throw new AppError(
    'config',
    `the database in ${dataDir} was made by Postgres ${stored}, this Peyk brings Postgres ${ours}: ` +
      `dump it with Postgres ${stored} and restore it, or set DATA_DIR to another folder`,
  );
}

async function initialise(folder: string, options: ClusterOptions): Promise<void> {
  // Who may connect is decided by the socket's folder (0700), hence trust.
  const args = ['-D', folder, '-U', 'peyk', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  if (!options.durable) args.push('--no-sync');
  const command = asIdentity(options.identity, options.initdb, args);
  try {
    await run(command.file, [...command.args], { ...command.options, env: options.env, cwd: '/' });
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw explain(said, options.dataDir);
  }
}
