import { z } from 'zod';
import type { FileThread, Uploads } from '../../../ports/bulk.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import { defineTask, type Clock, type Log, type Task } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createCounter } from './counter.ts';
import { createKeeper } from './keeper.ts';
import { createProgress } from './progress.ts';
import { createReader } from './reader.ts';

/** The work behind a draft that is made from a file: reading it, counting what would leave, and keeping its people. */
export function createBulkTasks(deps: {
  readonly bulks: Stores['bulks'];
  readonly people: Pick<Stores['people'], 'each' | 'fieldNames'>;
  readonly uploads: Uploads;
  readonly files: FileThread;
  readonly gateways: Gateways;
  readonly cards: { follow(draftId: string): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
}): Task[] {
  const progress = createProgress(deps);
  const read = createReader({ ...deps, progress });
  const count = createCounter({ ...deps, progress });
  const keep = createKeeper({ ...deps, progress });
  const schema = z.object({ draftId: z.uuid(), version: z.number().int() });
  return [
    defineTask({ name: 'bulk-read', schema, run: read }),
    defineTask({ name: 'bulk-count', schema, run: count }),
    defineTask({ name: 'bulk-keep', schema, run: keep }),
  ];
}
