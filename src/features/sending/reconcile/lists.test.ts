import { describe, expect, test } from 'vitest';
import { AppError } from '../../../domain/errors.ts';
import type { TimeSpan } from '../../../domain/time-range.ts';
import type { SentMessage, SmsGateway } from '../../../ports/gateway.ts';
import type { AcceptedCall } from '../../../ports/reconcile.ts';
import { studyGateway } from './gateway-habits.ts';
import { lookAtNumbers, lookIntoOutbox } from './outbox-evidence.ts';

/* Lists and counts word for word, and how often they are asked for; what a gateway makes of them is shown beside. */

const NOW = 100_000;
const LINE = '3000123456';
const A = '989120000010';

function row(date: number | undefined, more: Partial<SentMessage> = {}): SentMessage {
  const state = { raw: 4, text: '', kind: 'delivered' } as const;
  const dated = date === undefined ? {} : { date };
  return { id: String(date), line: LINE, recipient: A, text: 'Hello', state, ...dated, ...more };
}

interface Lists {
  readonly newest?: readonly SentMessage[];
  readonly inRange?: readonly SentMessage[];
  /** The nth answer to how many there are; the last one from then on. */
  readonly counts?: readonly number[];
  /** By default all of them have one. */
  readonly parts?: number;
  readonly byIds?: readonly SentMessage[] | Error;
  readonly facets?: readonly string[];
}

function gatewayOf({
  newest = [],
  inRange = [],
  counts = [0],
  parts,
  byIds = [],
  facets = ['outbox', 'counts', 'details'],
}: Lists) {
  const asked: string[] = [];
  let [counted, slept] = [0, 0];
  const span = ({ from, to }: TimeSpan): string => (from === to ? String(from) : `${from}-${to}`);
  const facetsOf = {
    outbox: {
      newest: () => Promise.resolve((asked.push('newest'), newest)),
      inRange: (of: TimeSpan) => Promise.resolve((asked.push(`list ${span(of)}`), inRange)),
      byNumber: () => Promise.resolve(inRange),
    },
    counts: {
      sent: (of: TimeSpan) => {
        asked.push(`count ${span(of)}`);
        counted += 1;
        const messages = counts[Math.min(counted, counts.length) - 1];
        return Promise.resolve({ messages, parts: parts ?? messages });
      },
    },
    details: {
      byIds: (ids: readonly string[]) => {
        asked.push(`ids ${ids.join(' ')}`);
        return byIds instanceof Error ? Promise.reject(byIds) : Promise.resolve(byIds);
      },
    },
  };
  const gateway = {
    has: (facet: string) => facets.includes(facet),
    use: (facet: keyof typeof facetsOf) => facetsOf[facet],
  } as unknown as SmsGateway;
  const look = async (of: TimeSpan, countsRecipients = true) => {
    const sleep = (): Promise<void> => Promise.resolve(void (slept += 1));
    const clock = { now: () => new Date(NOW * 1000), monotonic: () => 0, sleep };
    const { rows, complete } = await lookIntoOutbox(gateway, of, { clock, countsRecipients });
    return { dates: rows.map(({ date }) => date), complete, asked, slept };
  };
  return { asked, gateway, look };
}

