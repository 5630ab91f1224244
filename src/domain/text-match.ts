import { foldLetters } from './fold.ts';
/**
 * How alike a text that was sent and one that the gateway lists are: 0 the same, 1 but for Unicode composition,
 * line ends and trailing space, 2 but for what keyboards and gateways exchange (Arabic and Persian letters, joiners, spaces),
 * 3 but for an ending that this line's messages are known to get. `null`: another text.
 */
export type TextMatch = 0 | 1 | 2 | 3;

export function matchText(sent: string, listed: string, endings: readonly string[]): TextMatch | null {
  if (sent === listed) return 0;
  if (tidy(sent) === tidy(listed)) return 1;
  const [one, other] = [foldText(sent), foldText(listed)];
  if (one === other) return 2;
  return endings.some((ending) => foldText(sent + ending) === other) ? 3 : null;
}

/** What a gateway has appended to a text; null when it shows another text, or the same. */
export function endingOf(sent: string, listed: string): string | null {
  const [one, other] = [tidy(sent), tidy(listed)];
  return other.length > one.length && other.startsWith(one) ? other.slice(one.length) : null;
}

function tidy(text: string): string {
  return text.replaceAll(/\r\n?/gu, '\n').normalize('NFC').trimEnd();
}

/** One form for all texts that a list may show in place of each other. */
export function foldText(text: string): string {
  return foldLetters(tidy(text))
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
