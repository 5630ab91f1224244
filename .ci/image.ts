/*
 * Lints the Dockerfile, makes the image of each of its targets, and starts it. Seen of each are what it holds beyond its
 * base and whose that is, that it is not root, its pages by another address as through a published port, its health check,
 * that SIGTERM ends it with 0, and that it has changed none of its own files; of Peyk also a picture that it draws.
 * Run it with the Node that the Dockerfile names:
 *   node_modules/.bin/node .ci/image.ts [--buildah] [folder for what Peyk's image has, with its Node]
 * With --buildah the images are really built (Debian, as root); without it, the steps are carried out in folders.
 */
import { copyFileSync, cpSync, globSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Made } from './builder.ts';
import { byBuildah } from './by-buildah.ts';
import { byHand } from './by-hand.ts';
import { allStepsOf, faultsOf, readContext, readStages, settingsAfter, targetsOf } from './dockerfile.ts';
import type { Settings } from './dockerfile.ts';
import { firstPicture } from './first-picture.ts';
import { expectPages, say, whileRunning } from './running.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const MEGABYTE = 1_000_000;
/** Beyond the base. What grows past it is looked at, and then said here. */
const MOST_MEGABYTES: Readonly<Record<string, number>> = { sandbox: 3, telegram: 3, peyk: 150 };

async function main(isReal: boolean, release: string | undefined): Promise<void> {
  if (release !== undefined) mkdirSync(release);
  const stages = readStages(join(PROJECT, 'Dockerfile'));
  const isSent = readContext(join(PROJECT, '.dockerignore'));
  const faults = faultsOf(stages);
  for (const secret of ['.env', 'data/master.key', '.git/config'].filter(isSent)) {
    faults.push(`.dockerignore lets ${secret} through`);
  }
  if (faults.length > 0) throw new Error(['the Dockerfile is not well:', ...faults].join('\n  '));
  say('the Dockerfile is well');

  const builder = isReal ? byBuildah(PROJECT, stages) : byHand(PROJECT, stages, isSent);
  try {
    for (const target of targetsOf(stages)) {
      say(`\n${target}`);
      const settings = settingsAfter(allStepsOf(target, stages));
      const image = await builder.make(target);
      const folder = join(image.root, settings.workdir);
      listBeyond(image, MOST_MEGABYTES[target] ?? 0);
      nameOthers(folder);
      const before = stampOf(folder);
      await tryOut(image, settings, target === 'peyk');
      if (stampOf(folder) !== before) throw new Error('it has changed its own files');
      say('none of its files has changed');
      if (target !== 'peyk' || release === undefined) continue;
      cpSync(folder, release, { recursive: true, verbatimSymlinks: true });
      copyFileSync(process.execPath, join(release, 'node'));
      const start = ['./node', ...settings.command.slice(1)].join(' ');
      say(`it is in ${release}, with its node: (cd ${release} && ${start})`);
    }
  } finally {
    builder.end();
  }
}

/** Prints the files that the base does not have, those of a package or folder together. Throws above so many megabytes. */
function listBeyond({ root, isOfBase }: Made, most: number): void {
  const sums = new Map<string, { files: number; bytes: number }>();
  for (const path of globSync('**/*', { cwd: root })) {
    const found = lstatSync(join(root, path));
    if (found.isDirectory() || /^(proc|sys|dev)\//.test(path) || isOfBase(path)) continue;
    const place = /^app\/(?:node_modules\/(?:@[^/]+\/)?|dist\/)?[^/]+|^[^/]+\/[^/]+/.exec(path)?.[0] ?? path;
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

function stampOf(folder: string): string {
  return ['.', ...globSync('**/*', { cwd: folder })]
    .map((path) => {
      const { size, mtimeMs } = lstatSync(join(folder, path));
      return `${path} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

async function tryOut(image: Made, { ports, healthCheck }: Settings, draws: boolean): Promise<void> {
  const user = image.run(['node', '--print', 'process.getuid()']).trim();
  if (user === '0') throw new Error('it runs as root');
  say(`starts as user ${user}: ${image.start.command.join(' ')}`);
  await whileRunning(image.start, async (addresses) => {
    await expectPages(image.address, addresses);
    const found = new Set(addresses.map((each) => new URL(each).port));
    if (found.size !== ports.length)
      throw new Error(`it listens on ${[...found].join(', ')}, not on ${ports.join(', ')}`);
    image.run(healthCheck);
    say('its health check passes');
    if (!draws) return;
    const [page = ''] = addresses;
    const { width, height, bytes } = await firstPicture(`http://${image.address}:${new URL(page).port}/`);
    say(`it draws a picture of ${width} × ${height} pixels and ${bytes} bytes`);
  });
}

const { values, positionals } = parseArgs({
  options: { buildah: { type: 'boolean' } },
  allowPositionals: true,
});
await main(values.buildah === true, positionals[0]);
