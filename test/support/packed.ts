import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS } from './patience.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The first of those that the packages promise to run on. */
const OLDEST = '20.0.0';

/** As somebody has it who never saw this project: nothing of it is in the way to programs, nothing is set. */
function strangersSurroundings(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const own = PATH.split(delimiter).filter((folder) => !/node_modules|node-gyp/.test(folder));
  const way = Object.entries(process.env).filter(([key]) =>
    /^((https?|no)_proxy|npm_config_(registry|cache)|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i.test(key),
  );
  return { ...Object.fromEntries(way), PATH: own.join(delimiter), HOME };
}

/** Makes the packages in a folder, as `npm run pack` does. */
export async function makePackages(folder: string): Promise<void> {
  await run(process.execPath, [join(ROOT, 'packs/main.ts'), folder], { cwd: ROOT });
}

/** Installs into a new empty folder. Without a network nothing is asked of the registry. */
export async function install(
  folder: string,
  what: string,
  network: 'offline' | 'prefer-offline',
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', `--${network}`, '--no-audit', '--no-fund', what], {
    cwd: folder,
    env: strangersSurroundings(),
  });
}

/** Brings the oldest Node there may be, and gives its path. */
export async function bringOldestNode(folder: string): Promise<string> {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const name = Object.keys(optionalDependencies).find(
    (each) => each.startsWith('node-') && process.execPath.startsWith(join(ROOT, 'node_modules', each)),
  );
  // Of one platform there are older ones under the former name.
  const older = `${(name ?? '').replace('node-bin-', 'node-')}@${OLDEST}`;
  await install(folder, older, 'prefer-offline');
  return join(folder, 'node_modules', older.slice(0, older.indexOf('@')), 'bin/node');
}

/** Lets what is installed in a folder find a package of the project, where a user would install it too. */
export function lend(folder: string, name: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), link);
}

/** Compiles a file as a user's own compiler would, with the declarations it imports; gives what the compiler complains of. */
export async function complaintsOfCompiler(folder: string, ...files: readonly string[]): Promise<string> {
  const options = '--noEmit --strict --target es2023 --module nodenext --types node'.split(' ');
  return run(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...files], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** Runs a command line in a shell there, and gives what it printed. Rejects with what it complained of. */
export async function shell(folder: string, command: string): Promise<string> {
  const { stdout } = await run('sh', ['-e', '-c', command], { cwd: folder, env: strangersSurroundings() });
  return stdout;
}

export interface Started {
  /** What it has printed up to the first line that fits, that line included. */
  line(fits: RegExp): Promise<RegExpExecArray>;
  /** Ends it in order, and all that it has started. */
  end(): Promise<void>;
}

/** Starts a command line in a shell there, in a process group of its own. */
export function start(folder: string, command: string, env: Readonly<Record<string, string>> = {}): Started {
  const child: ChildProcess = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...strangersSurroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  const looks = new Set<() => void>();
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of looks) look();
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close');
  return {
    line: (fits) =>
      new Promise((found, failed) => {
        const look = (): void => {
          const match = fits.exec(stdout);
          if (match !== null) found(match);
        };
        const limit = setTimeout(() => failed(new Error(`no ${fits} in ${stdout} ${stderr}`)), PATIENCE_MS);
        void ended.then(() => failed(new Error(`it has ended: ${stdout} ${stderr}`)));
        looks.add(look);
        look();
        limit.unref();
      }),
    async end() {
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    },
  };
}
