import { normalizeDigits } from './phone-tokens.ts';

/** Gives letters of an Arabic keyboard as those of the Persian one. Places in the text stay what they are. */
export function foldLetters(text: string): string {
  return text.replaceAll(/[يى]/gu, 'ی').replaceAll('ك', 'ک');
}

/**
 * Gives a word that somebody has typed as it is compared: Latin digits, small letters, one form of each letter, without
 * vowel signs, hamza and what is not seen.
 */
export function foldWord(typed: string): string {
  return foldLetters(
    normalizeDigits(typed)
      .normalize('NFKD')
      .replaceAll(/[\p{M}\p{Cf}]/gu, ''),
  )
    .trim()
    .toLowerCase();
}

/**
 * Gives a title as it reads: letters of either keyboard, digits of any script, case, spaces and what is not seen make no
 * difference.
 */
export function foldTitle(title: string): string {
  return foldLetters(normalizeDigits(title.normalize('NFC')).replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
