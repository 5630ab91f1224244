import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';
import { readCellNumber } from '../../src/domain/cell-number.ts';
import {
  displayRecipient,
  maskRecipient,
  parseLine,
  parseRecipients,
  splitNumbersAndText,
} from '../../src/domain/phone.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({ text: z.string() });
type Input = z.output<typeof Input>;

/** Numbers in all scripts and spellings, alone, in lists, in cells of a file and before a text. */
export const numbers = defineTarget({
  name: 'numbers',
  about: 'phone numbers and lists of them, as typed and in cells',
  goal: 10_000_000,
  input: Input,
  make,
  open: () => checkNumbers,
});

/** The zeros of scripts; the other nine digits follow each. Only the first three are read. */
const ZEROS = [0x30, 0x6f0, 0x660, 0x966, 0x9e6, 0xff10, 0x1d7ce] as const;
const PREFIXES = [
  '0',
  '',
  '98',
  '+98',
  '0098',
  '+98 0',
  '＋98',
  '00',
  '+',
  'tel:+98',
  "'0",
  '+1',
  '0989',
  '="0',
] as const;
const BETWEEN = [
  '',
  '',
  '',
  '',
  '-',
  ' ',
  '.',
  '/',
  '(',
  ')',
  '\u200c',
  '\u200e',
  '\u202a',
  '\u00a0',
  '\u00ad',
  '\u2011',
  ',',
  '،',
  '\n',
  '٫',
  'e',
] as const;
const SEPARATORS = [',', '، ', '\n', '; ', '\t', ' ', '/', ' - ', '؛', '\r\n', '\u2028'] as const;
const SUFFIXES = ['', '', '', '', '.0', 'x', ':', 'E+09', 'e+11', '"', '\u200f', '٬', ' سلام', '0'] as const;

function make(random: Random): Input {
  let text = random.chance(0.05) ? (NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? '') : number(random);
  for (let more = random.chance(0.5) ? 0 : random.int(1, 6); more > 0; more -= 1)
    text += random.pick(SEPARATORS) + number(random);
  return { text };
}

function number(random: Random): string {
  const script = random.chance(0.8) ? random.pick([0x30, 0x6f0, 0x660]) : random.pick(ZEROS);
  const length = random.chance(0.8) ? 9 : random.int(0, 14);
  let text: string = random.pick(PREFIXES);
  const parted = random.chance(0.3);
  for (let index = 0; index <= length; index += 1) {
    const digit = index === 0 && random.chance(0.95) ? 9 : random.int(0, 9);
    const zero = random.chance(0.03) ? random.pick(ZEROS) : script;
    text += String.fromCodePoint(zero + digit);
    if (parted && random.chance(0.3)) text += random.pick(BETWEEN);
  }
  return text + random.pick(SUFFIXES);
}

function checkNumbers({ text }: Input): string {
  const parsed = parseRecipients(text);
  const { recipients, repeated, invalid } = parsed;
  const digits = digitsOf(text);
  for (const recipient of recipients) {
    must(/^989\d{9}$/u.test(recipient), `${recipient} is not canonical`);
    must(digits.includes(recipient.slice(2)), `${recipient} was not written`);
    for (const spelling of [recipient, displayRecipient(recipient), `+${recipient}`])
      must(only(parseRecipients(spelling).recipients) === recipient, `${spelling} is another number`);
    must(!maskRecipient(recipient).includes(recipient.slice(4)), 'not masked');
  }
  must(new Set(recipients).size === recipients.length, 'a recipient came twice');
  for (const { recipient } of repeated) must(recipients.includes(recipient), 'a repeated one is not there');
  const again = parseRecipients(recipients.join(', '));
  must(again.recipients.join() === recipients.join() && again.invalid.length === 0, 'not idempotent');
  checkCell(text, digits);
  checkPlain(text, recipients);
  checkSplit(text);
  const line = parseLine(text);
  if (line !== null) must(/^\d{5,14}$/u.test(line) && digits.endsWith(line), `${line} is no line of it`);
  return recipients.length === 0 ? 'none' : invalid.length === 0 ? 'all good' : 'some good';
}

function checkCell(text: string, digits: string): void {
  const cell = readCellNumber(text);
  if (!cell.ok) return;
  const { recipient } = cell;
  must(/^989\d{9}$/u.test(recipient), `the cell is ${recipient}`);
  must(digits.includes(recipient.slice(2)), `the cell is ${recipient}, which was not written`);
  const again = readCellNumber(displayRecipient(recipient));
  must(again.ok && again.recipient === recipient, 'the cell is another number the second time');
}

/** Of digits without anything between, there is a table of what may stand before a mobile. */
function checkPlain(text: string, recipients: readonly string[]): void {
  if (!/^\+?[0-9٠-٩۰-۹]+$/u.test(text)) return;
  const plain = text.startsWith('+') ? `+${digitsOf(text)}` : digitsOf(text);
  const prefix = /^9\d{9}$/u.test(plain.slice(-10)) ? plain.slice(0, -10) : 'none';
  const expected = MOBILE_PREFIXES.has(prefix) ? `98${plain.slice(-10)}` : undefined;
  must(only(recipients) === expected, `${plain} was read as ${recipients.join()}`);
  const cell = readCellNumber(text);
  must((cell.ok ? cell.recipient : undefined) === expected, `the cell ${plain} was read otherwise`);
}

const MOBILE_PREFIXES = new Set(['', '0', '98', '980', '+98', '+980', '0098', '00980']);

/** Nothing is lost: a beginning, separators, an end. */
function checkSplit(text: string): void {
  const { numbers: first, text: rest } = splitNumbersAndText(text);
  must(text.startsWith(first) && text.endsWith(rest), 'a part of it was changed');
  const gap = text.slice(first.length, text.length - rest.length);
  must(first.length + rest.length <= text.length && /^[\s,،;؛，؍]*$/u.test(gap), `lost: ${gap}`);
}

/** The digits that are read at all, in their order. */
function digitsOf(text: string): string {
  let digits = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const zero = [0x30, 0x6f0, 0x660].find((each) => code >= each && code <= each + 9);
    if (zero !== undefined) digits += String(code - zero);
  }
  return digits;
}

function only(recipients: readonly string[]): string | undefined {
  return recipients.length === 1 ? recipients[0] : undefined;
}
