import type { Message } from '@grammyjs/types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardView } from '../support/send-card.ts';
import type { JobState } from '../../src/domain/job.ts';
import { renderCard } from '../../src/features/sending/card.ts';
import type { RecipientCounts } from '../../src/ports/stores.ts';
import { plainText } from '../../src/telegram/html.ts';
import { cardsOf, disagreement, readCard } from './cards.ts';
import type { DraftFact } from './facts.ts';

const counts: fc.Arbitrary<RecipientCounts> = fc.record({
  planned: fc.nat(2000),
  onWire: fc.nat(2000),
  accepted: fc.nat(2000),
  rejected: fc.nat(2000),
  unknown: fc.nat(2000),
  delivered: fc.nat(2000),
  failed: fc.nat(2000),
  barred: fc.nat(2000),
  blocked: fc.nat(2000),
});

function cardOf(state: JobState | null, standing: RecipientCounts): string {
  const stopped = state === 'stopped';
  const view = cardView({
    draft: {
      state: state === null ? 'open' : 'confirmed',
      text: 'chaos r1 s1 hello',
      recipients: ['989121234567'],
    },
    job:
      state === null
        ? null
        : {
            state,
            counts: standing,
            stoppedByName: stopped ? 'Ali' : null,
            stopReason: stopped ? 'person' : null,
          },
  });
  return plainText(renderCard(view, new Date(10_000)).content);
}

function message(text: string, id = 9): Message {
  const chat = { id: 5, type: 'private', first_name: 'Sara' } as const;
  return { message_id: id, date: 0, chat, from: { id: 1, is_bot: true, first_name: 'Peyk' }, text };
}

const FACT: DraftFact = {
  id: 'd',
  code: 'A7',
  chat: 5,
  chatId: 'c',
  update: 1,
  state: 'confirmed',
  card: 9,
  says: '',
  aside: false,
  job: {
    id: 'j',
    state: 'done',
    attempts: [
      {
        id: 'a',
        state: 'unknown',
        onWireMs: 0,
        lines: [{ recipient: '1', text: 't', line: '3000', flash: false }],
      },
    ],
  },
};
const NONE: RecipientCounts = {
  planned: 0,
  onWire: 0,
  accepted: 0,
  rejected: 0,
  unknown: 0,
  delivered: 0,
  failed: 0,
  barred: 0,
  blocked: 0,
};

test('a card is read as it was written, whatever its counts', () => {
  fc.assert(
    fc.property(counts, fc.constantFrom<JobState>('running', 'stopped', 'done'), (standing, state) => {
      const { planned, onWire, accepted, rejected, unknown, delivered, failed, barred } = standing;
      const waiting = state === 'running' ? planned : 0;
      expect(readCard(cardOf(state, standing))).toEqual({
        taken: accepted + delivered + failed + barred,
        unknown,
        notSent: rejected + (state === 'stopped' ? planned : 0),
        underWay: waiting + onWire,
      });
    }),
  );
});

test('a card that says what the database says agrees; one that says another thing, or shows the draft still, does not', () => {
  expect(disagreement(FACT, [message(cardOf('done', { ...NONE, unknown: 1 }))])).toBe(null);
  expect(disagreement(FACT, [message(cardOf('done', { ...NONE, accepted: 1 }))])).toContain('the card says');
  expect(disagreement(FACT, [message(cardOf('running', NONE))])).toContain('the card says');
  expect(disagreement(FACT, [message(cardOf(null, NONE))])).toContain('still shows the draft');
  expect(disagreement(FACT, [])).toBe('a job has no card');
  expect(disagreement({ ...FACT, job: null, state: 'open' }, [message(cardOf(null, NONE))])).toBe(null);
  expect(disagreement({ ...FACT, job: null, state: 'cancelled' }, [message(cardOf(null, NONE))])).not.toBe(
    null,
  );
});

test('the card of what was undone counts nobody', () => {
  const attempts = FACT.job?.attempts.map((each) => ({ ...each, state: 'planned' })) ?? [];
  const undone = { ...FACT, job: { id: 'j', state: 'undone', attempts } };
  expect(disagreement(undone, [message(cardOf('undone', { ...NONE, planned: 1 }))])).toBe(null);
  expect(disagreement(undone, [message(cardOf('done', { ...NONE, unknown: 1 }))])).toContain('the card says');
});

test('all cards of a draft are found, and none of another one', () => {
  const card = cardOf('done', { ...NONE, unknown: 1 });
  const messages = [
    message(card, 1),
    message(card.replace('#A7', '#A77'), 2),
    message('#A7 is what I said', 3),
    message(cardOf(null, NONE), 4),
  ];
  expect(cardsOf(FACT, messages).map((each) => each.message_id)).toEqual([1, 4]);
});
