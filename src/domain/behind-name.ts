import { foldWord } from './fold.ts';

/** Gives what follows in a text that begins with words of a name; null where it begins with none. */
export function behindName(text: string, name: string): string | null {
  const said = text.trim().split(/\s+/u);
  const named = name.split(/\s+/u).map(foldWord);
  const differs = said.findIndex((word, at) => named[at] !== foldWord(word));
  const length = differs === -1 ? said.length : differs;
  return length === 0 ? null : text.trim().replace(new RegExp(`^(?:\\S+(?:\\s+|$)){${length}}`, 'u'), '');
}
