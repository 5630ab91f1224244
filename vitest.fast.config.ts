import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts';
import { createTotalsReporter } from './test/support/totals.ts';

/** What needs no database and no process of its own: rules, the gateway client, tables, the kit, features, words, the house. */
export default defineConfig({
  test: {
    include: [
      'src/{domain,gateway,tables,charts,i18n,http,process,telegram,features}/**/*.test.ts',
      'test/language/**/*.test.ts',
      'test/{architecture,house,docs}.test.ts',
    ],
    // Those of them that do need a database, and files by which a process is to run out of memory or time.
    exclude: [
      'src/features/sending/{run/sender,run/job-run,track/tracker}.test.ts',
      'src/features/inbox/{poll-account,poller}.test.ts',
      'src/telegram/updates/{intake,database-away}.test.ts',
      'src/tables/{archive,hostile,memory}.test.ts',
      'test/language/spoken.test.ts',
    ],
    setupFiles: ['test/support/same-inputs.ts'],
    reporters: ['default', createTotalsReporter()],
    maxWorkers: 2,
    retry: 0,
    allowOnly: false,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    provide: { seed: 2026 },
  },
});
