import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../domain/errors.ts';
import { describeFailure, summarize } from './failure.ts';

describe('failure', () => {
  test('our own errors keep code and message, and so do their causes', () => {
    const failure = describeFailure(
      new AppError('gateway_no_answer', 'timed out', { cause: new TypeError('x is not a function') }),
    );
    expect(failure).toMatchObject({
      name: 'AppError',
      code: 'gateway_no_answer',
      message: 'timed out',
      cause: { name: 'TypeError', message: 'x is not a function' },
    });
    expect(summarize(failure)).toBe('AppError gateway_no_answer timed out < TypeError x is not a function');
  });

  test('an error of a driver keeps its code and loses its message', () => {
    const error = Object.assign(new Error('Key (mobile)=(09123456789) exists'), {
      code: '23505',
      detail: '0912',
    });
    const failure = describeFailure(error);
    expect(failure).toMatchObject({ name: 'Error', code: '23505' });
    expect(JSON.stringify(failure)).not.toContain('0912');
  });

  test('the place it was thrown at is told', () => {
    // The runner may name the file with a query behind it.
    expect(describeFailure(new Error('secret')).at).toMatch(/failure\.test\.ts(?:\?\S+?)?:\d+:\d+/u);
  });

  test('no text of a foreign error comes through, whatever it is made to look like', () => {
    assert(
      property(string({ minLength: 3 }), constantFrom('', '\n    at ', '\n    at f ('), (noise, prefix) => {
        const canary = `${prefix}canary ${noise}`;
        const thrown = [
          new Error(canary),
          new SyntaxError(canary, { cause: new RangeError(canary) }),
          canary,
          { canary },
        ];
        for (const each of thrown) {
          const failure = describeFailure(each);
          expect(JSON.stringify(failure) + summarize(failure)).not.toContain('canary');
        }
      }),
    );
  });

  test('a chain of causes that goes in a circle ends', () => {
    const error = new Error('round');
    error.cause = error;
    expect(summarize(describeFailure(error))).toBe('Error < Error < Error < Error');
  });
});
