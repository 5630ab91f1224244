import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countParts } from './parts.ts';

test.each([
  ['a'.repeat(160), 'gsm7', 1],
  ['a'.repeat(161), 'gsm7', 2],
  ['a'.repeat(306), 'gsm7', 2],
  ['a'.repeat(307), 'gsm7', 3],
  ['€'.repeat(80), 'gsm7', 1],
  ['€'.repeat(81), 'gsm7', 2],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm7', 3],
  [`${'a'.repeat(151)}€${'a'.repeat(153)}`, 'gsm7', 2],
  ['س'.repeat(70), 'ucs2', 1],
  ['س'.repeat(71), 'ucs2', 2],
  ['س'.repeat(134), 'ucs2', 2],
  ['س'.repeat(135), 'ucs2', 3],
  [`${'a'.repeat(100)}س`, 'ucs2', 2],
  ['😀'.repeat(35), 'ucs2', 1],
  ['😀'.repeat(67), 'ucs2', 3],
  ['می\u200Cروم\n', 'ucs2', 1],
  ['line\nline', 'gsm7', 1],
])('text %# is %s × %i', (text, encoding, parts) => {
  expect(countParts(text)).toEqual({ encoding, parts });
});

test('texts of one-place characters take exactly the standard number of parts', () => {
  fc.assert(
    fc.property(fc.constantFrom('a', 'س'), fc.integer({ min: 1, max: 900 }), (char, length) => {
      const [single, joined] = char === 'a' ? [160, 153] : [70, 67];
      const expected = length <= single ? 1 : Math.ceil(length / joined);
      expect(countParts(char.repeat(length)).parts).toBe(expected);
    }),
  );
});

test('no part is ever filled beyond its size, and none is left half empty', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'س', '😀'), { minLength: 1, maxLength: 900 }), (chars) => {
      const text = ['س', ...chars].join('');
      const { parts } = countParts(text);
      expect(parts * 70).toBeGreaterThanOrEqual(text.length);
      expect((parts - 1) * 66).toBeLessThan(text.length);
    }),
  );
});
