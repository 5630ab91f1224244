import { play } from './play.ts';
import type { Script } from './script.ts';

/** With less in it a play goes otherwise; one of so many seeds may bring it to the same end all the same. */
const SEEDS = 24;

/** Leaves out of a play that goes wrong what it goes wrong without; the shortest that was found. */
export async function shrink(script: Script): Promise<Script> {
  let least = script;
  const goesWrong = async (change: Partial<Script>): Promise<boolean> => {
    const other = { ...least, ...change };
    if (JSON.stringify(other) === JSON.stringify(least)) return false;
    for (const seed of [least.seed, ...Array.from({ length: SEEDS }, (_, nth) => nth + 1)]) {
      if ((await play({ ...other, seed })).wrong === null) continue;
      least = { ...other, seed };
      return true;
    }
    return false;
  };
  for (let isLess = true; isLess;) {
    isLess = false;
    for (const act of least.acts.toReversed())
      if (await goesWrong({ acts: least.acts.filter((each) => each !== act) })) isLess = true;
  }
  for (const change of SIMPLER) await goesWrong(change(least));
  return least;
}

/** A world in which less goes wrong. */
const SIMPLER: readonly ((script: Script) => Partial<Script>)[] = [
  () => ({ processes: 1 }),
  () => ({ secondChat: 'none' }),
  () => ({ approvalParts: null }),
  () => ({ loses: { database: 0, telegram: 0 } }),
  ({ loses }) => ({ loses: { ...loses, database: 0 } }),
  ({ loses }) => ({ loses: { ...loses, telegram: 0 } }),
  ({ temper }) => ({ temper: { ...temper, loses: 0 } }),
  ({ temper }) => ({ temper: { ...temper, refusesConnections: 0, refusesCalls: 0, failsReads: 0 } }),
  ({ temper }) => ({ temper: { ...temper, others: 0, stale: null, blocked: [] } }),
  ({ temper }) => ({
    temper: { ...temper, hasLists: true, listed: 200, countsRecipients: true, idEach: true, aheadSeconds: 0 },
  }),
  ({ skewMs }) => ({ skewMs: skewMs.map(() => 0) }),
];
