import { z } from 'zod';
import type { SocketTarget } from '../src/storage/database/database.ts';
import { startChild } from './child.ts';

/** A durable database of its own. */
export interface Postgres extends AsyncDisposable {
  readonly target: SocketTarget;
  /** The process of the server. */
  readonly pid: number;
  /** Goes with it. */
  readonly folder: string;
}

export const Target = z.object({
  socketDir: z.string(),
  port: z.int(),
  user: z.string(),
  database: z.string(),
}) satisfies z.ZodType<SocketTarget>;
const Started = z.object({ target: Target, pid: z.int(), folder: z.string() });

/** Starts a server in a process of its own, so that it ends with this one, however this one ends. */
export async function startPostgres(): Promise<Postgres> {
  const child = startChild('postgres-child.ts');
  try {
    const started = await child.ask('start', {}, Started);
    return { ...started, [Symbol.asyncDispose]: () => child.stop() };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
