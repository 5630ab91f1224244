import { RE2JS } from 're2js';
import { foldLetters } from './fold.ts';
import { normalizeDigits } from './phone.ts';
import { foldText } from './text-match.ts';

/** How the words of a rule are held against a message. */
export const WORD_WAYS = ['contains', 'equals', 'pattern'] as const;

export type WordWay = (typeof WORD_WAYS)[number];

/** `closed`: it has no words, and holds for what comes while nobody is at the desk. */
export type RuleWay = WordWay | 'closed';

export interface RuleWords {
  readonly way: RuleWay;
  readonly words: string;
  /** Null: on every line. */
  readonly line: string | null;
}

/** Characters that the words of a rule may have, and that of a message are looked at. */
export const WORDS_MAX = 100;
const LOOKED_AT = 1000;
/** Instructions of a compiled pattern: each costs at most one step for each character. */
const PROGRAM_MAX = 2000;

/** What is wrong with the words of a rule; null: nothing. */
export function ruleProblem(way: WordWay, words: string): 'empty' | 'long' | 'pattern' | null {
  if (foldWords(words) === '') return 'empty';
  if (words.length > WORDS_MAX) return 'long';
  return way === 'pattern' && compile(words) === null ? 'pattern' : null;
}

/**
 * Whether a rule holds for a message. Letters that keyboards exchange, digits of all kinds, case, joiners and runs of
 * spaces are the same to it. A pattern is matched in time linear to the text, whatever it says.
 */
export function ruleFits(
  rule: RuleWords,
  message: { readonly line: string; readonly text: string; readonly isClosed: boolean },
): boolean {
  if (rule.line !== null && rule.line !== message.line) return false;
  // Whoever asks for no more messages gets none for it.
  if (rule.way === 'closed') return message.isClosed && optOf(message.text) === null;
  const text = foldWords(message.text.slice(0, LOOKED_AT));
  if (rule.way === 'pattern') return compile(rule.words)?.matcher(text).find() ?? false;
  const words = foldWords(rule.words);
  if (words === '') return false;
  return rule.way === 'equals' ? text === words : text.includes(words);
}

/** One form for all texts that say the same to a rule. */
export function foldWords(text: string): string {
  return foldText(normalizeDigits(text)).toLowerCase();
}

/** What a message that is nothing but 11 or 12 asks for: no more messages, or messages again. */
export function optOf(text: string): 'out' | 'in' | null {
  const said = foldWords(text);
  if (said === '11') return 'out';
  return said === '12' ? 'in' : null;
}

/** Null for what is no pattern, or one that is too large. */
function compile(words: string): RE2JS | null {
  try {
    const pattern = RE2JS.compile(
      foldLetters(normalizeDigits(words)).replaceAll('\u200c', ''),
      RE2JS.CASE_INSENSITIVE,
    );
    return pattern.programSize() <= PROGRAM_MAX ? pattern : null;
  } catch {
    return null;
  }
}
