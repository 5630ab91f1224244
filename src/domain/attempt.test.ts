import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  ATTEMPT_STATES,
  classify,
  heardLate,
  LIVE_ATTEMPT_STATES,
  pauseAfter,
  transition,
} from './attempt.ts';
import type { AttemptEvent, AttemptState, Classification, Observation } from './attempt.ts';

const sent = { text: 'سلام', line: '3000123456' };
const OUTCOMES = ['accepted', 'rejected', 'not_sent', 'unknown'] as const;

function answered(
  status: number,
  rest: Partial<Extract<Observation, { kind: 'envelope' }>> = {},
): Observation {
  return { kind: 'envelope', httpStatus: 200, status, messageIds: [], sent, echo: {}, ...rest };
}

const failure = fc.record({
  kind: fc.constant('failed' as const),
  stage: fc.constantFrom('dial' as const, 'fence' as const, 'request' as const, 'answer' as const),
  reason: fc.constantFrom('dns' as const, 'timeout' as const, 'reset' as const, 'fence' as const),
  bytesMayHaveLeft: fc.boolean(),
});
const number = fc.oneof(fc.integer(), fc.constantFrom(0, 200, 400, 414, 22, 27, 500, 1000), fc.double());
const ids = fc.array(fc.record({ id: fc.oneof(fc.string(), fc.constantFrom('0', '17', '000')) }), {
  maxLength: 3,
});
const envelope = fc.record(
  {
    kind: fc.constant('envelope' as const),
    httpStatus: fc.integer({ min: 0, max: 999 }),
    status: number,
    code: number,
    messageIds: ids,
    sent: fc.record({ text: fc.string(), line: fc.string() }),
    echo: fc.record({ text: fc.string(), line: fc.string() }, { requiredKeys: [] }),
  },
  { requiredKeys: ['kind', 'httpStatus', 'status', 'messageIds', 'sent', 'echo'] },
);
const unreadable = fc.record({ kind: fc.constant('unreadable' as const), httpStatus: fc.integer() });
const observation: fc.Arbitrary<Observation> = fc.oneof(failure, envelope, unreadable);
const result: fc.Arbitrary<Classification> = observation.map(classify);
const event: fc.Arbitrary<AttemptEvent> = fc.oneof(
  fc
    .tuple(result, fc.boolean())
    .map(([value, byPerson]) => ({ type: 'classified' as const, result: value, byPerson })),
  fc
    .constantFrom<AttemptEvent['type']>(
      'reserve',
      'write_ahead',
      'owner_gone',
      'found',
      'absent',
      'undecided',
      'operator_says_sent',
      'operator_says_not_sent',
      'operator_sends_again',
    )
    .map((type) => ({ type }) as AttemptEvent),
);

