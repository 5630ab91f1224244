import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { AppError } from '../../../domain/errors.ts';
import type { SentMessage, SmsGateway } from '../../../ports/gateway.ts';
import type { DoubtView, ReconcileStore, UnnamedRow } from '../../../ports/reconcile.ts';
import { createReconciler } from './reconciler.ts';

const LINE = '3000123456';
const [A, B] = ['989120000010', '989120000020'] as const;
/** Of a call that was under way from 1000 to 1002, by a gateway whose clock is known: what may be its rows lies from 993 to 1124. */
const NOW = 1500;

interface World {
  readonly doubt?: Partial<DoubtView> | null;
  /** What the lists have beside an older message. */
  readonly rows?: readonly SentMessage[];
  readonly byNumber?: readonly SentMessage[];
  readonly blocked?: readonly string[];
  readonly claimed?: readonly string[];
  readonly unnamed?: readonly UnnamedRow[];
  /** How far the gateway's clock is ahead, in seconds. */
  readonly ahead?: number;
  /** What the gateway has put behind what left from the line before. */
  readonly ending?: string;
  readonly facets?: readonly string[];
  readonly open?: () => Promise<SmsGateway>;
  readonly hasPlace?: boolean;
  readonly isWritten?: boolean;
}

function row(recipient: string, date: number, more: Partial<SentMessage> = {}): SentMessage {
  const state = { raw: 4, text: '', kind: 'delivered' } as const;
  return { id: `7${recipient}`, line: LINE, recipient, text: 'Hello', date, state, ...more };
}

/** Looks once, and tells what was written down and what the gateway was asked for. */
async function look(world: World = {}) {
  const {
    facets = ['outbox', 'details', 'blacklist'],
    ahead = 0,
    ending = '',
    blocked = [],
    isWritten = true,
  } = world;
  const written: unknown[][] = [];
  const asked: unknown[][] = [];
  const recipients = world.doubt?.recipients ?? [A, B];
  const doubt: DoubtView = {
    attemptId: 'attempt',
    jobId: 'job',
    bindingId: 'binding',
    account: 'account',
    recipients,
    messages: new Map(recipients.map((recipient) => [recipient, { line: LINE, text: 'Hello' }])),
    from: 1000,
    to: 1002,
    now: NOW,
    checks: 0,
    lastLook: null,
    ...world.doubt,
  };
  const unneeded = () => Promise.reject(new Error('nobody asks for it'));
  const reconciles: ReconcileStore = {
    doubt: async () => await Promise.resolve(world.doubt === null ? null : doubt),
    acceptedCalls: async () =>
      await Promise.resolve(
        [1, 2, 3].map((id) => ({
          messageId: String(id),
          from: 500,
          to: 500,
          line: LINE,
          text: 'Hi',
          recipients: 1,
          ids: 1,
        })),
      ),
    claimed: async (_id, messages) => {
      const named = messages.map(({ messageId, recipient }) => `${messageId} ${recipient}`);
      return await Promise.resolve(new Set(world.claimed).intersection(new Set(named)));
    },
    unnamed: async (_id, around) => {
      asked.push(['unnamed', around]);
      return await Promise.resolve(world.unnamed ?? []);
    },
    keepOpen: async (...how) => void (await Promise.resolve(written.push(['open', ...how.slice(1)]))),
    found: async (_id, ...how) => {
      written.push(['found', ...how]);
      return await Promise.resolve(isWritten);
    },
    ask: async (_id, { found, blocked: forbidden, absent, proven }) => {
      written.push(['ask', { found: found.map((each) => each.recipient), forbidden, absent, proven }]);
      return await Promise.resolve(isWritten);
    },
    asked: unneeded,
    lookAgain: unneeded,
    waiting: unneeded,
    decide: unneeded,
  };
  const facetsOf = {
    outbox: {
      newest: () => Promise.resolve([row('989120000099', ahead + 900), ...(world.rows ?? [])]),
      inRange: () => Promise.resolve(world.rows ?? []),
      byNumber: ({ recipient }: { recipient: string }) => {
        asked.push(['number', recipient]);
        return Promise.resolve((world.byNumber ?? []).filter((each) => each.recipient === recipient));
      },
    },
    details: {
      byIds: () =>
        Promise.resolve([1, 2, 3].map((id) => row(A, ahead + 500, { id: String(id), text: `Hi${ending}` }))),
    },
    blacklist: {
      blocked: (line: string, numbers: readonly string[]) => {
        asked.push(['blocked', line, numbers.length]);
        return Promise.resolve(numbers.filter((number) => blocked.includes(number)));
      },
    },
  };
  const gateway = {
    has: (facet: string) => facets.includes(facet),
    use: (facet: keyof typeof facetsOf) => facetsOf[facet],
  } as unknown as SmsGateway;
  const reconcile = createReconciler({
    reconciles,
    gateways: {
      capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
      accepted: () => [],
      of: world.open ?? (() => Promise.resolve(gateway)),
      probe: () => gateway,
    },
    clock: {
      now: () => new Date((ahead + NOW) * 1000),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
    },
  });
  await reconcile('attempt', { log: createMemoryLog(), takePlace: () => world.hasPlace ?? true });
  return { written, asked };
}

