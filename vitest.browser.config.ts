import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts';
import { COMPILED } from './test/support/suites.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    reporters: ['default', createTotalsReporter()],
    include: ['test/browser/**/*.test.ts'],
    env: COMPILED,
    // Each story has a Peyk and a profile of its own; most of its time is waiting.
    maxWorkers: 3,
    retry: 0,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
