import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isolateAuto, stripBidi } from '../i18n/format.ts';
import { fits, fittingLabel, fittingRows } from './button-rows.ts';

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

describe('a label that is too long for a row of its own', () => {
  const short = (label: string): string => stripBidi(fittingLabel(label));

  test('keeps the words around the name in it, and both ends of the name', () => {
    const title = 'Customers of the northern branch in the autumn of 1404';
    expect(short(`📒 ${isolateAuto(title)} · 1,204 numbers`)).toBe('📒 Customers… of 1404 · 1,204 numbers');
    expect(short(`${isolateAuto('مشتریان شعبهٔ شمال تهران و حومه در پاییز ۱۴۰۴')} · ۱۲ شماره`)).toBe(
      'مشتریان شعبهٔ…ر پاییز ۱۴۰۴ · ۱۲ شماره',
    );
    expect(short(title)).toBe('Customers of the no…the autumn of 1404');
  });

  test('is as it was where it fits', () => {
    for (const label of ['✉️ Send an SMS', '✅ ارسال ۱۲ پیامک', `${isolateAuto('VIP')} · 2 numbers`])
      expect(fittingLabel(label)).toBe(label);
  });

  test('fits then, whatever it was, and is well formed', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(part, part, part, (before, name, after) => {
        const label = fittingLabel(`${before}${isolateAuto(name)}${after}`);
        expect(fits([{ label }])).toBe(true);
        expect(label.isWellFormed()).toBe(true);
        expect(fittingLabel(label)).toBe(label);
      }),
    );
  });
});
