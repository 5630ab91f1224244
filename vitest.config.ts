import { defineConfig } from 'vitest/config';
import { LongFirst, NATIVE, SEED, whole } from './test/support/suites.ts';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    ...whole,
    globalSetup: ['test/support/seed.ts', 'test/support/global-setup.ts'],
    reporters: ['default', createTotalsReporter()],
    sequence: { seed: SEED, sequencer: LongFirst },
    experimental: NATIVE,
  },
});
