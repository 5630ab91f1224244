import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../../domain/errors.ts';
import { explain } from './explain.ts';

/** What the holder of a data directory notes about itself, for the next one to read. */
interface LockNote {
  readonly pid: number;
  /** The folder of the database's socket, outside the data directory. */
  readonly runtimeDir?: string | undefined;
}

export interface DataLock {
  /** What the last holder noted, whether it ended in order or not. */
  readonly previous: LockNote | undefined;
  write(note: LockNote): void;
  release(): void;
}

const Note = z.object({ pid: z.number(), runtimeDir: z.string().optional() });
const SQLITE_BUSY = 5;
const PATIENCE_MS = 600;

/**
 * Takes the data directory for this process. The lock is the operating system's own lock on a file,
 * so it ends with the process however that ends, cannot be fooled by a process id that is used
 * again, and holds between containers that share the folder. Node has no call for it; its SQLite
 * has, and nothing else of SQLite is used: the file stays empty.
 * @param patienceMs how long a holder that may be just ending is waited for
 * @throws AppError `config` when another process, or this one, holds it, or the folder cannot be
 *   written.
 */
export async function lockDataDir(dataDir: string, patienceMs = PATIENCE_MS): Promise<DataLock> {
  const noteFile = join(dataDir, 'peyk.json');
  const file = new LockFile(join(dataDir, 'peyk.lock'));
  const deadline = performance.now() + patienceMs;
  // A process that is just ending, or one that starts at the same moment and loses, may hold it briefly.
  while (!file.take()) {
    if (performance.now() > deadline) {
      const holder = readNote(noteFile);
      const who = holder === undefined ? '' : ` (process ${holder.pid})`;
      throw new AppError(
        'config',
        `another Peyk${who} already runs on the data directory ${dataDir}: stop it first, or set DATA_DIR to another folder`,
      );
    }
    await wait(20 + Math.random() * 20);
  }
  return {
    previous: readNote(noteFile),
    write: (note) => {
      try {
        writeFileSync(noteFile, `${JSON.stringify(note)}\n`, { mode: 0o600 });
      } catch (cause) {
        throw explain(String(cause), dataDir);
      }
    },
    release: () => file.release(),
  };
}

/** What the process noted that holds the data directory now; null where none does, or it has noted nothing yet. */
export function holderOf(dataDir: string): LockNote | null {
  const file = new LockFile(join(dataDir, 'peyk.lock'));
  const isFree = file.take();
  file.release();
  return isFree ? null : (readNote(join(dataDir, 'peyk.json')) ?? null);
}

class LockFile {
  readonly #path: string;
  #db: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns whether the lock is ours now */
  take(): boolean {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(this.#path, { timeout: 0 });
      db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      this.#db = db;
      return true;
    } catch (cause) {
      db?.close();
      if (errcode(cause) === SQLITE_BUSY) return false;
      throw new AppError('config', `cannot lock the data directory: ${this.#path} cannot be written`, {
        cause,
      });
    }
  }

  release(): void {
    this.#db?.close();
    this.#db = undefined;
  }
}

function errcode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}

function readNote(file: string): LockNote | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
