import { defineConfig } from 'vitest/config';
import { createTotalsReporter } from './test/support/totals.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', createTotalsReporter()],
    // Most stories wait for Peyk's own pacing, not for a core.
    maxWorkers: 3,
    // Stories with real processes, sockets and a database share two noisy cores; a real mistake fails every time.
    retry: 2,
    allowOnly: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
