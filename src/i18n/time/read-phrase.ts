import { phraseAt, type Token } from './tokens.ts';
import type { Phrase, Reader } from './phrase.ts';
import { namedDate, nearDay, numericDate, weekday, weekOrMonth } from './day-readers.ts';
import { clock, distance, part, zone } from './clock-readers.ts';
import { rule } from './rule-reader.ts';
import { FILLERS } from './words.ts';

export interface ReadPhrase {
  readonly phrase: Phrase;
  /** The first token that is no part of it. */
  readonly next: number;
}

/** Reads as much of a time as stands at a place, its parts in whatever order; null for none. */
export function readPhrase(tokens: readonly Token[], from: number): ReadPhrase | null {
  const phrase: Phrase = {};
  let next = from;
  for (;;) {
    const at = pastFillers(tokens, next);
    const after = READERS.reduce<number | null>((found, reader) => found ?? reader(tokens, at, phrase), null);
    if (after === null) break;
    next = after;
  }
  return next === from ? null : { phrase, next };
}

function pastFillers(tokens: readonly Token[], from: number): number {
  let at = from;
  for (let found = phraseAt(FILLERS, tokens, at); found !== null && at < from + 4;) {
    at = found.next;
    found = phraseAt(FILLERS, tokens, at);
  }
  return at;
}

const READERS: readonly Reader[] = [
  zone,
  distance,
  rule,
  numericDate,
  namedDate,
  nearDay,
  weekOrMonth,
  weekday,
  clock,
  part,
];
