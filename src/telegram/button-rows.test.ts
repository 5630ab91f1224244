import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fits, fittingRows } from './button-rows.ts';

const named = (row: readonly string[]) => row.map((label) => ({ label }));
const parted = (...row: string[]): string[][] =>
  fittingRows([named(row)]).map((each) => each.map(({ label }) => label));

test('short labels stay beside each other', () => {
  for (const row of [
    ['✏️ Edit', '🕐 Time', '🗑 Cancel'],
    ['🕐 زمان', '✏️ متن', '📞 خط'],
    ['▶ ارسال بقیه', '⬇ فایل مانده‌ها'],
    ['◀', '2 / 3', '▶'],
  ])
    expect(parted(...row)).toEqual([row]);
});

test('those that would wrap get rows of their own, in their order', () => {
  expect(parted('✅ Approve 2 · 2 parts', '❌ Reject')).toEqual([['✅ Approve 2 · 2 parts'], ['❌ Reject']]);
  expect(parted('📱 ستون دیگر', '☝ ردیف نخست داده است')).toEqual([
    ['📱 ستون دیگر'],
    ['☝ ردیف نخست داده است'],
  ]);
  expect(parted('🕐 When', '📞 Line', '⚡ Flash: off')).toEqual([['🕐 When', '📞 Line'], ['⚡ Flash: off']]);
});

test('whatever there is, nothing is lost, and what shares a row fits', () => {
  const label = fc.oneof(fc.string({ maxLength: 64 }), fc.string({ unit: 'grapheme', maxLength: 30 }));
  fc.assert(
    fc.property(fc.array(fc.array(label, { maxLength: 8 }), { maxLength: 6 }), (rows) => {
      const made = fittingRows(rows.map(named));
      expect(made.flat()).toEqual(rows.flat().map((each) => ({ label: each })));
      for (const row of made) expect(row.length === 1 || fits(row)).toBe(true);
    }),
  );
});
