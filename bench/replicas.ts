import { availableParallelism } from 'node:os';
import type { Benchmark, Figure } from './benchmark.ts';
import { bulkOf, intakeOfMany, intakeOfOne, type Shared } from './replicas-work.ts';

const PROCESSES = [1, 2, 4] as const;
/** More than this of the cores in use, and there is nothing left to grow into. */
const FULL = 0.9;

/**
 * What more processes on one Postgres add, where the accounts have nothing to do with each other: sends of four accounts,
 * updates of one bot, and updates of as many bots as there are processes. Gateway, Bot API, Postgres and all processes
 * share the machine, so that growth ends where its cores are full.
 */
export const replicas: Benchmark = {
  about:
    'sends of four accounts, and updates of one bot or of one for each process, with 1, 2 and 4 processes',
  async run(say) {
    const kinds = [
      { what: 'bulk, 4 accounts', unit: 'recipients/s', goal: 'replicas-bulk', work: bulkOf },
      { what: 'intake, one bot', unit: 'updates/s', goal: null, work: intakeOfOne },
      { what: 'intake, a bot each', unit: 'updates/s', goal: 'replicas-intake', work: intakeOfMany },
    ] as const;
    const figures: Figure[] = [];
    let lost = 0;
    for (const { what, unit, goal, work } of kinds) {
      const all: Shared[] = [];
      for (const processes of PROCESSES) {
        const shared = await work(processes);
        all.push(shared);
        lost += shared.lost;
        say(`${what}, ${processes}: ${shared.rate.toFixed()} ${unit}, ${shared.cores.toFixed(2)} cores`);
        figures.push(
          { what, measure: `${processes} processes`, figure: shared.rate, digits: 0, unit, isTold: true },
          { what, measure: `${processes} processes, cores in use`, figure: shared.cores, isTold: true },
        );
      }
      const [alone] = all;
      const most = all.at(-1);
      if (goal !== null && alone !== undefined && most !== undefined)
        figures.push({ what, measure: growthTold(alone), figure: most.rate / alone.rate, goal });
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

function growthTold({ cores }: Shared): string {
  const isFull = cores >= FULL * availableParallelism();
  return `4 processes ÷ 1${isFull ? ', which fills the cores' : ''}`;
}
