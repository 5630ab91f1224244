import type { Draws } from './draws.ts';
import type { Db } from './memory/db.ts';
import { recoverTasks } from './memory/queue.ts';
import { startProcess, type Process, type Surroundings } from './product.ts';
import type { Scheduler } from './scheduler.ts';
import type { Strike } from './script.ts';

/** A lock whose holder has gone is seen to be free after so long. */
const GONE_MS = 3000;

/** The processes that live, and what befalls them. */
export interface Crew {
  living(): readonly Process[];
  /** One of those that take in what people do; undefined: none does just now. */
  anyone(name: string): Process | undefined;
  strike(strike: Strike): void;
  /** Of these those whose locks are free: the dead, and those who are cut off. */
  gone(owners: readonly string[]): readonly string[];
  isCut(id: string): boolean;
  /** Nobody is cut off any more. */
  heal(): void;
}

/** Starts so many processes. */
export function createCrew(
  { scheduler, draws, db }: { readonly scheduler: Scheduler; readonly draws: Draws; readonly db: Db },
  { processes, surroundings }: { readonly processes: number; readonly surroundings: () => Surroundings },
): Crew {
  const cutUntil = new Map<string, number>();
  const dead = new Set<string>();
  let [born, living] = [0, [] as readonly Process[]];

  const start = (): void => {
    born += 1;
    living = [...living, startProcess(`p${born}`, surroundings())];
  };
  const isCut = (id: string): boolean => (cutUntil.get(id) ?? 0) > scheduler.now();

  function bury(process: Process): void {
    scheduler.kill(process.id);
    living = living.filter((each) => each !== process);
    scheduler.after(null, GONE_MS, `the locks of ${process.id} are free`, () => {
      dead.add(process.id);
      recoverTasks(db, process.id);
    });
    scheduler.after(null, draws.of('back after') * 20_000, 'another process starts', start);
  }

  /** Takes nothing more, and goes when it has done what it does. */
  function stop(process: Process): void {
    process.stop();
    const look = (): void => {
      if (process.busy() === 0) bury(process);
      else scheduler.after(process.id, 1000, `${process.id} ends`, look);
    };
    look();
  }

  for (let n = 0; n < processes; n += 1) start();
  return {
    living: () => living,
    isCut,
    heal: () => cutUntil.clear(),
    gone: (owners) => owners.filter((owner) => dead.has(owner) || isCut(owner)),

    anyone(name) {
      const [first, ...others] = living.filter((each) => !each.isStopping());
      return first === undefined ? undefined : draws.pick(name, [first, ...others]);
    },

    strike(strike) {
      const struck = living[strike.process % Math.max(1, living.length)];
      if (struck === undefined) return;
      const { id } = struck;
      if ('ms' in strike) {
        const until = scheduler.now() + strike.ms;
        if (strike.does === 'freeze') scheduler.freeze(id, until);
        else cutUntil.set(id, until);
      } else if (strike.does === 'kill') bury(struck);
      else stop(struck);
    },
  };
}
