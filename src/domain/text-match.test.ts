import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endingOf, matchText } from './text-match.ts';

const text = fc.string({
  unit: fc.constantFrom('ی', 'ي', 'ك', 'ک', 'a', ' ', '\n', '\u200c', '\u0650', 'é', '!'),
  maxLength: 20,
});

test('a text is the same as itself', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(matchText(each, each, [])).toBe(0);
    }),
  );
});

test.each([
  ['a\r\nb ', 'a\nb', 1],
  ['a\rb', 'a\nb', 1],
  ['caf\u0065\u0301', 'café', 1],
  ['سلام علي', 'سلام علی', 2],
  ['كتاب', 'کتاب', 2],
  ['می‌رود', 'میرود', 2],
  ['a  b', 'a b', 2],
  [' a', 'a', 2],
  ['\u202ba\u202c', '\u2067a\u2069', 2],
  ['Hello', 'Hello\nلغو۱۱', 3],
] as const)('%j is listed as %j', (sent, listed, expected) => {
  expect(matchText(sent, listed, ['!', '\nلغو۱۱'])).toBe(expected);
});

test.each([
  ['Hello', 'Hello!'],
  ['Hello', 'hello'],
  ['Hello', ''],
  ['code 1234', 'code 1235'],
  ['Hello', 'Hello\nلغو۱۱'],
])('%j is not %j', (sent, listed) => {
  expect(matchText(sent, listed, [' ', '', '\u200c', '\nStop: 11'])).toBeNull();
});

test.each([
  ['Hello', 'Hello\nلغو۱۱', '\nلغو۱۱'],
  ['a\r\nb ', 'a\nb !', ' !'],
  ['Hello', 'Hello', null],
  ['Hello', 'Well, Hello', null],
])('to %j, which it lists as %j, the gateway has appended %j', (sent, listed, ending) => {
  expect(endingOf(sent, listed)).toBe(ending);
});

test('matching goes both ways, but for the ending', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(matchText(one, other, [])).toBe(matchText(other, one, []));
    }),
  );
});
