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
/** In seconds, without anything being played: what stands before a test waits for what a change holds in a database. */
const LONG = 400;
let beat = { last: 0, used: 0 };
let play = { last: 0, seconds: 0 };

setInterval(() => {
  const used = process.cpuUsage().user;
  const [beats, id, plays] = [Atomics.load(shared, 0), Atomics.load(shared, 1), Atomics.load(shared, 2)];
  if (beats !== beat.last) beat = { last: beats, used };
  play = plays === play.last ? { ...play, seconds: play.seconds + 1 } : { last: plays, seconds: 0 };
  const isOver = used - beat.used > ENOUGH || play.seconds > LONG || process.memoryUsage.rss() > MUCH;
  if (id === 0 || !isOver) return;
  // It may have come by what an earlier one has left behind: it is that of the last one that was played.
  openNotes(notes).add({ noticed: String(id - 1) });
  process.kill(process.pid, 'SIGKILL');
}, 1000);
