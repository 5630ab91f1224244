import { z } from 'zod';
import { normalizeDigits } from '../../domain/phone.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip, code, html, type Html } from '../../telegram/html.ts';

/** A command that is the code of a card: `/a41`. */
export const CARD_COMMAND = /^[a-z]\d{1,9}$/u;

/** Reads the code of a card, such as `#A41`, `a41` or `A۴۱`; null where a text is none. */
export function readCardCode(typed: string): string | null {
  const word = normalizeDigits(typed)
    .replaceAll(/[\u200b-\u200f\u2066-\u2069]/gu, '')
    .trim();
  return /^#?([A-Za-z]\d{1,9})[?؟!.:،,;؛]*$/u.exec(word)?.[1]?.toUpperCase() ?? null;
}

/** Finds the one code among words, with what is said beside it; null: none, or several. */
export function cardCodeIn(words: string): { readonly code: string; readonly beside: string } | null {
  const [code, ...more] = codesIn(words);
  const beside = wordsOf(words).filter((word) => readCardCode(word) === null);
  return code === undefined || more.length > 0 ? null : { code, beside: beside.join(' ') };
}

const wordsOf = (text: string): string[] => text.split(/\s+/u);

const codesIn = (words: string): string[] =>
  wordsOf(words)
    .map(readCardCode)
    .filter((each) => each !== null);

/** The one code that the first line of a message of the bot's names; null: none, or several. */
export function cardCodeSaid(text: string): string | null {
  const [line = ''] = text.split('\n');
  const [said, ...more] = new Set(Array.from(line.matchAll(/#([A-Z]\d{1,9})\b/gu), ([, code = '']) => code));
  return said === undefined || more.length > 0 ? null : said;
}

const EXAMPLE = code('A41');

export const cardCodeTexts = defineTexts({
  en: {
    usage: 'card',
    ask: html`Which card? A letter and a number, such as ${EXAMPLE}.`,
    bad: (typed: string): Html =>
      html`I could not tell which card ${typed === '' ? 'that' : html`«${isolateAuto(typed)}»`} is.`,
    noCard: (id: string): Html =>
      html`There is no card ${code(id)} in this chat. Look at its number once more; what was sent today: /report today`,
  },
  fa: {
    usage: 'کارت',
    ask: html`کدام کارت؟ یک حرف و یک عدد، مانند ${EXAMPLE}.`,
    bad: (typed) => html`متوجه نشدم ${typed === '' ? '' : html`«${isolateAuto(typed)}» `}کدام کارت است.`,
    noCard: (id) =>
      html`کارت ${code(id)} در این گفتگو نیست. شماره‌اش را یک بار دیگر ببینید؛ ارسال‌های امروز: ${isolateLtr('/report today')}`,
  },
});

/** The send of the card that is answered, unless anything is said. */
export const ITS_SEND = { of: 'send', isNamedBy: (typed) => typed !== '' } satisfies Argument['shown'];

/** The code of a card, in upper case. */
export const cardCodeArgument = {
  schema: z.string().transform((typed, ctx): string => {
    const card = readCardCode(typed);
    if (card !== null) return card;
    ctx.addIssue({ code: 'custom', message: 'no card' });
    return z.NEVER;
  }),
  shown: { ...ITS_SEND, isNamedBy: (typed) => readCardCode(typed) !== null },
  usage: (locale) => cardCodeTexts(locale).usage,
  ask: ({ locale }) => cardCodeTexts(locale).ask,
  problem: (locale, typed) => cardCodeTexts(locale).bad(clip(typed, 40)),
} satisfies Argument;

/** A code without its letter; a phone number is longer. */
const FIGURE = /^#?\d{1,4}\D*$/u;
const mayBeCode = (word: string): boolean =>
  readCardCode(word) !== null || FIGURE.test(normalizeDigits(word));

/** The same among words, of which nothing comes where they name none; several are none. */
export const cardCodeAmongWords = {
  ...cardCodeArgument,
  schema: z
    .string()
    .transform((typed) => cardCodeIn(typed)?.code ?? '')
    .pipe(cardCodeArgument.schema),
  shown: ITS_SEND,
  take: (input) => takeRest(wordsOf(input).some(mayBeCode) ? input : ''),
  optional: true,
} satisfies Argument;
