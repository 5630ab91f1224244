import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { AppError } from '../../domain/errors.ts';
import type { SocketTarget } from './database.ts';
import { findPostgresBinaries, linkLibraries } from './embedded/binaries.ts';
import { checkVersion, clusterFolder, clusterOwner, ensureCluster } from './embedded/cluster.ts';
import { type DataLock, holderOf, lockDataDir } from './embedded/data-lock.ts';
import { chooseIdentity } from './embedded/identity.ts';
import { stopOrphan } from './embedded/orphan.ts';
import { createRuntimeFolder, removeRuntimeFolder } from './embedded/runtime-folder.ts';
import { type Server, startServer } from './embedded/server.ts';

const run = promisify(execFile);

export interface EmbeddedOptions {
  /** Peyk's data directory; made if it does not exist. The server's files are in `postgres` below it. */
  readonly dataDir: string;
  /** Told in words what happens that an operator may want to know. */
  readonly log?: ((message: string) => void) | undefined;
  /** False gives up safety against a power cut for speed; for tests. Default true. */
  readonly durable?: boolean | undefined;
  /** False: as root, never try a user namespace. Default true. */
  readonly namespaces?: boolean | undefined;
}

export interface EmbeddedPostgres {
  /** How to connect: for `openDatabase` and `pgPoolConfig`. */
  readonly target: SocketTarget;
  /** The process of the server. */
  readonly pid: number;
  /** Resolves when the server's process is gone: after `stop`, or because something ended it. */
  readonly exited: Promise<void>;
  /**
   * Ends all sessions and the server in order, removes its socket and frees the data directory. May
   * be called twice.
   */
  stop(): Promise<void>;
}

/**
 * Starts a real Postgres server on a unix socket that only this user can reach, with its data below
 * `dataDir`. One Peyk owns a data directory at a time. A server that a killed Peyk left behind is
 * ended in order first; the data is kept.
 * @throws AppError `config`, with a sentence for the operator, when another Peyk holds the
 *   directory, or it cannot be written, is full, holds another version's data, or the platform has
 *   no embedded Postgres.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = ensureDataDir(options.dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * How to connect to the server of the Peyk that runs on a data directory now, for a tool beside it; null where none
 * runs.
 * @throws AppError `config` when the directory cannot be written
 */
export function runningPostgres(dataDir: string): SocketTarget | null {
  const runtimeDir = holderOf(ensureDataDir(dataDir))?.runtimeDir;
  return runtimeDir === undefined ? null : targetIn(runtimeDir);
}

/** Whether a data directory holds a database already. */
export function hasDatabase(dataDir: string): boolean {
  return clusterOwner(dataDir) !== undefined;
}

function targetIn(runtimeDir: string): SocketTarget {
  return { socketDir: runtimeDir, port: 5432, user: 'peyk', database: 'peyk' };
}

async function startLocked(
  dataDir: string,
  lock: DataLock,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const cluster = clusterFolder(dataDir);
  if (await stopOrphan(cluster)) options.log?.('ended the database server that an earlier run left behind');
  if (lock.previous?.runtimeDir !== undefined) removeRuntimeFolder(lock.previous.runtimeDir);

  options.log?.(
    hasDatabase(dataDir)
      ? 'starting the embedded database'
      : 'making the embedded database: the first time takes some seconds',
  );
  const runtimeDir = createRuntimeFolder(process.getuid?.() === 0);
  try {
    lock.write({ pid: process.pid, runtimeDir });
    const server = await startIn(dataDir, runtimeDir, options);
    try {
      await ensureDatabase(runtimeDir);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return handle(server, runtimeDir, lock);
  } catch (error) {
    removeRuntimeFolder(runtimeDir);
    throw error;
  }
}

async function startIn(dataDir: string, runtimeDir: string, options: EmbeddedOptions): Promise<Server> {
  const { durable = true, namespaces = true } = options;
  const { initdb, postgres: program, ...rest } = findPostgresBinaries();
  const env = linkLibraries({ initdb, postgres: program, ...rest }, `${runtimeDir}/lib`);
  const identity = await chooseIdentity({
    folder: clusterFolder(dataDir),
    owner: clusterOwner(dataDir),
    runtimeDir,
    postgres: program,
    env,
    namespaces,
  });
  await ensureCluster({ dataDir, identity, initdb, env, durable });
  checkVersion(dataDir, (await run(program, ['--version'], { env })).stdout);
  return startServer({ dataDir, runtimeDir, identity, postgres: program, env, durable });
}

function handle(server: Server, runtimeDir: string, lock: DataLock): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    try {
      await server.stop();
    } finally {
      removeRuntimeFolder(runtimeDir);
      lock.release();
    }
  };
  return {
    target: targetIn(runtimeDir),
    pid: server.pid,
    exited: server.exited,
    stop: () => (stopping ??= stop()),
  };
}

/** @returns the folder's one true path, so that two names of it are one folder */
function ensureDataDir(dataDir: string): string {
  const path = resolve(dataDir);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (cause) {
    throw new AppError('config', `the data directory ${path} cannot be made`, { cause });
  }
}

async function ensureDatabase(socketDir: string): Promise<void> {
  const sql = postgres({
    host: socketDir,
    port: 5432,
    user: 'peyk',
    database: 'postgres',
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    const found = await sql`select 1 from pg_database where datname = 'peyk'`;
    if (found.length === 0) await sql`create database peyk`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
