import type { MessageEntity } from '@grammyjs/types';
import type { Locale } from '../../src/i18n/define.ts';
import { fits } from '../../src/telegram/button-rows.ts';
import { neverWord } from './glossary.ts';

/*
 * What is asked of every text that a person reads. Each check gives what is wrong, in words; nothing: it is right.
 */

/** A text as Telegram has it: without markup, with entities by UTF-16 offsets. */
export interface Shown {
  readonly text: string;
  readonly entities: readonly Pick<MessageEntity, 'type' | 'offset' | 'length'>[];
}

export type Kind = 'message' | 'caption' | 'label' | 'toast' | 'about' | 'words';

const LIMITS: Readonly<Record<Kind, number>> = {
  message: 4096,
  caption: 1024,
  label: 64,
  toast: 200,
  about: 256,
  words: 4096,
};

/** With this begins a line that is read from the right and has no word of its own. */
const BEGINS = /^\u200f(?=📄|👤|👥|🏷|[۰-۹\u2066\u2068])/gmu;

/** Whatever stands in it: it fits, is whole, and turns nothing around but itself. */
export function unsafe(kind: Kind, { text, entities }: Shown): string[] {
  const problems: string[] = [];
  if (text.length > LIMITS[kind]) problems.push(`${text.length} units, a ${kind} may have ${LIMITS[kind]}`);
  // What others wrote is shortened where buttons are made: the words around it have to leave room for it.
  if (kind === 'label' && !fits([{ label: text.replaceAll(ISOLATED, 'a name') }]))
    problems.push('more than a button shows on a phone');
  if (!text.isWellFormed()) problems.push('half a surrogate pair');
  for (const { type } of entities) if (!ENTITIES.has(type)) problems.push(`an entity of kind ${type}`);
  // A list in Persian has a mark of its own behind each comma.
  const outside = without(text, entities, OWN_DIRECTION).replaceAll('،\u200f', '،').replaceAll(BEGINS, '');
  if (/[\u202a-\u202e\u200e\u200f\u061c]/u.test(outside)) problems.push('a direction mark of somebody else');
  if (!isBalanced(outside)) problems.push('an isolate that is left open');
  return problems;
}

/** How it reads, where nobody meant harm. */
export function clumsy(locale: Locale, { text, entities }: Shown): string[] {
  const problems: string[] = [];
  const words = without(text, entities, COPIED).replaceAll(ISOLATED, BLOT);
  if (/\bundefined\b|\bNaN\b|\bnull\b|\[object |\$\{|\bInvalid Date\b/u.test(text))
    problems.push('a value that is none');
  const key = /(?<![/\w@])[a-z]+_[a-z_]+\b|\b[a-z]{2,}[A-Z][a-z]+\b/u.exec(words);
  if (key !== null) problems.push(`a name from the code: ${key[0]}`);
  const bare = BARE_CODE.exec(words);
  if (bare !== null) problems.push(`a bare code: ${bare[0]}`);
  if (/\S {2,}|\S +[.,،؛:!?؟](?:\s|$)/u.test(words)) problems.push('a gap before a mark, or two spaces');
  const never = neverWord(locale, words);
  if (never !== null) problems.push(`a word that nobody says here: ${never}`);
  if (locale === 'fa') problems.push(...clumsyPersian(text, entities));
  return problems;
}

/** A number that only the gateway's tables explain: on its own, or where a program would put one. */
const BARE_CODE =
  /(?<![\d۰-۹٬٫.,:/#+-])(?:400|401|414|419|429)(?![\d۰-۹٬٫.,:/%])|(?:code|error|status|کد|خطا|خطای)\s*[:#(]?\s*[\d۰-۹]{1,4}(?![\d۰-۹])|\(\s*[\d۰-۹]{1,4}\s*\)/iu;

function clumsyPersian(text: string, entities: Shown['entities']): string[] {
  const problems: string[] = [];
  const prose = without(text, entities, COPIED).replaceAll(ISOLATED, BLOT);
  const digits = /[0-9]{1,}/u.exec(prose.replaceAll(/\/[a-z_0-9]+/gu, ' '));
  if (digits !== null && PERSIAN.test(prose))
    problems.push(`Latin digits in Persian prose, not isolated: ${digits[0]}`);
  const arabic = /[يكة\u0660-\u0669]/u.exec(prose);
  if (arabic !== null) problems.push(`an Arabic letter or digit for a Persian one: ${arabic[0]}`);
  if (/[,;?]/u.test(prose)) problems.push('a Latin comma, semicolon or question mark');
  return problems;
}

/** Whether there is anything to translate: letters outside what is copied and what others wrote. */
export function hasWords({ text, entities }: Shown): boolean {
  return /\p{L}{2}/u.test(
    without(text, entities, COPIED)
      .replaceAll(ISOLATED, BLOT)
      .replaceAll(/\/[a-z_]+|\b[A-Z]{2,5}\b/gu, ' '),
  );
}

/** Which language it is in, apart from what is copied or isolated. */
export function isPersian({ text, entities }: Shown): boolean {
  return PERSIAN.test(without(text, entities, COPIED).replaceAll(ISOLATED, BLOT));
}

/** Entities of our own making, and those that Telegram finds by itself. */
const ENTITIES: ReadonlySet<string> = new Set([
  'bold',
  'italic',
  'code',
  'pre',
  'blockquote',
  'expandable_blockquote',
  'bot_command',
  'hashtag',
  'text_mention',
  'phone_number',
]);

/** Somebody's words as they are, in a block of their own: nothing outside can be turned around. */
const OWN_DIRECTION: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote', 'pre']);
/** What is copied, or is not ours. */
const COPIED: ReadonlySet<string> = new Set([...OWN_DIRECTION, 'code']);
const BLOT = '\ufffc';
const PERSIAN = /[\u0600-\u06ff]/u;
const ISOLATED = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/gu;

/** The text with everything of these kinds blotted out, so that offsets stay. */
function without(text: string, entities: Shown['entities'], kinds: ReadonlySet<string>): string {
  let left = text;
  for (const { type, offset, length } of entities) {
    if (!kinds.has(type)) continue;
    const blot = left.slice(offset, offset + length).replaceAll(/[^\n]/gu, BLOT);
    left = left.slice(0, offset) + blot + left.slice(offset + length);
  }
  return left;
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char >= '\u2066' && char <= '\u2068') open += 1;
    if (char === '\u2069') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
