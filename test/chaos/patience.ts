import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOW_MACHINE = 3;
/** Beyond this, what does not come is missing. */
const MAX_LOAD = 4;

/**
 * How long to wait, in milliseconds, for what takes so long at most on two quiet cores: longer on any other machine, and
 * the longer the more it has to do. Nothing is waited for once it is there.
 */
export function waitForEarlier(quietMs: number): number {
  const [load = 0] = loadavg();
  return Math.round(quietMs * Math.min(MAX_LOAD, Math.max(1, load / availableParallelism())) * SLOW_MACHINE);
}

/** Resolves to whether something comes to be within a time. */
export async function within(
  ms: number,
  is: () => boolean | Promise<boolean>,
  lookMs = 25,
): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(lookMs))
    if (await is()) return true;
  return await is();
}
