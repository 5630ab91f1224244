import { expect, test } from 'vitest';

import { WireError, wireFailure } from './wire-error.ts';

/** What comes of networks that a test has not. */
test.each([
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['EPIPE', 'reset'],
])('%s is told as %s', (code, word) => {
  expect(wireFailure(Object.assign(new Error('to 10.0.0.1'), { code }), 'protocol')).toBe(word);
});

test('what has no word of its own is told by that of its place', () => {
  for (const error of [new Error('x'), Object.assign(new Error('x'), { code: 7 }), 'x', null])
    expect(wireFailure(error, 'tls')).toBe('tls');
  expect(wireFailure(new WireError('proxy'), 'tls')).toBe('proxy');
});
