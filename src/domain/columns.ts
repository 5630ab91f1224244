import { readCellNumber } from './cell-number.ts';
import { foldColumnName } from './column-name.ts';
import { isBlank } from './message.ts';
import { normalizeDigits } from './phone-tokens.ts';

/** What the first rows of a file tell of its columns. */
export interface FileColumns {
  /** Rows from the top to the one that names the columns, titles above it among them: these are no records. 0: none names them. */
  readonly header: number;
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

/**
 * Reads the columns from the first rows of a file, its very first among them, without the empty ones. Total: any rows
 * will do.
 */
export function readColumns(sample: Rows): FileColumns {
  const width = sample.reduce((widest, row) => Math.max(widest, row.length), 0);
  const columns = Array.from({ length: width }, (_, index) => weigh(sample, index));
  const [phone, ...others] = byLikeness(columns);
  const header = headerOf(sample, phone?.index ?? null);
  return {
    header,
    names: nameColumns(sample[header - 1] ?? [], width),
    phone: phone?.index ?? null,
    certainty: phone === undefined ? 'unsure' : certaintyOf(sample.slice(header), phone, others),
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
  /** How plainly a row above the records says that it is of phones. */
  readonly heading: number;
}

function weigh(sample: Rows, index: number): Column {
  const numbers = sample.reduce((sum, row) => sum + likeness(row[index] ?? ''), 0);
  const headings = aboveRecords(sample, index).map(({ row }) => headingRank(row[index] ?? ''));
  return { index, numbers, heading: Math.max(0, ...headings) };
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
    .filter(({ numbers, heading }) => numbers > 0 || heading > 0)
    .toSorted(
      (left, right) =>
        isNear(right) - isNear(left) || right.heading - left.heading || right.numbers - left.numbers,
    );
}

function certaintyOf(records: Rows, phone: Column, others: readonly Column[]): FileColumns['certainty'] {
  const filled = records.filter((row) => !isBlank(row[phone.index] ?? '')).length;
  const share = phone.numbers / Math.max(1, filled);
  const rival = others.find(({ numbers }) => numbers >= phone.numbers * NEAR);
  if (share >= 0.8 && others.every(({ numbers }) => numbers <= phone.numbers * FAR)) return 'sure';
  return share >= 0.5 && (rival === undefined || rival.heading < phone.heading) ? 'likely' : 'unsure';
}

const NEAR = 0.5;
const FAR = 0.2;

/** A header lies no deeper: what stands below so many rows is a file of words. */
const HEADER_ROWS = 20;

interface Above {
  /** Its place in the file, from 1. */
  readonly place: number;
  readonly row: readonly string[];
}

/**
 * The rows above the first one with a number in that column, or with anything but words where it has none. A title, which
 * fills one cell, is none of them where another row fills more.
 */
function aboveRecords(sample: Rows, phone: number | null): Above[] {
  const top = sample.slice(0, HEADER_ROWS);
  const number = phone === null ? -1 : sample.findIndex((row) => likeness(row[phone] ?? '') > 0);
  const end = number >= 0 ? number : top.findIndex((row) => row.some(isFigure));
  const above = top.slice(0, end < 0 ? top.length : end).map((row, at): Above => ({ place: at + 1, row }));
  const most = Math.max(0, ...above.map(({ row }) => filledIn(row)));
  return above.filter(({ row }) => most < 2 || filledIn(row) > 1);
}

/**
 * How many rows there are down to the one with the names. Of several rows of words above the first number it is the one that
 * names the column of the numbers most plainly, then the one that names most columns: below it may be a record whose number
 * is missing.
 */
function headerOf(sample: Rows, phone: number | null): number {
  const [only, ...more] = sample;
  // Words alone, and nothing below them.
  if (only !== undefined && more.length === 0 && filledIn(only) > 0 && only.every(isWords)) return 1;
  const rank = ({ row }: Above): number => (phone === null ? 0 : headingRank(row[phone] ?? ''));
  const [best] = aboveRecords(sample, phone)
    .filter((each) => namesColumns(each, sample.slice(each.place), phone))
    .toSorted(
      (left, right) =>
        rank(right) - rank(left) ||
        filledIn(right.row) - filledIn(left.row) ||
        // Names in two languages: the lower ones stand right above the records.
        (rank(left) > 0 ? right.place - left.place : 0),
    );
  return best?.place ?? 0;
}

/** Whether a row names the columns of those below it. A number in it, even a broken one, makes it a record. */
function namesColumns({ row }: Above, below: Rows, phone: number | null): boolean {
  const top = phone === null ? '' : (row[phone] ?? '');
  if (!isBlank(top)) return headingRank(top) > 0 || (LETTER.test(top) && row.every(isWords));
  // The column of the numbers has no name: the others tell, where they name what has digits in the rows below.
  return (
    row.every((cell) => digitsIn(cell) === 0) &&
    row.some((cell, index) => !isBlank(cell) && below.some((each) => digitsIn(each[index] ?? '') > 0))
  );
}

function filledIn(row: readonly string[]): number {
  return row.filter((cell) => !isBlank(cell)).length;
}

/** Nothing, a sign, or something with letters that is no number of a phone. */
function isWords(cell: string): boolean {
  return !isFigure(cell) && likeness(cell) === 0 && digitsIn(cell) < 5;
}

/** Digits without a letter. */
function isFigure(cell: string): boolean {
  return digitsIn(cell) > 0 && !LETTER.test(cell);
}

const LETTER = /\p{L}/u;

function digitsIn(cell: string): number {
  return normalizeDigits(cell).replaceAll(/\D/gu, '').length;
}

/** 2: it says mobile; 1: it says phone or number; 0: neither. Whole words only: `tel` is not in `hotel`. */
function headingRank(cell: string): number {
  const words = cell
    .slice(0, 200)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}]/u)
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
    .toWellFormed()
    .replaceAll(/[[\p{Cc}\p{Cf}\{\}]--[\s\u200c\u200d]]/gv, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return Array.from(name).slice(0, LONGEST_NAME).join('').trim();
}

/** The first of several that are alike keeps its name; the others get a number that no name has. What cannot be read is none. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names.map(foldColumnName));
  const used = new Map<string, number>();
  return names.map((name) => {
    const folded = foldColumnName(name);
    if (folded === '') return '';
    let count = (used.get(folded) ?? 0) + 1;
    const unlike = (): string => (count === 1 ? name : `${name} ${count}`);
    while (count > 1 && taken.has(foldColumnName(unlike()))) count += 1;
    used.set(folded, count);
    taken.add(foldColumnName(unlike()));
    return unlike();
  });
}
