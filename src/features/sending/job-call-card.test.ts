import { expect, test } from 'vitest';
import { cardView, NO_COUNTS } from '../../../test/support/send-card.ts';
import type { JobView } from '../../ports/stores.ts';
import { plainText } from '../../telegram/html.ts';
import { unansweredText } from './job-call-card.ts';

const told = (given: Partial<JobView>): string | null => {
  const { draft, job } = cardView({ draft: { state: 'confirmed' }, job: given });
  if (job === null) throw new Error('a card without a job');
  const said = unansweredText({ draft, job });
  return said === null ? null : plainText(said);
};

test.each([
  ['a call that was refused', { counts: { ...NO_COUNTS, rejected: 1 } }, 'was not sent'],
  [
    'one that was stopped before it',
    { state: 'stopped', counts: { ...NO_COUNTS, planned: 1 } },
    'was not sent',
  ],
  ['somebody on the blacklist', { counts: { ...NO_COUNTS, blocked: 1 } }, 'was not sent'],
  ['no clear answer', { counts: { ...NO_COUNTS, unknown: 1 } }, 'It is not known whether'],
  ['lists that do not tell', { asked: 1, counts: { ...NO_COUNTS, unknown: 1 } }, 'What do you know?'],
] as const)('whoever has answered is called for %s', (_, job, says) => {
  expect(told(job)).toContain(says);
});

test('and not for what was accepted', () => {
  expect(told({ counts: { ...NO_COUNTS, accepted: 1 } })).toBe(null);
});
