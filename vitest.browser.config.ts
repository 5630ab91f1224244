import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    reporters: ['default', createTotalsReporter()],
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    retry: 0,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
