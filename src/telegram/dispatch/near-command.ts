import { foldWord } from '../../domain/fold.ts';
import { byLatinKeys, bySound } from '../../domain/keyboard.ts';
import { slips } from '../../domain/slips.ts';
import { type Command, isCalled } from '../feature.ts';

/** So much of a name is meant as its beginning. */
const LEAST_BEGINNING = 3;

/**
 * Gives the command that somebody has probably meant by a name that there is not: a slip of the hand away, its beginning,
 * typed on a Persian keyboard or spelled in Persian, or a Persian word for it.
 */
export function nearCommand(commands: ReadonlyMap<string, Command>, name: string): Command | undefined {
  const typed = foldWord(name);
  const readings = new Set([typed, byLatinKeys(typed), bySound(typed)]);
  const [best] = [...commands.values()]
    .filter(({ internal }) => internal !== true)
    .map((command) => ({
      command,
      far: isCalled(command, typed) ? 0 : nearest(command.name, readings),
    }))
    .filter(({ far }) => Number.isFinite(far))
    .toSorted((left, right) => left.far - right.far);
  return best?.command;
}

function nearest(name: string, readings: ReadonlySet<string>): number {
  return Math.min(...[...readings].map((typed) => farFrom(name, typed) ?? Number.POSITIVE_INFINITY));
}

function farFrom(name: string, typed: string): number | null {
  if (typed.length >= LEAST_BEGINNING && name.startsWith(typed)) return 1;
  const most = Math.max(1, Math.floor(Math.min(name.length, typed.length) / 3));
  if (Math.abs(name.length - typed.length) > most) return null;
  const far = slips(name, typed);
  return far <= most ? far : null;
}
