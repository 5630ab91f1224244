/**
 * Turns reads of one thing into reads of many: what is asked for within one turn of the event loop goes as one
 * call of `read`, whose results stand in the order of its items. A failure is that of all who asked with it.
 */
export function createLoader<Item, Result>(
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let asked: Asked<Item, Result>[] = [];

  const go = async (): Promise<void> => {
    const batch = asked;
    asked = [];
    try {
      const results = await read(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a gathered read has lost its order');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      asked.push({ item, resolve, reject });
      if (asked.length === 1) setImmediate(() => void go());
    });
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}
