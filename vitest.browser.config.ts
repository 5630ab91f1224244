import { defineConfig } from 'vitest/config';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    reporters: ['default', createTotalsReporter()],
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
