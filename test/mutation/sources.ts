import { Stryker } from '@stryker-mutator/core';
import { readProjectFile, ROOT } from '../support/project-files.ts';
import { type Changed, readChanged } from './changed.ts';

/** Changes code at every place of some files, one after the other; each is tried by the tests of a folder that come by it. */
export async function mutateSources(dir: string, files: readonly string[]): Promise<Changed[]> {
  process.chdir(ROOT);
  const texts = new Map(files.map((file) => [file, readProjectFile(file)]));
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', dir },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Beside other work a test that stands still must not count as one that is red.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    reporters: ['progress-append-only'],
    tempDirName: 'test-output/mutation',
    // It would read that by a compiler that is not there.
    tsconfigFile: 'none',
  }).runMutationTest();
  return results
    .filter(({ status }) => /^(?:Killed|Timeout|Survived|NoCoverage)$/u.test(status))
    .map(({ fileName, location: { start, end }, replacement, status }) => {
      const file = fileName.slice(ROOT.length + 1).replaceAll('\\', '/');
      const text = texts.get(file) ?? '';
      const at = [offsetOf(text, start), offsetOf(text, end)] as const;
      return {
        file,
        line: start.line,
        reads: readChanged(text, at, replacement),
        noticed: status === 'Killed' || status === 'Timeout',
      };
    });
}

/** Lines and columns begin with 1. */
function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, column - 1);
}
