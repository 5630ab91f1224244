import { isAppError } from '../domain/errors.ts';
import type { Clock } from './runtime.ts';

const PATIENCE_MS = 1500;

/** Reads what helps and is not needed: null where the gateway does not give it, or not within a moment. */
export async function inAMoment<T>(clock: Pick<Clock, 'sleep'>, read: () => Promise<T>): Promise<T | null> {
  const waited = new AbortController();
  const found = read().catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return null;
  });
  const moment = clock.sleep(PATIENCE_MS, waited.signal).then(
    () => null,
    () => null,
  );
  return await Promise.race([found, moment]).finally(() => waited.abort());
}
