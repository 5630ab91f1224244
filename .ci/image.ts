/*
 * Where there is no Docker engine: lints the Dockerfile, performs its steps in an empty folder, makes the result
 * read-only, and runs it as nobody in particular, with a folder for its data and one for temporary files. Seen of it are
 * its page, a picture that it draws, and that SIGTERM ends it with 0. The steps are read from the Dockerfile.
 * Run it with the Node that the Dockerfile names: node_modules/.bin/node .ci/image.ts [folder for what was made]
 */
import { spawn, spawnSync } from 'node:child_process';
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
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { faultsOf, readContext, readStages, type Stage } from './dockerfile.ts';
import { firstPicture } from './first-picture.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const READY_MS = 120_000;
const STOP_MS = 60_000;
const NOBODY = 65_534;

interface Image {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  readonly volumes: string[];
  command: readonly string[];
}

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
    for (const stage of stages) built.set(stage.name, build(stage, join(scratch, stage.name), built, isSent));
    const image = [...built.values()].at(-1);
    if (image === undefined) throw new Error('the Dockerfile has no stage');
    nameOthers(join(image.root, image.workdir));
    const files = seal(image.root);
    const before = stampOf(image.root, files);
    await run(image, scratch);
    if (stampOf(image.root, seal(image.root)) !== before) throw new Error('it has changed its own files');
    say(`none of its ${files.length} files has changed`);
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

/** Performs the steps of one stage in `root`, which stands for the root of its file system. */
function build(
  { name, base, steps }: Stage,
  root: string,
  built: ReadonlyMap<string, Image>,
  isSent: (file: string) => boolean,
): Image {
  const image: Image = { root, env: {}, workdir: '/', volumes: [], command: [] };
  const version = /^node:([\d.]+)-/.exec(base)?.[1];
  if (version === undefined || `v${version}` !== process.version) {
    throw new Error(`the base is ${base}: run this with that Node, not with ${process.version}`);
  }
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  for (const step of steps) {
    say(`${name}: ${step.name} ${shorten(step.rest)}`);
    switch (step.name) {
      case 'WORKDIR':
        image.workdir = step.rest;
        mkdirSync(join(root, step.rest), { recursive: true });
        break;
      case 'ENV':
        for (const pair of step.rest.split(/\s+/)) {
          const [, key, value] = /^(\w+)=([^"'$]*)$/.exec(pair) ?? [];
          if (key === undefined || value === undefined) throw new Error(`not understood: ENV ${pair}`);
          image.env[key] = value;
        }
        break;
      case 'COPY':
        copy(step.rest, image, built, isSent);
        break;
      case 'RUN':
        perform(step.rest, image);
        break;
      case 'VOLUME':
        image.volumes.push(step.rest);
        break;
      case 'CMD':
        image.command = z.array(z.string()).parse(JSON.parse(step.rest));
        break;
      // The user is nobody here, the port any that is free, and try mode has no health to ask for.
      case 'USER':
      case 'EXPOSE':
      case 'HEALTHCHECK':
        break;
      default:
        throw new Error(`not understood: ${step.name}`);
    }
  }
  return image;
}

function copy(
  rest: string,
  { root, workdir }: Image,
  built: ReadonlyMap<string, Image>,
  isSent: (file: string) => boolean,
): void {
  const words = rest.split(/\s+/);
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  const from = /^--from=(.+)$/.exec(flags[0] ?? '')?.[1];
  if (flags.length > (from === undefined ? 0 : 1)) throw new Error(`not understood: COPY ${rest}`);
  const source = from === undefined ? PROJECT : built.get(from)?.root;
  if (source === undefined) throw new Error(`no stage ${from}`);
  const target = join(root, resolve(workdir, to));
  for (const path of paths) {
    const found = join(source, path);
    const isFolder = statSync(found).isDirectory();
    // Docker copies what is in a folder, and a file into a folder only where that is said by a slash.
    const into = isFolder || !to.endsWith('/') ? target : join(target, basename(path));
    mkdirSync(dirname(into), { recursive: true });
    cpSync(found, into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) =>
        from !== undefined || lstatSync(each).isDirectory() || isSent(relative(PROJECT, each)),
    });
  }
}

function perform(command: string, { root, workdir, env }: Image): void {
  // It would meet this machine's files instead of those of the base image, which is not here.
  if (/(^|[\s='"])\/\w/.test(command)) {
    say('  left out: it changes the base image. Folders for data are made for VOLUME');
    return;
  }
  const { PATH = '', HOME = '' } = process.env;
  // The way to the registry, and no more of what is set here: a build by Docker would not see it either.
  const way = Object.entries(process.env).filter(([key]) =>
    /^((https?|no)_proxy|npm_config_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i.test(key),
  );
  const { status } = spawnSync('sh', ['-e', '-c', command], {
    cwd: join(root, workdir),
    env: {
      ...Object.fromEntries(way),
      PATH: `${join(root, 'usr/local/bin')}:${PATH}`,
      HOME,
      npm_config_prefer_offline: 'true',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`it ended with ${status}: RUN ${command}`);
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
async function run({ root, workdir, env, volumes, command }: Image, scratch: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const open = (path: string): string => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (isRoot) chownSync(path, NOBODY, NOBODY);
    return path;
  };
  const volume = (value: string): string =>
    volumes.includes(value) ? open(join(scratch, `volume${value.replaceAll('/', '-')}`)) : value;
  const [program = '', ...args] = command;
  const TMPDIR = open(join(scratch, 'tmp'));
  const child = spawn(program, args, {
    cwd: join(root, workdir),
    env: {
      PATH: `${join(root, 'usr/local/bin')}:/usr/bin:/bin`,
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, volume(value)])),
      TMPDIR,
      PORT: '0',
      // Nobody is here to undo anything.
      UNDO_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => String(code ?? signal));
  try {
    const began = performance.now();
    const page = await readyPage(() => output, ended);
    say(`ready as user ${isRoot ? NOBODY : process.getuid?.()} after ${seconds(began)}: ${page}`);
    const html = await (await fetch(page, { signal: AbortSignal.timeout(10_000) })).text();
    if (!/<!doctype html>/i.test(html)) throw new Error('there is no page');
    const picture = await firstPicture(page);
    say(
      `a picture of ${picture.width} × ${picture.height} pixels and ${picture.bytes} bytes after ${seconds(began)}`,
    );
    child.kill('SIGTERM');
    const asked = performance.now();
    const how = await Promise.race([ended, pause(STOP_MS, 'still running', { ref: false })]);
    if (how !== '0') throw new Error(`SIGTERM ended it with ${how}`);
    say(`SIGTERM ended it with 0 after ${seconds(asked)}`);
  } catch (error) {
    process.stdout.write(output);
    throw error;
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
}

async function readyPage(output: () => string, ended: Promise<string>): Promise<string> {
  let how: string | undefined;
  void ended.then((code) => (how = code));
  const until = performance.now() + READY_MS;
  while (performance.now() < until && how === undefined) {
    const page = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(output())?.[0];
    if (page !== undefined) return page;
    await pause(100);
  }
  throw new Error(how === undefined ? 'it did not become ready' : `it ended with ${how}`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main(process.argv[2]);
