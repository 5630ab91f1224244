import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { say } from '../chaos/output.ts';
import { ROOT } from '../support/project-files.ts';
import type { Changed } from './changed.ts';
import { mutateSources } from './sources.ts';
import { mutateStatements, STATEMENTS } from './statements.ts';
import { SURVIVORS } from './survivors.ts';

const HELP = `Changes one place of the sources at a time, and looks whether a test notices: docs/proof/README.md

npm run mutate                  all of it: hours
npm run mutate -- src/domain    what lies in these folders and files
npm run mutate -- src/storage   the statements that reserve a call, fence it and settle it

Ends with 1 where less than 90 % is noticed, and where what is not has no reason in test/mutation/survivors.ts.
`;

const GOAL = 0.9;

/** By the tests of the same folder: those of the whole house would notice more, and take days. */
const FOLDERS = [
  { dir: 'src/domain', sources: '**/*.ts', fresh: ['src/domain'], hasDatabase: false },
  { dir: 'src/gateway', sources: '**/*.ts', fresh: ['src/gateway'], hasDatabase: false },
  {
    dir: 'src/features/sending',
    // What people read and press is held by what stories say of it.
    sources: '**/!(*card|*cards|*texts|actions|forms|index|tasks).ts',
    fresh: ['src/features/sending'],
    hasDatabase: true,
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});
/** A file is meant by its path or a folder that it lies in; every one is where none is named. */
const isMeant = (file: string) =>
  positionals.length === 0 ||
  positionals.some((each) => `${file}/`.startsWith(`${each.replace(/\/$/u, '')}/`));

if (values.help) say(HELP);
else {
  const changed: Changed[] = [];
  for (const { sources, ...tried } of FOLDERS) {
    const files = globSync(`${tried.dir}/${sources}`, {
      cwd: ROOT,
      exclude: ['**/*.test.ts', '**/testing/**'],
    });
    const meant = files.filter(isMeant);
    if (meant.length > 0) changed.push(...(await mutateSources(tried, meant)));
  }
  const withStatements = STATEMENTS.filter(isMeant);
  if (withStatements.length > 0) changed.push(...mutateStatements(withStatements));
  process.exitCode = isGood(changed) ? 0 : 1;
}

/** Prints a line for each file, and what has no reason yet. */
function isGood(changed: readonly Changed[]): boolean {
  const left = changed.filter(({ noticed, file, reads }) => !noticed && reasonOf(file, reads) === null);
  for (const [file, all] of Map.groupBy(changed, ({ file }) => file)) say(`${file}: ${scoreOf(all)}`);
  for (const { file, line, reads } of left) say(`${file}:${line}\n  ${reads}`);
  say(`in all: ${scoreOf(changed)}; ${left.length} of the others without a reason`);
  return left.length === 0 && shareOf(changed) >= GOAL;
}

function reasonOf(file: string, reads: string): string | null {
  const found = SURVIVORS.find(
    (each) =>
      (each.file === undefined || each.file === file) &&
      each.reads.some((words) => (typeof words === 'string' ? words === reads : words.test(reads))),
  );
  return found?.why ?? null;
}

function shareOf(changed: readonly Changed[]): number {
  return changed.filter(({ noticed }) => noticed).length / Math.max(1, changed.length);
}

function scoreOf(changed: readonly Changed[]): string {
  const noticed = changed.filter((each) => each.noticed).length;
  return `${noticed} of ${changed.length} noticed (${(Math.floor(shareOf(changed) * 1000) / 10).toFixed(1)} %)`;
}
