import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  auditDay,
  inboxPauseMs,
  isBacklog,
  lastDays,
  listsNewestFirst,
  marksOf,
  type Listed,
  type Mark,
} from './inbound.ts';

const listed: fc.Arbitrary<Listed> = fc.record(
  {
    id: fc.constantFrom('0', '1', '2', '3'),
    sender: fc.constantFrom('989121110001', '989121110002'),
    line: fc.constant('3000'),
    text: fc.constantFrom('1', '11'),
    date: fc.nat(2),
  },
  { requiredKeys: ['sender', 'line', 'text'] },
);
const keyOf = ({ id, isOwn, print }: Mark) => (isOwn && id !== null ? id : `#${print}`);

describe('the marks of a page', () => {
  test('tell different messages apart, and equal ones too where no id says that they are one', () => {
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 12 }), (page) => {
        const marks = marksOf(page);
        const mixed = marks.filter((mark, index) =>
          marks.some((other, at) => {
            const isOne = mark.isOwn && JSON.stringify(page[index]) === JSON.stringify(page[at]);
            return at < index && !isOne && keyOf(mark) === keyOf(other);
          }),
        );
        expect(mixed).toEqual([]);
      }),
    );
  });

  test('are the same in whatever order the page comes', () => {
    fc.assert(
      fc.property(
        fc
          .array(listed, { maxLength: 10 })
          .chain((page) =>
            fc.tuple(fc.constant(page), fc.shuffledSubarray(page, { minLength: page.length })),
          ),
        ([page, other]) => {
          const sorted = (of: readonly Listed[]) => marksOf(of).map(keyOf).toSorted();
          expect(sorted(other)).toEqual(sorted(page));
        },
      ),
    );
  });

  test('are stored: what is in a print, and its place among equal ones, stays as it is', () => {
    const message = { sender: 's', line: 'l', text: 't', date: 1 };
    expect(marksOf([message, { ...message, id: '0' }])).toEqual([
      { id: null, isOwn: false, print: '["[\\"s\\",\\"l\\",1,\\"t\\"]",0]' },
      { id: null, isOwn: false, print: '["[\\"s\\",\\"l\\",1,\\"t\\"]",1]' },
    ]);
  });

  test('are ids where these name one message each', () => {
    const page = ['5', '6', '7'].map((id) => ({ id, sender: 's', line: 'l', text: 't' }));
    expect(marksOf(page).map(keyOf)).toEqual(['5', '6', '7']);
  });
});

describe('the order of a list', () => {
  test.each([
    [[[9, 8, 7], [5], [3, 2, 1]], true],
    [
      [
        [1, 2, 3],
        [7, 8, 9],
      ],
      false,
    ],
    [
      [
        [5, 5],
        [5, 4, 4],
      ],
      true,
    ],
    // One came late, and stands where it came.
    [
      [
        [9, 8, 3],
        [6, 7, 5],
        [2, 1],
      ],
      true,
    ],
    [[[9, 8, 7], [1, 2, 3], [5, 6], [0]], null],
    [
      [
        [1, 9],
        [2, 8],
      ],
      null,
    ],
    [[[5, 5], [5]], null],
    [[[9, 8], [], [1]], true],
    [
      [
        [9, 8, 3],
        [6, 7, 5],
        [4, 1],
      ],
      null,
    ],
    [
      [
        [1, 2, 9],
        [3, 4],
      ],
      null,
    ],
    [
      [
        [1, 2, 3],
        [3, 4],
      ],
      false,
    ],
    [[[], [1]], null],
    [[], null],
  ])('of %j is %s', (pages, expected) => {
    expect(listsNewestFirst(pages)).toBe(expected);
  });

  test('is never both, and turns round with the list', () => {
    const lists = fc.array(fc.array(fc.nat(20), { maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(lists, (pages) => {
        const one = listsNewestFirst(pages);
        const other = listsNewestFirst(pages.toReversed());
        // What an even page has in its middle depends on the side.
        expect(one === null || other === null || other === !one).toBe(true);
      }),
    );
  });
});

describe('the pause between two looks', () => {
  const pause = (sinceInboundMs: number, failures = 0) =>
    inboxPauseMs({ baseMs: 15_000, sinceInboundMs, failures, random: 0 });

  test('is a twentieth of the time since the last message, between the base and 20 times that', () => {
    expect([0, 60_000, 600_000, 3_600_000, 86_400_000].map((since) => pause(since))).toEqual([
      15_000, 15_000, 30_000, 180_000, 300_000,
    ]);
  });

  test('doubles with each failure and never stops', () => {
    expect([1, 2, 3, 4, 5, 99].map((failures) => pause(0, failures))).toEqual([
      30_000, 60_000, 120_000, 240_000, 300_000, 300_000,
    ]);
  });

  test('stays between the bounds but for a tenth, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.record({
          baseMs: fc.integer({ min: 10, max: 100_000 }),
          sinceInboundMs: fc.nat(1e9),
          failures: fc.nat(1000),
          random: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        (of) => {
          const ms = inboxPauseMs(of);
          expect(ms).toBeGreaterThanOrEqual(of.baseMs * 0.9 - 1e-6);
          expect(ms).toBeLessThanOrEqual(of.baseMs * 20);
        },
      ),
    );
  });
});

