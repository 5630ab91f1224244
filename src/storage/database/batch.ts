import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Turns statements of one thing into statements of many: what is asked for within one turn of the event loop, while
 * `lanes` of them are on their way, or within `paceMs` of the last beginning goes together as the next call of `work`, at
 * most `most` items. Its results stand in the order of its items; a failure is that of all who asked with it.
 */
export function createBatch<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    most = Number.POSITIVE_INFINITY,
    lanes = 1,
    paceMs = 0,
  }: { readonly most?: number; readonly lanes?: number; readonly paceMs?: number },
): (item: Item) => Promise<Result> {
  const asked: Asked<Item, Result>[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let busy = 0;

  const go = async (): Promise<void> => {
    while (asked.length > 0) {
      const early = began + paceMs - performance.now();
      if (early > 0) await sleep(early);
      const batch = asked.splice(0, most);
      if (batch.length === 0) break;
      began = performance.now();
      await doTogether(batch);
    }
    busy -= 1;
  };

  const doTogether = async (batch: readonly Asked<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a statement of many has lost its order');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      asked.push({ item, resolve, reject });
      if (busy === lanes || asked.length > 1) return;
      busy += 1;
      setImmediate(() => void go());
    });
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}
