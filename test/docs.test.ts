import { existsSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectFiles, readProjectFile, ROOT, trackedPaths } from './support/project-files.ts';

/** Made at run time or by a build. */
const MADE = /^(\.\/)?(data|dist|node_modules|test-output)(\/|$)|^\.env$/;

describe('the documents', () => {
  const documents = projectFiles('README.md', 'CHANGELOG.md', 'docs/**/*.md', 'src/*/README.md');
  const paths = new Set(trackedPaths());

  it('are there', () => {
    expect(documents.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/contributing.md']),
    );
  });

  it('name only files and folders that exist', () => {
    let checked = 0;
    const missing = documents.flatMap(({ path, text }) =>
      namedPaths(text)
        .filter((name) => !MADE.test(name))
        .filter((name) => {
          checked += 1;
          return !exists(path, name, paths);
        })
        .map((name) => `${path}: ${name}`),
    );
    process.stdout.write(`checked ${checked} paths in ${documents.length} documents\n`);
    expect(missing).toEqual([]);
    expect(checked).toBeGreaterThan(20);
  });

  it('link only to headings that exist', () => {
    let checked = 0;
    const lost = documents.flatMap(({ path, text }) =>
      namedHeadings(path, text)
        .filter(({ document, anchor }) => {
          checked += 1;
          return !headingsOf(documents.find((each) => each.path === document)?.text ?? '').includes(anchor);
        })
        .map(({ document, anchor }) => `${path}: ${document}#${anchor}`),
    );
    expect(lost).toEqual([]);
    expect(checked).toBeGreaterThan(70);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readProjectFile('package.json')));
    const unknown = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => scripts[name] === undefined)
        .map((name) => `${path}: npm run ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('tell what is new in this version before anything else', () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readProjectFile('package.json')));
    const told = [...readProjectFile('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(told[0]).toBe(version);
    expect(told).toEqual([...new Set(told)]);
  });

  it('are seen through by this test', () => {
    const text =
      'See `absent.ts`, [it](./docs/absent.md#part), `src/absent/`, `text/html`, `/send`, `a <b>/c.ts`.';
    expect(namedPaths(text)).toEqual(['absent.ts', 'src/absent/', './docs/absent.md']);
    expect(namedPaths(text).filter((name) => exists('README.md', name, paths))).toEqual([]);
    expect(namedHeadings('docs/a.md', `${text} [so](#it-is)`)).toEqual([
      { document: 'docs/docs/absent.md', anchor: 'part' },
      { document: 'docs/a.md', anchor: 'it-is' },
    ]);
    expect(headingsOf('# What *is* `it`?\n\n### full-disk\n')).toEqual(['what-is-it', 'full-disk']);
    expect(exists('src/domain/README.md', 'phone.ts', paths)).toBe(true);
    expect(exists('docs/contributing.md', '../package.json', paths)).toBe(true);
  });
});

/** Paths in backticks that are recognisable as such, then the targets of links. */
function namedPaths(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name).filter(isPath);
  const linked = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^\w+:/.test(target));
  return [...quoted, ...linked];
}

/** The headings of documents that a document links to. */
function namedHeadings(path: string, text: string): { document: string; anchor: string }[] {
  return [...text.matchAll(/\]\(([\w./-]*)#([^)\s]+)\)/g)].map(([, target = '', anchor = '']) => ({
    document: target === '' ? path : posix.join(posix.dirname(path), target),
    anchor,
  }));
}

/** The headings of a document as links name them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isPath(name: string): boolean {
  if (!/^[\w.@*-]+(\/[\w.@*-]+)*\/?$/.test(name)) return false;
  const hasFolder = /^(\.{1,2}|src|test|docs|bench|drizzle|\.ci)\//.test(name);
  return hasFolder || /\.(ts|js|md|json|sql|html|css|png|svg|sh)$/.test(name);
}

/** From the document's folder, the project's root or src; a bare file name may stand for one anywhere. */
function exists(document: string, name: string, paths: ReadonlySet<string>): boolean {
  const places = [posix.dirname(document), '.', 'src'].map((folder) => posix.join(folder, name));
  if (places.some((place) => (place.includes('*') ? matches(place, paths) : existsSync(join(ROOT, place)))))
    return true;
  return !name.includes('/') && [...paths].some((path) => basename(path) === name);
}

function matches(glob: string, paths: ReadonlySet<string>): boolean {
  return [...paths].some((path) => posix.matchesGlob(path, glob));
}