describe('the newest messages', () => {
  const span = { from: NOW - 500, to: NOW };
  const own = row(NOW - 100);

  test.each<[string, Lists, { complete: boolean; asked: string[]; dates?: number[] }]>([
    [
      'that reach back before it',
      { newest: [own, row(span.from - 1)] },
      { complete: true, asked: ['newest'] },
    ],
    [
      'that reach back to it alone, and are not as many as are counted',
      { newest: [own, row(span.from)], counts: [3, 0] },
      {
        complete: true,
        asked: [
          'newest',
          'count 99500-100000',
          'count 99500-100000',
          'list 99500-100000',
          'count 99500-100000',
        ],
      },
    ],
    [
      'that are as many as are counted',
      { newest: [own], counts: [1] },
      { complete: true, asked: ['newest', 'count 99500-100000'], dates: [NOW - 100] },
    ],
    [
      'of which none is there',
      { newest: [], counts: [0] },
      { complete: true, asked: ['newest', 'count 99500-100000'] },
    ],
    ...(['line', 'recipient', 'date'] as const).map(
      (left): [string, Lists, { complete: boolean; asked: string[] }] => {
        const { [left]: _left, ...less } = row(2);
        return [
          `of which one leaves out its ${left}`,
          { newest: [own, row(1), less], counts: [1] },
          { complete: false, asked: ['newest', 'list 99500-100000'] },
        ];
      },
    ),
  ])('of a span %s', async (_which, lists, wanted) => {
    const isCounted = lists.counts !== undefined && wanted.complete;
    expect(await gatewayOf(lists).look(span, isCounted)).toMatchObject(wanted);
  });

  test('are not whole by themselves where nothing is counted', async () => {
    for (const lists of [{ newest: [] }, { newest: [own] }, { newest: [own, row(span.from)] }])
      expect(await gatewayOf(lists).look(span, false)).toMatchObject({ complete: false });
    const uncounted = gatewayOf({ newest: [own], facets: ['outbox'] });
    expect(await uncounted.look(span)).toMatchObject({ complete: false, dates: [NOW - 100] });
  });

  test('tell nothing of a span that is ten minutes old', async () => {
    const { look, asked } = gatewayOf({});
    await look({ from: NOW - 600, to: NOW });
    expect(asked).not.toContain('newest');
    await look({ from: NOW - 599, to: NOW });
    expect(asked).toContain('newest');
  });

  test('count where they lie in it, each once', async () => {
    const newest = [row(span.from - 1), row(span.from), row(span.to), row(span.to), row(span.to + 1)];
    expect(await gatewayOf({ newest }).look(span)).toMatchObject({
      dates: [span.from, span.to],
      complete: true,
    });
  });
});

describe('a list of a span', () => {
  test('is halved where it is not as long as its count, down to a second', async () => {
    const { look } = gatewayOf({ counts: [1] });
    expect(await look({ from: 10, to: 12 })).toMatchObject({
      complete: false,
      asked: ['10-12', '10-11', '12', '10', '11'].flatMap((of) => [
        `count ${of}`,
        `list ${of}`,
        `count ${of}`,
      ]),
    });
  });

  test('is read thrice at most while it is in motion', async () => {
    const inRange = [row(10), row(10, { id: '2' })];
    expect(await gatewayOf({ inRange, counts: [1, 2] }).look({ from: 10, to: 10 })).toMatchObject({
      complete: true,
      slept: 1,
    });
    const restless = gatewayOf({ inRange, counts: Array.from({ length: 99 }, (_, nth) => nth) });
    const seen = await restless.look({ from: 10, to: 10 });
    expect([seen.complete, seen.slept, seen.asked.length]).toEqual([false, 3, 9]);
  });

  test('costs no more than some forty questions, and keeps what was found', async () => {
    const restless = { counts: Array.from({ length: 99 }, (_, nth) => nth) };
    const old = await gatewayOf({ ...restless, inRange: [row(10)] }).look({ from: 0, to: 2000 });
    expect([old.complete, old.dates, old.asked.length]).toEqual([false, [10], 42]);
    const unread = gatewayOf({ ...restless, newest: [row(NOW, { id: '2' }), row(undefined)] });
    expect((await unread.look({ from: NOW - 500, to: NOW })).asked).toHaveLength(40);
    const counted = gatewayOf({ newest: [row(NOW)], counts: [9, ...restless.counts] });
    expect((await counted.look({ from: NOW - 500, to: NOW })).asked).toHaveLength(41);
    const uncounted = await gatewayOf({}).look({ from: 0, to: 50 * 86_400 }, false);
    expect([uncounted.complete, uncounted.asked.length]).toEqual([false, 40]);
  });

  test('of a number leaves out what has no time', async () => {
    const { gateway } = gatewayOf({ inRange: [row(undefined), row(10)] });
    expect(await lookAtNumbers(gateway, [A], 0)).toHaveLength(1);
  });

  test('keeps a recipient that is no number, and names a line as people do', async () => {
    const { gateway } = gatewayOf({ newest: [row(NOW, { recipient: 'VIP', line: `+98${LINE}` }), row(1)] });
    const clock = { now: () => new Date(NOW * 1000), monotonic: () => 0, sleep: () => Promise.resolve() };
    const { rows } = await lookIntoOutbox(
      gateway,
      { from: NOW, to: NOW },
      { clock, countsRecipients: false },
    );
    expect(rows).toMatchObject([{ recipient: 'VIP', line: LINE }]);
  });
});