const BEFORE = { at: NOW - 300, absent: [A, B] };
const UNPROVED = ['ask', { found: [], forbidden: [], absent: [A, B], proven: false }];
const failing = (failure: Error) => () => Promise.reject(failure);

test.each<[string, World]>([
  ['that is known meanwhile', { doubt: null }],
  ['whose account has no place for it now', { hasPlace: false }],
])('a call %s is not looked for', async (_what, world) => {
  expect(await look(world)).toEqual({ written: [], asked: [] });
});

test.each([
  [0, 20],
  [19, 1],
  [20, 40],
  [60, 120],
  [600, 3000],
  [3599, 1],
  [3600, 3600],
  [86_400, 3600],
])('%i s after its call, the next look comes in %i s', async (age, next) => {
  const { written } = await look({
    doubt: { now: 1002 + age },
    open: failing(new AppError('gateway_no_answer', 'silent')),
  });
  expect(written).toEqual([['open', null, next * 1000]]);
});

test.each<[string, World]>([
  ['the account is gone', { open: failing(new AppError('not_connected', 'gone')) }],
  ['the account has no lists', { facets: [] }],
  ['its text is not known', { doubt: { messages: null } }],
  [
    'no list was read for a day',
    { doubt: { now: 1003 + 86_400 }, open: failing(new AppError('gateway_no_answer', '')) },
  ],
])('a person is asked without proof where %s', async (_why, world) => {
  expect((await look(world)).written).toEqual([UNPROVED]);
});

test('a mistake of ours is told', async () => {
  await expect(look({ open: failing(new TypeError('a mistake')) })).rejects.toThrow('a mistake');
});

describe('what the lists show', () => {
  const both = [row(A, 1001, { id: '7' }), row(B, 1001, { id: '7' })];

  test.each([0, 3600, -300])('is found by a clock that is ahead by %i s', async (ahead) => {
    const rows = both.map((each) => ({ ...each, date: 1001 + ahead }));
    const { written, asked } = await look({ rows, ahead });
    const claims = [A, B].map((recipient) => expect.objectContaining({ recipient, messageId: '7' }));
    expect(written).toEqual([['found', claims, false]]);
    expect(asked).toEqual([['unnamed', { from: 991, to: 1126 }]]);
  });

  test('is found with what the gateway puts behind the texts of its line', async () => {
    const rows = both.map((each) => ({ ...each, text: 'Hello\nلغو11' }));
    expect((await look({ rows, ending: '\nلغو11' })).written[0]?.[0]).toBe('found');
    expect((await look({ rows })).written[0]?.[0]).toBe('open');
    const messages = new Map([A, B].map((to) => [to, { line: '50001234567', text: 'Hello' }]));
    const elsewhere = rows.map((each) => ({ ...each, line: '50001234567' }));
    expect((await look({ rows: elsewhere, ending: '\nلغو11', doubt: { messages } })).written[0]?.[0]).toBe(
      'open',
    );
  });

  test('may be somebody else’s where it lies too far apart for one call', async () => {
    expect((await look({ rows: [row(A, 1001), row(B, 1100)] })).written).toEqual([
      ['found', expect.any(Array), true],
    ]);
  });

  const unnamed = (from: number, to: number): UnnamedRow[] =>
    [A, B].map((recipient) => ({ recipient, messageId: '', from, to, isSure: true }));

  test('is not taken from other calls, nor from another time', async () => {
    const claimed = both.map(({ id, recipient }) => `${id} ${recipient}`);
    const later = both.map((each) => ({ ...each, date: 4601 }));
    for (const world of [
      { rows: both, claimed },
      { rows: both, unnamed: unnamed(1000, 1001) },
      { rows: later, ahead: 3600, unnamed: unnamed(1000, 1001) },
    ])
      expect((await look(world)).written).toEqual([['open', { at: NOW, absent: [] }, 102_000]]);
    expect((await look({ rows: [row(A, 992), row(B, 1125)] })).written).toEqual([
      ['open', { at: NOW, absent: [A, B] }, 102_000],
    ]);
  });

  test('is left to the calls at whose time it lies', async () => {
    const earlier = [A, B].map((recipient) => row(recipient, 900, { id: '5' }));
    const later = both.map((each) => ({ ...each, date: 4601 }));
    for (const world of [
      { rows: both, unnamed: unnamed(1004, 1005) },
      { rows: both, unnamed: unnamed(990, 998) },
      { rows: later, ahead: 3600, unnamed: unnamed(1004, 1005) },
      { rows: [...earlier, ...both], unnamed: unnamed(899, 1001) },
    ])
      expect((await look(world)).written).toEqual([
        ['found', [A, B].map(() => expect.objectContaining({ messageId: '7' })), false],
      ]);
  });

  test('is looked for again where somebody else wrote it down', async () => {
    expect((await look({ rows: both, isWritten: false })).written.map(([what]) => what)).toEqual([
      'found',
      'open',
    ]);
  });
});

