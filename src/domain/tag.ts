/** In UTF-16 units. */
const MAX_UNITS = 32;

/**
 * A tag as it is kept and compared: letters, digits, `-` and `_`, in small letters, Arabic ي and ك as Persian ones.
 * Null for what is none.
 */
export function parseTag(typed: string): string | null {
  const tag = typed
    .normalize('NFC')
    .replaceAll(/[\u200b\u200d-\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .replace(/^#/u, '')
    .replaceAll('ي', 'ی')
    .replaceAll('ك', 'ک')
    .toLowerCase();
  const isTag = /^[\p{L}\p{M}\p{N}_\u200c-]+$/u.test(tag) && /[\p{L}\p{N}]/u.test(tag);
  return isTag && tag.length <= MAX_UNITS ? tag : null;
}
