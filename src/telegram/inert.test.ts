import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectEntities } from '../playground/text/entities-detect.ts';
import { inert } from './inert.ts';

test.each([
  '/send 09121234567 x',
  '@everyone and @a_channel',
  '#tag #برچسب $USD',
  'https://evil.example/a?b=c http://x.ir:80/ tg://user?id=1 evil.com www.evil.ir/x a.b+c@d-e.com',
])('Telegram finds nothing in %s', (text) => {
  expect(detectEntities(text).length).toBeGreaterThan(0);
  expect(detectEntities(inert(text))).toEqual([]);
});

test('a text reads the same, and is only touched where a sign is followed by something', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const clean = text.replaceAll('\u2060', '');
      expect(inert(clean).replaceAll('\u2060', '')).toBe(clean);
      expect(detectEntities(inert(clean)).filter(({ type }) => type !== 'phone_number')).toEqual([]);
    }),
  );
  expect(inert('Hello. Is it 12: really?')).toBe('Hello. Is it 12: really?');
});
