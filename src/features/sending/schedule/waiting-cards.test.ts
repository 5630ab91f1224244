import { expect, test } from 'vitest';
import { quietRequest } from '../../../../test/support/features.ts';
import { createSendNow } from './waiting-cards.ts';

const JOB = '0190a0b0-0000-7000-8000-000000000001';

type Deps = Parameters<typeof createSendNow>[0];

test('who presses «Send now» is told what the button did not say, and may press again with all that is known', async () => {
  const asked: unknown[] = [];
  const said: [string, unknown][] = [];
  const answers = ['answered', 'short', 'words', 'confirmed'].map((result) => ({
    draftId: 'd',
    pressed: { result, ...(result === 'words' ? { words: ['free'] } : {}) },
  }));
  const nothing = () => Promise.resolve();
  const deps = {
    schedule: {
      sendNow: (press: unknown) => (asked.push(press), Promise.resolve(answers[asked.length - 1])),
    },
    cards: { heard: nothing, refresh: nothing },
    checkCredit: nothing,
    undoSeconds: 5,
  } as unknown as Deps;
  const ctx = quietRequest('en', {
    say: ({ markup }, { buttons } = {}) =>
      Promise.resolve(
        said.push([
          markup,
          buttons?.flat().flatMap((each) => (each && 'payload' in each ? [each.payload] : []))[0],
        ]),
      ),
  });
  let payload: unknown = { jobId: JOB };
  for (const _ of answers) {
    await createSendNow(deps).run(ctx, payload);
    payload = said.at(-1)?.[1];
  }
  expect(asked).toMatchObject([
    { warned: false, answered: false, words: [] },
    { warned: false, answered: true, words: [] },
    { warned: true, answered: true, words: [] },
    { warned: true, answered: true, words: ['free'] },
  ]);
  expect(said.map(([words]) => words)).toEqual([
    expect.stringMatching(/^Nothing was sent\.\n.*had been sent to the first time/),
    expect.stringContaining('The credit may not cover all of it'),
    expect.stringMatching(/^Nothing was sent\.\n.*It says «.*free/),
  ]);
});
