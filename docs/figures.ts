import { dirname, join } from 'node:path';
import { readReach } from '../test/support/imports.ts';
import { projectFiles } from '../test/support/project-files.ts';

/* Prints how much there is to hold: the figures at the end of docs/architecture.md. */

const isTest = (path: string): boolean => /^test\/|\.test\.ts$|\/testing(\.ts$|\/)/u.test(path);
const all = projectFiles('src/**/*.ts', 'test/**/*.ts');
const source = all.filter(({ path }) => !isTest(path));
const tests = all.filter(({ path }) => isTest(path));

const FIGURES: readonly (readonly [name: string, figure: number])[] = [
  ['files of `src` without tests', source.length],
  ['lines of them', linesOf(source)],
  ['lines of tests', linesOf(tests)],
  [
    'tests of the kind of a send outside its modules',
    found(
      source.filter(({ path }) => !path.includes('/kinds/')),
      /\bkind (?:[!=]==|=|<>) '(?:text|multi|pattern|future|book|bulk)'/gu,
    ),
  ],
  [
    'hand-typed rows of SQL',
    found(
      source.filter(({ path }) => /^src\/(?:storage|jobs|operator)\//u.test(path)),
      /\b(?:sql|tx|db|query)<(?!Row\[\]>)/gu,
    ),
  ],
  ['cycles of imports, types too', cycles()],
];

process.stdout.write(
  `| figure | now |\n| --- | --- |\n${FIGURES.map(([name, figure]) => `| ${name} | ${figure.toLocaleString('en')} |\n`).join('')}`,
);

function linesOf(files: readonly { readonly text: string }[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function found(files: readonly { readonly text: string }[], pattern: RegExp): number {
  return files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
}

/** Counts the groups of files that reach one another by their imports (Tarjan). */
function cycles(): number {
  const paths = new Set(source.map(({ path }) => path));
  const reach = new Map(
    source.map(({ path, text }) => [
      path,
      readReach(path, text)
        .imports.map((name) => (name === null ? '' : join(dirname(path), name)))
        .filter((to) => paths.has(to)),
    ]),
  );
  const seen = new Map<string, number>();
  const stack: string[] = [];
  let groups = 0;
  const visit = (path: string): number => {
    const index = seen.size;
    seen.set(path, index);
    stack.push(path);
    let lowest = index;
    for (const to of reach.get(path) ?? []) {
      if (!seen.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, seen.get(to) ?? index);
    }
    if (lowest !== index) return lowest;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) groups += 1;
    return lowest;
  };
  for (const path of paths) if (!seen.has(path)) visit(path);
  return groups;
}
