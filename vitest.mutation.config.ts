import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { NATIVE, SEED, whole } from './test/support/suites.ts';

/** Most changes are noticed at once by something. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

/** For the tests of one folder, which the run names. */
export default defineConfig({
  test: {
    ...whole,
    include: ['**/*.test.ts'],
    globalSetup: ['test/support/seed.ts', 'test/support/global-setup.ts'],
    sequence: { seed: SEED, sequencer: ShortFirst },
    experimental: NATIVE,
  },
});
