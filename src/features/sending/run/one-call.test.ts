import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { AppError } from '../../../domain/errors.ts';
import type { AcceptedId } from '../../../domain/attempt.ts';
import type { Outgoing } from '../../../domain/kinds/index.ts';
import type { SendAnswer, SendHooks, SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView, JobStore } from '../../../ports/jobs.ts';
import { makeOneCall } from './one-call.ts';

/* What each answer makes of a call: what is written down of it, and what its job does next. */

const [A, B, C] = ['989120000001', '989120000002', '989120000003'] as const;
const BOOK: Outgoing = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' };

interface World {
  readonly answer?: SendAnswer | Error;
  readonly attempt?: Partial<AttemptView>;
  /** What the phonebook holds now. */
  readonly book?: readonly string[] | Error;
  readonly gateway?: Error;
  readonly isOpen?: boolean;
}

/** Makes one call, and tells all that came of it in its order. */
async function made({
  answer = accepted('7'),
  attempt = {},
  book = [],
  gateway: failure,
  isOpen = true,
}: World) {
  const told: unknown[][] = [];
  const note =
    (what: string) =>
    async (...rest: unknown[]) => {
      // Which call it was.
      if (rest[0] === 'attempt' && rest[1] === 3) rest.splice(0, 2);
      await Promise.resolve(told.push([what, ...rest]));
    };
  const jobs = {
    goOnWire: async (...of: unknown[]) => {
      await note('fence')(...of);
      return isOpen;
    },
    record: note('record'),
    release: note('release'),
    stop: note('stop'),
    nameNumbers: note('name'),
    askAboutBook: note('ask'),
  } as unknown as JobStore;
  const send = async (_request: unknown, hooks?: SendHooks): Promise<SendAnswer> => {
    if (answer instanceof AppError) throw answer;
    if ((await hooks?.beforeWrite?.()) !== true) return { outcome: 'not_sent', reason: 'fence' };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const gateway = {
    use: () => ({
      send,
      sendToBook: send,
      numbers: () =>
        book instanceof Error ? Promise.reject(book) : Promise.resolve(book.map((number) => ({ number }))),
    }),
  } as unknown as SmsGateway;
  const view: AttemptView = {
    id: 'attempt',
    jobId: 'job',
    bindingId: 'binding',
    state: 'reserved',
    epoch: 3,
    line: '3000123456',
    recipients: [A, B],
    text: 'Hello',
    flash: false,
    outgoing: { kind: 'text' },
    messages: null,
    tries: 0,
    ...attempt,
  };
  const log = createMemoryLog();
  const ran = makeOneCall(
    view,
    'account',
    {
      jobs,
      gateways: {
        capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
        accepted: () => [],
        of: () => (failure === undefined ? Promise.resolve(gateway) : Promise.reject(failure)),
        probe: () => gateway,
      },
      concurrency: {
        enter: () => true,
        leave: () => undefined,
        wait: () => undefined,
        next: () => undefined,
        limit: () => 1,
        begin: () => true,
        end: () => undefined,
        rest: (...how) => void told.push(['rest', ...how]),
        restMs: () => 0,
      },
      persist: async (write) => {
        told.push(['persist']);
        await write();
      },
      log,
    },
    (end, pause) => told.push(['end', end, pause]),
  );
  const mistake = await ran.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  return { told, mistake, messages: log.lines.map(({ message }) => message) };
}

function accepted(...ids: readonly (string | AcceptedId)[]): SendAnswer {
  const [first = { id: '7' }, ...more] = ids.map((id) => (typeof id === 'string' ? { id } : id));
  return { outcome: 'accepted', messageIds: [first, ...more], raw: 'raw' };
}

const refused = (code: number): SendAnswer => ({
  outcome: 'rejected',
  code,
  table: 'sending',
  name: 'invalid_line',
  text: '',
  raw: 'raw',
});
const unknown = (code?: number, raw?: string): SendAnswer => ({
  outcome: 'unknown',
  reason: 'timeout',
  stage: 'answer',
  ...(code === undefined ? {} : { code }),
  ...(raw === undefined ? {} : { raw }),
});
const unsent: SendAnswer = { outcome: 'not_sent', reason: 'refused' };
const refusal = (code: number) => ({ outcome: 'rejected', code, name: 'invalid_line', raw: 'raw' });
const inDoubt = (raw: string) => ({ outcome: 'unknown', reason: 'timeout', raw });
const notSent = { outcome: 'not_sent', reason: 'refused' };
const later = (afterMs: number) => ({ kind: 'later', afterMs });
const stopped = { kind: 'stopped' };

test.each<[string, World, unknown[][]]>([
  ['refused', { answer: refused(23) }, [['end', 'good', null], ['persist'], ['record', refusal(23)]]],
  [
    'refused for want of credit',
    { answer: refused(22) },
    [['end', 'good', stopped], ['persist'], ['record', refusal(22)], ['stop', 'job', 'credit', null, null]],
  ],
  [
    'refused for the account',
    { answer: refused(401) },
    [['end', 'good', stopped], ['persist'], ['record', refusal(401)], ['stop', 'job', 'account', null, null]],
  ],
  ['in doubt', { answer: unknown() }, [['end', 'bad', null], ['persist'], ['record', inDoubt('')]]],
  [
    'in doubt, with words',
    { answer: unknown(27, '?') },
    [['end', 'bad', null], ['persist'], ['record', inDoubt('?')]],
  ],
  [
    'too much',
    { answer: unknown(429) },
    [['rest', 'account', 60_000], ['end', 'bad', { kind: 'rest' }], ['persist'], ['record', inDoubt('')]],
  ],
  ['not sent', { answer: unsent }, [['end', 'bad', later(1000)], ['persist'], ['record', notSent]]],
  [
    'not sent for the seventh time',
    { answer: unsent, attempt: { tries: 6 } },
    [['end', 'bad', later(64_000)], ['persist'], ['record', notSent]],
  ],
  [
    'not sent for the eighth time',
    { answer: unsent, attempt: { tries: 7 } },
    [['end', 'bad', stopped], ['persist'], ['record', notSent], ['stop', 'job', 'unreachable', null, null]],
  ],
])('a call that is %s', async (_what, world, after) => {
  expect((await made(world)).told).toEqual([['fence'], ...after]);
});

test('a call that the fence does not let go is given back', async () => {
  const { told } = await made({ isOpen: false });
  expect(told).toEqual([['fence'], ['end', 'local', later(1000)], ['persist'], ['release']]);
});

test('a call that breaks a limit of Peyk’s own is refused without leaving', async () => {
  const { told } = await made({ answer: new AppError('bad_input', 'too long') });
  const local = { outcome: 'rejected', code: 0, name: '', raw: '' };
  expect(told).toEqual([['end', 'local', null], ['persist'], ['record', local]]);
});

test.each([new TypeError('a mistake'), new AppError('crypto', 'a mistake')])(
  'a mistake of ours leaves the call in doubt: %s',
  async (answer) => {
    const { told, mistake } = await made({ answer });
    const record = ['record', { outcome: 'unknown', reason: 'internal', raw: '' }];
    expect(told.slice(-2)).toEqual([['persist'], record]);
    expect(mistake).toBe('a mistake');
  },
);

test.each(['not_connected', 'gateway_unsupported'] as const)(
  'without an account (%s) the job stops',
  async (code) => {
    const { told, mistake } = await made({ gateway: new AppError(code, '') });
    expect(told).toEqual([
      ['persist'],
      ['release'],
      ['end', 'local', stopped],
      ['stop', 'job', 'not_connected', null, null],
    ]);
    expect(mistake).toBeNull();
  },
);

test('an account that cannot be opened now is told of, and the call given back', async () => {
  const { told, mistake } = await made({ gateway: new AppError('crypto', 'no key') });
  expect([told, mistake]).toEqual([[['persist'], ['release']], 'no key']);
});

describe('the ids of an accepted call', () => {
  test.each<[string, readonly (string | AcceptedId)[], Partial<AttemptView>, string[] | null]>([
    ['one for all', ['7'], {}, ['7', '7']],
    ['in order', ['7', '8'], {}, ['7', '8']],
    [
      'by name',
      [
        { id: '8', recipient: B },
        { id: '7', recipient: A },
      ],
      {},
      ['7', '8'],
    ],
    ['of some, by name', [{ id: '8', recipient: B }, '9', '7'], {}, ['', '8']],
    ['too few', ['7', '8'], { recipients: [A, B, C] }, ['', '', '']],
    ['one for a phonebook', ['7'], { outgoing: BOOK }, ['7', '7']],
    ['of a phonebook, in an order of its own', ['7', '8'], { outgoing: BOOK }, ['', '']],
    [
      'of a phonebook, by name',
      [
        { id: '8', recipient: B },
        { id: '7', recipient: A },
      ],
      { outgoing: BOOK },
      ['7', '8'],
    ],
    ['of others in a phonebook', ['7', '8', '9'], { outgoing: BOOK }, null],
  ])('%s', async (_how, ids, attempt, each) => {
    const { told } = await made({ answer: accepted(...ids), attempt, book: attempt.recipients ?? [A, B] });
    const result =
      each === null
        ? { outcome: 'unknown', reason: 'echo_differs', raw: 'raw' }
        : { outcome: 'accepted', raw: 'raw', recipients: attempt.recipients ?? [A, B], messageIds: each };
    expect(told).toEqual([['fence'], ['end', 'good', null], ['persist'], ['record', result]]);
  });
});

describe('a phonebook right before its call', () => {
  const attempt = { outgoing: BOOK };
  test.each<[string, readonly string[] | Error, unknown[][]]>([
    [
      'that has lost somebody',
      [A],
      [
        ['name', [A]],
        ['end', 'local', null],
      ],
    ],
    [
      'that has others',
      [A, B, C],
      [
        ['ask', [A, B, C]],
        ['end', 'local', null],
      ],
    ],
    [
      'that cannot be read',
      new AppError('gateway_no_answer', 'silent'),
      [['end', 'bad', later(1000)], ['persist'], ['record', { outcome: 'not_sent', reason: 'unreachable' }]],
    ],
  ])('%s: nothing leaves', async (_which, book, told) => {
    expect(await made({ attempt, book })).toMatchObject({ told, mistake: null });
  });

  test('that we read by mistake: nothing leaves, and it is told of', async () => {
    const { told, mistake } = await made({ attempt, book: new TypeError('a mistake') });
    expect([told, mistake]).toEqual([[], 'a mistake']);
  });
});
