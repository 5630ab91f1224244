import { foldWord } from '../../domain/fold.ts';

/** One word, number or sign of a text. */
export interface Token {
  /** As it is compared: folded, without half-spaces. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it stands right behind the token before it. */
  readonly glued: boolean;
}

/** No time is longer; what follows it is no matter. */
export const MAX_TOKENS = 40;

const PIECES =
  /\(\p{Cf}*[A-Za-z][\w+\-/]*\p{Cf}*\)|[0-9۰-۹٠-٩]+|\p{L}(?:[\p{L}\p{M}’']|\u200c|\u200d)*|\.\.+|[^\s\p{Cf}]/gu;

/** The first tokens of a text, with their places in it. */
export function tokensOf(input: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index } of input.matchAll(PIECES)) {
    if (tokens.length === MAX_TOKENS) break;
    tokens.push({
      text: foldWord(piece).replaceAll(/[’']/gu, ''),
      start: index,
      end: index + piece.length,
      glued: tokens.at(-1)?.end === index,
    });
  }
  return tokens;
}

/** Words of several tokens, each with what it means. */
export type Phrases<T> = readonly (readonly [words: readonly string[], meaning: T])[];

/** Makes phrases of words that are separated by bars, the longest first. */
export function phrases<T>(list: readonly (readonly [said: string, meaning: T])[]): Phrases<T> {
  return list
    .flatMap(([said, meaning]) =>
      said.split('|').map((each) => [tokensOf(each).map(({ text }) => text), meaning] as const),
    )
    .toSorted(([left], [right]) => right.length - left.length);
}

/** The longest phrase that stands at a place, with the place behind it. */
export function phraseAt<T>(
  list: Phrases<T>,
  tokens: readonly Token[],
  at: number,
): { readonly meaning: T; readonly next: number } | null {
  for (const [words, meaning] of list)
    if (words.every((word, place) => tokens[at + place]?.text === word))
      return { meaning, next: at + words.length };
  return null;
}
