import { peakMemory } from '../test/support/peak-memory.ts';
import { cpus } from 'node:os';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

/** What the process has used since its start. */
export const Resources = z.object({ cpuMs: z.number(), peakMb: z.number() });

export function resources(): z.output<typeof Resources> {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, peakMb: peakMemory() / 1_048_576 };
}

/** Watches the machine from now on. @returns how many cores were at work since, on average, whoever used them */
export function watchCores(): () => number {
  const [began, before] = [performance.now(), busyMs()];
  return () => (busyMs() - before) / (performance.now() - began);
}

function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/**
 * Watches from now on how much of the heap full collections leave in use: what is needed, where the peak is also what has
 * not been collected yet. None is made before the end, so the peak is what it would be without.
 * @returns ends it, and says the most of these in MB, and what is left now
 */
export function watchLive(): () => z.output<typeof Live> {
  const profiler = new GCProfiler();
  profiler.start();
  return () => {
    collect();
    const sizes = (profiler.stop()?.statistics ?? [])
      .filter(({ gcType }) => gcType === 'MarkSweepCompact')
      .map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize / 1024 ** 2);
    return { mostMb: Math.max(0, ...sizes), leftMb: sizes.at(-1) ?? 0 };
  };
}

export const Live = z.object({ mostMb: z.number(), leftMb: z.number() });

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') Reflect.apply(gc, undefined, []);
}
