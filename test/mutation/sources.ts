import { Instrumenter } from '@stryker-mutator/instrumenter';
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { say } from '../chaos/output.ts';
import { copySource } from '../chaos/source-copy.ts';
import { readProjectFile, ROOT } from '../support/project-files.ts';
import { type Changed, readChanged } from './changed.ts';
import { openNotes } from './notes.ts';

/** By tests that take no more than this, in milliseconds; then by longer ones. */
const ROUNDS = [40, 300, 1_000_000] as const;
/** Hangs, and tests that a change has spoilt, end a process of tests. */
const MOST_PROCESSES = 400;

/** The tests of a folder, for what is changed in it. */
export interface Tried {
  readonly dir: string;
  /** Folders whose modules see what is changed where a module is loaded. */
  readonly fresh: readonly string[];
  readonly hasDatabase: boolean;
}

/** A file in which every change stands, each behind a switch. */
export interface Woven {
  readonly file: string;
  readonly text: string;
  readonly changes: readonly { readonly id: string; readonly line: number; readonly reads: string }[];
}

/** Changes code at every place of some files, one after the other; each is tried by the tests of a folder that come by it. */
export async function mutateSources(tried: Tried, files: readonly string[]): Promise<Changed[]> {
  const texts = new Map(files.map((file) => [file, readProjectFile(file)]));
  const { files: woven, mutants } = await new Instrumenter(SILENT).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  const own = files.map((file) => file.replace(/\.ts$/u, '.test.ts'));
  const beside = own.filter((file) => existsSync(join(ROOT, file)));
  return playWoven(
    tried,
    woven.map(({ name, content }) => ({
      file: name,
      text: content,
      changes: mutants
        .filter(({ status, fileName }) => status === undefined && fileName === name)
        .map(({ id, location: { start, end }, replacement }) => {
          const text = texts.get(name) ?? '';
          const at = [offsetOf(text, start), offsetOf(text, end)] as const;
          return { id, line: start.line + 1, reads: readChanged(text, at, replacement) };
        }),
    })),
    [
      // Most is noticed by the tests of the very file, and need not be played by those that take long.
      ...(beside.length > 0 ? [{ tests: beside, most: ROUNDS[1] }] : []),
      ...ROUNDS.map((most) => ({ tests: [], most })),
      // Each change would have a database of its own.
      ...(tried.hasDatabase ? [] : [{ tests: [], most: ROUNDS[1], isLast: true }]),
    ],
  );
}

/** Plays each change by the tests of a folder, round by round. */
export function playWoven(
  tried: Tried,
  woven: readonly Woven[],
  rounds: readonly Pick<Round, 'tests' | 'most' | 'isLast'>[],
): Changed[] {
  const copy = copySource(ROOT, ['test', 'docs', 'vitest.mutation.config.ts']);
  try {
    for (const { file, text } of woven) copy.rewrite(file, () => text);
    const notes = join(copy.source, 'notes.jsonl');
    const files = woven.map(({ file }) => join(copy.source, file));
    const changes = woven.reduce((sum, each) => sum + each.changes.length, 0);
    for (const round of rounds) playRound(copy.source, notes, { ...tried, ...round, files, changes });
    const { noticed } = openNotes(notes);
    return woven.flatMap(({ file, changes: own }) =>
      own.map(({ id, line, reads }) => ({ file, line, reads, noticed: noticed.has(id) })),
    );
  } finally {
    copy.remove();
  }
}

interface Round extends Tried {
  readonly files: readonly string[];
  readonly changes: number;
  /** Those that are played; none: all. */
  readonly tests: readonly string[];
  readonly most: number;
  readonly isLast?: boolean;
}

function playRound(
  source: string,
  notes: string,
  { dir, fresh, hasDatabase, files, changes, tests, most, isLast = false }: Round,
): void {
  for (let nth = 1; nth <= MOST_PROCESSES; nth += 1) {
    if (openNotes(notes).noticed.size === changes) return;
    const before = sizeOf(notes);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config',
        'vitest.mutation.config.ts',
        '--dir',
        dir,
        ...tests,
      ],
      {
        cwd: source,
        encoding: 'utf8',
        env: {
          ...process.env,
          MUTATION_NOTES: notes,
          MUTATION_FRESH: fresh.join('|'),
          MUTATION_FILES: files.join(','),
          MUTATION_MOST_MS: String(most),
          MUTATION_LAST: String(isLast),
          MUTATION_DATABASE: String(hasDatabase),
        },
      },
    );
    const { red, noticed } = openNotes(notes);
    if (red.length > 0) throw new Error(`red before anything is changed: ${red.join(', ')}`);
    say(`${dir}, tests of up to ${most} ms, process ${nth}: ${noticed.size} noticed`);
    if (status === 0) return;
    if (sizeOf(notes) === before) throw new Error(`${stdout}\n${stderr}`);
  }
  throw new Error(`more than ${MOST_PROCESSES} processes`);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** Lines and columns begin with 0. */
function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, column);
}

const isOff = (): boolean => false;
const leaveOut = (): void => {};
const SILENT = {
  isTraceEnabled: isOff,
  isDebugEnabled: isOff,
  isInfoEnabled: isOff,
  isWarnEnabled: isOff,
  isErrorEnabled: isOff,
  isFatalEnabled: isOff,
  trace: leaveOut,
  debug: leaveOut,
  info: leaveOut,
  warn: leaveOut,
  error: leaveOut,
  fatal: leaveOut,
};
