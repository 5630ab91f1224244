import { mentionAt, tokenize, type Token } from './phone-tokens.ts';
import { splitNumbersAndText } from './phone.ts';

/** The first mobile numbers that stand within a text, as typed, with what is before and behind them. */
export interface NumbersWithin {
  readonly before: string;
  readonly numbers: string;
  readonly after: string;
  /** They stand as recipients do: at the beginning, or behind a name. */
  readonly isListed: boolean;
}

/** Finds the mobile numbers within a text which were perhaps not meant as text; null: it has none. */
export function numbersWithin(text: string): NumbersWithin | null {
  const tokens = tokenize(text);
  const at = tokens.findIndex((_, index) => (mentionAt(tokens, index)?.recipients.length ?? 0) > 0);
  const first = tokens[at];
  if (first === undefined) return null;
  const { numbers, text: after } = splitNumbersAndText(text.slice(first.start));
  const before = text.slice(0, first.start).replace(SEPARATES, '').replace(LEADS_TO_NUMBERS, '');
  return { before, numbers, after, isListed: isName(tokens.slice(0, at)) };
}

function isName(words: readonly Token[]): boolean {
  return words.length <= NAME_WORDS && words.every(({ clean }) => NAME.test(clean) && !NO_NAME.test(clean));
}

const NAME_WORDS = 3;
const NAME = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
/** Before a number that is to be called, not written to. */
const NO_NAME =
  /^(?:با|به|از|در|یا|شماره|تماس|تلفن|موبایل|همراه|واتساپ|call|us|me|tel|phone|mobile|number|whatsapp|contact|text|sms|at|on|or|is|with|from|in)$/iu;
const SEPARATES = /[\s,،;؛，؍]+$/u;
const LEADS_TO_NUMBERS = /\s+(?:به|برای|to|for)(?:\s+شماره)?$/iu;
