import { foldWord } from '../../domain/fold.ts';
import { byLatinKeys, bySound } from '../../domain/keyboard.ts';
import { farFrom } from '../../domain/slips.ts';
import { type Command, isCalled, isTyped, type TypedCommand } from '../feature.ts';

/**
 * Gives the command that somebody has probably meant by a name that there is not: a slip of the hand away, its beginning,
 * typed on a Persian keyboard or spelled in Persian, or a Persian word for it.
 */
export function nearCommand(commands: ReadonlyMap<string, Command>, name: string): TypedCommand | undefined {
  const typed = foldWord(name);
  const readings = new Set([typed, byLatinKeys(typed), bySound(typed)]);
  const [best] = [...commands.values()]
    .filter(isTyped)
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
