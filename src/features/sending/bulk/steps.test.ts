import { describe, expect, it } from 'vitest';
import { newBulk, type Bulk, type SourceRow } from '../../../domain/bulk.ts';
import {
  chooseHeader,
  chooseMissing,
  choosePhone,
  findColumn,
  findHeader,
  namesRow,
  showColumns,
  useColumns,
} from './steps.ts';

const REVIEWED: Bulk = {
  ...newBulk({ name: 'people.csv', reference: 'x' }),
  step: 'review',
  rows: 3,
  done: 3,
  header: 1,
  columns: ['mobile', 'name', ''],
  phone: 0,
  certainty: 'sure',
  numbers: { good: 2, repeated: 0, invalid: 0 },
  summary: {
    recipients: 2,
    skipped: [],
    blockedIsKnown: true,
    missing: 0,
    lengths: [],
    personal: true,
    perCall: 100,
    digest: 'd',
  },
};

/** The second row of the file is empty. */
const TITLED: readonly SourceRow[] = [
  [1, ['Customers of March']],
  [3, ['mobile', 'name']],
  [4, ['09121234567', 'Sara']],
  [14, ['09121234567', 'Ali']],
];

describe('a step of a file', () => {
  it('asks for the text only where there is none that fits the columns', () => {
    expect(useColumns(REVIEWED, false)).toMatchObject({ step: 'text', summary: null });
    expect(useColumns(REVIEWED, true)).toMatchObject({
      step: 'counting',
      summary: null,
      done: 0,
    });
  });

  it('counts the numbers again where they may be others, and not where they are the same', () => {
    expect(choosePhone(REVIEWED, 1)).toMatchObject({
      step: 'columns',
      phone: 1,
      certainty: 'chosen',
      numbers: null,
    });
    expect(showColumns(REVIEWED)).toMatchObject({
      step: 'columns',
      numbers: REVIEWED.numbers,
      summary: null,
    });
    expect(chooseMissing(REVIEWED, { way: 'stop' })).toMatchObject({
      step: 'counting',
      onMissing: { way: 'stop' },
      numbers: REVIEWED.numbers,
    });
  });

  it('takes the names from the row that somebody means, or from none, and shows what is below it', () => {
    expect(chooseHeader(REVIEWED, TITLED, 0)).toMatchObject({
      header: 0,
      columns: ['', '', ''],
      head: TITLED.slice(0, 3),
      numbers: null,
      step: 'columns',
    });
    expect(chooseHeader(REVIEWED, TITLED, 2)).toMatchObject({
      header: 2,
      columns: ['mobile', 'name', ''],
      head: TITLED.slice(1),
    });
  });
});

it.each([
  ['Name ', 1],
  ['MOBILE', 0],
  ['۲', 1],
  ['3', 2],
  ['4', null],
  ['0', null],
  ['nobody', null],
  ['', null],
  [' 2 ', 1],
  ['x2', null],
  ['2x', null],
])('the column %j is %j', (typed, index) => {
  expect(findColumn(REVIEWED, typed)).toBe(index);
});

it('the column of two digits is found too', () => {
  expect(findColumn({ columns: Array.from({ length: 12 }, () => '') }, '12')).toBe(11);
});

it.each([
  ['3', 2],
  ['row 3', 2],
  ['row 14', 4],
  ['names are in row 3', 2],
  ['The names are in row 3.', 2],
  ['ردیف ۳', 2],
  ['نام‌ها در ردیف ۳ است', 2],
  ['1', 1],
  ['0', 0],
  ['none', 0],
  ['هیچ‌کدام', 0],
  ['2', null],
  ['row 9', null],
  ['row 3 or 4', null],
  ['mobile', null],
  ['', null],
  [' none ', 0],
  ['none !', 0],
  ['No names.', 0],
  ['none of them', null],
  ['at none', null],
  ['xnone', null],
  ['nonesuch', null],
])('the row of the names that is meant by %j is the last of %j', (typed, header) => {
  expect(findHeader(TITLED, typed)).toBe(header);
});

it.each([
  ['names are in row 3', true],
  ['the names are in row 3 of the file', true],
  ['Row 3', true],
  ['نام‌ها در ردیف ۳ است', true],
  ['نام ستون‌ها توی سطر ۴', true],
  ['row 12', true],
  ['row3', true],
  ['row  no. 3', true],
  ['row no 3', true],
  ['row no3', true],
  ['row number  3', true],
  ['rowing 3', false],
  ['row noon3', false],
  [`${'a'.repeat(31)} row 3`, false],
  ['3', false],
  ['tomorrow 3', false],
  ['arrow 3', false],
  ['row 3 09121234567', false],
  ['Dear {name}, your seat is in row 3 of the hall, see you at the door', false],
])('whether %j says in which row the names are: %j', (words, said) => {
  expect(namesRow(words)).toBe(said);
});
