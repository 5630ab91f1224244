import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { say } from '../chaos/output.ts';
import { copySource } from '../chaos/source-copy.ts';
import { readProjectFile, ROOT } from '../support/project-files.ts';
import { isTemplate, readSource } from '../support/statements.ts';
import { type Changed, readChanged } from './changed.ts';
import { placesOf } from './sql-places.ts';

/** What reserves a call, fences it and settles it. */
export const STATEMENTS: readonly string[] = [
  'call-writes',
  'take-calls',
  'take-back',
  'server-start',
  'reserve-in',
  'call-store',
  'record-late',
].map((name) => `src/storage/${name}.ts`);
/** Those that are soon through go first; the others play random orders. */
const TESTS = [
  ['call-store', 'same-message'],
  ['continuity', 'job-control', 'reconcile-store'],
  ['job-store', 'send-model'],
];
/** A statement that waits for ever is noticed after that. */
const ENOUGH_MS = 300_000;

/** Changes the statements at every place, one after the other; each is tried on Postgres by the tests of the stores. */
export async function mutateStatements(files: readonly string[]): Promise<Changed[]> {
  const copy = copySource(ROOT);
  for (const name of ['test', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy.source, name), { recursive: true });
  process.chdir(copy.source);
  const vitest = await createVitest('test', {
    root: copy.source,
    watch: false,
    bail: 1,
    maxWorkers: 2,
    testTimeout: ENOUGH_MS,
    reporters: [{}],
  });
  try {
    const before = await firstRed(vitest);
    if (before !== null) throw new Error(`red before anything is changed: ${before}`);
    const changed: Changed[] = [];
    for (const file of files) {
      const text = readProjectFile(file);
      for (const { at, put } of changesOf(file, text)) {
        copy.rewrite(file, () => `${text.slice(0, at[0])}${put}${text.slice(at[1])}`);
        const line = text.slice(0, at[0]).split('\n').length;
        const red = await firstRed(vitest);
        const reads = readChanged(text, at, put);
        changed.push({ file, line, reads, noticed: red !== null });
        say(`${file}:${line} ${reads}\n  ${red ?? 'no test notices'}`);
      }
      copy.rewrite(file, () => text);
    }
    return changed;
  } finally {
    await vitest.close();
    process.chdir(ROOT);
    copy.remove();
  }
}

/** What is the first to be red; null: nothing is. */
async function firstRed(vitest: Vitest): Promise<string | null> {
  for (const names of TESTS) {
    vitest.state.filesMap.clear();
    const { testModules, unhandledErrors } = await vitest.start(
      names.map((name) => `src/storage/${name}.test.ts`),
    );
    const tests = testModules.flatMap(({ children }) => [...children.allTests('failed')]);
    if (tests[0] !== undefined) return tests[0].fullName;
    const broken = testModules.find((each) => !each.ok());
    if (broken !== undefined) return broken.relativeModuleId;
    if (unhandledErrors.length > 0) return String(unhandledErrors[0]);
  }
  return null;
}

function changesOf(file: string, text: string) {
  return [...readSource(file, text).parents.keys()].filter(isTemplate).flatMap(({ quasi }) => {
    // What is put in between is one word.
    let words = text.slice(quasi.start + 1, quasi.end - 1);
    for (const { start, end } of quasi.expressions) {
      const [from, to] = [start - quasi.start - 3, end - quasi.start];
      words = `${words.slice(0, from)}${'¤'.repeat(to - from)}${words.slice(to)}`;
    }
    return placesOf(words).map(({ at: [from, to], put }) => ({
      at: [quasi.start + 1 + from, quasi.start + 1 + to] as const,
      put,
    }));
  });
}
