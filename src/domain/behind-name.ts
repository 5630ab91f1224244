import { foldWord } from './fold.ts';
import { farFrom } from './slips.ts';

type Same = (named: string, said: string) => boolean;

/** Gives what follows in a text that begins with words of a name, or nearly; null where it begins with none. */
export function behindName(text: string, name: string, isSame: Same = isExact): string | null {
  const said = text.trim().split(/\s+/u);
  const named = name.split(/\s+/u).map(foldWord);
  const differs = said.findIndex((word, at) => !isSame(named[at] ?? '', foldWord(word)));
  const length = differs === -1 ? said.length : differs;
  return length === 0 ? null : text.trim().replace(new RegExp(`^(?:\\S+(?:\\s+|$)){${length}}`, 'u'), '');
}

/** Of what is shorter any other word comes near. */
const LEAST_NEAR = 3;

/** Whether a word is probably meant as one of a name. */
export const isNear: Same = (named, said) =>
  isExact(named, said) || (said.length >= LEAST_NEAR && farFrom(named, said) !== null);

function isExact(named: string, said: string): boolean {
  return named !== '' && named === said;
}
