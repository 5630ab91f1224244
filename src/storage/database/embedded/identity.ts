import { execFile } from 'node:child_process';
import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../domain/errors.ts';

const run = promisify(execFile);

/** As whom the database's programs run. Postgres refuses to run as root. */
export type Identity =
  | { readonly kind: 'self' }
  /**
   * Root outside, an ordinary user in a user namespace of its own: it keeps root's access to root's
   * files.
   */
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number };
}

export interface IdentityQuestion {
  /** The folder of the server's files, which may not exist yet; the data directory above it does. */
  readonly folder: string;
  /** Who owns the database's files; undefined when there are none yet. */
  readonly owner: number | undefined;
  /** Peyk's folder for the socket and the library links: given to whoever is chosen. */
  readonly runtimeDir: string;
  readonly postgres: string;
  readonly env: Record<string, string>;
  /** False where the user namespace must not be tried. */
  readonly namespaces: boolean;
}

/** The command line that runs a program as that identity. */
export function asIdentity(identity: Identity, file: string, args: readonly string[]): Invocation {
  if (identity.kind === 'namespace') {
    return {
      file: 'unshare',
      args: ['-U', '--map-user=1000', '--map-group=1000', file, ...args],
      options: {},
    };
  }
  const { uid, gid } = identity.kind === 'user' ? identity : {};
  return { file, args, options: uid === undefined || gid === undefined ? {} : { uid, gid } };
}

/**
 * Picks an identity that can run the server on that folder. An ordinary user runs it directly. Root
 * uses a user namespace; where those are closed (as in most containers), the owner of the data, of
 * the folder, or a system user, to whom the folder is then given.
 * @throws AppError `config`, which says what to change, when none can.
 */
export async function chooseIdentity(question: IdentityQuestion): Promise<Identity> {
  if (process.getuid?.() !== 0) {
    await checkOwnUser(question);
    return { kind: 'self' };
  }
  const tried: string[] = [];
  for (const identity of await candidates(question)) {
    const problem = await probe(identity, question);
    if (problem === undefined) return identity;
    tried.push(problem);
  }
  throw new AppError(
    'config',
    `the embedded database cannot run here as root: Postgres refuses root, and ${tried.join('; ')}. ` +
      `Run Peyk as an ordinary user, or put it and DATA_DIR where other users may enter, or set DATABASE_URL`,
  );
}

/** Gives a folder and all in it to the identity, where it is another user's. */
export function giveTo(identity: Identity, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = identity.kind === 'user' ? identity : { uid: 0, gid: 0 };
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), uid, gid);
  }
  // The folder itself last: its owner says that everything below is done.
  lchownSync(folder, uid, gid);
}

async function candidates({ folder, owner, namespaces }: IdentityQuestion): Promise<Identity[]> {
  const namespace: Identity[] = namespaces && process.platform === 'linux' ? [{ kind: 'namespace' }] : [];
  const users: Identity[] = [];
  if (owner !== undefined && owner !== 0) users.push({ kind: 'user', uid: owner, gid: statSync(folder).gid });
  const host = ownerAbove(dirname(folder));
  if (host !== undefined) users.push(host);
  for (const name of ['postgres', 'nobody']) {
    const found = await systemUser(name);
    if (found !== undefined) users.push(found);
  }
  const ownerFirst = owner !== undefined && owner !== 0;
  return ownerFirst ? [...users.slice(0, 1), ...namespace, ...users.slice(1)] : [...namespace, ...users];
}

/** The first owner above who is not root: below somebody's private home, only they can enter. */
function ownerAbove(folder: string): Identity | undefined {
  const { uid, gid } = statSync(folder);
  if (uid !== 0) return { kind: 'user', uid, gid };
  const above = dirname(folder);
  return above === folder ? undefined : ownerAbove(above);
}

async function systemUser(name: string): Promise<Identity | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { kind: 'user', uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** @returns what stands in the way, in words; undefined when nothing does */
async function probe(identity: Identity, question: IdentityQuestion): Promise<string | undefined> {
  const who = identity.kind === 'user' ? `user ${identity.uid}` : 'a user namespace';
  const { runtimeDir, postgres, env } = question;
  const parent = dirname(question.folder);
  const { mode } = statSync(parent);
  if (identity.kind === 'user') letPass(parent);
  giveTo(identity, runtimeDir);
  const script = 'test -x "$1" || exit 3; "$2" --version >/dev/null 2>&1 || exit 4';
  const command = asIdentity(identity, '/bin/sh', ['-c', script, 'sh', parent, postgres]);
  try {
    await run(command.file, [...command.args], { ...command.options, env });
    return undefined;
  } catch (error) {
    chmodSync(parent, mode & 0o7777);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 3) return `${who} may not enter ${parent}`;
    if (code === 4) return `${who} may not run the programs below ${dirname(dirname(postgres))}`;
    return identity.kind === 'namespace' ? 'user namespaces are closed' : `${who} cannot be used`;
  }
}

/** Lets others pass through the data directory, not list it: what lies in it has modes of its own. */
function letPass(dataDir: string): void {
  const { mode } = statSync(dataDir);
  if ((mode & 0o011) !== 0o011) chmodSync(dataDir, (mode & 0o7777) | 0o011);
}

async function checkOwnUser({ owner, folder, postgres, env }: IdentityQuestion): Promise<void> {
  const uid = process.getuid?.();
  if (owner !== undefined && owner !== uid) {
    throw new AppError(
      'config',
      `the database in ${folder} belongs to user ${owner}, Peyk runs as user ${uid}`,
    );
  }
  try {
    await run(postgres, ['--version'], { env });
  } catch (cause) {
    throw new AppError('config', `the embedded database's program does not run: ${postgres}`, { cause });
  }
}
