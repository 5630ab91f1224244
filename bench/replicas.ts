import { availableParallelism } from 'node:os';
import type { Benchmark, Figure } from './benchmark.ts';
import { coresApart } from './cores.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { bulkOf, intakeOfMany, intakeOfOne } from './replicas-work.ts';
import { median } from './statistics.ts';

/** A pair takes long. */
const PAIRS = 3;
const CORES = availableParallelism();
const APART = coresApart(CORES);

const KINDS = [
  { what: 'bulk, 4 accounts', unit: 'recipients/s', goal: 'replicas-bulk', work: bulkOf, pairs: PAIRS },
  { what: 'intake, one bot', unit: 'updates/s', goal: null, work: intakeOfOne, pairs: 1 },
  {
    what: 'intake, a bot each',
    unit: 'updates/s',
    goal: 'replicas-intake',
    work: intakeOfMany,
    pairs: PAIRS,
  },
] as const;

/**
 * What more processes on one Postgres add, where the accounts have nothing to do with each other: sends of four accounts,
 * updates of one bot, and updates of as many bots as there are processes. Where there are cores enough, the processes,
 * Postgres and the stand-ins have their own; where there are not, all share them, and growth ends where they are full.
 */
export const replicas: Benchmark = {
  about:
    'sends of four accounts, and updates of one bot or of one for each process, with 1, 2 and 4 processes',
  async run(say) {
    const figures: Figure[] = [];
    let lost = 0;
    for (const { what, unit, goal, work, pairs } of KINDS) {
      const rateOf = (processes: number) => async (): Promise<number> => {
        const shared = await work(processes, APART);
        lost += shared.lost;
        say(`${what}, ${processes}: ${shared.rate.toFixed()} ${unit}, ${shared.cores.toFixed(2)} cores`);
        return shared.rate;
      };
      const measured = await inPairs(pairs, { product: rateOf(4), peer: rateOf(1) });
      const two = await rateOf(2)();
      const ratio = { what, measure: '4 processes ÷ 1', ...ratioOf(measured) };
      const note = APART === null ? { note: `${CORES} cores are too few to pin all apart` } : {};
      figures.push(goal === null ? { ...ratio, isTold: true } : { ...ratio, goal, ...note });
      const rate = { what, digits: 0, unit };
      figures.push(
        { ...rate, measure: '1 process', figure: median(measured.map(({ peer }) => peer)), isTold: true },
        { ...rate, measure: '2 processes', figure: two },
      );
    }
    return [
      ...figures,
      {
        what: 'all of it',
        measure: 'recipients and updates lost or doubled',
        figure: lost,
        digits: 0,
        goal: 'replicas-lost',
      },
    ];
  },
};
