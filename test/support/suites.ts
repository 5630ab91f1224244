import { globSync } from 'node:fs';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { join } from 'node:path';
import { PATIENCE_MS, TEST_MS } from './patience.ts';

type Suite = NonNullable<TestProjectInlineConfiguration['test']>;

/** Where Node keeps what it has compiled, for the workers and for the processes that tests start. */
export const COMPILED = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};

/** Sources run as they are, in tests too: nothing is transformed first. */
export const NATIVE = { viteModuleRunner: false };

/** What holds for every file. */
const common = {
  pool: 'forks',
  maxWorkers: 3,
  env: COMPILED,
  setupFiles: ['test/support/same-inputs.ts', 'test/support/keep-compiled.ts'],
  // A test that fails once is a finding.
  retry: 0,
  allowOnly: false,
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
} satisfies Suite;

/** What lies in the fast folders and needs a database, or fills a process of its own to its limits. */
const NOT_FAST = [
  'src/features/sending/{run/sender,run/job-run,track/tracker}.test.ts',
  'src/features/inbox/{poll-account,poller}.test.ts',
  'src/telegram/updates/{intake,database-away/trouble}.test.ts',
  'src/tables/{archive,hostile,memory}.test.ts',
  'test/language/spoken.test.ts',
];

const FAST_FILES = [
  'src/{domain,gateway,tables,charts,i18n,http,process,telegram,features}/**/*.test.ts',
  'test/language/**/*.test.ts',
  'test/{architecture,house,docs}.test.ts',
];

/** Stories told through the whole application. Most wait for its pacing, not for a core. */
const STORY_FILES = ['test/{scenario,contract,security,naughty,canary}/**/*.test.ts'];

/**
 * What needs no database and no process of its own: rules, the gateway client, tables, the kit, features, words, the
 * house. Files run one after the other in the same workers: modules are loaded once.
 */
export const fast = {
  ...common,
  name: 'fast',
  isolate: false,
  include: FAST_FILES,
  exclude: NOT_FAST,
} satisfies Suite;

/** The stores, the queue, the two sides that are played, and whatever is in neither of the others. */
export const parts = {
  ...common,
  name: 'parts',
  include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  exclude: ['test/browser/**', ...STORY_FILES, ...globSync(FAST_FILES, { exclude: NOT_FAST })],
} satisfies Suite;

/**
 * Whole applications, with all that they keep in their modules: each file has a process of its own. They come after the
 * others, and one more at once: most of their time is waiting.
 */
export const stories = {
  ...common,
  name: 'stories',
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  include: STORY_FILES,
} satisfies Suite;

/** What properties draw their inputs from: the same each time, so that a run fails for what has changed since the last. */
export const SEED = 2026;
