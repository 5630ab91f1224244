import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../domain/errors.ts';
import { clusterFolder } from './cluster.ts';
import { explain } from './explain.ts';
import { asIdentity, type Identity } from './identity.ts';
import { endServer, readPostmaster } from './orphan.ts';

export interface ServerOptions {
  readonly dataDir: string;
  readonly runtimeDir: string;
  readonly identity: Identity;
  readonly postgres: string;
  readonly env: Record<string, string>;
  readonly durable: boolean;
}

export interface Server {
  readonly pid: number;
  /** Resolves when the server's process is gone, whoever ended it. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const LOG_LIMIT_BYTES = 4 * 1024 * 1024;
const LOG_CHECK_MS = 60_000;
/**
 * Replaying the log after a power cut can take long; a server that does nothing for this long is
 * stuck.
 */
const READY_MS = 300_000;
const LEFTOVER_MS = 10_000;

/**
 * Starts the server in a session of its own (Ctrl-C in a terminal reaches Peyk alone, which then
 * stops it in order) and waits until it takes connections.
 * @throws AppError `config` with the server's own last words when it does not come up
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const deadline = performance.now() + LEFTOVER_MS;
  for (;;) {
    const attempt = await startOnce(options);
    if ('server' in attempt) return attempt.server;
    // Children of a server that was killed leave by themselves, a moment later.
    const leftover = attempt.said.includes('pre-existing shared memory block');
    if (!leftover || performance.now() > deadline) throw explain(attempt.said, options.dataDir);
    await wait(100);
  }
}

async function startOnce(options: ServerOptions): Promise<{ server: Server } | { said: string }> {
  const cluster = clusterFolder(options.dataDir);
  const logFile = join(options.dataDir, 'postgres.log');
  rotate(logFile);
  const log = openSync(logFile, 'a+', 0o600);
  const from = statSync(logFile).size;
  try {
    const child = launch(options, cluster, log);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    if (!(await becomesReady(child, cluster))) return { said: readFrom(log, from) };
    return { server: running(child, exited, cluster, logFile) };
  } finally {
    closeSync(log);
  }
}

function launch(options: ServerOptions, cluster: string, log: number): ChildProcess {
  const args = ['-D', cluster, '-k', options.runtimeDir, ...serverSettings(options.durable)];
  const command = asIdentity(options.identity, options.postgres, args);
  const child = spawn(command.file, [...command.args], {
    ...command.options,
    env: options.env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  return child;
}

async function becomesReady(child: ChildProcess, cluster: string): Promise<boolean> {
  let failed = false;
  child.once('error', () => (failed = true));
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    if (failed || child.exitCode !== null || child.signalCode !== null) return false;
    const notes = readPostmaster(cluster);
    if (notes !== undefined && notes.pid === child.pid && notes.ready) return true;
    await wait(10);
  }
  child.kill('SIGQUIT');
  throw new AppError(
    'config',
    `the embedded database is not ready after ${READY_MS / 1000} s, see postgres.log`,
  );
}

function running(child: ChildProcess, exited: Promise<void>, cluster: string, logFile: string): Server {
  const { pid } = child;
  if (pid === undefined) throw new AppError('internal', 'the server has no process id');
  // The server appends to its log and never closes it: cutting the file is safe.
  const bound = setInterval(() => cutWhenLarge(logFile), LOG_CHECK_MS);
  bound.unref();
  void exited.then(() => clearInterval(bound));
  return {
    pid,
    exited,
    stop: async () => {
      // Otherwise nothing may keep this process until it hears of the server's end.
      child.ref();
      await endServer(pid, cluster);
      await exited;
    },
  };
}

function rotate(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES / 4) renameSync(logFile, `${logFile}.1`);
}

function cutWhenLarge(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) truncateSync(logFile, 0);
}

function readFrom(log: number, from: number): string {
  const buffer = Buffer.alloc(64 * 1024);
  return buffer.toString('utf8', 0, readSync(log, buffer, 0, buffer.length, from));
}

/** Settings that hold always: they are on the command line, so that no file can differ from them. */
const ALWAYS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // A killed client's session, and with it its locks, ends also while a statement runs.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to the client that sent them. The server's log has neither them nor
  // statements nor values: what people store does not belong in a log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

/**
 * For tests alone: a crash of the machine may lose everything, a kill of the server the last half
 * second.
 */
const FLEETING: Readonly<Record<string, string>> = {
  // Many whole applications share it.
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** For keeping: a commit that was acknowledged is on the disk. */
const DURABLE: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};

/** The server's settings as arguments of its command line. */
function serverSettings(durable: boolean): string[] {
  const settings = { ...ALWAYS, ...(durable ? DURABLE : FLEETING) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
