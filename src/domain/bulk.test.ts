import { describe, expect, test } from 'vitest';
import {
  fieldName,
  headOf,
  newBulk,
  recordCount,
  recounted,
  SKIP_REASONS,
  skippedRows,
  type SourceRow,
} from './bulk.ts';

const FILE = { name: 'a.csv', reference: 'r' };

describe('a file that is to be sent to', () => {
  test('has nothing that was read before it is read', () => {
    expect(newBulk(FILE)).toEqual({
      kind: 'bulk',
      step: 'reading',
      problem: null,
      file: { ...FILE, sheet: null },
      rows: 0,
      done: 0,
      header: 0,
      columns: [],
      head: [],
      phone: null,
      certainty: 'unsure',
      numbers: null,
      decided: null,
      onMissing: { way: 'skip' },
      summary: null,
      keep: null,
    });
  });

  test('keeps what is known of its numbers while its texts are counted again, and not when its column is another', () => {
    const known = { ...newBulk(FILE), done: 5, numbers: { good: 1, repeated: 0, invalid: 0 } };
    expect(recounted(known, 'counting')).toEqual({ ...known, step: 'counting', done: 0, summary: null });
    expect(recounted(known, 'columns').numbers).toBeNull();
  });

  test('has as many records as rows below its header', () => {
    expect([recordCount({ rows: 9, header: 2 }), recordCount({ rows: 1, header: 2 })]).toEqual([7, 0]);
  });

  test('shows its header and the three rows below it, not all of a wide or a long one', () => {
    const rows = Array.from({ length: 9 }, (_, at): SourceRow => [at + 1, ['x'.repeat(50), '']]);
    const shown = (header: number) => headOf(rows, header).map(([number]) => number);
    expect([shown(0), shown(1), shown(3)]).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
      [3, 4, 5, 6],
    ]);
    expect(headOf([[1, [`${'x'.repeat(39)}😀`, ...Array<string>(40).fill('y')]]], 1)).toEqual([
      [1, [`${'x'.repeat(39)}\ufffd`, ...Array<string>(29).fill('y')]],
    ]);
  });

  test('calls a column by its name, or by its place from 1', () => {
    const columns = ['name', ''];
    expect([0, 1, 2].map((index) => fieldName({ columns }, index))).toEqual(['name', '2', '3']);
  });

  test('counts each row that is left out in one group', () => {
    const skipped = SKIP_REASONS.map((reason, at) => ({ reason, rows: 2 ** at }));
    const group = (...names: (typeof SKIP_REASONS)[number][]) =>
      names.reduce((sum, name) => sum + 2 ** SKIP_REASONS.indexOf(name), 0);
    expect(skippedRows({ skipped }, 'repeated')).toBe(group('repeated'));
    expect(skippedRows({ skipped }, 'blocked')).toBe(group('blocked'));
    expect(skippedRows({ skipped }, 'missing')).toBe(group('missing'));
    expect(skippedRows({ skipped }, 'unfit')).toBe(
      group('no_text', 'text_too_long', 'broken_text', 'comma', 'address'),
    );
    expect(skippedRows({ skipped }, 'invalid')).toBe(
      group(
        'no_number',
        'not_a_number',
        'not_mobile',
        'several_numbers',
        'digits_lost',
        'too_short',
        'too_long',
      ),
    );
    expect(skippedRows({ skipped })).toBe(2 ** SKIP_REASONS.length - 1);
  });
});
