import { expect, test } from 'vitest';
import { cardView, NO_COUNTS } from '../../../../test/support/send-card.ts';
import type { JobView } from '../../../ports/stores.ts';
import { plainText } from '../../../telegram/html.ts';
import { createUnansweredTask } from './unanswered-card.ts';

const told = async (job: Partial<JobView>): Promise<string[]> => {
  const said: string[] = [];
  const task = createUnansweredTask({
    jobs: { draftOf: () => Promise.resolve('one') },
    drafts: {
      card: () => Promise.resolve(cardView({ draft: { state: 'confirmed', authorName: 'Ali' }, job })),
    },
    cards: { refresh: () => Promise.resolve() },
    notifier: { tell: (_place, { content }) => Promise.resolve(void said.push(plainText(content))) },
    clock: { now: () => new Date(0), monotonic: () => 0, sleep: () => Promise.resolve() },
    timeZone: 'UTC',
  });
  await task.run({ jobId: '00000000-0000-4000-8000-000000000001' }, {} as Parameters<typeof task.run>[1]);
  return said;
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
] as const)('whoever has answered is called for %s', async (_, job, says) => {
  expect(await told(job)).toEqual([expect.stringMatching(/Ali.*: /u)]);
  expect((await told(job))[0]).toContain(says);
});

test('and not for what was accepted', async () => {
  expect(await told({ counts: { ...NO_COUNTS, accepted: 1 } })).toEqual([]);
});
