/*
 * Where there is no Docker engine: lints the Dockerfile, performs its steps in an empty folder, makes the result
 * read-only, and runs it as nobody in particular, with a folder for its data and one for temporary files. Seen of it are
 * its pages, also by another address as through a published port, its health check, a picture that it draws, and that
 * SIGTERM ends it with 0. The steps are read from the Dockerfile.
 * Run it with the Node that the Dockerfile names: node_modules/.bin/node .ci/image.ts [folder for what was made]
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { faultsOf, readContext, readStages, targetsOf } from './dockerfile.ts';
import { firstPicture } from './first-picture.ts';
import { performStage, type Image } from './perform-stage.ts';
import { expectPages, say, whileRunning } from './running.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const NOBODY = 65_534;
/** On Linux, all of 127/8 is this machine: who listens on one of its addresses alone is not found at another. */
const ELSEWHERE = '127.0.0.2';
/** The stand-ins have ports of their own, which may be taken here. Their health checks are for those. */
const FREE_PORTS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['--port', '0', '--ws-port', '0', '--admin-port', '0'],
};

async function main(release: string | undefined): Promise<void> {
  if (release !== undefined) mkdirSync(release);
  const stages = readStages(join(PROJECT, 'Dockerfile'));
  const isSent = readContext(join(PROJECT, '.dockerignore'));
  const faults = faultsOf(stages);
  for (const secret of ['.env', 'data/master.key', '.git/config'].filter(isSent)) {
    faults.push(`.dockerignore lets ${secret} through`);
  }
  if (faults.length > 0) throw new Error(['the Dockerfile is not well:', ...faults].join('\n  '));
  say('the Dockerfile is well');

  const scratch = mkdtempSync(join(tmpdir(), 'peyk-image-'));
  try {
    chmodSync(scratch, 0o755);
    const built = new Map<string, Image>();
    for (const stage of stages)
      built.set(
        stage.name,
        performStage(stage, join(scratch, stage.name), built, { project: PROJECT, isSent }),
      );
    for (const name of targetsOf(stages)) {
      const each = made(built, name);
      nameOthers(join(each.root, each.workdir));
      const files = seal(each.root);
      const before = stampOf(each.root, files);
      await run(name, each, scratch);
      if (stampOf(each.root, seal(each.root)) !== before) throw new Error('it has changed its own files');
      say(`none of its ${files.length} files has changed`);
    }
    const image = made(built, targetsOf(stages).at(-1));
    if (release !== undefined) {
      unseal(image.root);
      cpSync(join(image.root, image.workdir), release, { recursive: true, verbatimSymlinks: true });
      copyFileSync(process.execPath, join(release, 'node'));
      say(
        `it is in ${release}, with its node: (cd ${release} && ./node ${image.command.slice(1).join(' ')})`,
      );
    }
  } finally {
    unseal(scratch);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Whatever is passed on is named with its licence. */
function nameOthers(folder: string): void {
  const notices = readFileSync(join(folder, 'dist/THIRD-PARTY.md'), 'utf8');
  const packages = globSync('node_modules/{@*/,}*/package.json', { cwd: folder }).map((path) =>
    dirname(relative('node_modules', path)).replaceAll('\\', '/'),
  );
  const unnamed = packages.filter((name) => !notices.includes(`\n## ${name} `));
  if (packages.length === 0 || unnamed.length > 0)
    throw new Error(`THIRD-PARTY.md does not name ${unnamed.join(', ')}`);
  say(`${notices.match(/^## /gm)?.length} packages are named, among them ${packages.join(', ')}`);
}

/** Takes the right to write from everything below, and gives all the paths. */
function seal(root: string): string[] {
  const paths = ['.', ...globSync('**/*', { cwd: root })].map((path) => join(root, path));
  for (const path of paths) {
    const stat = lstatSync(path);
    // Docker has all of it belong to root: everybody may read it and nobody but root may write.
    if (!stat.isSymbolicLink())
      chmodSync(path, stat.isDirectory() || (stat.mode & 0o111) !== 0 ? 0o555 : 0o444);
  }
  return paths;
}

function unseal(root: string): void {
  for (const path of ['.', ...globSync('**/', { cwd: root })]) {
    const folder = join(root, path);
    if (lstatSync(folder).isDirectory()) chmodSync(folder, 0o755);
  }
}

function stampOf(root: string, paths: readonly string[]): string {
  return paths
    .map((path) => {
      const { size, mtimeMs } = lstatSync(path);
      return `${relative(root, path)} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** Starts the command of the image, uses it, and ends it. */
async function run(name: string, image: Image, scratch: string): Promise<void> {
  const { root, workdir, volumes, command, healthCheck } = image;
  const isRoot = process.getuid?.() === 0;
  const open = (path: string): string => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (isRoot) chownSync(path, NOBODY, NOBODY);
    return path;
  };
  const volume = (value: string): string =>
    volumes.includes(value) ? open(join(scratch, `volume${value.replaceAll('/', '-')}`)) : value;
  const env = {
    PATH: `${join(root, 'usr/local/bin')}:/usr/bin:/bin`,
    ...Object.fromEntries(Object.entries(image.env).map(([key, value]) => [key, volume(value)])),
    TMPDIR: open(join(scratch, `tmp-${name}`)),
    PORT: String(await freePort()),
    // Nobody is here to undo anything.
    UNDO_SECONDS: '0',
  };
  const ports = FREE_PORTS[name];
  const start = { command: [...command, ...(ports ?? [])], cwd: join(root, workdir), env };
  say(`${name} as user ${isRoot ? NOBODY : process.getuid?.()}`);
  await whileRunning({ ...start, ...(isRoot && { as: NOBODY }) }, async (addresses) => {
    await expectPages(ELSEWHERE, addresses);
    if (ports !== undefined) return;
    const [asks = '', ...how] = healthCheck;
    const { status } = spawnSync(asks, how, { env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`its health check ended with ${status}`);
    const [page = ''] = addresses;
    const { width, height, bytes } = await firstPicture(page);
    say(`its health check passes, and it draws a picture of ${width} × ${height} pixels and ${bytes} bytes`);
  });
}

function made(built: ReadonlyMap<string, Image>, name: string | undefined): Image {
  const image = name === undefined ? undefined : built.get(name);
  if (image === undefined) throw new Error(`no image ${name}`);
  return image;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

await main(process.argv[2]);
