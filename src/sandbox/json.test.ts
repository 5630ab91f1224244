import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from './json.ts';
import { readJson, writeJson } from './json.ts';

test('a 64-bit integer is written bare and read back with every digit', () => {
  const text = writeJson({ messageid: 9007199254740993n, list: [1n, { deep: 1152921504606846977n }] });
  expect(text).toBe('{"messageid":9007199254740993,"list":[1,{"deep":1152921504606846977}]}');
  expect(readJson(text)).toEqual({
    messageid: 9007199254740993n,
    list: [1, { deep: 1152921504606846977n }],
  });
});

test('members that are undefined are left out, and what is not finite becomes null', () => {
  expect(writeJson({ a: undefined, b: null, c: Infinity })).toBe('{"b":null,"c":null}');
});

test('any JSON that is read and written again is the text that it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(writeJson(z.custom<Json>().parse(readJson(text)))).toBe(text);
    }),
  );
});

test('integers of any size survive a round trip', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      expect(String(readJson(writeJson([id])))).toBe(String(id));
    }),
  );
});

test('raw control characters inside strings are read as what they are', () => {
  expect(readJson('{"message":"a\nb\tc\r\n\\"d\\\\",\n"x":1}')).toEqual({ message: 'a\nb\tc\r\n"d\\', x: 1 });
});

test('a byte order mark before the body is skipped', () => {
  expect(readJson('\uFEFF[]')).toEqual([]);
});

test.each(['', '{', '{"a":}', '{"a":"b"c"}', 'x=1&y=2', '"\\q"', '"open\n', `"${'\\"'.repeat(200_000)}`])(
  'what is not JSON is refused with a syntax error (case %#)',
  (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  },
);
