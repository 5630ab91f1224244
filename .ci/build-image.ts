/*
 * Really builds every target of the Dockerfile without a Docker engine: with Debian's buildah, from a base made of Debian's
 * packages and the Node that runs this. Starts each as its own user in a network of its own, asks it from outside as
 * through a published port, runs its health check, and lists what it holds beyond the base.
 * For Debian, as root: node_modules/.bin/node .ci/build-image.ts
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { readStages, targetsOf } from './dockerfile.ts';
import { firstPicture } from './first-picture.ts';
import { expectPages, say, seconds, whileRunning } from './running.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const NETWORK = 'peyk-image';
const [OUTSIDE, INSIDE] = ['10.231.77.1', '10.231.77.2'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const MEGABYTE = 1_000_000;
/** Of an image beyond its base. What grows past it is looked at, and then said here. */
const MOST_MEGABYTES: Readonly<Record<string, number>> = { sandbox: 3, telegram: 3 };
const MOST_OTHERWISE = 150;

const scratch = mkdtempSync(join(tmpdir(), 'peyk-buildah-'));
const storage = [
  '--storage-driver',
  'overlay',
  '--root',
  join(scratch, 'images'),
  '--runroot',
  join(scratch, 'run'),
];

const inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.tuple([z.literal('CMD')], z.string()) }),
    }),
  }),
});

async function main(): Promise<void> {
  const stages = readStages(join(PROJECT, 'Dockerfile'));
  const base = stages[0]?.base ?? '';
  need({ buildah: 'buildah', debootstrap: 'debootstrap', ip: 'iproute2' });
  const baseId = makeBase(base);
  const npmrc = wayToPackages();
  for (const target of targetsOf(stages)) {
    const began = performance.now();
    buildah(
      'build',
      '--pull-never',
      '--layers',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--network',
      'host',
      '--volume',
      `${npmrc}:/usr/local/etc/npmrc:ro`,
      '--volume',
      `${CERTIFICATES}:${CERTIFICATES}:ro`,
      '--target',
      target,
      '--tag',
      target,
      PROJECT,
    );
    say(`\n${target}: built after ${seconds(began)}`);
    const container = buildah(
      'from',
      '--pull-never',
      '--name',
      `try-${target}`,
      `localhost/${target}`,
    ).trim();
    listBeyond(baseId, container, MOST_MEGABYTES[target] ?? MOST_OTHERWISE);
    await tryOut(target, container);
  }
}

/** Installs what is not there. */
function need(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (missing.length === 0) return;
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing.map(([, name]) => name)]);
}

