import { expect, test } from 'vitest';
import { AppError, isAppError } from './errors.ts';
import { failedChange } from './failed-change.ts';

const refusal = new AppError('gateway_refused', 'no', {
  params: { name: 'full', code: 7, mayHaveActed: false },
});

test.each([
  [refusal, { why: 'refused', name: 'full', code: 7, mayHaveActed: false }],
  [new AppError('gateway_no_answer', ''), { why: 'no_answer', name: '', code: null, mayHaveActed: true }],
  [
    new AppError('gateway_unreadable', '', { params: { code: '7', mayHaveActed: true } }),
    { why: 'unreadable', name: '', code: null, mayHaveActed: true },
  ],
])('%s may have been carried out unless the client says that it was not', (error, expected) => {
  expect(failedChange(error)).toEqual({ ...expected, error });
});

test('what is no failure of a call is for the caller', () => {
  expect([new AppError('busy', ''), new Error('x'), null].map(failedChange)).toEqual([null, null, null]);
});

test('a failure is told by its code and keeps what it came of', () => {
  const cause = new Error('x');
  expect(new AppError('busy', 'm', { cause })).toMatchObject({
    name: 'AppError',
    message: 'm',
    cause,
    params: {},
  });
  expect(refusal).not.toHaveProperty('cause');
  expect([isAppError(refusal), isAppError(refusal, 'gateway_refused'), isAppError(refusal, 'busy')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isAppError({ code: 'busy' }, 'busy')).toBe(false);
});
