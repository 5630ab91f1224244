import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCellNumber } from './cell-number.ts';
import { displayRecipient, normalizeDigits, parseRecipients } from './phone.ts';

const A = '989121234567';

const persian = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)));
const arabic = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** A number and the ways in which files write it. */
function written(): fc.Arbitrary<{ recipient: string; cell: string }> {
  const tail = fc.stringMatching(/^\d{9}$/);
  const prefix = fc.constantFrom('', '0', '98', '+98', '0098', '+98 ', '0098-', 'tel:+98', "'0", "'");
  const dress = fc.constantFrom<(cell: string) => string>(
    (cell) => cell,
    (cell) => ` ${cell}\t`,
    (cell) => `\u202a${cell}\u202c`,
    (cell) => `\ufeff${cell}\u00a0`,
    (cell) => persian(cell),
    (cell) => arabic(cell),
    (cell) => cell.replace(/(\d{3})(\d{4})$/, ' $1 $2'),
    (cell) => cell.replace(/(\d{3})(\d{4})$/, '-$1-$2'),
    (cell) => cell.replace(/(\d{4})$/, '\u200c$1'),
  );
  return fc.tuple(tail, prefix, dress).map(([digits, before, dressed]) => ({
    recipient: `989${digits}`,
    cell: dressed(`${before}9${digits}`),
  }));
}

/** What stands in a cell that nobody has looked at. */
function anyCell(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    '0',
    '9',
    '98',
    '+',
    '00',
    '912',
    '1234567',
    '۰۹',
    '٩',
    '.',
    '.0',
    ',',
    '-',
    ' ',
    '/',
    '(',
    ')',
    "'",
    'tel:',
    'E+',
    'e',
    '="',
    '"',
    '\u200c',
    '\u202a',
    '\u00a0',
    '\n',
    ';',
    'x',
    'علی',
    '\ud83d',
    '\0',
  );
  return fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
    written().map(({ cell }) => cell),
  );
}

