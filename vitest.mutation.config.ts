import { defineConfig } from 'vitest/config';
import { NATIVE, SEED, whole } from './test/support/suites.ts';

/** For the tests of one folder, which the run names, each with every change that it comes by. */
export default defineConfig({
  test: {
    ...whole,
    include: ['**/*.test.ts'],
    runner: './test/mutation/replay-runner.ts',
    maxWorkers: 1,
    // What is once more is no failure, and a change may be slow.
    testTimeout: 0,
    hookTimeout: 0,
    globalSetup: [
      'test/support/seed.ts',
      ...(process.env['MUTATION_DATABASE'] === 'true' ? ['test/support/global-setup.ts'] : []),
    ],
    reporters: [{}],
    sequence: { seed: SEED },
    experimental: NATIVE,
  },
});
