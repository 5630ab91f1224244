import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgPreparedQuery } from 'drizzle-orm/pg-core';

type Run = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const METHOD = 'queryWithCache';
let done = false;

/**
 * Makes drizzle's errors say nothing of a statement's values. As they come, their message lists all
 * of them (names, numbers, texts), and the server's detail repeats some: both would end up in a
 * log. Does its work once per process.
 * @throws Error when drizzle no longer has the place where this is done: an update must not bring
 *   the leak back silently
 */
export function hideParameters(): void {
  if (done) return;
  const original: unknown = Reflect.get(PgPreparedQuery.prototype, METHOD);
  if (!isRun(original)) throw new Error(`drizzle-orm has no ${METHOD}: adapt hide-parameters.ts`);
  const replacement: Run = async function hidden(...args) {
    try {
      return await original.apply(this, args);
    } catch (error) {
      throw withoutValues(error);
    }
  };
  Reflect.set(PgPreparedQuery.prototype, METHOD, replacement);
  done = true;
}

function isRun(value: unknown): value is Run {
  return typeof value === 'function';
}

function withoutValues(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  if (error.cause !== undefined) strip(error.cause);
  return new DrizzleQueryError(error.query, [], error.cause);
}

/** A server's error names values in its detail and, of class 22 (data exception), in its message. */
function strip(cause: Error): void {
  for (const name of ['detail', 'where']) Reflect.deleteProperty(cause, name);
  const code = 'code' in cause ? String(cause.code) : '';
  if (!code.startsWith('22')) return;
  const message = `a value does not fit its type (${code})`;
  for (const name of ['message', 'stack']) {
    Object.defineProperty(cause, name, { value: message, configurable: true, writable: true });
  }
}
