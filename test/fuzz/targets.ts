import { answers } from './answers.ts';
import { callbacks } from './callbacks.ts';
import { markup } from './markup.ts';
import { numbers } from './numbers.ts';
import { tables } from './tables.ts';
import type { FuzzTarget } from './target.ts';
import { templates } from './templates.ts';
import { updates } from './updates.ts';

/** In the order in which they are run. */
export const TARGETS: readonly FuzzTarget[] = [
  answers,
  updates,
  callbacks,
  tables,
  numbers,
  templates,
  markup,
];

/** Throws for a name that is none. */
export function targetOf(name: string): FuzzTarget {
  const target = TARGETS.find((each) => each.name === name);
  if (target !== undefined) return target;
  throw new Error(`no target ${name}; there are ${TARGETS.map((each) => each.name).join(', ')}`);
}
