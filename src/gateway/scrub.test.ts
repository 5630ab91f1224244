import { expect, test } from 'vitest';

import { Secret } from '../domain/secret.ts';
import { createScrubber } from './scrub.ts';

const hide = (text: string, ...secrets: readonly string[]): string =>
  createScrubber(secrets.map((secret) => new Secret(secret)))(text);

test.each([
  ['a key', 'of key/1+=', 'of ***'],
  ['its letters in another case', 'of KEY/1+=', 'of ***'],
  ['percent codes in either case', 'key%2F1%2B%3D key%2f1%2b%3d', '*** ***'],
  ['base64', `${Buffer.from('key/1+=').toString('base64')} `.repeat(2), '*** *** '],
  ['hex', Buffer.from('key/1+=').toString('hex'), '***'],
  ['what only looks like it', 'key/11= keyx1+=', 'key/11= keyx1+='],
])('%s is not repeated', (_title, text, expected) => {
  expect(hide(text, 'key/1+=')).toBe(expected);
  expect(hide(text)).toBe(text);
  expect(hide(text, '')).toBe(text);
});

test('of two of which one contains the other, the longer one is left out whole', () => {
  expect(hide('secret secret-two', 'secret', 'secret-two')).toBe('*** ***');
});

test('of a short one the encodings that stand in ordinary words are left alone', () => {
  const encoded = Buffer.from('ab').toString('base64').replace('=', '');
  expect(hide(`ab AB ${encoded} ${Buffer.from('ab').toString('hex')}`, 'ab')).toBe(`*** *** ${encoded} 6162`);
});
