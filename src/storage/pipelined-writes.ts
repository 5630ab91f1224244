/** Statements that are under way at a time: the next block is made while the last one is written. */
const AHEAD = 3;

/** Keeps a few statements of one transaction under way, and loses no failure of theirs. */
export function createPipelinedWrites() {
  const under: Promise<unknown>[] = [];
  return {
    async add(statement: PromiseLike<unknown>): Promise<void> {
      const running = Promise.resolve(statement);
      running.catch(() => undefined);
      under.push(running);
      if (under.length > AHEAD) await under.shift();
    },
    /** What `work` returns, when every statement that it has added has ended well. */
    async over<T>(work: () => Promise<T>): Promise<T> {
      try {
        const done = await work();
        await Promise.all(under);
        return done;
      } finally {
        await Promise.allSettled(under);
      }
    },
  };
}
