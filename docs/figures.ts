import { ALERT_KINDS } from '../src/domain/alerts.ts';
import { cyclesOf } from '../test/support/cycles.ts';
import { projectFiles } from '../test/support/project-files.ts';
import { declaredRow } from '../test/support/row-types.ts';
import { readSource, readStatements } from '../test/support/statements.ts';
import { filesOfASend } from './send-path.ts';

/* Prints how much there is to hold: the figures at the end of docs/architecture.md. */

const isTest = (path: string): boolean => /^test\/|\.test\.ts$|\/testing(\.ts$|\/)/u.test(path);
const all = projectFiles('src/**/*.ts', 'test/**/*.ts');
const source = all.filter(({ path }) => !isTest(path));
const tests = all.filter(({ path }) => isTest(path));

const { byHand, computed } = rowsOfSql();

/** `goal`: what was aimed at; null where nothing was said but less. */
const FIGURES: readonly (readonly [name: string, figure: number, goal: number | null])[] = [
  ['files of `src` without tests', source.length, null],
  ['lines of them', linesOf(source), 58_000],
  ['lines of tests', linesOf(tests), 75_000],
  ['files that run in a `/send` between the tap and the wire', await filesOfASend(), 45],
  [
    'tests of the kind of a send outside its modules',
    found(
      source.filter(({ path }) => !path.includes('/kinds/')),
      /\bkind (?:[!=]==|=|<>) '(?:text|multi|pattern|future|book|bulk)'/gu,
    ),
    10,
  ],
  ['actions named by strings of other folders', actionsNamedElsewhere(), 0],
  ['files that name every kind of alert', filesOfAlertKinds(), 2],
  ['rows of SQL with no column typed by the schema', byHand, 0],
  ['computed columns, typed by hand, beside typed ones', computed, 0],
  [
    'stores with an interface beside them',
    found(
      source.filter(({ path }) => path.startsWith('src/ports/')),
      /^export interface \w+(?:Store|Control|Reads)\b/gmu,
    ),
    null,
  ],
  ['cycles of imports, types too', cyclesOf(source).length, 0],
];

process.stdout.write(
  `| figure | now | goal |\n| --- | --- | --- |\n${FIGURES.map(([name, figure, goal]) => `| ${name} | ${figure.toLocaleString('en')} | ${goal?.toLocaleString('en') ?? ''} |\n`).join('')}`,
);

/** Counts the places in features and kit that name an action of another folder by a string, as buttons of old did. */
function actionsNamedElsewhere(): number {
  const acting = source.filter(({ path }) => /^src\/(?:features|telegram)\//u.test(path));
  const named = acting.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdefine(?:Action|Pages)\(\{\s*(?:\/\/.*\s*)*name: '([^']+)'/gu)].map(
      ([, name = '']) => ({
        folder: folderOf(path),
        name,
      }),
    ),
  );
  return named.reduce((sum, { folder, name }) => {
    const others = acting.filter(({ path }) => folderOf(path) !== folder);
    return sum + others.reduce((hits, { text }) => hits + text.split(`'${name}'`).length - 1, 0);
  }, 0);
}

/** `src/features/<one>`, or `src/telegram/<room>`. */
function folderOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

/** Counts where a new kind of alert has to be put in. */
function filesOfAlertKinds(): number {
  return source.filter(({ text }) =>
    ALERT_KINDS.every((kind) => text.includes(`${kind}: `) || text.includes(`'${kind}'`)),
  ).length;
}

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
