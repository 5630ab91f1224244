import { createHash } from 'node:crypto';
import { openDatabase } from '../src/storage/database/database.ts';
import { startPostgres } from './postgres.ts';
import { median } from './statistics.ts';

const ROUNDS = 200;
const WARM_UP = 50;
const BYTES = Buffer.alloc(1_000_000, 7);
const ENTRIES = Array.from({ length: 1000 }, (_, id) => ({ id, phone: `98912${id}`, state: 'delivered' }));

/** How fast this machine is: what a figure in milliseconds is held against. */
export interface Calibration extends AsyncDisposable {
  /** Milliseconds of each round of a fixed loop on one core: a hash of a megabyte, a JSON text of 1,000 entries there and back, a durable commit. */
  measure(): Promise<readonly number[]>;
}

/** What the loop took before a benchmark and after it, and what its milliseconds are told as multiples of. */
export interface Loop {
  readonly ms: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

export async function setCalibration(): Promise<Calibration> {
  const server = await startPostgres();
  const { sql, close } = openDatabase({ target: server.target, max: 1 });
  await sql`create table loop (n int not null)`;
  await sql`insert into loop values (0)`;
  const round = async (): Promise<number> => {
    const began = performance.now();
    createHash('sha256').update(BYTES).digest();
    JSON.parse(JSON.stringify(ENTRIES));
    await sql`update loop set n = n + 1`;
    return performance.now() - began;
  };
  for (let count = 0; count < WARM_UP; count += 1) await round();
  return {
    async measure() {
      const rounds: number[] = [];
      for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round());
      return rounds;
    },
    async [Symbol.asyncDispose]() {
      await close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function loopOf(before: readonly number[], after: readonly number[]): Loop {
  return { ms: median([...before, ...after]), beforeMs: median(before), afterMs: median(after) };
}

/** A figure in milliseconds or microseconds as a multiple of the loop; null: it is in something else. */
export function inLoops(
  { figure, unit = '' }: { readonly figure: number; readonly unit?: string | undefined },
  { ms }: Loop,
): number | null {
  const [, micro] = /^(µ|m)s\b/u.exec(unit) ?? [];
  if (micro === undefined) return null;
  return figure / (micro === 'µ' ? 1000 : 1) / ms;
}
