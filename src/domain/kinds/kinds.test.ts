import { expect, test } from 'vitest';
import { kindsWith } from './index.ts';

// Statements go by these, and a kind has most of them from what kinds have in common: written by hand, so that none changes unseen.
test.each([
  ['hasText', ['text', 'future', 'book', 'bulk']],
  ['repeatsRecipients', ['multi']],
  ['isListed', ['text', 'multi', 'book', 'bulk']],
  ['tellsClock', ['text', 'pattern', 'bulk']],
] as const)('%s holds for %j', (trait, kinds) => {
  expect(kindsWith(trait)).toEqual(kinds);
});
