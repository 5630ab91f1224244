/** Invisible, of no width, and no part of a link, a name or a command to Telegram. */
const WORD_JOINER = '\u2060';

/**
 * Text of an outsider that Telegram makes no link, mention, hashtag or command of. It reads the same; what is
 * copied of such a place has an invisible character in it.
 */
export function inert(text: string): string {
  return text.replaceAll(/[@#$/.:](?=\S)/gu, (sign) => sign + WORD_JOINER);
}