describe('the habits of a gateway', () => {
  function call(more: Partial<AcceptedCall> = {}): AcceptedCall {
    return { messageId: '1', from: 50, to: 50, line: LINE, text: null, recipients: 1, ids: 1, ...more };
  }

  test.each([
    { offsets: [0], ahead: 0, give: 2 },
    { offsets: [10, 20], ahead: 15, give: 15 },
    { offsets: [100, 9, 10], ahead: 10, give: 3 },
    { offsets: [100, -9, -10], ahead: -9, give: 3 },
    { offsets: [0, 0], took: [9, 1], ahead: 0, give: 9 },
  ])('its clock, from $offsets', async ({ offsets, took = [], ahead, give }) => {
    const calls = offsets.map((_, n) => call({ messageId: String(n), to: 50 + (took[n] ?? 0) }));
    const byIds = offsets.map((offset, n) => row(50 + (took[n] ?? 0) / 2 + offset, { id: String(n) }));
    const { gateway, asked } = gatewayOf({ byIds });
    expect((await studyGateway(gateway, calls)).clock).toEqual({ ahead, give, known: true });
    expect(asked).toEqual([`ids ${calls.map(({ messageId }) => messageId).join(' ')}`]);
  });

  test('are not asked for in vain, and not known where it refuses', async () => {
    for (const [calls, facets] of [
      [[], ['details']],
      [[call()], []],
    ] as const) {
      const { gateway, asked } = gatewayOf({ facets });
      expect((await studyGateway(gateway, calls)).clock.known).toBe(false);
      expect(asked).toEqual([]);
    }
    const refused = gatewayOf({ byIds: new AppError('gateway_refused', 'none of these') });
    expect((await studyGateway(refused.gateway, [call()])).clock.known).toBe(false);
    const silent = gatewayOf({ byIds: new AppError('gateway_no_answer', 'silent') });
    await expect(studyGateway(silent.gateway, [call()])).rejects.toMatchObject({ code: 'gateway_no_answer' });
  });

  test('its endings are those of texts that it shows', async () => {
    const calls = ['1', '2', '3'].flatMap((messageId) => [
      call({ messageId }),
      call({ messageId: `${messageId}0`, text: 'Hello' }),
    ]);
    const { gateway } = gatewayOf({ byIds: ['1', '2', '3'].map((id) => row(50, { id, text: 'Hello11' })) });
    expect((await studyGateway(gateway, calls)).endings).toEqual(new Map());
  });

  const three = call({ messageId: '7', recipients: 3 });
  const rows = [7, 7, 7].map((id) => row(50, { id: String(id) }));
  test.each<[string, readonly AcceptedCall[], Lists, boolean]>([
    ['by a call to several with one id', [three], { inRange: rows, counts: [3] }, true],
    ['by no call to one', [call({ messageId: '7' })], { inRange: rows, counts: [3] }, false],
    [
      'without a question where each has an id',
      [call({ recipients: 2, ids: 2 })],
      { facets: ['details'] },
      true,
    ],
    ['not by some that have', [call({ recipients: 2, ids: 2 }), three], { facets: ['details'] }, false],
    ['not where it has no counts', [three], { inRange: rows, facets: ['details', 'outbox'] }, false],
    [
      'not where it has no lists',
      [three],
      { inRange: rows, counts: [3], facets: ['details', 'counts'] },
      false,
    ],
    ['not by a call that is not listed', [three], { byIds: [], inRange: rows, counts: [3] }, false],
    [
      'not by one without a time',
      [three],
      { byIds: [row(undefined, { id: '7' })], inRange: rows, counts: [3] },
      false,
    ],
    ['not by one with some ids', [call({ ...three, ids: 2 })], { inRange: rows, counts: [3] }, false],
    ['not while it is in motion', [three], { inRange: rows, counts: [3, 4] }, false],
    ['not by a count of something else', [three], { inRange: rows, counts: [1] }, false],
    ['not by a list that is cut', [three], { inRange: rows.slice(1), counts: [2] }, false],
    [
      'not by one that is cut behind the call, of as many calls as that has recipients',
      [three],
      { inRange: rows, counts: [3], parts: 5 },
      false,
    ],
    ['not by a list of others', [three], { inRange: [...rows.slice(1), row(50)], counts: [3] }, false],
    ['beside others', [three], { inRange: [...rows, row(50)], counts: [4] }, true],
  ])('that it counts recipients is known %s', async (_how, calls, lists, isKnown) => {
    const { gateway, asked } = gatewayOf({ byIds: [row(50, { id: '7' })], ...lists });
    expect((await studyGateway(gateway, calls)).countsRecipients).toBe(isKnown);
    expect([[], ['count 50', 'list 50', 'count 50']]).toContainEqual(asked.slice(1));
  });
});
