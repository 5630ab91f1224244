import { AsyncLocalStorage } from 'node:async_hooks';
import { currentSpan } from './tracer.ts';

/*
 * The thread from what somebody typed to the last call that comes of it: the number of the update at Telegram. Whatever
 * runs because of an update runs inside it; a job of the queue keeps it in its payload and opens it again. The log puts it
 * on every line, so that one search finds a press, its job and its calls to the gateway, whichever processes they ran in.
 * Where there are traces, the payload also says to which one it belongs.
 */

const updates = new AsyncLocalStorage<number>();

/** Does the work as something that this update has led to. */
export function withCorrelation<T>(updateId: number, work: () => T): T {
  return updates.run(updateId, work);
}

/** The update that has led to what runs now; absent in what Peyk does by itself. */
export function correlationId(): number | undefined {
  return updates.getStore();
}

/** The payload of a job, with where it comes from. */
export function stampCorrelation(payload: object): object {
  const fromUpdate = correlationId();
  const trace = currentSpan()?.stamp;
  const stamped = fromUpdate === undefined ? payload : { ...payload, fromUpdate };
  return trace === undefined ? stamped : { ...stamped, trace };
}

/** Does a job's work as something that the update named in its payload has led to. */
export async function resumeCorrelation<T>(payload: unknown, work: () => Promise<T>): Promise<T> {
  const named = typeof payload === 'object' && payload !== null && 'fromUpdate' in payload;
  const from = named ? payload.fromUpdate : undefined;
  return typeof from === 'number' ? await withCorrelation(from, work) : await work();
}
