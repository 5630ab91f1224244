import { defineConfig } from 'vitest/config';
import { fast, NATIVE, parts, SEED, stories } from './test/support/suites.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    projects: [fast, parts, stories].map((test) => ({ test })),
    globalSetup: ['test/support/seed.ts', 'test/support/global-setup.ts'],
    reporters: ['default', createTotalsReporter()],
    sequence: { seed: SEED },
    experimental: NATIVE,
  },
});
