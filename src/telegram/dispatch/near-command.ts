import { slips } from '../../domain/slips.ts';
import type { Command } from '../feature.ts';

/** So much of a name is meant as its beginning. */
const LEAST_BEGINNING = 3;

/** Gives the command that somebody has probably meant by a name that there is not: a slip of the hand away, or its beginning. */
export function nearCommand(commands: ReadonlyMap<string, Command>, name: string): Command | undefined {
  const [best] = [...commands.values()]
    .filter(({ internal }) => internal !== true)
    .map((command) => ({ command, far: farFrom(command.name, name) }))
    .filter(({ far }) => far !== null)
    .toSorted((left, right) => (left.far ?? 0) - (right.far ?? 0));
  return best?.command;
}

function farFrom(name: string, typed: string): number | null {
  if (typed.length >= LEAST_BEGINNING && name.startsWith(typed)) return 1;
  const most = Math.max(1, Math.floor(Math.min(name.length, typed.length) / 3));
  if (Math.abs(name.length - typed.length) > most) return null;
  const far = slips(name, typed);
  return far <= most ? far : null;
}