test('a backlog is what nobody has read before, or for more than a day', () => {
  expect([isBacklog(null, false), isBacklog(5, false), isBacklog(null, true)]).toEqual([true, true, true]);
  expect([isBacklog(86_400_000, true), isBacklog(86_400_001, true)]).toEqual([false, true]);
});

describe('the days of a comparison', () => {
  test('meet without gap or overlap, and the last one is today', () => {
    const zones = fc.constantFrom('Asia/Tehran', 'UTC', 'America/Santiago', 'Pacific/Chatham');
    const moments = fc.date({
      min: new Date('2015-01-01'),
      max: new Date('2035-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, zones, (now, zone) => {
        const days = lastDays(now, zone, 7);
        expect(days).toHaveLength(7);
        for (const [index, { from }] of days.entries())
          if (index > 0) expect(from).toBe((days[index - 1]?.to ?? 0) + 1);
        const seconds = Math.floor(now.getTime() / 1000);
        const today = days.at(-1);
        expect(seconds >= (today?.from ?? 0) && seconds <= (today?.to ?? 0)).toBe(true);
      }),
    );
  });

  test('have their date, and begin an hour later where the clock skips midnight', () => {
    const now = new Date('2026-09-06T15:00:00Z');
    expect(lastDays(now, 'America/Santiago', 2)).toEqual([
      { day: '2026-09-05', from: Date.UTC(2026, 8, 5, 4) / 1000, to: Date.UTC(2026, 8, 6, 4) / 1000 - 1 },
      { day: '2026-09-06', from: Date.UTC(2026, 8, 6, 4) / 1000, to: Date.UTC(2026, 8, 7, 3) / 1000 - 1 },
    ]);
  });

  test('come once a day for each account, at a time of its own', () => {
    const ids = ['0000', '0100', 'ffff'].map((head) => `${head}0000-0000-4000-8000-000000000000`);
    const at = (time: string) => new Date(`2026-11-24T${time}:00Z`);
    // 0x0000 → minute 0; 0x0100 → 04:16; 0xffff → 65535 % 1380 = 675 → 11:15.
    expect(ids.map((id) => auditDay(at('04:00'), 'UTC', id, '2026-11-23'))).toEqual([
      '2026-11-24',
      null,
      null,
    ]);
    expect(ids.map((id) => auditDay(at('11:15'), 'UTC', id, '2026-11-23'))).toEqual(
      Array(3).fill('2026-11-24'),
    );
    expect(auditDay(at('23:59'), 'UTC', ids[0] ?? '', '2026-11-24')).toBeNull();
    expect(auditDay(at('04:00'), 'UTC', ids[1] ?? '', null)).toBe('2026-11-23');
  });
});
