import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readJson, writeJson } from './json.ts';

const scalar = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '-0', '1e3', '-1.5E-7', '1e999', '01', '.5', '1.', '-'),
  fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String),
  fc.integer().map(String),
  fc.double().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"\\"',
    '"\\\\"',
    '"\\u06cC"',
    '"\\ud800"',
    '"\\x"',
    '"\n"',
    '"1234567890123456789"',
    '"{[:"',
  ),
);
const name = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"__proto__"', '"constructor"', '"7"', '""', 'a');
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r', '\u00A0', '\uFEFF');

/** JSON as others might write it: names stand twice, and not all of it is allowed. */
const { tree: written } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(space, name, space, tie('tree')), { maxLength: 4 })
      .map((members) => `{${members.map(([a, key, b, value]) => `${a}${key}${b}:${value}`).join(',')}}`),
  ),
}));
const anything = fc.oneof(
  written,
  fc.json(),
  fc.tuple(written, fc.nat(), fc.nat({ max: 2 })).map(([text, at, count]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + text.slice(from + count);
  }),
);

const LONG = 1_234_567_890_123_456_789n;

test('a document is read to the same whether or not a long number stands in it', () => {
  const seen = { value: 0, none: 0 };
  fc.assert(
    fc.property(anything, (text) => {
      const alone = readJson(Buffer.from(text));
      const beside = readJson(Buffer.from(`[${text.replace(/^\uFEFF/u, '')},${LONG}]`));
      const values: unknown = beside.ok ? beside.value : null;
      // What is no document can be the end of one list and the beginning of another.
      const isOne = Array.isArray(values) && values.length === 2 && values[1] === LONG;
      seen[alone.ok ? 'value' : 'none'] += 1;
      expect(alone.ok, text).toBe(isOne);
      if (alone.ok && isOne) expect(isDeepStrictEqual(alone.value, values[0]), text).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  expect(seen.value).toBeGreaterThan(500);
  expect(seen.none).toBeGreaterThan(500);
});

test('one name with two values is no document, however short its numbers are', () => {
  expect(readJson(Buffer.from('{"a":1,"a":2}'))).toEqual({ ok: false, reason: 'not_json' });
  for (const text of ['{"a":"b","a":1}', '{"a" :1,"a":2}', '{"a"\n:1,"a":2}'])
    expect(readJson(Buffer.from(text)), text).toEqual({ ok: false, reason: 'not_json' });
  expect(readJson(Buffer.from('{"a":[1],"a":[1]}'))).toEqual({ ok: true, value: { a: [1] } });
  expect(readJson(Buffer.from('[{"a":{"b":1,"\\u0062":2}}]'))).toEqual({ ok: false, reason: 'not_json' });
});

test('no integer loses a digit', () => {
  const text = '[9007199254740991,-9007199254740991,9007199254740992,9007199254740993,-9223372036854775808]';
  expect(readJson(Buffer.from(text))).toEqual({
    ok: true,
    value: [
      9_007_199_254_740_991,
      -9_007_199_254_740_991,
      9_007_199_254_740_992n,
      9_007_199_254_740_993n,
      -9_223_372_036_854_775_808n,
    ],
  });
});

const nested = (depth: number, within = ''): string => '['.repeat(depth) + within + ']'.repeat(depth);

test.each(['', `,${LONG}`])('a document may be 64 deep, and no deeper%s', (beside) => {
  const read = (within: string) => readJson(Buffer.from(`[${within}${beside}]`));
  expect(read(nested(63))).toMatchObject({ ok: true });
  expect(read(nested(64))).toEqual({ ok: false, reason: 'too_deep' });
  expect(read(`{"a":${nested(62)}}`)).toMatchObject({ ok: true });
  expect(read(`{"a":${nested(63)}}`)).toEqual({ ok: false, reason: 'too_deep' });
  // Neither what was closed nor what stands in a text goes deeper.
  expect(read(Array.from({ length: 100 }, () => '[{}]').join())).toMatchObject({ ok: true });
  for (const text of ['[', '{{', '\\"[', '\\\\'])
    expect(read(Array.from({ length: 300 }, () => `"${text}"`).join())).toMatchObject({ ok: true });
});

test.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['\uFEFF', 'empty'],
  ['{"a":1', 'not_json'],
  [`[${LONG}`, 'not_json'],
  [Buffer.from([0x22, 0xff, 0x22]), 'not_utf8'],
])('%j is no document for a reason: %s', (written, reason) => {
  expect(readJson(Buffer.from(written))).toEqual({ ok: false, reason });
});

test('an integer is kept as it is written up to 64 characters, and longer ones are a text', () => {
  for (const digits of [16, 17, 63]) {
    const value = 10n ** BigInt(digits) + 1n;
    expect(readJson(Buffer.from(`{"a":${value},"b":-${value},"c":${value}.5}`))).toEqual({
      ok: true,
      value: { a: value, b: digits < 63 ? -value : `-${value}`, c: Number(`${value}.5`) },
    });
  }
  expect(readJson(Buffer.from(`[${'9'.repeat(64)},${'9'.repeat(65)}]`))).toEqual({
    ok: true,
    value: [BigInt('9'.repeat(64)), '9'.repeat(65)],
  });
});

test('what is written has every digit', () => {
  expect(writeJson({ a: [LONG, 1], b: undefined, c: null })).toBe(`{"a":[${LONG},1],"c":null}`);
  expect(writeJson({ a: 'ب' })).toBe('{"a":"ب"}');
  expect(writeJson(undefined)).toBe('null');
});

test('a long number is seen wherever it begins', () => {
  for (let before = 0; before <= 32; before += 1) {
    const text = `${' '.repeat(before)}9007199254740993`;
    expect(readJson(Buffer.from(text)), text).toEqual({ ok: true, value: 9_007_199_254_740_993n });
    const after = `["${'1'.repeat(before)}",9007199254740993]`;
    expect(readJson(Buffer.from(after)), after).toMatchObject({
      value: [expect.any(String), 9_007_199_254_740_993n],
    });
  }
});
