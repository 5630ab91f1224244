/** What a test runner calls before and after the tests of a file or group: `before` and `after` of node:test, `beforeAll` and `afterAll` of others. */
export interface TestHooks {
  readonly before: (run: () => Promise<void>) => unknown;
  readonly after: (run: () => Promise<void>) => unknown;
}

/** Starts something before the tests and closes it after them. What it gives hands it to a test; before, it throws. */
export function duringTests<T extends { close(): Promise<void> }>(
  { before, after }: TestHooks,
  start: () => Promise<T>,
): () => T {
  let started: T | undefined;
  before(async () => {
    started = await start();
  });
  after(async () => {
    await started?.close();
  });
  return () => {
    if (started === undefined) throw new Error('it is there in tests only: the hooks have not run');
    return started;
  };
}