describe('the number in a cell', () => {
  test.each([
    '09121234567',
    '9121234567',
    '989121234567',
    '+989121234567',
    '00989121234567',
    '9809121234567',
    ' 0912 123 4567 ',
    '0912-123-4567',
    '(0912) 123-4567',
    '+98 (0) 912 123 4567',
    '۰۹۱۲۱۲۳۴۵۶۷',
    '٠٩١٢١٢٣٤٥٦٧',
    '9121234567.0',
    '989121234567.00',
    '9121234567٫0',
    "'09121234567",
    "''09121234567",
    "'''09121234567",
    '0912\n123\n4567',
    '’9121234567',
    '="09121234567"',
    'tel:+98-912-123-4567',
    '\u202a09121234567\u202c',
    '\u20660912\u200c1234567\u2069',
    '0912\u00a01234567',
    '0912\u202f123\u202f4567',
    '\ufeff09121234567',
    '0912\u20111234567',
    '＋989121234567',
    '9.121234567E+09',
    '9.121234567E9',
    '9.89121234567E+11',
    '9.89121234567e11',
    '۹٫۱۲۱۲۳۴۵۶۷E+۰۹',
    '9.1212345670000E+09',
    '9,121,234,567',
    '989,121,234,567',
    '9121234567\r\n',
  ])('is read from %j', (cell) => {
    expect(readCellNumber(cell)).toEqual({ ok: true, recipient: A });
  });

  test.each([
    ['', 'no_number'],
    ['  \u200c\u202c', 'no_number'],
    ["'", 'no_number'],
    ['9.12E+09', 'digits_lost'],
    ['9.12E9', 'digits_lost'],
    ['9E+09', 'digits_lost'],
    ['9.12123456E+09', 'digits_lost'],
    ['۹٫۱۲E+۰۹', 'digits_lost'],
    ['9.89121E+11', 'digits_lost'],
    ['9.89E+11', 'digits_lost'],
    ['9.9E+11', 'digits_lost'],
    ['1.23E+09', 'not_mobile'],
    ['9.7E+11', 'not_mobile'],
    ['1E400', 'not_mobile'],
    ['9.1212345678E+09', 'not_a_number'],
    ['2.188776655E+09', 'not_mobile'],
    ['9.89E+10', 'not_mobile'],
    ['19.121234567E+09', 'not_a_number'],
    ['9.121234567E+09x', 'not_a_number'],
    ['x9121234567.0', 'not_a_number'],
    ['x9,121,234,567', 'not_a_number'],
    ['9,121,234,567x', 'not_a_number'],
    ['="09121234567"1', 'not_a_number'],
    ["12'09121234567", 'not_a_number'],
    ['＋14155552671', 'not_mobile'],
    ['09121234567, 09351112233', 'several_numbers'],
    ['09121234567/09351112233', 'several_numbers'],
    ['09121234567 09351112233', 'several_numbers'],
    ['09121234567\n09351112233', 'several_numbers'],
    ['09121234567 09121234567', 'several_numbers'],
    ['09121234567 - 02188776655', 'several_numbers'],
    ['09121234567 ext 12', 'several_numbers'],
    ['0912123456', 'too_short'],
    ['0912123456.0', 'too_short'],
    ['110', 'too_short'],
    ['0912123456-7', 'not_a_number'],
    ['091212345678', 'too_long'],
    ['02188776655', 'not_mobile'],
    ['021 8877 6655', 'not_mobile'],
    ['+14155552671', 'not_mobile'],
    ['+', 'not_a_number'],
    ['12+989121234567', 'not_a_number'],
    ['++989121234567', 'not_a_number'],
    ['09121234567 Ali', 'not_a_number'],
    ['0912x', 'not_a_number'],
    ['علی', 'not_a_number'],
    ['=1+1', 'not_a_number'],
    ['9121234567.5', 'not_a_number'],
    ['9121234567E', 'not_a_number'],
    ['0x21FA9F5C7', 'not_a_number'],
    ['０９１２１２３４５６７', 'not_a_number'],
    ['\0', 'not_a_number'],
  ])('is not in %j: %s', (cell, reason) => {
    expect(readCellNumber(cell)).toEqual({ ok: false, reason });
  });

  test('is the same in every way of writing it', () => {
    fc.assert(
      fc.property(written(), ({ recipient, cell }) => {
        expect(readCellNumber(cell)).toEqual({ ok: true, recipient });
      }),
      { numRuns: 2000 },
    );
  });

  test('is read again from what was read, and from how it is shown', () => {
    fc.assert(
      fc.property(anyCell(), (cell) => {
        const read = readCellNumber(cell);
        if (!read.ok) return;
        expect(readCellNumber(read.recipient)).toEqual(read);
        expect(readCellNumber(displayRecipient(read.recipient))).toEqual(read);
      }),
      { numRuns: 2000 },
    );
  });

  test('has no digit that the cell has not, in the same order', () => {
    fc.assert(
      fc.property(anyCell(), (cell) => {
        const read = readCellNumber(cell);
        if (!read.ok) return;
        expect(read.recipient).toMatch(/^989\d{9}$/);
        expect(normalizeDigits(cell).replaceAll(/\D/g, '')).toContain(read.recipient.slice(2));
      }),
      { numRuns: 5000 },
    );
  });

  test('is the one that a list of this cell alone has', () => {
    fc.assert(
      fc.property(anyCell(), (cell) => {
        const { recipients, repeated, invalid } = parseRecipients(cell);
        if (recipients.length !== 1 || repeated.length + invalid.length > 0) return;
        expect(readCellNumber(cell)).toEqual({ ok: true, recipient: recipients[0] });
      }),
      { numRuns: 5000 },
    );
  });

  test('is in no cell with two, however they are written', () => {
    const between = fc.constantFrom(', ', ' / ', '/', '\n', ' ', '; ', ' و ', '-');
    fc.assert(
      fc.property(written(), written(), between, (one, other, separator) => {
        const read = readCellNumber(`${one.cell}${separator}${other.cell}`);
        expect(read.ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('is lost from scientific notation unless each of its digits is there', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), fc.integer({ min: 0, max: 9 }), (tail, kept) => {
        const read = readCellNumber(`9.${tail.slice(0, kept)}E+09`.replace('.E', 'E'));
        expect(read).toEqual(
          kept === 9 ? { ok: true, recipient: `989${tail}` } : { ok: false, reason: 'digits_lost' },
        );
      }),
      { numRuns: 500 },
    );
  });

  test('is looked for in any text without an exception', () => {
    const long = ['9'.repeat(100_000), '0912 '.repeat(20_000), '-'.repeat(100_000), `${' '.repeat(50_000)}x`];
    for (const cell of long) expect(readCellNumber(cell).ok).toBe(false);
    fc.assert(
      fc.property(anyCell(), (cell) => {
        const read = readCellNumber(cell);
        expect(read.ok || read.reason.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
