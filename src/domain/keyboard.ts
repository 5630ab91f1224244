import { foldWord } from './fold.ts';

/** The keys of the Persian standard keyboard, by what they are on the Latin one. */
const KEYS = keysOf(
  'ض ص ث ق ف غ ع ه خ ح ش س ی ب ل ا ت ن م ظ ط ز ر ذ د پ',
  'q w e r t y u i o p a s d f g h j k l z x c v b n m',
);
const SOUNDS = keysOf(
  'ا ب پ ت ث ج چ ح خ د ذ ر ز ژ س ش ص ض ط ظ ع غ ف ق ک گ ل م ن و ه ی',
  'a b p t s j ch h kh d z r z zh s sh s z t z a gh f gh k g l m n o h i',
);

/** Gives a word as it would have come from the same keys of a Latin keyboard: `سثدی` is `send`. */
export function byLatinKeys(typed: string): string {
  return spelled(typed, KEYS);
}

/** Gives a Persian word letter by letter as it sounds, without the vowels that are not written: `سند` is `snd`. */
export function bySound(typed: string): string {
  return spelled(typed, SOUNDS);
}

function spelled(typed: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(foldWord(typed), (letter) => letters.get(letter) ?? letter).join('');
}

function keysOf(persian: string, latin: string): ReadonlyMap<string, string> {
  const others = latin.split(' ');
  return new Map(persian.split(' ').map((letter, place) => [letter, others[place] ?? letter]));
}
