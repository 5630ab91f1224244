import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';
import {
  b,
  clip,
  code,
  fitBlocks,
  html,
  lines,
  plainText,
  visibleLength,
  type Html,
} from '../../src/telegram/html.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({ text: z.string(), units: z.int() });
type Input = z.output<typeof Input>;

/** Foreign texts in what is shown in a chat: none of them may become markup, and none may break it. */
export const markup = defineTarget({
  name: 'markup',
  about: 'foreign texts, escaped, clipped and fitted into a message',
  goal: 10_000_000,
  input: Input,
  make,
  open: () => checkMarkup,
});

const PIECES = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '&lt;',
  '&amp;',
  '&#60;',
  '<b>',
  '</b>',
  '<a href="x">',
  '<!--',
  ']]>',
  '\ud83d',
  '\ude00',
  '😀',
  '👨‍👩‍👧',
  'e\u0301',
  'سلام',
  '\u202e',
  '\u2067',
  '\u0000',
  '\n',
  ' ',
  'x',
  '@user',
  '/start',
  'https://a.b',
] as const;

function make(random: Random): Input {
  let text = random.chance(0.1) ? (NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? '') : '';
  for (let pieces = random.int(0, 10); pieces > 0; pieces -= 1) text += random.pick(PIECES);
  return { text, units: random.int(0, 20) };
}

function checkMarkup({ text, units }: Input): string {
  const shown = text.toWellFormed();
  const plain = html`${text}`;
  must(!/[<>"]|&(?!(?:lt|gt|amp|quot);)/u.test(plain.markup), `markup: ${plain.markup}`);
  for (const made of [plain, b(text), code(text)]) must(plainText(made) === shown, 'another text is shown');
  must(!/[<>]/u.test(code(text).markup.slice('<code>'.length, -'</code>'.length)), 'a tag within the code');
  must(visibleLength(plain) === shown.length, 'another length is shown');
  const clipped = clip(text, units);
  must(clipped.length <= units, `${clipped.length} units instead of ${units}`);
  if (text.isWellFormed()) must(clipped.isWellFormed(), 'a character was cut');
  must(clipped === text || text.startsWith(clipped.slice(0, -1)), 'clipped to another text');
  return checkBlocks([plain, b(text), lines(text, code(text))], units);
}

function checkBlocks(blocks: readonly Html[], units: number): string {
  const { shown, dropped } = fitBlocks(blocks, units);
  must(visibleLength(shown) <= units, 'too much is shown');
  must(shown.markup.split('<').length === shown.markup.split('>').length, 'a tag was cut');
  return dropped === 0 ? 'all shown' : `${dropped} dropped`;
}
