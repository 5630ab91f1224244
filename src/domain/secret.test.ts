import { format, inspect } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Secret } from './secret.ts';

const secret = new Secret('sandbox-key-demo');

describe('a secret', () => {
  it('gives its value only when told to reveal it', () => {
    expect(secret.reveal()).toBe('sandbox-key-demo');
  });

  it('prints a mask in every way that values usually get printed', () => {
    const wrapped = { nested: [secret], map: new Map([['key', secret]]) };
    const printed = [
      String(secret),
      JSON.stringify(wrapped),
      inspect(wrapped, { depth: 9, showHidden: true }),
      format('%s %o %O %j', secret, secret, secret, secret),
      inspect(new Error('failed', { cause: secret })),
      JSON.stringify(Object.assign({}, secret)),
      JSON.stringify(Object.entries(secret)),
      JSON.stringify(structuredClone(secret)),
    ];
    for (const text of printed) expect(text).not.toContain('sandbox');
    expect([String(secret), JSON.stringify(secret), inspect(secret)]).toEqual(['***', '"***"', '***']);
  });

  it('shows the last characters of a long value and none of a short one', () => {
    expect(secret.tail()).toBe('demo');
    expect(new Secret('short').tail()).toBe('');
    expect(new Secret('123456789abc').tail()).toBe('9abc');
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (value) => {
        expect(new Secret(value).tail().length * 3).toBeLessThanOrEqual(value.length);
      }),
    );
  });

  it('equals a secret of the same value only', () => {
    expect(secret.equals(new Secret('sandbox-key-demo'))).toBe(true);
    expect(secret.equals(new Secret('sandbox-key-Demo'))).toBe(false);
  });
});
