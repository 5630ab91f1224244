import { spawnSync } from 'node:child_process';
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
import { basename, join } from 'node:path';
import process from 'node:process';
import { TRIED_WITH, type Builder } from './builder.ts';
import { allStepsOf, settingsAfter, type Stage } from './dockerfile.ts';
import { output, say, seconds } from './running.ts';

const NETWORK = 'peyk-image';
const [OUTSIDE, INSIDE] = ['10.231.77.1', '10.231.77.2'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Really builds, without a Docker engine: with Debian's buildah, from a base made of Debian's packages and the Node that
 * runs this. What it builds runs as its own user in a network of its own. For Debian, as root.
 */
export function byBuildah(project: string, stages: readonly Stage[]): Builder {
  need({ buildah: 'buildah', debootstrap: 'debootstrap', ip: 'iproute2' });
  const scratch = mkdtempSync(join(tmpdir(), 'peyk-buildah-'));
  const folders = ['--root', join(scratch, 'images'), '--runroot', join(scratch, 'run')];
  const storage = ['buildah', '--storage-driver', 'overlay', ...folders];
  const buildah = (...args: string[]): string => output([...storage, ...args]).trim();
  const ip = (line: string): string => output(['ip', ...line.split(' ')]);
  const npmrc = wayToPackages(scratch);
  const end = (): void => {
    spawnSync('ip', ['netns', 'delete', NETWORK]);
    unmountBelow(scratch);
    rmSync(scratch, { recursive: true, force: true });
  };

  let bare: string;
  try {
    bare = makeBase(stages[0]?.base ?? '', join(scratch, 'base'), buildah);
    // A network of two, this machine and a container.
    ip(`netns add ${NETWORK}`);
    ip(`link add ${NETWORK} type veth peer name eth0 netns ${NETWORK}`);
    ip(`address add ${OUTSIDE}/30 dev ${NETWORK}`);
    ip(`link set ${NETWORK} up`);
    ip(`-n ${NETWORK} address add ${INSIDE}/30 dev eth0`);
    ip(`-n ${NETWORK} link set eth0 up`);
    ip(`-n ${NETWORK} link set lo up`);
  } catch (error) {
    end();
    throw error;
  }

  return {
    async make(target) {
      const began = performance.now();
      const wayIn = [`${npmrc}:/usr/local/etc/npmrc:ro`, `${CERTIFICATES}:${CERTIFICATES}:ro`];
      const mounts = wayIn.flatMap((each) => ['--volume', each]);
      const how = ['--pull-never', '--layers', '--isolation', 'chroot', '--format', 'docker'];
      buildah('build', ...how, '--network', 'host', ...mounts, '--target', target, '--tag', target, project);
      say(`built after ${seconds(began)}`);
      const container = buildah('from', '--pull-never', `localhost/${target}`);
      const root = buildah('mount', container);
      const { command } = settingsAfter(allStepsOf(target, stages));
      const settings = Object.entries(TRIED_WITH).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
      const run = ['ip', 'netns', 'exec', NETWORK, ...storage, 'run', '--isolation', 'chroot', ...settings];
      const inside = (words: readonly string[]): string[] => [...run, container, '--', ...words];
      return {
        root,
        isOfBase(path) {
          const now = lstatSync(join(root, path));
          const before = lstatSync(join(bare, path), { throwIfNoEntry: false });
          return before?.size === now.size && before.mtimeMs === now.mtimeMs;
        },
        start: { command: inside(command), stop: () => endProgram(ip(`netns pids ${NETWORK}`), command) },
        address: INSIDE,
        run: (words) => output(inside(words)),
      };
    },
    end,
  };
}

/** Installs what is not there. */
function need(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (missing.length === 0) return;
  output(['apt-get', 'update', '-qq']);
  const names = missing.map(([, name]) => name);
  output(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names]);
}

/** What stands for the base image: the smallest Debian, with Node, npm and the user node as that has them. Gives its folder. */
function makeBase(name: string, root: string, buildah: (...args: string[]) => string): string {
  const began = performance.now();
  const suite = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  const packages = '--include=ca-certificates,libatomic1';
  output(['debootstrap', '--variant=minbase', packages, suite, root, ...debianMirror()]);
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  output(['npm', 'install', '--global', '--prefix', join(root, 'usr/local'), 'npm']);
  output(['chroot', root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, root, '/');
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
  const id = buildah('commit', '--quiet', '--format', 'docker', '--rm', container, name);
  say(`the base ${name} is made after ${seconds(began)}`);
  return buildah('mount', buildah('from', '--pull-never', id));
}

/** Where this machine has its packages of Debian from. */
function debianMirror(): string[] {
  const files = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*.{list,sources}')];
  const lists = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const found = /^(?:URIs:|deb )\s*(?:\[[^\]]*\]\s*)?(https?:\S+)/m.exec(lists.join('\n'))?.[1];
  return found === undefined ? [] : [found];
}

/** npm's settings of this machine, with the certificates that it trusts: seen while building, and in no image. */
function wayToPackages(scratch: string): string {
  const own = join(homedir(), '.npmrc');
  const path = join(scratch, 'npmrc');
  const settings = existsSync(own) ? readFileSync(own, 'utf8') : '';
  writeFileSync(path, `${settings}\ncafile=${CERTIFICATES}\n`);
  return path;
}

/** Asks the program in the container to end, as an engine does with its first process. */
function endProgram(pids: string, command: readonly string[]): void {
  // It stands there by its whole path, as what starts it does with a name of its own before that.
  const program = pids.split('\n').find((pid) => {
    if (pid === '') return false;
    const [name = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return [basename(name), ...args].join('\0') === command.join('\0');
  });
  if (program === undefined) throw new Error('it does not run any more');
  process.kill(Number(program), 'SIGTERM');
}

/** What a container of buildah was mounted at stays so after it, until somebody asks for its end. */
function unmountBelow(folder: string): void {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of places.toReversed()) spawnSync('umount', ['--lazy', place]);
}
