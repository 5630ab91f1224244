import type { z } from 'zod';
import type { Random } from '../chaos/random.ts';

/** Something that takes what anybody may send, and what must hold of it. */
export interface FuzzTarget {
  readonly name: string;
  readonly about: string;
  /** How many inputs the long run makes. */
  readonly goal: number;
  /** The next input: JSON, and the same for the same randomness. */
  make(random: Random): unknown;
  /** An input that was kept. */
  read(json: unknown): unknown;
  /** Gets ready to check inputs. A check throws what is wrong, and otherwise says in a word what came of the input. */
  open(): (input: unknown) => string | Promise<string>;
}

/** Ties the three parts of a target to the shape of its input. */
export function defineTarget<S extends z.ZodType>(
  target: Pick<FuzzTarget, 'name' | 'about' | 'goal'> & {
    readonly input: S;
    readonly make: (random: Random) => z.output<S>;
    readonly open: () => (input: z.output<S>) => string | Promise<string>;
  },
): FuzzTarget {
  const { name, about, goal, input: schema, make } = target;
  return {
    name,
    about,
    goal,
    make,
    read: (json) => schema.parse(json),
    open() {
      const check = target.open();
      return (input) => check(input as z.output<S>);
    },
  };
}

/** Throws unless it holds. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