describe('nobody in the lists', () => {
  test.each<[string, World, boolean]>([
    ['of one look alone', {}, false],
    [
      'of two looks that are near to each other',
      { doubt: { lastLook: { ...BEFORE, at: NOW - 299 } } },
      false,
    ],
    ['where the look before found somebody', { doubt: { lastLook: { ...BEFORE, absent: [A] } } }, false],
    ['where the look before missed others', { doubt: { lastLook: { ...BEFORE, absent: [A, '98'] } } }, false],
    [
      'where the look before missed more',
      { doubt: { lastLook: { ...BEFORE, absent: [A, B, '98'] } } },
      false,
    ],
    ['of two looks that agree', { doubt: { lastLook: BEFORE } }, true],
    ['by a clock that nobody knows', { doubt: { lastLook: BEFORE }, facets: ['outbox'] }, false],
  ])('%s: proved %s', async (_of, world, isProved) => {
    const { written } = await look(world);
    expect(written[0]?.[0]).toBe(isProved ? 'ask' : 'open');
    if (isProved)
      expect(written).toEqual([['ask', { found: [], forbidden: [], absent: [A, B], proven: true }]]);
  });

  test('proves nothing while lists may still show it', async () => {
    const doubt = { to: 1400, lastLook: BEFORE };
    expect((await look({ doubt })).written).toEqual([['open', null, 80_000]]);
    for (const [now, ahead] of [
      [1124, 0],
      [1125, 0],
      [1125, 3600],
    ] as const)
      expect((await look({ doubt: { now }, ahead })).written[0]?.[1]).toEqual(
        now === 1124 ? null : { at: now, absent: [A, B] },
      );
  });
});

describe('some of a call', () => {
  const half = { rows: [row(A, 1001)], doubt: { lastLook: { ...BEFORE, absent: [B] } } };

  test('that a blacklist explains need nobody’s word', async () => {
    const { written, asked } = await look({ ...half, blocked: [B] });
    expect(written).toEqual([['ask', { found: [A], forbidden: [B], absent: [], proven: true }]]);
    expect(asked).toContainEqual(['blocked', LINE, 1]);
    // With nobody found, a blacklist explains nothing, and is not asked.
    expect((await look({ doubt: { lastLook: BEFORE } })).asked.map(([what]) => what)).not.toContain(
      'blocked',
    );
  });

  test.each<[string, World]>([
    ['no blacklist', { facets: ['outbox', 'details'] }],
    [
      'several lines',
      {
        doubt: {
          ...half.doubt,
          messages: new Map([A, B].map((to, n) => [to, { line: `${LINE}${n}`, text: 'Hello' }])),
        },
      },
    ],
  ])('are asked about where there are %s to look at', async (_what, world) => {
    const { asked } = await look({
      ...half,
      rows: [row(A, 1001, { line: `${LINE}0` }), row(A, 1001)],
      ...world,
    });
    expect(asked.map(([what]) => what)).not.toContain('blocked');
  });

  test.each([
    [200, 1],
    [201, 0],
  ])('are not looked up on the blacklist where they are too many: %i', async (absent, questions) => {
    const recipients = [A, ...Array.from({ length: absent }, (_, n) => `98913${String(n).padStart(7, '0')}`)];
    const { asked } = await look({ ...half, doubt: { recipients } });
    expect(asked.filter(([what]) => what === 'blocked')).toHaveLength(questions);
  });

  test('are looked at one by one before a person is asked, where they are few', async () => {
    const { written, asked } = await look({ ...half, byNumber: [row(B, 1001)] });
    expect(asked).toContainEqual(['number', B]);
    expect(written).toEqual([['found', expect.any(Array), true]]);
    for (const [count, questions] of [
      [30, 30],
      [31, 0],
    ] as const) {
      const recipients = Array.from({ length: count }, (_, n) => `98913${String(n).padStart(7, '0')}`);
      const many = await look({ doubt: { recipients, lastLook: { ...BEFORE, absent: recipients } } });
      expect(many.asked.filter(([what]) => what === 'number')).toHaveLength(questions);
      expect(many.written[0]?.[0]).toBe('ask');
    }
  });
});