describe('the classification of a send', () => {
  test.each([
    ['an id and status 200', answered(200, { messageIds: [{ id: '9007199254740993' }] }), 'accepted'],
    ['status 200 without an id', answered(200), 'unknown'],
    ['status 200 with id 0', answered(200, { messageIds: [{ id: '0' }] }), 'unknown'],
    [
      'an accepted envelope under HTTP 500',
      answered(200, { httpStatus: 500, messageIds: [{ id: '7' }] }),
      'unknown',
    ],
    ['a refusal under HTTP 500', answered(414, { httpStatus: 500 }), 'rejected'],
    ['an unreadable answer', { kind: 'unreadable', httpStatus: 200 }, 'unknown'],
    ['a code that no table has', answered(599), 'unknown'],
    ['a code that no table has inside a refusal', answered(400, { code: 57 }), 'unknown'],
    ['27 inside a refusal', answered(400, { code: 27 }), 'unknown'],
    ['22 inside a server error', answered(500, { code: 22 }), 'unknown'],
    ['22 inside a success', answered(200, { code: 22, messageIds: [{ id: '7' }] }), 'rejected'],
    ['200 inside a success', answered(200, { code: 200, messageIds: [{ id: '7' }] }), 'unknown'],
    ['code 0 inside a success', answered(200, { code: 0, messageIds: [{ id: '7' }] }), 'accepted'],
  ] as const)('takes %s for what it proves', (_title, seen, outcome) => {
    expect(classify(seen).outcome).toBe(outcome);
  });

  test.each([400, 401, 414, 419, 21, 22, 23, 24, 25, 26, 28, 29])('takes %i for a refusal', (code) => {
    expect(classify(answered(code))).toEqual({ outcome: 'rejected', code });
    expect(classify(answered(200, { code }))).toEqual({ outcome: 'rejected', code });
  });

  test.each([40, 403, 404, 405, 406, 407, 411, 412, 413, 417, 418])(
    'takes %i for a refusal unless an id stands beside it',
    (code) => {
      expect(classify(answered(code))).toEqual({ outcome: 'rejected', code });
      expect(classify(answered(400, { code }))).toEqual({ outcome: 'rejected', code });
      const messageIds = [{ id: '7' }];
      expect(classify(answered(code, { messageIds }))).toMatchObject({ outcome: 'unknown', code });
    },
  );

  test('takes 1 for a refusal as a code inside, beside no id, and leaves it open elsewhere', () => {
    expect(classify(answered(200, { code: 1 }))).toEqual({ outcome: 'rejected', code: 1 });
    expect(classify(answered(1))).toMatchObject({ outcome: 'unknown', code: 1 });
    // Rows that could not be read are rows all the same.
    const messageIds = [{ id: '0' }, { id: '0' }];
    expect(classify(answered(200, { code: 1, messageIds }))).toMatchObject({ outcome: 'unknown', code: 1 });
  });

  test.each([27, 429, 500, 1000, 2000, 402, 409, 422, 2, 30, 45, -1])('leaves %i open', (code) => {
    expect(classify(answered(code))).toMatchObject({ outcome: 'unknown', code });
    expect(classify(answered(200, { code }))).toMatchObject({ outcome: 'unknown', code });
  });

  test('accepts an echo that differs only in spelling, and no other', () => {
    const messageIds = [{ id: '7' }];
    const echoOf = (text: string, line: string) =>
      classify({
        ...answered(200, { messageIds }),
        echo: { text, line },
        sent: { text: 'علی یک\nکتاب', line: '3000123456' },
      } as Observation);
    expect(echoOf('علي يك\r\nكتاب ', '+983000123456').outcome).toBe('accepted');
    expect(echoOf('علی یک کتاب دیگر', '3000123456')).toMatchObject({ reason: 'echo_differs', messageIds });
    expect(echoOf('علی یک\nکتاب', '50001234')).toMatchObject({ reason: 'echo_differs' });
  });

  test('is total and deterministic, accepts only with positive ids, and never denies bytes that left', () => {
    fc.assert(
      fc.property(observation, (seen) => {
        const first = classify(seen);
        expect(classify(seen)).toEqual(first);
        if (first.outcome === 'accepted') {
          expect(first.messageIds.length).toBeGreaterThan(0);
          for (const { id } of first.messageIds) expect(BigInt(id) > 0n).toBe(true);
        }
        if (first.outcome === 'not_sent') {
          expect(seen).toMatchObject({ kind: 'failed', bytesMayHaveLeft: false });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the states of an attempt', () => {
  const run = (...events: AttemptEvent[]): AttemptState | undefined =>
    events.reduce<AttemptState | undefined>((state, next) => state && transition(state, next), 'planned');
  const reserve = { type: 'reserve' } as const;
  const writeAhead = { type: 'write_ahead' } as const;
  const classified = (value: Classification) => ({ type: 'classified', result: value }) as const;

  test('go from planned to the answer', () => {
    const accepted = classified({ outcome: 'accepted', messageIds: [{ id: '7' }] });
    expect(run(reserve, writeAhead, accepted)).toBe('accepted');
    expect(run(reserve, writeAhead, classified({ outcome: 'rejected', code: 22 }))).toBe('rejected');
  });

  test('go back to planned only while nothing can have been written', () => {
    const notSent = classified({ outcome: 'not_sent', reason: 'refused', bytesMayHaveLeft: false });
    expect(run(reserve, { type: 'owner_gone' })).toBe('planned');
    expect(run(reserve, notSent)).toBe('planned');
    expect(run(reserve, writeAhead, notSent)).toBe('planned');
    expect(run(reserve, writeAhead, { type: 'owner_gone' })).toBe('unknown');
  });

  test('end an unknown attempt by evidence or by a person', () => {
    const unknown = [reserve, writeAhead, { type: 'owner_gone' }] as const;
    expect(run(...unknown, { type: 'found' })).toBe('sent');
    expect(run(...unknown, { type: 'absent' })).toBe('not_sent');
    expect(run(...unknown, { type: 'undecided' }, { type: 'operator_sends_again' })).toBe('closed');
    expect(run(...unknown, { type: 'operator_sends_again' })).toBeUndefined();
  });

  test('follow events in a total and deterministic way, and final states stay', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ATTEMPT_STATES), event, (state, next) => {
        const after = transition(state, next);
        expect(transition(state, next)).toBe(after);
        if (state === 'accepted' || state === 'rejected') expect(after).toBeUndefined();
        // What has ended otherwise gives way to nothing but the answer of its own call.
        if (['sent', 'not_sent', 'closed'].includes(state) && next.type !== 'classified')
          expect(after).toBeUndefined();
        if (after === 'accepted') {
          expect(['on_wire', 'unknown', 'asked', 'sent', 'not_sent', 'closed']).toContain(state);
          expect(next).toMatchObject({ type: 'classified', result: { outcome: 'accepted' } });
        }
        // From unknown and asked nothing leads back to where a timer could send again.
        if (state === 'unknown' || state === 'asked')
          expect(['planned', 'reserved', 'on_wire']).not.toContain(after);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never return to planned after a call whose bytes may have left', () => {
    fc.assert(
      fc.property(failure, (seen) => {
        const after = transition('on_wire', { type: 'classified', result: classify(seen) });
        expect(after).toBe(seen.bytesMayHaveLeft ? 'unknown' : 'planned');
      }),
    );
  });

  test.each([
    // What its own call proves ends a question, and never sends anything by itself.
    ['unknown', 'accepted', 'rejected', 'not_sent', 'unknown'],
    ['asked', 'accepted', 'rejected', 'not_sent', undefined],
    // A number that has the text in the gateway's lists must not get it again.
    ['sent', undefined, undefined, undefined, undefined],
    ['not_sent', undefined, undefined, undefined, undefined],
    ['closed', 'accepted', undefined, undefined, undefined],
  ] as const)(
    'when %s, and heard late: accepted leads to %s, rejected to %s, not sent to %s, unknown to %s',
    (state, ...after) => {
      expect(OUTCOMES.map((outcome) => heardLate(state, outcome, false))).toEqual(after);
    },
  );

  test.each([
    ['sent', 'accepted', 'rejected', 'not_sent', undefined],
    ['not_sent', 'accepted', undefined, undefined, undefined],
    ['closed', 'accepted', undefined, undefined, undefined],
  ] as const)(
    'when %s by a person’s word, and heard late: accepted leads to %s, rejected to %s, not sent to %s, unknown to %s',
    (state, ...after) => {
      expect(OUTCOMES.map((outcome) => heardLate(state, outcome, true))).toEqual(after);
    },
  );

  test('distrust a result that claims more than it shows', () => {
    const claim = { outcome: 'accepted', messageIds: [{ id: '0' }] } as const;
    expect(transition('on_wire', { type: 'classified', result: claim })).toBe('unknown');
  });

  test('count as live from the reservation on, unless proven without effect', () => {
    const free = ATTEMPT_STATES.filter((state) => !LIVE_ATTEMPT_STATES.some((live) => live === state));
    expect(free).toEqual(['planned', 'rejected', 'not_sent', 'closed']);
  });
});

test.each([
  [{ outcome: 'rejected', code: 22 }, 'job'],
  [{ outcome: 'rejected', code: 401 }, 'account'],
  [{ outcome: 'rejected', code: 3 }, 'account'],
  [{ outcome: 'rejected', code: 1 }, 'account'],
  [{ outcome: 'rejected', code: 403 }, 'account'],
  [{ outcome: 'rejected', code: 418 }, 'job'],
  [{ outcome: 'rejected', code: 23 }, 'none'],
  [{ outcome: 'unknown', code: 429 }, 'account_for_60_s'],
  [{ outcome: 'unknown' }, 'none'],
] as const)('after %o the advice is to pause %s', (outcome, advice) => {
  expect(pauseAfter(outcome)).toBe(advice);
});
