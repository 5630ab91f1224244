import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/same-inputs.ts'],
    reporters: ['default', createTotalsReporter()],
    // Most stories wait for Peyk's own pacing, not for a core.
    maxWorkers: 3,
    // A test that fails once is a finding.
    retry: 0,
    allowOnly: false,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // What properties draw their inputs from: the same each time, so that a run fails for what has changed since the last.
    sequence: { seed: 2026 },
  },
});
