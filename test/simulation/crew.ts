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
  /** All die; others come once what has come over them is over. */
  end(): void;
  /** The database has gone back: the dead hold what they held then, and whoever stands still has no lock meanwhile. */
  loseLocks(): void;
  /** The play is over: whoever waited in it is let go of, or the runtime would keep them all. */
  close(): void;
}

/** Starts so many processes. */
export function createCrew(
  { scheduler, draws, db }: { readonly scheduler: Scheduler; readonly draws: Draws; readonly db: Db },
  {
    processes,
    surroundings,
    isNeeded,
  }: {
    readonly processes: number;
    readonly surroundings: () => Surroundings;
    /** Whether nobody else knows what it knows: then nothing befalls it. */
    readonly isNeeded: (process: Process) => boolean;
  },
): Crew {
  const cutUntil = new Map<string, number>();
  const dead = new Set<string>();
  const born: Process[] = [];
  let living: readonly Process[] = [];

  const start = (): void => {
    const process = startProcess(`p${born.length + 1}`, surroundings());
    born.push(process);
    living = [...living, process];
    process.started.catch(() => bury(process));
  };
  const isCut = (id: string): boolean => (cutUntil.get(id) ?? 0) > scheduler.now();

  function bury(process: Process): void {
    if (scheduler.isDead(process.id)) return;
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
      if (process.busy() === 0 && !isNeeded(process)) {
        // Nobody is to count on its last look.
        living = living.filter((each) => each !== process);
        void process.close().then(() => bury(process));
      } else scheduler.after(process.id, 1000, `${process.id} ends`, look);
    };
    look();
  }

  for (let n = 0; n < processes; n += 1) scheduler.after(null, 0, '', start);
  return {
    living: () => living,
    isCut,
    heal: () => cutUntil.clear(),
    end: () => {
      for (const each of living) bury(each);
    },
    loseLocks() {
      scheduler.after(null, GONE_MS, '', () => {
        for (const id of dead) recoverTasks(db, id);
      });
      for (const { id } of living)
        cutUntil.set(id, Math.max(cutUntil.get(id) ?? 0, scheduler.frozenUntil(id)));
    },
    close() {
      for (const each of born) each.close().catch(() => undefined);
    },
    gone: (owners) => owners.filter((owner) => dead.has(owner) || isCut(owner)),

    anyone(name) {
      const [first, ...others] = living.filter((each) => !each.isStopping());
      return first === undefined ? undefined : draws.pick(name, [first, ...others]);
    },

    strike(strike) {
      const struck = living[strike.process % Math.max(1, living.length)];
      if (struck === undefined || isNeeded(struck)) return;
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
