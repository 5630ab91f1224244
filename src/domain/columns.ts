import { readCellNumber } from './cell-number.ts';
import { foldColumnName } from './column-name.ts';
import { isBlank } from './message.ts';
import { normalizeDigits } from './phone-tokens.ts';

/** What the first rows of a file tell of its columns. */
export interface FileColumns {
  /** The first row is no record: it names the columns. */
  readonly hasHeader: boolean;
  /** One for each column of the widest row: no two alike, '' where the file gives none. */
  readonly names: readonly string[];
  /** The column of the phone numbers; null where none looks like it. */
  readonly phone: number | null;
  /**
   * `sure`: nearly every cell of it is a mobile number, and no other column comes near; `likely`: most are, more than in others;
   * `unsure`: for a person to decide, because two columns are as good, few cells are numbers, or nothing but a name says so.
   */
  readonly certainty: 'sure' | 'likely' | 'unsure';
}

type Rows = readonly (readonly string[])[];

/** Reads the columns from the first rows of a file, its very first among them. Total: any rows will do. */
export function readColumns(sample: Rows): FileColumns {
  const [first = []] = sample;
  const width = sample.reduce((widest, row) => Math.max(widest, row.length), 0);
  const columns = Array.from({ length: width }, (_, index) => weigh(sample, index));
  const [phone, ...others] = byLikeness(columns);
  const hasHeader = isHeader(sample, phone?.index ?? null);
  return {
    hasHeader,
    names: nameColumns(hasHeader ? first : [], width),
    phone: phone?.index ?? null,
    certainty: phone === undefined ? 'unsure' : certaintyOf(phone, others, hasHeader),
  };
}

/** The names that a header gives to so many columns: no two alike, '' where it gives none. */
export function nameColumns(header: readonly string[], width: number): string[] {
  return distinct(Array.from({ length: width }, (_, index) => nameOf(header[index] ?? '')));
}

interface Column {
  readonly index: number;
  /** Cells with a number; one of which a spreadsheet has spoiled counts half. */
  readonly numbers: number;
  readonly filled: number;
  readonly heading: number;
}

function weigh(sample: Rows, index: number): Column {
  let numbers = 0;
  let filled = 0;
  for (const row of sample) {
    const cell = row[index] ?? '';
    numbers += likeness(cell);
    if (!isBlank(cell)) filled += 1;
  }
  return { index, numbers, filled, heading: headingRank(sample[0]?.[index] ?? '') };
}

function likeness(cell: string): number {
  const read = readCellNumber(cell);
  if (read.ok || read.reason === 'several_numbers') return 1;
  return read.reason === 'digits_lost' ? 0.5 : 0;
}

/** Those that can be of phone numbers, the likeliest first. A name decides only between columns that are nearly as good. */
function byLikeness(columns: readonly Column[]): Column[] {
  const most = Math.max(0, ...columns.map(({ numbers }) => numbers));
  const isNear = ({ numbers }: Column): number => (numbers >= most * NEAR ? 1 : 0);
  return columns
    .filter(({ numbers, heading }) => numbers > 0 || (most === 0 && heading > 0))
    .toSorted(
      (left, right) =>
        isNear(right) - isNear(left) ||
        right.heading * isNear(right) - left.heading * isNear(left) ||
        right.numbers - left.numbers ||
        left.index - right.index,
    );
}

function certaintyOf(phone: Column, others: readonly Column[], hasHeader: boolean): FileColumns['certainty'] {
  const share = phone.numbers / Math.max(1, phone.filled - (hasHeader ? 1 : 0));
  const rival = others.find(({ numbers }) => numbers > 0 && numbers >= phone.numbers * NEAR);
  if (share >= 0.8 && others.every(({ numbers }) => numbers <= phone.numbers * FAR)) return 'sure';
  return share >= 0.5 && (rival === undefined || rival.heading < phone.heading) ? 'likely' : 'unsure';
}

const NEAR = 0.5;
const FAR = 0.2;

/** Whether the first row names the columns. A number in it, even a broken one, makes it a record. */
function isHeader([first = [], ...rest]: Rows, phone: number | null): boolean {
  const top = phone === null ? '' : (first[phone] ?? '');
  if (!isBlank(top)) return headingRank(top) > 0 || (likeness(top) === 0 && digitsIn(top) < 5);
  // The column of the numbers has no name: the others tell, where they name what has digits in the rows below.
  return (
    first.every((cell) => digitsIn(cell) === 0) &&
    first.some((cell, index) => !isBlank(cell) && rest.some((row) => digitsIn(row[index] ?? '') > 0))
  );
}

function digitsIn(cell: string): number {
  return normalizeDigits(cell).replaceAll(/\D/gu, '').length;
}

/** 2: it says mobile; 1: it says phone or number; 0: neither. Whole words only: `tel` is not in `hotel`. */
function headingRank(cell: string): number {
  const words = cell
    .slice(0, 200)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}]+/u)
    .map(foldColumnName);
  if (words.some((word) => MOBILE_WORDS.has(word))) return 2;
  return words.some((word) => PHONE_WORDS.has(word)) ? 1 : 0;
}

const MOBILE_WORDS = new Set([
  'موبایل',
  'همراه',
  'mobile',
  'mobiles',
  'mobileno',
  'mobilenumber',
  'cell',
  'cellphone',
  'gsm',
  'msisdn',
]);
const PHONE_WORDS = new Set([
  'تلفن',
  'شماره',
  'phone',
  'phones',
  'phoneno',
  'phonenumber',
  'telephone',
  'tel',
]);

const LONGEST_NAME = 40;

/** In one line, without braces, which would end a field, and without what cannot be seen; joiners stay. */
function nameOf(cell: string): string {
  const name = cell
    .slice(0, 1000)
    .toWellFormed()
    .replaceAll(/[[\p{Cc}\p{Cf}\{\}]--[\s\u200c\u200d]]/gv, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const clipped = Array.from(name).slice(0, LONGEST_NAME).join('').trim();
  return foldColumnName(clipped) === '' ? '' : clipped;
}

/** The first of several that are alike keeps its name; the others get a number that no name has. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names.map(foldColumnName));
  const used = new Map<string, number>();
  return names.map((name) => {
    const folded = foldColumnName(name);
    let count = (used.get(folded) ?? 0) + 1;
    const unlike = (): string => (count === 1 ? name : `${name} ${count}`);
    while (folded !== '' && count > 1 && taken.has(foldColumnName(unlike()))) count += 1;
    used.set(folded, count);
    taken.add(foldColumnName(unlike()));
    return folded === '' ? '' : unlike();
  });
}
