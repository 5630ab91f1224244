import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Looks again and again until the assertion holds, and gives what it gave; fails with its last failure. */
export async function until<T>(assertion: () => T | Promise<T>, everyMs = 50): Promise<T> {
  return await vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: everyMs });
}
