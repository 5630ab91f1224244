import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellingsOf } from './secret-spellings.ts';

const KEY = `Aé"\\<'&> /~😀`;
const BYTES = [65, 195, 169, 34, 92, 60, 39, 38, 62, 32, 47, 126, 240, 159, 152, 128];
const HEX = '41c3a9225c3c27263e202f7ef09f9880';

test.each([
  ['as it is', KEY],
  ['backwards', `😀~/ >&'<\\"éA`],
  ['in capitals', `AÉ"\\<'&> /~😀`],
  ['in small letters', `aé"\\<'&> /~😀`],
  ['in JSON', String.raw`Aé\"\\<'&> /~😀`],
  ['in JSON in JSON', String.raw`Aé\\\"\\\\<'&> /~😀`],
  ['in JSON in JSON in JSON', String.raw`Aé\\\\\\\"\\\\\\\\<'&> /~😀`],
  ['in HTML', `Aé"\\&lt;'&amp;&gt; /~😀`],
  ['in HTML between double quotes', `Aé&quot;\\&lt;'&amp;&gt; /~😀`],
  ['in HTML between any quotes', `Aé&quot;\\&lt;&#39;&amp;&gt; /~😀`],
  ['in HTML between any quotes, in hex', `Aé&quot;\\&lt;&#x27;&amp;&gt; /~😀`],
  ['in HTML by numbers', '&#65;&#233;&#34;&#92;&#60;&#39;&#38;&#62;&#32;&#47;&#126;&#128512;'],
  [
    'in HTML by numbers in hex',
    '&#x41;&#xe9;&#x22;&#x5c;&#x3c;&#x27;&#x26;&#x3e;&#x20;&#x2f;&#x7e;&#x1f600;',
  ],
  ['in an address', `A%C3%A9%22%5C%3C'%26%3E%20%2F~%F0%9F%98%80`],
  ['in an address, in small letters', `A%c3%a9%22%5c%3c'%26%3e%20%2f~%f0%9f%98%80`],
  ['in an address in an address', `A%25C3%25A9%2522%255C%253C'%2526%253E%2520%252F~%25F0%259F%2598%2580`],
  ['in a form', 'A%C3%A9%22%5C%3C%27%26%3E+%2F%7E%F0%9F%98%80'],
  ['as a whole address', `A%C3%A9%22%5C%3C'&%3E%20/~%F0%9F%98%80`],
  ['in hex', HEX],
  ['in hex, in capitals', HEX.toUpperCase()],
  ['in hex, apart', HEX.replaceAll(/..(?!$)/gu, '$& ')],
  ['in hex, by colons', HEX.replaceAll(/..(?!$)/gu, '$&:')],
  ['in UTF-16, in hex', '4100e90022005c003c00270026003e0020002f007e003dd800de'],
  ['in bytes', BYTES.join(',')],
  ['as a buffer in JSON', JSON.stringify(Object.assign({}, BYTES)).slice(1, -1)],
])('a secret is known %s', (_, written) => {
  expect(spellingsOf(KEY)).toContain(written);
});

test('a byte has two digits in hex, however small it is', () => {
  expect(spellingsOf('a\nb')).toContain('610a62');
});

const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\ud800', '?', '~', 'ÿ', '>', 'a', '%'), maxLength: 20 }),
);

test('a secret is known wherever it stands in something that was written in base64', () => {
  fc.assert(
    fc.property(
      value,
      fc.constantFrom('utf8', 'utf16le'),
      fc.uint8Array({ maxLength: 4 }),
      fc.uint8Array({ maxLength: 4 }),
      (secret, encoding, before, behind) => {
        const whole = Buffer.concat([before, Buffer.from(secret, encoding), behind]);
        const spellings = spellingsOf(secret);
        const long = spellings.filter(
          (each) => each.length * 6 >= (Buffer.from(secret, encoding).length - 1) * 8,
        );
        for (const written of [whole.toString('base64'), whole.toString('base64url')])
          expect(long.some((each) => written.includes(each))).toBe(true);
      },
    ),
  );
});

test('a secret that was written in base64 by itself is known to its end', () => {
  fc.assert(
    fc.property(value, (secret) => {
      const bytes = Buffer.from(secret);
      const [padded, url] = [bytes.toString('base64'), bytes.toString('base64url')];
      const bare = padded.replaceAll('=', '');
      expect(spellingsOf(secret)).toEqual(expect.arrayContaining([padded, bare, url]));
    }),
  );
});

test('a secret has each of its spellings once', () => {
  fc.assert(
    fc.property(value, (secret) => {
      const spellings = spellingsOf(secret);
      expect(new Set(spellings).size).toBe(spellings.length);
    }),
  );
});
