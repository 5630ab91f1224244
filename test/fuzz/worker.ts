import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { targetOf } from './targets.ts';
import { fuzz, type FuzzOrder } from './work.ts';

/** One target in a thread of its own. It leaves in shared memory which input it is at, for whoever has to end it. */
async function main(): Promise<void> {
  const { order, place } = workerData as { order: FuzzOrder; place: Int32Array };
  const result = await fuzz(targetOf(order.target), order, (index) => {
    Atomics.store(place, 0, index);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port is not a window
  parentPort?.postMessage(result);
}

await main();
process.exitCode = 0;
