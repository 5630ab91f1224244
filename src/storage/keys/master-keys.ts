import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';

/** A key that wraps other keys, and the name under which sealed records refer to it. */
export interface MasterKey {
  readonly kid: string;
  /** 32 bytes in base64. */
  readonly key: Secret;
}

/** Newest first; the first one seals. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

export interface MasterKeyOptions {
  /** `MASTER_KEYS`: `kid:base64(32 bytes)`, comma-separated, newest first. */
  readonly masterKeys: Secret | undefined;
  readonly dataDir: string;
}

export interface LoadedMasterKeys {
  readonly keys: MasterKeys;
  /**
   * `generated`: there was no key, one was made just now; whatever is sealed already cannot be
   * opened with it.
   */
  readonly source: 'settings' | 'file' | 'generated';
}

/**
 * The deployment's master keys: from the settings, else from `master.key` in the data directory,
 * which is made when missing (mode 0600, whole or not at all, also when several processes start at
 * once).
 * @throws AppError `config` that names every mistake and no value; also for a file that others may
 *   read
 */
export function loadMasterKeys({ masterKeys, dataDir }: MasterKeyOptions): LoadedMasterKeys {
  if (masterKeys !== undefined)
    return { keys: parse(masterKeys.reveal(), 'MASTER_KEYS'), source: 'settings' };
  const file = join(dataDir, 'master.key');
  const stored = readKeyFile(file);
  if (stored !== undefined) return { keys: parse(stored, file), source: 'file' };
  const source = generate(dataDir, file) ? 'generated' : 'file';
  return { keys: parse(readKeyFile(file) ?? '', file), source };
}

/** A new key under a name of its own, as a line of `MASTER_KEYS` has it. */
export function newMasterKey(): { readonly kid: string; readonly entry: Secret } {
  const kid = `k${randomBytes(4).toString('hex')}`;
  return { kid, entry: new Secret(`${kid}:${randomBytes(32).toString('base64')}`) };
}

/**
 * Puts a new key in front of those in `master.key` of the data directory: the file is the old one or the new one, also
 * after a power cut. Returns its name; throws `config` where there is no such file, or others may read it.
 */
export function addMasterKey(dataDir: string): string {
  const file = join(dataDir, 'master.key');
  const stored = readKeyFile(file);
  if (stored === undefined) throw new AppError('config', `${file} is not there`);
  parse(stored, file);
  const { kid, entry } = newMasterKey();
  const draft = join(dataDir, `master.key.${process.pid}.${kid}`);
  try {
    writeNew(draft, `${entry.reveal()}\n${stored.trim()}\n`);
    renameSync(draft, file);
    syncFolder(dataDir);
  } catch (cause) {
    throw new AppError('config', `${file} cannot be changed`, { cause });
  }
  return kid;
}

/**
 * What is wrong with a `MASTER_KEYS` value, one sentence per mistake, by place and without values;
 * none when it can be used.
 */
export function masterKeyProblems(text: string): string[] {
  const seen = new Set<string>();
  return entriesOf(text).flatMap((entry, index) => {
    const { kid, key } = split(entry);
    const problems: string[] = [];
    if (!/^[\w.-]{1,32}$/.test(kid))
      problems.push('its name must be 1 to 32 letters, digits, dots, dashes, before a colon');
    else if (seen.has(kid)) problems.push('its name is there twice');
    seen.add(kid);
    if (!isKey(key)) problems.push('its key must be 32 bytes in base64 (44 characters)');
    return problems.map((problem) => `entry ${index + 1}: ${problem}`);
  });
}

function parse(text: string, where: string): MasterKeys {
  const problems = masterKeyProblems(text);
  if (problems.length > 0) {
    throw new AppError('config', `${where}: ${problems.join('; ')}`, { params: { problems } });
  }
  const [first, ...rest] = entriesOf(text).map((entry) => {
    const { kid, key } = split(entry);
    return { kid, key: new Secret(key) };
  });
  if (first === undefined) throw new AppError('config', `${where}: has no key`);
  return [first, ...rest];
}

/** An empty text is one empty entry, hence a mistake. */
function entriesOf(text: string): string[] {
  return text
    .trim()
    .split(/[,\n]/)
    .map((entry) => entry.trim());
}

function split(entry: string): { kid: string; key: string } {
  const colon = entry.indexOf(':');
  return colon === -1 ? { kid: '', key: entry } : { kid: entry.slice(0, colon), key: entry.slice(colon + 1) };
}

function isKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
}

function readKeyFile(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new AppError('config', `${file} cannot be read`, { cause });
  }
  try {
    const { mode } = fstatSync(handle);
    if ((mode & 0o077) !== 0) {
      throw new AppError(
        'config',
        `${file} can be read by others: chmod 600 it, and think of its key as known to them`,
      );
    }
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** @returns false when another process was first */
function generate(dataDir: string, file: string): boolean {
  const { kid, entry } = newMasterKey();
  const draft = join(dataDir, `master.key.${process.pid}.${kid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeNew(draft, `${entry.reveal()}\n`);
  } catch (cause) {
    throw new AppError('config', `${file} cannot be made`, { cause });
  }
  try {
    linkSync(draft, file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw new AppError('config', `${file} cannot be made`, { cause });
  } finally {
    unlinkSync(draft);
    syncFolder(dataDir);
  }
  return true;
}

function writeNew(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A new name is kept through a power cut only when its folder is written too. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