/** What stands for the base image: the smallest Debian, with Node, npm and the user node as that has them. Gives its id. */
function makeBase(name: string): string {
  const began = performance.now();
  const version = /^node:([\d.]+)-/.exec(name)?.[1];
  if (`v${version}` !== process.version)
    throw new Error(`run this with the Node of ${name}, not with ${process.version}`);
  const root = join(scratch, 'base');
  const suite = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  run('debootstrap', [
    '--variant=minbase',
    '--include=ca-certificates,libatomic1',
    suite,
    root,
    ...debianMirror(),
  ]);
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = join(root, 'usr/local/lib');
  mkdirSync(join(npm, 'node_modules'), { recursive: true });
  run('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), 'npm']);
  run('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  const container = buildah('from', 'scratch').trim();
  buildah('add', '--quiet', container, root, '/');
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
  const id = buildah('commit', '--quiet', '--format', 'docker', '--rm', container, name).trim();
  say(`the base ${name} is made after ${seconds(began)}`);
  return id;
}

/** Where this machine has its packages of Debian from. */
function debianMirror(): string[] {
  const files = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*.{list,sources}')];
  const lists = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const found = /^(?:URIs:|deb )\s*(?:\[[^\]]*\]\s*)?(https?:\S+)/m.exec(lists.join('\n'))?.[1];
  return found === undefined ? [] : [found];
}

/** npm's settings of this machine, with the certificates that it trusts: seen while building, and in no image. */
function wayToPackages(): string {
  const own = join(homedir(), '.npmrc');
  const path = join(scratch, 'npmrc');
  const settings = existsSync(own) ? readFileSync(own, 'utf8') : '';
  writeFileSync(path, `${settings}\ncafile=${CERTIFICATES}\n`);
  return path;
}

/** Prints the files of an image that its base does not have, those of a package or folder together. Throws above a size. */
function listBeyond(base: string, container: string, most: number): void {
  const root = buildah('mount', container).trim();
  const bare = buildah('mount', buildah('from', '--pull-never', base).trim()).trim();
  const sums = new Map<string, { files: number; bytes: number }>();
  for (const path of globSync('**/*', { cwd: root })) {
    const found = lstatSync(join(root, path));
    if (found.isDirectory() || /^(proc|sys|dev)\//.test(path)) continue;
    const before = lstatSync(join(bare, path), { throwIfNoEntry: false });
    if (before?.size === found.size && before.mtimeMs === found.mtimeMs) continue;
    const place =
      /^app\/node_modules\/(?:@[^/]+\/)?[^/]+|^app\/[^/]+(?:\/[^/]+)?|^[^/]+\/[^/]+/.exec(path)?.[0] ?? path;
    const sum = sums.get(place) ?? { files: 0, bytes: 0 };
    sums.set(place, { files: sum.files + 1, bytes: sum.bytes + found.size });
  }
  let all = 0;
  for (const [place, { files, bytes }] of [...sums].toSorted(([, a], [, b]) => b.bytes - a.bytes)) {
    say(`  ${(bytes / MEGABYTE).toFixed(3).padStart(9)} MB in ${files} of ${place}`);
    all += bytes / MEGABYTE;
  }
  say(`  ${all.toFixed(3).padStart(9)} MB beyond the base`);
  if (all > most) throw new Error(`that is more than ${most} MB`);
}

/** Starts it by its own command as its own user, and asks it from outside. */
async function tryOut(target: string, container: string): Promise<void> {
  const { config } = inspected.parse(JSON.parse(buildah('inspect', container))).Docker;
  if (/^(root|0)?(:|$)/.test(config.User)) throw new Error(`it runs as ${config.User}`);
  const inside = (command: readonly string[], ...flags: string[]): string[] => [
    'ip',
    'netns',
    'exec',
    NETWORK,
    'buildah',
    ...storage,
    'run',
    '--isolation',
    'chroot',
    ...flags,
    container,
    '--',
    ...command,
  ];
  say(`starts as user ${config.User}: ${config.Cmd.join(' ')}`);
  await withNetwork(async () => {
    const stop = (): void => endProgram(config.Cmd);
    // Nobody is here to undo anything.
    const command = inside(config.Cmd, '--env', 'UNDO_SECONDS=0');
    await whileRunning({ command, stop }, async (addresses) => {
      await expectPages(INSIDE, addresses);
      const [program = '', ...args] = inside(config.Healthcheck.Test.slice(1));
      run(program, args);
      say('its health check passes');
      const [page = ''] = addresses;
      if (target !== 'peyk') return;
      const picture = await firstPicture(`http://${INSIDE}:${new URL(page).port}/`);
      say(`it draws a picture of ${picture.width} × ${picture.height} pixels`);
    });
  });
}

/** A network of two, this machine and the container. */
async function withNetwork(use: () => Promise<void>): Promise<void> {
  const ip = (line: string): void => run('ip', line.split(' '));
  ip(`netns add ${NETWORK}`);
  try {
    ip(`link add ${NETWORK} type veth peer name eth0 netns ${NETWORK}`);
    ip(`address add ${OUTSIDE}/30 dev ${NETWORK}`);
    ip(`link set ${NETWORK} up`);
    ip(`-n ${NETWORK} address add ${INSIDE}/30 dev eth0`);
    ip(`-n ${NETWORK} link set eth0 up`);
    ip(`-n ${NETWORK} link set lo up`);
    await use();
  } finally {
    ip(`netns delete ${NETWORK}`);
  }
}

/** Asks the program in the container to end, as an engine does with its first process. */
function endProgram(command: readonly string[]): void {
  const pids = execFileSync('ip', ['netns', 'pids', NETWORK], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  // It stands there by its whole path, as what starts it does with a name of its own before that.
  const program = pids.find((pid) => {
    const [name = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return [basename(name), ...args].join('\0') === command.join('\0');
  });
  if (program === undefined) throw new Error('it does not run any more');
  process.kill(Number(program), 'SIGTERM');
}

function buildah(...args: string[]): string {
  return execFileSync('buildah', [...storage, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * MEGABYTE,
  });
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * MEGABYTE });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

/** What a container of buildah was mounted at stays so after it, until somebody asks for its end. */
function unmountBelow(folder: string): void {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of places.toReversed()) spawnSync('umount', ['--lazy', place]);
}

try {
  await main();
} finally {
  unmountBelow(scratch);
  rmSync(scratch, { recursive: true, force: true });
}
