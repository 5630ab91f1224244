import { foldLetters } from './fold.ts';
/** As a name is at most, in UTF-16 units. */
const LONGEST_TEMPLATE_NAME = 32;

/**
 * The name under which a text is kept: one word of letters, digits, `_`, `-` and joiners, with or without the `#`
 * that it is called by. Letters and digits of other keyboards become those of the Persian one, so that a name typed
 * on a phone finds what was saved on another. Null for what is no name.
 */
export function readTemplateName(typed: string): string | null {
  const name = foldLetters(
    typed
      .trim()
      .replace(/^[#＃]/u, '')
      .normalize('NFC'),
  ).replaceAll(/[٠-٩]/gu, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + ARABIC_TO_PERSIAN));
  return name.length <= LONGEST_TEMPLATE_NAME && NAME.test(name) ? name : null;
}

/** The name in a text that is no more than `#name`; null for any other text. */
export function readTemplateCall(text: string): string | null {
  return /[#＃]/u.test(text) ? readTemplateName(text) : null;
}

const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_\u200c-]*$/u;
const ARABIC_TO_PERSIAN = 0x6f0 - 0x660;
