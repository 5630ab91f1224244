import { expect, test } from 'vitest';
import { ALERT_KINDS, FIRST_KINDS, FOLDED_KINDS } from './alerts.ts';

test('a new place is told of the least that a team needs, and only what has no buttons is told as one', () => {
  expect(FIRST_KINDS).toEqual(['inbound', 'credit', 'job', 'gateway', 'inbox']);
  expect(FOLDED_KINDS).toEqual(['inbound', 'job', 'failures']);
  expect(new Set(ALERT_KINDS)).toEqual(
    new Set([...FIRST_KINDS, 'unanswered', 'failures', 'account', 'digest']),
  );
});
