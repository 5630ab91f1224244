import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readValues } from './index.ts';

describe('the values of a pattern', () => {
  test.each<[string, Record<string, string>]>([
    ['code=1234', { code: '1234' }],
    ['Code=1 code=2', { Code: '1', code: '2' }],
    ['name="Sara Ahmadi" order=۴۸۲۱', { name: 'Sara Ahmadi', order: '۴۸۲۱' }],
    ['name=“Sara Ahmadi” city=«تهران بزرگ»', { name: 'Sara Ahmadi', city: 'تهران بزرگ' }],
    ['url=https://x.example/?a=b&c=d', { url: 'https://x.example/?a=b&c=d' }],
    ['a=1\nb=2\t c=3', { a: '1', b: '2', c: '3' }],
    ['نام=سارا', { نام: 'سارا' }],
    ['-', {}],
    ['', {}],
  ])('are read from %j', (typed, values) => {
    expect(readValues(typed)).toEqual(values);
  });

  test.each([
    ['a name without a value', 'code'],
    ['a value without a name', '=1'],
    ['an empty value', 'code='],
    ['an empty value in quotes', 'code="" x=1'],
    ['a name twice', 'a=1 a=2'],
    ['a name that no object keeps', '__proto__=1'],
    ['a word that is no pair', 'a=1 b'],
    ['something behind the quotes', 'a="x"y'],
    ['quotes that are not closed', 'name="Sara'],
    ['too long a value', `a=${'x'.repeat(901)}`],
    ['half a character', 'a=\ud83d'],
  ])('are refused as a whole for %s', (_what, typed) => {
    expect(readValues(typed)).toBeNull();
  });

  test('come out as they went in, in quotes or without', () => {
    const name = fc.stringMatching(/^[A-Za-z_\u0627-\u06cc][A-Za-z0-9_]{0,12}$/);
    const word = fc.string({
      unit: fc.constantFrom('a', '9', 'ی', '=', '-', ';', ',', '😀'),
      minLength: 1,
      maxLength: 20,
    });
    const several = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, several), { selector: ([key]) => key, maxLength: 8 }),
        (pairs) => {
          const typed = pairs.map(([key, value]) =>
            value.includes(' ') ? `${key}="${value}"` : `${key}=${value}`,
          );
          expect(readValues(typed.join('  '))).toEqual(Object.fromEntries(pairs));
        },
      ),
    );
  });

  test('never make anything up, and never take long', () => {
    const piece = fc.constantFrom('a', '=', '"', '“', '”', '«', '»', ' ', '\n', 'b=', 'x="', '-', '\u0000');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const typed = pieces.join('');
        const values = readValues(typed);
        for (const [name, value] of Object.entries(values ?? {})) {
          expect(typed).toContain(`${name}=`);
          expect(typed).toContain(value);
        }
      }),
      { numRuns: 500 },
    );
  });
});
