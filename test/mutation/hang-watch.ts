import { setInterval } from 'node:timers';
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openNotes } from './notes.ts';

/* Beside a process of tests: ends it when one change keeps it from ever coming back, which is to be noticed. */

const { shared, notes } = z.object({ shared: z.instanceof(Int32Array), notes: z.string() }).parse(workerData);

/** Of a thread that does nothing else, beside other work: what a test takes is far below it. */
const ENOUGH_TICKS = 60;
let last = 0;
let ticks = 0;

setInterval(() => {
  const turn = Atomics.load(shared, 0);
  ticks = turn !== 0 && turn === last ? ticks + 1 : 0;
  last = turn;
  if (ticks < ENOUGH_TICKS) return;
  openNotes(notes).add({ noticed: String(Atomics.load(shared, 1)) });
  process.kill(process.pid, 'SIGKILL');
}, 1000);
