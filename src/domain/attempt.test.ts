import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  ATTEMPT_MOVES,
  ATTEMPT_STATES,
  classify,
  heardLate,
  pauseAfter,
  REFUSED_FOR_ACCOUNT,
  type AttemptState,
  type Observation,
} from './attempt.ts';
import type { Moves } from './machine.ts';

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
describe('the classification of a send', () => {
  const withIds = (...all: string[]) => ({ messageIds: all.map((id) => ({ id })) });
  const unknown = (reason: string, rest: object = {}) => ({
    outcome: 'unknown',
    reason,
    stage: 'complete',
    ...rest,
  });
  test.each([
    ['ids and status 200', answered(200, withIds('9007199254740993', '0010')), { outcome: 'accepted' }],
    ['code 0 inside a success', answered(200, { code: 0, ...withIds('7') }), { outcome: 'accepted' }],
    ['success under HTTP 299', answered(200, { httpStatus: 299, ...withIds('7') }), { outcome: 'accepted' }],
    ['status 200 without an id', answered(200), unknown('no_message_id')],
    ...['0', 'x7', '7x'].map(
      (id) => [`id ${id} beside another`, answered(200, withIds('7', id)), unknown('no_message_id')] as const,
    ),
    ...[199, 300, 500].map(
      (httpStatus) =>
        [
          `success under HTTP ${httpStatus}`,
          answered(200, { httpStatus, ...withIds('7') }),
          unknown('http_status'),
        ] as const,
    ),
    ['an unreadable answer', { kind: 'unreadable', httpStatus: 200 }, unknown('unreadable')],
    ['a code that no table has', answered(599), unknown('ambiguous_code', { code: 599 })],
    [
      'a code that no table has in a refusal',
      answered(400, { code: 57 }),
      unknown('ambiguous_code', { code: 57 }),
    ],
    ['27 inside a refusal', answered(400, { code: 27 }), unknown('ambiguous_code', { code: 27 })],
    ['22 inside a server error', answered(500, { code: 22 }), unknown('ambiguous_code', { code: 500 })],
    [
      '200 inside a success',
      answered(200, { code: 200, ...withIds('7') }),
      unknown('ambiguous_code', { code: 200 }),
    ],
    ['22 inside a success', answered(200, { code: 22, ...withIds('7') }), { outcome: 'rejected', code: 22 }],
    ['a refusal under HTTP 500', answered(414, { httpStatus: 500 }), { outcome: 'rejected', code: 414 }],
  ] as const)('takes %s for what it proves', (_title, seen, proved) => {
    const { messageIds, ...rest }: { readonly messageIds?: unknown } & object = classify(seen);
    expect(rest).toEqual(proved);
    const told = 'messageIds' in seen && seen.messageIds.length > 0 && seen.status === 200 && !seen.code;
    expect(messageIds).toEqual(told ? seen.messageIds : undefined);
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
    expect(classify(answered(code))).toEqual(unknown('ambiguous_code', { code }));
    expect(classify(answered(200, { code }))).toEqual(unknown('ambiguous_code', { code }));
  });

  test('accepts an echo that differs only in spelling, and no other', () => {
    const { messageIds } = withIds('7');
    const echoed = (text: string, line: string, ownLine = '3000123456') =>
      classify({
        ...answered(200, { messageIds, echo: { text, line } }),
        sent: { text: 'علی یک\nکتاب', line: ownLine },
      } as Observation);
    const differs = unknown('echo_differs', { messageIds });
    const same = 'علی یک\nکتاب';
    expect(echoed(' علي\u200c \u00a0يك\r\nكتاب ', '+983000123456').outcome).toBe('accepted');
    expect(echoed('علی یک کتاب دیگر', '3000123456')).toEqual(differs);
    expect(echoed('علییک\nکتاب', '3000123456')).toEqual(differs);
    for (const line of ['50001234', '3123456', '30001234560']) expect(echoed(same, line)).toEqual(differs);
    expect(echoed(same, '00983000123456').outcome).toBe('accepted');
    // Six digits are a line of their own, whatever they begin with.
    expect(echoed(same, '9812345', '12345').outcome).toBe('accepted');
    expect(echoed(same, '981234', '1234')).toEqual(differs);
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
        if (seen.kind === 'failed') {
          const { reason, stage } = seen;
          expect(first).toEqual(
            seen.bytesMayHaveLeft
              ? { outcome: 'unknown', reason, stage }
              : { outcome: 'not_sent', reason, bytesMayHaveLeft: false },
          );
        } else expect(first.outcome).not.toBe('not_sent');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the states of an attempt', () => {
  const run = (...names: (keyof typeof ATTEMPT_MOVES)[]): AttemptState | undefined =>
    names.reduce<AttemptState | undefined>((state, name) => {
      const leads: Moves<AttemptState>[string] = ATTEMPT_MOVES[name];
      return state && leads[state];
    }, 'planned');
  const ways = Object.entries<Moves<AttemptState>[string]>(ATTEMPT_MOVES).flatMap(([name, leads]) =>
    ATTEMPT_STATES.flatMap((from) => (leads[from] === undefined ? [] : [{ name, from, to: leads[from] }])),
  );

  test('go from planned to the answer', () => {
    expect(run('reserve', 'write_ahead', 'hear_accepted')).toBe('accepted');
    expect(run('reserve', 'write_ahead', 'hear_rejected')).toBe('rejected');
    expect(run('reserve', 'write_ahead', 'hear_unknown')).toBe('unknown');
  });

  test('go back to planned only while nothing can have been written', () => {
    expect(run('reserve', 'lose_owner')).toBe('planned');
    expect(run('reserve', 'hear_not_sent')).toBe('planned');
    expect(run('reserve', 'write_ahead', 'hear_not_sent')).toBe('planned');
    expect(run('reserve', 'write_ahead', 'lose_owner')).toBe('unknown');
    // What its holder has proved, what nobody has passed the fence with, and what was refused for its account.
    expect(ways.filter(({ to }) => to === 'planned').map(({ name, from }) => `${from} ${name}`)).toEqual([
      'reserved take_back',
      'reserved lose_owner',
      'reserved hear_not_sent',
      'on_wire hear_not_sent',
      'rejected resume',
    ]);
  });

  test('end an unknown attempt by evidence or by a person', () => {
    const unknown = ['reserve', 'write_ahead', 'lose_owner'] as const;
    expect(run(...unknown, 'find')).toBe('sent');
    expect(run(...unknown, 'ask', 'decide_not_sent')).toBe('not_sent');
    expect(run(...unknown, 'ask', 'send_again')).toBe('closed');
    expect(run(...unknown, 'send_again')).toBeUndefined();
  });

  test('lead from unknown and asked nowhere from where a timer could send again', () => {
    const waiting = ways.filter(({ from }) => from === 'unknown' || from === 'asked');
    expect(waiting.filter(({ to }) => ['planned', 'reserved', 'on_wire'].includes(to))).toEqual([]);
  });

  test('leave what has ended only for what its own call did, for a person’s press, or for a backup', () => {
    const left = (...states: AttemptState[]) =>
      ways.filter(({ from }) => states.includes(from)).map(({ name, from, to }) => `${from} ${name} ${to}`);
    expect(left('accepted')).toEqual([]);
    expect(left('rejected')).toEqual(['rejected resume planned', 'rejected doubt unknown']);
    expect(left('sent')).toEqual([
      'sent belie_accepted accepted',
      'sent belie_rejected rejected',
      'sent belie_not_sent not_sent',
    ]);
    expect(left('not_sent')).toEqual(['not_sent belie_accepted accepted']);
    expect(left('closed')).toEqual(['closed late_accepted accepted', 'closed ask_again asked']);
  });

  test('are accepted by an answer alone, and on the wire by the fence alone', () => {
    const by = (state: AttemptState) => ways.filter(({ to }) => to === state);
    expect(by('accepted').filter(({ name }) => !/^(hear|late|belie)_accepted$/.test(name))).toEqual([]);
    expect(by('on_wire')).toEqual([{ name: 'write_ahead', from: 'reserved', to: 'on_wire' }]);
    expect(by('reserved')).toEqual([{ name: 'reserve', from: 'planned', to: 'reserved' }]);
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
  [{ outcome: 'unknown', code: 500 }, 'none'],
  [{ outcome: 'unknown' }, 'none'],
] as const)('after %o the advice is to pause %s', (outcome, advice) => {
  expect(pauseAfter(outcome)).toBe(advice);
});

test('what is refused for the account is what has the job or the account pause', () => {
  const pausing = Array.from({ length: 3000 }, (_, code) => code).filter(
    (code) => pauseAfter({ outcome: 'rejected', code }) !== 'none',
  );
  expect(REFUSED_FOR_ACCOUNT.toSorted((left, right) => left - right)).toEqual(pausing);
});
