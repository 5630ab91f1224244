import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** What properties draw their inputs from: of the configuration, or `--sequence.seed`. */
    seed: number;
  }
}

/** Tells every file of tests the run's seed. */
export function setup(project: TestProject): void {
  project.provide('seed', project.config.sequence.seed);
}
