import { defineConfig } from 'vitest/config';
import { COMPILED, NATIVE } from './test/support/suites.ts';
import { TEST_MS } from './test/support/patience.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    reporters: ['default', createTotalsReporter()],
    include: ['test/packs/**/*.test.ts'],
    env: COMPILED,
    retry: 0,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    experimental: NATIVE,
  },
});
