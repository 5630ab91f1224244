/*
 * Makes what others install: the bot and its two stand-ins, each as npm has it. Nothing is sent anywhere.
 *   npm run pack [-- FOLDER]     FOLDER has the three packages, and beside them what is in each; dist/packs unless given
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { z } from 'zod';
import { thirdParty } from '../.ci/third-party.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FONT = 'node_modules/vazirmatn/fonts/webfonts/Vazirmatn[wght].woff2';

/** Both stand on nothing but Node: their one dependency is bundled, their letters are among the pages. */
const STAND_INS = [
  {
    name: 'peyk-sandbox',
    description: 'An SMS gateway for tests: versions 4, 3 and 1 of its interface, a page, a journal, faults',
    keywords: ['sms', 'gateway', 'sandbox', 'mock', 'testing'],
    from: 'src/sandbox',
    page: 'phone',
  },
  {
    name: 'peyk-telegram',
    description: 'A Telegram Bot API for tests of any bot, with a page to chat on',
    keywords: ['telegram', 'bot', 'emulator', 'mock', 'testing'],
    from: 'src/playground',
    page: 'page',
  },
] as const;

const project = z
  .object({
    version: z.string(),
    description: z.string(),
    license: z.string(),
    dependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

async function main(into: string): Promise<void> {
  process.chdir(ROOT);
  rmSync(into, { recursive: true, force: true });
  for (const standIn of STAND_INS) {
    const folder = join(into, standIn.name);
    await buildStandIn(standIn, join(folder, 'dist'));
    seal(folder, {
      name: standIn.name,
      description: standIn.description,
      keywords: standIn.keywords,
      bin: { [standIn.name]: 'dist/main.js' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      types: 'dist/index.d.ts',
      files: ['dist'],
    });
  }
  const folder = join(into, 'peyk');
  copyBot(folder);
  seal(folder, {
    name: 'peyk',
    description: project.description,
    keywords: ['sms', 'telegram', 'bot'],
    bin: { peyk: 'dist/main.js' },
    exports: { './package.json': './package.json' },
    files: ['dist', 'drizzle'],
    // What no bundle can hold: compiled programs, and the letters of the pictures.
    dependencies: pick(project.dependencies, ['@resvg/resvg-js', 'vazirmatn']),
    optionalDependencies: project.optionalDependencies,
  });
}

/** One bundle, which the program and the library share, its types, its pages, and what it holds of others. */
async function buildStandIn({ from, page }: (typeof STAND_INS)[number], dist: string): Promise<void> {
  const library = `${from}/library.ts`;
  const bundle = await rolldown({
    input: { main: `${from}/main.ts`, index: library },
    platform: 'node',
    plugins: [
      dts({ generator: 'tsgo', tsconfig: 'tsconfig.packs.json', entry: [library], logger: silent }),
      thirdParty(join(dist, 'THIRD-PARTY.md'), ['node_modules/vazirmatn']),
    ],
    // Of the types of zod it leaves out those that speak of other languages, which nothing here does.
    onLog: (level, log, report) => {
      if (log.plugin !== 'rolldown-plugin-dts:fake-js') report(level, log);
    },
  });
  await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
    // Names stay as they are, for whoever reads a stack trace.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  for (const folder of [`${from}/${page}`, 'src/pages/common'])
    cpSync(folder, join(dist, basename(folder)), { recursive: true });
  cpSync(FONT, join(dist, 'common/vazirmatn.woff2'));
}

/** What `npm run build` makes, but for the sandbox, which is a package of its own. */
function copyBot(folder: string): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of ['main.js', 'file-worker.js', 'THIRD-PARTY.md', 'page', 'phone', 'common'])
    cpSync(join('dist', name), join(folder, 'dist', name), { recursive: true });
  cpSync('drizzle', join(folder, 'drizzle'), { recursive: true });
}

/** Adds to a folder what every package has, and packs it. */
function seal(folder: string, manifest: { readonly name: string; readonly [member: string]: unknown }): void {
  const { version, license } = project;
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ version, license, type: 'module', engines: { node: '>=20' }, ...manifest }, null, 2)}\n`,
  );
  const program = join(folder, 'dist/main.js');
  writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, 'utf8')}`);
  cpSync('LICENSE', join(folder, 'LICENSE'));
  cpSync(`packs/${manifest.name}.md`, join(folder, 'README.md'));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: folder });
  process.stdout.write(packed);
}

function pick(from: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

await main(resolve(process.argv[2] ?? join(ROOT, 'dist/packs')));
