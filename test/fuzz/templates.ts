import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';
import { nameColumns } from '../../src/domain/columns.ts';
import { readTemplate, renderRow } from '../../src/domain/merge.ts';
import { MESSAGE_CHARACTERS } from '../../src/domain/interface-limits.ts';
import { checkMessage, isBlank, measureMessage } from '../../src/domain/message.ts';
import { readTemplateCall, readTemplateName } from '../../src/domain/template-name.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({
  text: z.string(),
  columns: z.array(z.string()),
  cells: z.array(z.string()),
  fallback: z.string().nullable(),
});
type Input = z.output<typeof Input>;

/** Texts with fields, columns and rows from a file: what would leave, and what it costs. */
export const templates = defineTarget({
  name: 'templates',
  about: 'texts with fields, rendered for a row and counted in parts',
  goal: 10_000_000,
  input: Input,
  make,
  open: () => checkTemplate,
});

const NAMES = [
  'name',
  'نام',
  'Name ',
  'نام\u200cخانوادگی',
  'کد',
  'كد',
  '',
  '__proto__',
  'constructor',
  '1',
  'a{b}',
  '\u202e',
  'column 2',
] as const;
const PIECES = [
  '{',
  '}',
  '{{',
  '}}',
  '{}',
  '{ }',
  '{{name}}',
  '{{{name}}}',
  'hello',
  ' ',
  'سلام',
  '€',
  '[',
  '\n',
  '😀',
  '\ud83d',
  '\u0000',
  'é',
  'x'.repeat(69),
  'ی'.repeat(67),
  '^'.repeat(80),
  '{ستون ۲}',
  '{3}',
  '{99999999999}',
] as const;
const VALUES = [
  '',
  ' ',
  'Sara',
  'سارا',
  '{name}',
  '{{',
  '}}',
  '\u200b',
  '\u0007',
  '09121234567',
  '$&',
  '$1',
  '\\',
  '\u0000',
  '😀😀',
] as const;

function make(random: Random): Input {
  const columns = Array.from({ length: random.int(0, 4) }, () => random.pick(NAMES) as string);
  const cells = Array.from({ length: random.int(0, 5) }, () => word(random, VALUES));
  let text = '';
  for (let pieces = random.int(0, 8); pieces > 0; pieces -= 1)
    text += random.chance(0.35)
      ? `{${columns[random.int(0, columns.length)] ?? 'nobody'}}`
      : word(random, PIECES);
  return { text, columns, cells, fallback: random.chance(0.5) ? null : word(random, VALUES) };
}

function word(random: Random, from: readonly [string, ...string[]]): string {
  return random.chance(0.05) ? (NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? '') : random.pick(from);
}

function checkTemplate({ text, columns, cells, fallback }: Input): string {
  const names = nameColumns(columns, columns.length);
  const template = readTemplate(text, names);
  const used = template.pieces.filter((piece) => typeof piece === 'number');
  must(
    used.every((index) => names[index] !== undefined),
    'a field of a column that is not there',
  );
  must(
    new Set(used).size === template.fields.length && used.every((each) => template.fields.includes(each)),
    'fields',
  );
  must(isWithin(exactFields(text, names), used), 'a field was left as it is');
  const onMissing =
    fallback === null ? { way: 'skip' as const } : { way: 'default' as const, value: fallback };
  const row = renderRow(template, cells, onMissing);
  checkParts(text);
  if (!row.ok) {
    must(fallback === null && isBlank(cells[row.missing] ?? ''), 'a cell that is there was called missing');
    return 'missing';
  }
  must(row.text === byHand(template.pieces, cells, fallback), 'rendered otherwise than by hand');
  checkParts(row.text);
  const name = readTemplateName(text);
  if (name !== null) must(readTemplateName(name) === name && readTemplateCall(`#${name}`) === name, 'name');
  return template.unknown.length > 0 ? 'unknown field' : 'rendered';
}

/** The fields that are written exactly as a column is named, found by going through the text sign by sign. */
function exactFields(text: string, names: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if ((sign === '{' || sign === '}') && text[at + 1] === sign) at += 1;
    else if (sign === '{') {
      const inner = /^[^{}]*(?=\})/u.exec(text.slice(at + 1))?.[0];
      if (inner === undefined) continue;
      const index = names.indexOf(inner);
      if (inner !== '' && index >= 0) found.push(index);
      at += inner.length + 1;
    }
  }
  return found;
}

function isWithin(some: readonly number[], all: readonly number[]): boolean {
  let at = 0;
  for (const each of all) if (each === some[at]) at += 1;
  return at === some.length;
}

function byHand(
  pieces: readonly (string | number)[],
  cells: readonly string[],
  fallback: string | null,
): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = cells[piece] ?? '';
      if (isBlank(value)) return fallback ?? '';
      return Array.from(value)
        .filter((each) => !/\p{Cc}/u.test(each) || '\0\t\n\r'.includes(each))
        .join('');
    })
    .join('');
}

// GSM 03.38 once more: the basic set, and the set behind the escape.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const WIDTHS = new Map([
  ...Array.from(GSM_BASIC, (each): [string, number] => [each, 1]),
  ...Array.from('^{}\\[~]|€\f', (each): [string, number] => [each, 2]),
]);

function checkParts(text: string): void {
  const { encoding, parts, units, unitsLeft, characters } = measureMessage(text);
  const widths = Array.from(text, (each) => WIDTHS.get(each) ?? 0);
  const isGsm = !widths.includes(0);
  must(encoding === (isGsm ? 'gsm7' : 'ucs2') && characters === text.length, `called ${encoding}`);
  const [single, several] = isGsm ? [160, 153] : [70, 67];
  const sizes = isGsm ? widths : Array.from(text, (each) => each.length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  let [filled, expected] = [0, sum === 0 ? 0 : 1];
  for (const size of sizes) {
    if (sum > single && filled + size > several) [filled, expected] = [0, expected + 1];
    filled += size;
  }
  must(
    units === sum && parts === expected,
    `${parts} parts of ${units} units instead of ${expected} of ${sum}`,
  );
  must(unitsLeft === (sum > single ? several : single) - filled, `${unitsLeft} units left`);
  const check = checkMessage(text);
  const isFit =
    text.length <= MESSAGE_CHARACTERS && text.isWellFormed() && !text.includes('\0') && !isBlank(text);
  must(check.ok === isFit, 'a text was let through, or refused, that should not be');
}
