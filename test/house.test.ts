import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectFiles, readProjectFile, trackedPaths } from './support/project-files.ts';

const { dirname, join, relative } = posix;

const HARD_LIMIT = 400;

/** Long by nature: a row for each thing, nothing to follow. */
const TABLE = /(^|[/-])(texts|schema|codes|types)\.ts$|^src\/ports\/|^test\/support\//;

const TEST = /\.test\.ts$|\/testing(\.ts$|\/)/;

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

describe('the house', () => {
  it('runs every test it has', () => {
    const left = projectFiles('{src,test}/**/*.test.ts').flatMap(({ path, text }) =>
      find(path, text, /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo)\b|\b[fx](it|describe)\(/g),
    );
    expect(left).toEqual([]);
  });

  it('does not talk the type checker out of anything', () => {
    const files = projectFiles('{src,bench,test,docs}/**/*.ts', '*.ts');
    const casts = files
      .filter(({ path }) => !path.startsWith('test/support/'))
      .flatMap(({ path, text }) => find(path, text, /\b(as|satisfies) any\b|<an[y]>|@ts-[a-z]+\b/g));
    expect(casts).toEqual([]);
  });

  it('gives a reason with every exception from the linter', () => {
    const bare = projectFiles('{src,bench,test,docs}/**/*.{ts,js}').flatMap(({ path, text }) =>
      find(path, text, /(oxlint|eslint)-disable(?![^\n]* -- \S)[^\n]*/g),
    );
    expect(bare).toEqual([]);
  });

  it('pins every version, installs without scripts and without a registry by name', () => {
    const manifest = Manifest.parse(JSON.parse(readProjectFile('package.json')));
    const loose = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
      .flatMap((each) => Object.entries(each))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
    expect(readProjectFile('.npmrc').split('\n')).toContain('ignore-scripts=true');
    // Who funds a package is told by address too; what is installed must not be.
    expect(find('package-lock.json', readProjectFile('package-lock.json'), /"resolved": .*/g)).toEqual([]);
  });

  // The sandbox and the playground are used alone too, and their README is all that such a user reads.
  const REFERENCES = new Set(['src/sandbox/README.md', 'src/playground/README.md']);

  it('explains each part of src in a README of 5 to 60 lines', () => {
    const parts = new Set(projectFiles('src/*/**/*.ts').map(({ path }) => path.split('/')[1]));
    const readmes = projectFiles('src/*/README.md');
    expect(readmes.map(({ path }) => path.split('/')[1])).toEqual([...parts]);
    const odd = readmes
      .map(({ path, text }) => ({ path, lines: lineCount(text) }))
      .filter(({ path, lines }) => lines < 5 || lines > (REFERENCES.has(path) ? 300 : 60));
    expect(odd).toEqual([]);
  });

  it('names in a README every folder that lies beside another that it names', () => {
    const folders = foldersOf(trackedPaths());
    const readmes = projectFiles('README.md', 'src/*/README.md');
    const left = readmes.map(({ path, text }) => leftOut(dirname(path), text, folders));
    process.stdout.write(`${left.reduce((sum, { named }) => sum + named, 0)} folders named in READMEs\n`);
    expect(left.flatMap(({ missing }) => missing)).toEqual([]);
    expect(left.reduce((sum, { named }) => sum + named, 0)).toBeGreaterThan(50);

    const own = foldersOf(['src/a/x/1.ts', 'src/a/y/2.ts', 'src/a/y/in/3.ts', 'src/b/4.ts']);
    expect(leftOut('src/a', 'Here `x/1.ts` is, and `in`.', own)).toEqual({ named: 1, missing: ['src/a: y'] });
    expect(leftOut('src/a', '`src/a/x`, `y/`, `src/b`', own)).toEqual({ named: 2, missing: [] });
    expect(leftOut('src/a', 'Here x is, and `xy`.', own)).toEqual({ named: 0, missing: [] });
  });

  it('keeps its files short', () => {
    const sizes = projectFiles('{src,bench}/**/*.{ts,js}')
      .filter(({ path }) => !TEST.test(path))
      .map(({ path, text }) => ({ path, lines: lineCount(text) }))
      .toSorted((left, right) => right.lines - left.lines);
    const median = sizes[Math.floor(sizes.length / 2)]?.lines;
    const longest = sizes.slice(0, 5).map(({ path, lines }) => `${path} ${lines}`);
    process.stdout.write(
      `median of ${sizes.length} files: ${median} lines; longest: ${longest.join(', ')}\n`,
    );
    expect(sizes.length).toBeGreaterThan(100);
    expect(sizes.filter(({ path, lines }) => lines > HARD_LIMIT && !TABLE.test(path))).toEqual([]);
  });

  it('names files in kebab-case and has no drawer for odds and ends', () => {
    const odd = trackedPaths().filter(
      (path) =>
        /^(src|test|bench)\/.*\.(ts|js)$/.test(path) &&
        !/^([a-z0-9]+(-[a-z0-9]+)*\/)+[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|js)$/.test(path),
    );
    expect(odd).toEqual([]);
    expect(trackedPaths().filter((path) => /(^|\/)(utils?|helpers?)(\/|\.ts$)/.test(path))).toEqual([]);
  });

  it('speaks of no machine but the reader’s', () => {
    const own = 'test/house.test.ts';
    const told = trackedPaths()
      .filter((path) => path !== own && !/\.(png|jpg|ico|woff2|ttf)$/.test(path))
      .flatMap((path) =>
        find(path, readProjectFile(path), /(?<![\w.~-])\/(root|work|Users|home\/\w+)\/\w*/g),
      );
    expect(told).toEqual([]);
  });
});

/** Every folder that these files lie in, at any depth. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders].toSorted();
}

/** The folders below `root` that a text names in backticks, and those that it leaves out beside one of them. */
function leftOut(
  root: string,
  text: string,
  folders: readonly string[],
): { named: number; missing: string[] } {
  const paths = [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = '']) => [name, join(root, name)]);
  const below = folders.filter((folder) => root === '.' || folder.startsWith(`${root}/`));
  const named = below.filter((folder) => paths.some((path) => `${path}/`.startsWith(`${folder}/`)));
  const parents = new Set(named.map((folder) => dirname(folder)));
  const missing = below.filter((folder) => parents.has(dirname(folder)) && !named.includes(folder));
  return { named: named.length, missing: missing.map((folder) => `${root}: ${relative(root, folder)}`) };
}

/** Each place where the pattern is found, as `path:line: what`. */
function find(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(
    (match) => `${path}:${lineCount(text.slice(0, match.index))}: ${match[0].trim()}`,
  );
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
