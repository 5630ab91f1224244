import { Worker } from 'node:worker_threads';
import { PATIENCE_MS } from '../support/patience.ts';
import { targetOf } from './targets.ts';
import { inputAt, type FuzzOrder, type FuzzResult } from './work.ts';

const LOOK_MS = 500;
const MAX_MEGABYTES = 512;

/** Runs a target in a thread. One that hangs, crashes or takes too much memory has a finding: the input it was at. */
export async function runTarget(order: FuzzOrder): Promise<FuzzResult> {
  const place = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { order, place },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  });
  const began = performance.now();
  const endedBy = (problem: string): FuzzResult => {
    const index = Atomics.load(place, 0);
    const { target, seed } = order;
    const input = inputAt(targetOf(target), seed, index);
    const findings = [{ target, seed, index, problem, input }];
    return { runs: index + 1, ms: performance.now() - began, slowestMs: 0, seen: { wrong: 1 }, findings };
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<FuzzResult>((resolve) => {
      timer = watch(place, () => resolve(endedBy(`nothing came of it in ${PATIENCE_MS} ms`)));
      worker.once('message', resolve);
      worker.once('error', (error) => resolve(endedBy(`the thread ended: ${String(error)}`)));
      worker.once('exit', (code) => resolve(endedBy(`the thread ended with ${code}`)));
    });
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}

/** Calls back when the place stays the same for too long. */
function watch(place: Int32Array, hangs: () => void): NodeJS.Timeout {
  let [last, since] = [-1, performance.now()];
  return setInterval(() => {
    const index = Atomics.load(place, 0);
    if (index !== last) [last, since] = [index, performance.now()];
    else if (performance.now() - since > PATIENCE_MS) hangs();
  }, LOOK_MS);
}
