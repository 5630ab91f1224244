import { countsOf, type Kind, type Workload } from './scaling-workload.ts';

/** The kind of each account by its number. Kinds are mixed, as the accounts of a bot are. */
export function kindsOf(workload: Workload, accounts: number): (account: number) => Kind {
  const numbers = new Uint8Array(accounts);
  let at = 0;
  // A step without a common divisor comes to every account once.
  const step = accounts % STEP === 0 ? 1 : STEP;
  for (const [index, count] of countsOf(workload, accounts).entries())
    for (let left = count; left > 0; left -= 1) {
      numbers[(at * step) % accounts] = index;
      at += 1;
    }
  const [first] = workload.kinds;
  if (first === undefined) throw new Error('a workload needs a kind');
  return (account) => workload.kinds[numbers[account] ?? 0] ?? first;
}

/** A prime. */
const STEP = 7919;

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
