import { defineConfig } from 'vitest/config';
import { fast, NATIVE, SEED } from './test/support/suites.ts';
import { createTotalsReporter } from './test/support/totals.ts';

/** Of `npm test` what needs no database. */
export default defineConfig({
  test: {
    ...fast,
    globalSetup: ['test/support/seed.ts'],
    reporters: ['default', createTotalsReporter()],
    sequence: { seed: SEED },
    experimental: NATIVE,
  },
});
