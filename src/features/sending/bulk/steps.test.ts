import { describe, expect, it } from 'vitest';
import { newBulk, type Bulk } from '../../../domain/bulk.ts';
import { choosePhone, chooseMissing, findColumn, flipHeader, showColumns, useColumns } from './steps.ts';

const REVIEWED: Bulk = {
  ...newBulk({ name: 'people.csv', reference: 'x' }),
  step: 'review',
  rows: 3,
  done: 3,
  hasHeader: true,
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

describe('a step of a file', () => {
  it('asks for the text only where there is none that fits the columns', () => {
    expect(useColumns(REVIEWED, '')).toMatchObject({ step: 'text', summary: null });
    expect(useColumns(REVIEWED, 'Hello {nobody}')).toMatchObject({ step: 'text', summary: null });
    expect(useColumns(REVIEWED, 'Hello {name} {3}')).toMatchObject({
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

  it('takes the names from the first row, or gives them up', () => {
    const without = flipHeader(REVIEWED, ['mobile', 'name', 'city']);
    expect(without).toMatchObject({
      hasHeader: false,
      columns: ['', '', ''],
      numbers: null,
      step: 'columns',
    });
    expect(flipHeader(without, ['mobile', 'name'])).toMatchObject({
      hasHeader: true,
      columns: ['mobile', 'name', ''],
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
])('the column %j is %j', (typed, index) => {
  expect(findColumn(REVIEWED, typed)).toBe(index);
});
