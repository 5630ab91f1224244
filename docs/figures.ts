import { cyclesOf } from '../test/support/cycles.ts';
import { projectFiles } from '../test/support/project-files.ts';
import { declaredRow } from '../test/support/row-types.ts';
import { readSource, readStatements } from '../test/support/statements.ts';

/* Prints how much there is to hold: the figures at the end of docs/architecture.md. */

const isTest = (path: string): boolean => /^test\/|\.test\.ts$|\/testing(\.ts$|\/)/u.test(path);
const all = projectFiles('src/**/*.ts', 'test/**/*.ts');
const source = all.filter(({ path }) => !isTest(path));
const tests = all.filter(({ path }) => isTest(path));

const { byHand, computed } = rowsOfSql();

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
  ['rows of SQL with no column typed by the schema', byHand],
  ['computed columns, typed by hand, beside typed ones', computed],
  [
    'stores with an interface beside them',
    found(
      source.filter(({ path }) => path.startsWith('src/ports/')),
      /^export interface \w+(?:Store|Control|Reads)\b/gmu,
    ),
  ],
  ['cycles of imports, types too', cyclesOf(source).length],
];

process.stdout.write(
  `| figure | now |\n| --- | --- |\n${FIGURES.map(([name, figure]) => `| ${name} | ${figure.toLocaleString('en')} |\n`).join('')}`,
);

/** Counts what no schema says of the rows that statements return. */
function rowsOfSql(): { readonly byHand: number; readonly computed: number } {
  const sources = source
    .filter(({ path }) => !path.endsWith('/schema.ts'))
    .map(({ path, text }) => readSource(path, text));
  const rows = readStatements(sources)
    .statements.filter(({ template }) => template.typeArguments !== null)
    .map((statement) => [...(declaredRow(statement, sources)?.values() ?? [])]);
  const typed = rows.filter((columns) => columns.some(({ from }) => from !== null));
  const others = typed.flatMap((columns) => columns.filter(({ from }) => from === null));
  return { byHand: rows.length - typed.length, computed: others.length };
}

function linesOf(files: readonly { readonly text: string }[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function found(files: readonly { readonly text: string }[], pattern: RegExp): number {
  return files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
}
