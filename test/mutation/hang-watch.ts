import { setInterval } from 'node:timers';
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openNotes } from './notes.ts';

/* Beside a process of tests: ends it when one change keeps it from ever coming back, which is to be noticed. */

const { shared, notes } = z.object({ shared: z.instanceof(Int32Array), notes: z.string() }).parse(workerData);

/** Of the processor, in microseconds: far more than any test takes, however busy the machine is. */
const ENOUGH = 30_000_000;
/** Of memory, in bytes: what grows beyond would end the process without a word of which change it was. */
const MUCH = 3_000_000_000;
let last = 0;
let began = 0;

setInterval(() => {
  // What a change has left behind may also keep the process after its turn: it is that of the last one that was played.
  const [beat, id] = [Atomics.load(shared, 0), Atomics.load(shared, 1)];
  const used = process.cpuUsage().user;
  if (beat !== last) [last, began] = [beat, used];
  if (id === 0 || (used - began < ENOUGH && process.memoryUsage.rss() < MUCH)) return;
  openNotes(notes).add({ noticed: String(id - 1) });
  process.kill(process.pid, 'SIGKILL');
}, 1000);
