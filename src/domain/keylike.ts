/** A credential, or what looks like one, inside a text. Offsets are UTF-16 units. */
export interface KeyLike {
  start: number;
  end: number;
  value: string;
  /** Equal to a key that is in use, rather than merely shaped like one. */
  known: boolean;
}

/** Tells whether a string is a key in use. It gets candidates only, so it may hash them and compare. */
export type IsKnownKey = (candidate: string) => boolean;

/**
 * Finds the credentials in a text of a chat, from left to right. Key-like is: a string equal to a known key; 16 or more
 * Latin letters, digits, `-` and `_`, with a letter and a digit among them, when it is the whole message or
 * comes after the word key or token (or `/connect`, or the Persian words); a bot token anywhere. Addresses of
 * pages are left alone unless the word stands inside them (`?token=…`).
 */
export function findKeyLikes(text: string, isKnown: IsKnownKey = () => false): KeyLike[] {
  const found: KeyLike[] = [];
  const wordAt = firstWordEnd(text);
  const links = [...text.matchAll(/https?:\/\/\S+/giu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    wordAt: match.index + firstWordEnd(match[0]),
  }));
  for (const match of text.matchAll(/\b\d{6,}:[\w-]{30,}|[\w-]{6,}/g)) {
    const [value] = match;
    const start = match.index;
    const end = start + value.length;
    const known = isKnown(value);
    const link = links.find((each) => start >= each.start && end <= each.end);
    const isAnnounced = (): boolean => start >= (link?.wordAt ?? wordAt);
    const isWhole = (): boolean => strip(text.slice(0, start)) === '' && strip(text.slice(end)) === '';
    const isLike = value.includes(':') || (isKeyShaped(value) && (isAnnounced() || isWhole()));
    if (known || isLike) found.push({ start, end, value, known });
  }
  return found;
}

/** The first of {@link findKeyLikes}, or null. */
export function findKeyLike(text: string, isKnown?: IsKnownKey): KeyLike | null {
  return findKeyLikes(text, isKnown)[0] ?? null;
}

/**
 * Whether the name of a file holds a credential: one in use, a bot token, or one behind the word key or token. Being the
 * whole name makes nothing one, as cameras, messengers and programs give such names.
 */
export function isInName(name: string, isKnown?: IsKnownKey): boolean {
  const isSure = findKeyLikes(name, isKnown).some(({ known, value }) => known || value.includes(':'));
  // Where a text has spaces, a name has these; what is not one run of letters and digits is words and dates.
  return isSure || findKeyLike(`file ${name.replaceAll(/[-_]/g, ' ')}`, isKnown) !== null;
}

const KEY_WORDS =
  /(?<![\p{L}\p{N}])(?:(?:api|access|secret|auth|bot)?(?:keys?|tokens?)|\/connect(?:@\w+)?|کلید|توکن)(?![\p{L}\p{N}])/iu;

/** Where the first word that announces a key ends; infinity if there is none. */
function firstWordEnd(text: string): number {
  const match = KEY_WORDS.exec(text);
  return match === null ? Number.POSITIVE_INFINITY : match.index + match[0].length;
}

function isKeyShaped(value: string): boolean {
  return value.length >= 16 && /[a-z]/i.test(value) && /\d/.test(value);
}

/** What may stand around a key that is the whole message: spaces, quotes, invisible characters. */
function strip(text: string): string {
  return text.replaceAll(/[\s"'`«»“”‘’.\p{Cf}]/gu, '');
}
