import type { TestProjectInlineConfiguration } from 'vitest/config';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS, TEST_MS } from './patience.ts';

/** What takes longest, so that no worker is left alone with it at the end. All else goes by the size of its file. */
const LONG = [
  'test/scenario/restore',
  'test/scenario/credit-crossings',
  'test/scenario/crash',
  'test/canary/',
  'test/scenario/role-table',
  'test/scenario/bad-days',
  'test/scenario/hostile-inbound',
  'test/scenario/exhausted-memory',
  'test/scenario/lost-commits',
  'test/naughty/updates',
  'src/tables/',
  'src/sandbox/memory',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((name) => moduleId.includes(name));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

type Suite = NonNullable<TestProjectInlineConfiguration['test']>;

/** Where Node keeps what it has compiled, for the workers and for the processes that tests start. */
export const COMPILED = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};

/** Sources run as they are, in tests too: nothing is transformed first. */
export const NATIVE = { viteModuleRunner: false };

/**
 * Every test but those of the browser. Files run one after the other in the same few workers, on modules that are loaded
 * once: to load them again for a whole application takes longer than most stories that are told with it. Six at once on two
 * cores, since stories wait for most of their time.
 */
export const whole = {
  include: ['{src,test}/**/*.test.ts'],
  exclude: ['test/{browser,packs}/**'],
  pool: 'forks',
  isolate: false,
  maxWorkers: 6,
  env: COMPILED,
  setupFiles: ['test/support/same-inputs.ts', 'test/support/keep-compiled.ts'],
  // A test that fails once is a finding.
  retry: 0,
  allowOnly: false,
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
} satisfies Suite;

/**
 * Of these what needs no database and no process of its own: rules, the gateway client, tables, the kit, features, words,
 * the house.
 */
export const fast = {
  ...whole,
  maxWorkers: 3,
  include: [
    'src/{domain,gateway,tables,charts,i18n,http,process,telegram,features}/**/*.test.ts',
    'test/language/**/*.test.ts',
    'test/{architecture,house,docs}.test.ts',
  ],
  exclude: [
    'src/features/sending/{run/sender,run/job-run,track/tracker,bulk/tasks,dates/date-days}.test.ts',
    'src/features/inbox/{poll-account,poller}.test.ts',
    'src/telegram/updates/{intake,database-away/trouble}.test.ts',
    'src/tables/{archive,hostile,memory}.test.ts',
    'test/language/spoken.test.ts',
  ],
} satisfies Suite;

/** What properties draw their inputs from: the same each time, so that a run fails for what has changed since the last. */
export const SEED = 2026;
