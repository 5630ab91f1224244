import { MASK, type Secret } from '../domain/secret.ts';
import { SHORTEST_SECRET, spellingsOf } from '../domain/secret-spellings.ts';

/**
 * Replaces credentials by `***` in text that came from the gateway and may repeat what it was sent: as they
 * are, and in all their usual encodings.
 */
export function createScrubber(secrets: readonly Secret[]): (text: string) => string {
  const values = secrets.map((secret) => secret.reveal()).filter((value) => value !== '');
  if (values.length === 0) return (text) => text;
  let patterns: readonly RegExp[] | undefined;
  return (text) => {
    if (text === '') return text;
    // Most accounts never hear a text of the gateway: the spellings are made for the first one.
    patterns ??= patternsOf(values);
    return patterns.reduce((masked, pattern) => masked.replace(pattern, MASK), text);
  };
}

/** First what may stand in any case of letters, as percent codes and hex come; then the encodings in which the case says something. */
function patternsOf(values: readonly string[]): RegExp[] {
  const cased = values.flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
  // Of a short one the encodings are so short that they stand in ordinary words.
  const encoded = values.flatMap(spellingsOf).filter((spelling) => spelling.length >= SHORTEST_SECRET);
  return [anyOf(encoded, 'g'), anyOf(cased, 'gi')];
}

/** The longest first: one may contain another. */
function anyOf(texts: readonly string[], flags: string): RegExp {
  const ordered = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return new RegExp(ordered.map((text) => RegExp.escape(text)).join('|'), flags);
}
