import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

export interface Totals {
  passed: number;
  /** Tests that failed, and all else that went wrong: files that do not load, hooks, stray errors. */
  failed: number;
}

/** So many files are named by the time that they took. */
const SLOWEST = 10;

/**
 * Ends a run with the files that took longest, a line `failed: <test>: <why>` for each failure and the line
 * `N passed, M failed`, after everything else that the run prints, also when it never came to a test. A run without a test,
 * or with anything that failed, exits with a code other than 0.
 */
export function createTotalsReporter(): Reporter {
  let totals: Totals = { passed: 0, failed: 0 };
  let failures: string[] = [];
  let slowest: string[] = [];
  return {
    onInit() {
      // At the very end: what a run's clean-up prints, or fails at, comes after the last report.
      process.once('exit', (code) => {
        const { passed, failed } = settle(totals, code);
        if (failed > 0) process.exitCode = code === 0 ? 1 : code;
        process.stdout.write(`\n${slowest.join('')}${failures.join('')}${passed} passed, ${failed} failed\n`);
      });
    },
    onTestRunStart() {
      totals = { passed: 0, failed: 0 };
      failures = [];
    },
    onTestRunEnd(modules, unhandledErrors) {
      totals = count(modules);
      totals.failed += unhandledErrors.length;
      slowest = slowestOf(modules);
      failures = [...modules.flatMap(told), ...unhandledErrors.map((error) => line('the run', [error]))];
    },
  };
}

function slowestOf(modules: readonly TestModule[]): string[] {
  const seconds = (module: TestModule): number => module.diagnostic().duration / 1000;
  const sorted = modules.toSorted((one, other) => seconds(other) - seconds(one));
  return sorted
    .slice(0, SLOWEST)
    .map((module) => `${seconds(module).toFixed(1).padStart(7)} s ${module.relativeModuleId}\n`);
}

/** A run that ends badly, or without a test, has at least one failure to name. */
function settle({ passed, failed }: Totals, code: number): Totals {
  const isBad = code !== 0 || passed === 0;
  return { passed, failed: isBad ? Math.max(failed, 1) : failed };
}

function told(module: TestModule): string[] {
  const suites = [module, ...module.children.allSuites()].filter((each) => each.errors().length > 0);
  const tests = [...module.children.allTests('failed')];
  return [
    ...suites.map((suite) => line(nameOf(suite), suite.errors())),
    ...tests.map((test) => line(nameOf(test), test.result().errors ?? [])),
  ];
}

function nameOf(entity: TestModule | TestSuite | TestCase): string {
  return entity.type === 'module'
    ? entity.relativeModuleId
    : `${entity.module.relativeModuleId} > ${entity.fullName}`;
}

/** The start of the first message, on one line: the whole of it stands further up. */
function line(name: string, errors: readonly { readonly message: string }[]): string {
  const message = stripVTControlCharacters(errors[0]?.message ?? '').replaceAll(/\s+/gu, ' ');
  return `failed: ${name}: ${message.slice(0, 300)}\n`;
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
