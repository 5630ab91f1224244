import type { Reporter, TestModule } from 'vitest/node';

export interface Totals {
  passed: number;
  /** Tests that failed, and all else that went wrong: files that do not load, hooks, stray errors. */
  failed: number;
}

/**
 * Ends a run with the line `N passed, M failed`, after everything else that the run prints, also when it never
 * came to a test. A run without a test, or with anything that failed, exits with a code other than 0.
 */
export function createTotalsReporter(): Reporter {
  let totals: Totals = { passed: 0, failed: 0 };
  return {
    onInit() {
      // At the very end: what a run's clean-up prints, or fails at, comes after the last report.
      process.once('exit', (code) => {
        const { passed, failed } = settle(totals, code);
        if (failed > 0) process.exitCode = code === 0 ? 1 : code;
        process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
      });
    },
    onTestRunStart() {
      totals = { passed: 0, failed: 0 };
    },
    onTestRunEnd(modules, unhandledErrors) {
      totals = count(modules);
      totals.failed += unhandledErrors.length;
    },
  };
}

/** A run that ends badly, or without a test, has at least one failure to name. */
function settle({ passed, failed }: Totals, code: number): Totals {
  const isBad = code !== 0 || passed === 0;
  return { passed, failed: isBad ? Math.max(failed, 1) : failed };
}

function count(modules: readonly TestModule[]): Totals {
  const totals = { passed: 0, failed: 0 };
  for (const module of modules) {
    if (module.errors().length > 0) totals.failed += 1;
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) totals.failed += 1;
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') totals.passed += 1;
      if (state === 'failed' || state === 'pending') totals.failed += 1;
    }
  }
  return totals;
}
