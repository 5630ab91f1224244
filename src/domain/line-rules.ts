import { foldWord } from './fold.ts';
import { kindOf } from './kinds/index.ts';
import type { MergedFindings } from './kinds/kind.ts';
import { NOTHING_FOUND, type LineFindings, type LineRule } from './limits.ts';
import type { Payload } from './outgoing.ts';

/** What advertising has to say in Iran: by which reply it ends. */
export const OPT_OUT_PHRASE = 'لغو۱۱';

/** Characters of a phrase or word, and how many words a line may have. */
export const PHRASE_MAX = 40;
export const WORDS_MAX = 50;

/** What a text says against a rule. */
export interface TextFindings {
  readonly words: readonly string[];
  readonly lacks: boolean;
}

/** What the rules of a chat's lines say of what would leave from them. */
export function heldToLines(rules: readonly LineRule[], payload: Payload): LineFindings {
  // Most chats have none, and texts can be many.
  if (rules.length === 0) return NOTHING_FOUND;
  const said = kindOf(payload.outgoing).says(payload);
  const windows: LineFindings['windows'][number][] = [];
  const words = new Set<string>();
  let lacks: LineFindings['lacks'] = null;
  for (const rule of rules) {
    const own = said.filter(({ line }) => line === rule.line);
    if (own.length === 0) continue;
    if (rule.window !== null) windows.push({ ...rule.window, line: rule.line });
    const look = createLook(rule);
    for (const { text, isWhole, merged } of own) {
      const found = look(text);
      for (const word of found.words) words.add(word);
      for (const word of rule.words) if (merged?.words.includes(word) === true) words.add(word);
      const isLacking =
        merged !== undefined && merged.required === rule.required ? merged.lacking > 0 : found.lacks;
      if (isLacking && (isWhole || merged !== undefined) && rule.required !== null)
        lacks ??= { line: rule.line, phrase: rule.required };
    }
  }
  return { windows, words: [...words], lacks };
}

/**
 * Makes what holds texts to the rule of a line. Letters that keyboards exchange, digits of all kinds, case, vowel signs and what is
 * not seen make no difference. A word is found as a word, not in the middle of another; a joiner holds it together or parts it.
 * What a text has to say is found whatever stands between its letters.
 */
export function createLook({
  words,
  required,
}: Pick<LineRule, 'words' | 'required'>): (text: string) => TextFindings {
  const wanted = words.map((word) => ({ word, forms: formsOf(word) }));
  const phrase = required === null ? '' : lettersOf(required);
  return (text) => {
    const said = wanted.length === 0 ? [] : formsOf(text);
    return {
      words: wanted
        .filter(({ forms }) => said.some((form, index) => form.includes(forms[index] ?? form)))
        .map(({ word }) => word),
      lacks: phrase !== '' && !lettersOf(text).includes(phrase),
    };
  };
}

/** Holds messages that were made from a text to the rule of their line, one after the other. */
export function createMergedLook({ words, required }: Pick<LineRule, 'words' | 'required'>) {
  const look = createLook({ words, required });
  const said = new Set<string>();
  let lacking = 0;
  return {
    take(text: string): void {
      const found = look(text);
      for (const word of found.words) said.add(word);
      if (found.lacks) lacking += 1;
    },
    found: (): MergedFindings => ({ required, lacking, words: [...said], lookedFor: words }),
  };
}

/** Whether what was found in messages says all that a rule asks. */
export function isHeldTo(
  found: MergedFindings | undefined,
  { words, required }: Pick<LineRule, 'words' | 'required'>,
): boolean {
  const { lookedFor = [] } = found ?? {};
  return (
    words.every((word) => lookedFor.includes(word)) && (required === null || found?.required === required)
  );
}

/** Whether there is anything in a phrase by which it could be found. */
export function hasLetters(phrase: string): boolean {
  return lettersOf(phrase) !== '';
}

/** The words of a text with a space around each, once as if a joiner were nothing and once as if it were a space. */
function formsOf(text: string): readonly string[] {
  return ['', ' '].map(
    (joiner) => ` ${plain(text.replaceAll('\u200c', joiner)).replaceAll(OTHER, ' ').trim()} `,
  );
}

function lettersOf(text: string): string {
  return plain(text).replaceAll(OTHER, '');
}

function plain(text: string): string {
  return foldWord(text).replaceAll('ـ', '');
}

const OTHER = /[^\p{L}\p{N}]+/gu;
