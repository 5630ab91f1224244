import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskNationalCode, parseNationalCode } from './national-code.ts';

/** Nine digits, and the one digit that makes a code of them. */
const code = fc.stringMatching(/^\d{9}$/).map((nine) => {
  const weighted = Array.from(nine, (digit, index) => Number(digit) * (10 - index));
  const rest = weighted.reduce((sum, part) => sum + part) % 11;
  return { nine, last: rest > 1 ? 11 - rest : rest };
});
const isOfOneDigit = ({ nine, last }: { nine: string; last: number }) => new Set(`${nine}${last}`).size === 1;

describe('a national code', () => {
  test.each(['0012345679', '0499370899', '0790419904', '0084575948', '0060495219'])('%s is one', (valid) => {
    expect(parseNationalCode(valid)).toBe(valid);
  });

  test.each([
    ['', 'nothing'],
    ['0012345678', 'another last digit'],
    ['0102345679', 'two digits that changed places'],
    ['012345679', 'nine digits'],
    ['00123456790', 'eleven digits'],
    ['001234567x', 'a letter'],
    ['0.12345679', 'a point'],
    ['-0012345679e0', 'a number, not a code'],
  ])('%j is none: %s', (invalid) => {
    expect(parseNationalCode(invalid)).toBe(null);
  });

  test('of ten equal digits is nobody’s', () => {
    for (let digit = 0; digit < 10; digit += 1) {
      expect(parseNationalCode(String(digit).repeat(10))).toBe(null);
    }
  });

  test('has exactly one last digit for any nine', () => {
    fc.assert(
      fc.property(code, ({ nine, last }) => {
        const taken = Array.from({ length: 10 }, (_, digit) => parseNationalCode(`${nine}${digit}`)).filter(
          (each) => each !== null,
        );
        expect(taken).toEqual(isOfOneDigit({ nine, last }) ? [] : [`${nine}${last}`]);
      }),
    );
  });

  test('with any one digit mistyped is none, where its last digit does not stand for two rests', () => {
    fc.assert(
      fc.property(
        code.filter(({ last }) => last !== 1),
        fc.nat(9),
        fc.integer({ min: 1, max: 9 }),
        ({ nine, last }, at, by) => {
          const right = `${nine}${last}`;
          const wrong = (Number(right.charAt(at)) + by) % 10;
          expect(parseNationalCode(`${right.slice(0, at)}${wrong}${right.slice(at + 1)}`)).toBe(null);
        },
      ),
    );
  });

  test('is read in Persian and Arabic digits, with spaces, dashes and invisible marks', () => {
    const scripts = ['0123456789', '۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩'];
    fc.assert(
      fc.property(
        code.filter((each) => !isOfOneDigit(each)),
        fc.constantFrom(...scripts),
        fc.array(fc.constantFrom('', '', ' ', '-', '–', '\u200f', '\u2066'), {
          minLength: 10,
          maxLength: 10,
        }),
        ({ nine, last }, script, between) => {
          const right = `${nine}${last}`;
          const typed = Array.from(
            right,
            (digit, index) => `${script.charAt(Number(digit))}${between[index] ?? ''}`,
          ).join('');
          expect(parseNationalCode(typed)).toBe(right);
        },
      ),
    );
  });

  test('is shown by its last three digits', () => {
    expect(maskNationalCode('0012345679')).toBe('•••••••679');
  });
});
