import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  countsRial,
  decide as decideByDays,
  DEFAULT_LIMITS,
  dueAt,
  isWithin,
  minuteOfDay,
  nextTurn,
  NOTHING_FOUND,
} from './limits.ts';
import type { DayLoad, Limits, SendingWindow, Spent } from './limits.ts';

const NOTHING: Spent = { parts: 0, rial: 0, unpricedParts: 0 };
const NOON = 720;
const IDLE = {
  found: NOTHING_FOUND,
  priceRial: null,
  spentToday: NOTHING,
  spentByPerson: NOTHING,
  now: NOON,
};
const TODAY = new Date('2026-11-24T00:00:00Z');

/** Decides about what leaves on one day. */
function decide({
  spentToday: spent,
  priceRial,
  spentByPerson,
  ...send
}: Omit<Parameters<typeof decideByDays>[0], 'days'> &
  Pick<DayLoad, 'priceRial' | 'spentByPerson'> & { readonly spentToday: Spent }) {
  return decideByDays({
    ...send,
    days: [{ at: TODAY, parts: send.parts, priceRial, spent, spentByPerson }],
  });
}

const none: Limits = { ...DEFAULT_LIMITS, approvalParts: null };
const HALT = { at: new Date('2026-11-24T10:00:00Z'), byName: 'Olga' };

const minute = fc.integer({ min: 0, max: 1439 });
const window = fc.oneof(
  fc.record({ from: minute, to: minute }),
  minute.map((both) => ({ from: both, to: both })),
);
const amount = fc.integer({ min: 0, max: 10_000_000 });
const cap = fc.oneof(
  fc.record({ unit: fc.constant('parts' as const), parts: fc.integer({ min: 1, max: 10_000_000 }) }),
  fc.record({
    unit: fc.constant('rial' as const),
    rial: fc.integer({ min: 1, max: 1e12 }),
    parts: fc.integer({ min: 1, max: 10_000_000 }),
  }),
);
const spending = fc
  .record({ parts: amount, rial: fc.integer({ min: 0, max: 1e12 }), unpricedParts: amount })
  .map((spent) => ({ ...spent, parts: spent.parts + spent.unpricedParts }));
const asked = fc.record({
  limits: fc.record({
    approvalParts: fc.option(amount),
    cap: fc.option(cap),
    personCap: fc.option(cap),
    window: fc.option(window),
    halted: fc.option(fc.constant(HALT)),
    heldAt: fc.option(fc.constant(HALT.at)),
    lines: fc.constant([]),
  }),
  found: fc.constant(NOTHING_FOUND),
  parts: amount,
  priceRial: fc.option(fc.integer({ min: 0, max: 1e12 })),
  spentToday: spending,
  spentByPerson: spending,
  now: minute,
});

describe('the limits of a chat', () => {
  it('ask for a second person above 500 parts and allow everything else, where nothing is set', () => {
    const send = { ...IDLE, limits: DEFAULT_LIMITS, now: 0 };
    expect(decide({ ...send, parts: 500 })).toEqual({ kind: 'ok' });
    expect(decide({ ...send, parts: 501 })).toEqual({ kind: 'approval', above: 500, words: [] });
    expect(decide({ ...send, parts: 501, approved: true })).toEqual({ kind: 'ok' });
  });

  it('stop a send that would pass the cap in parts, and let one through that just reaches it', () => {
    const limits: Limits = { ...none, cap: { unit: 'parts', parts: 100 } };
    const send = { ...IDLE, limits, spentToday: { ...NOTHING, parts: 60 } };
    expect(decide({ ...send, parts: 40 })).toEqual({ kind: 'ok' });
    expect(decide({ ...send, parts: 41 })).toEqual({
      kind: 'cap',
      at: TODAY,
      whose: 'chat',
      unit: 'parts',
      cap: 100,
      used: 60,
      wanted: 41,
    });
  });

  it('are those of each day on which a slow send leaves, whatever its parts are together', () => {
    const limits: Limits = { ...none, cap: { unit: 'parts', parts: 100 }, approvalParts: 150 };
    const load = (day: number, parts: number, used: number, own = 0): DayLoad => ({
      at: new Date(TODAY.getTime() + day * 86_400_000),
      parts,
      priceRial: null,
      spent: { ...NOTHING, parts: used },
      spentByPerson: { ...NOTHING, parts: own },
    });
    const send = { found: NOTHING_FOUND, limits, parts: 180, now: NOON };
    const fits = [load(0, 90, 10), load(1, 90, 0)];
    expect(decideByDays({ ...send, days: fits })).toEqual({ kind: 'approval', above: 150, words: [] });
    expect(decideByDays({ ...send, days: fits, approved: true })).toEqual({ kind: 'ok' });
    expect(decideByDays({ ...send, days: [load(0, 90, 10), load(1, 90, 11)] })).toMatchObject({
      kind: 'cap',
      at: new Date('2026-11-25T00:00:00Z'),
      used: 11,
      wanted: 90,
    });
    const personCap = { unit: 'parts', parts: 95 } as const;
    expect(
      decideByDays({
        ...send,
        limits: { ...limits, personCap },
        days: [load(0, 90, 10, 5), load(1, 90, 10, 6)],
      }),
    ).toMatchObject({ whose: 'person', at: new Date('2026-11-25T00:00:00Z') });
  });

  it('count what has no price yet by what the cap in rial would buy', () => {
    const limits: Limits = { ...none, cap: { unit: 'rial', rial: 14_200, parts: 10 } };
    const spent = { parts: 5, rial: 2840, unpricedParts: 3 };
    const send = { ...IDLE, limits, spentToday: spent };
    expect(decide({ ...send, parts: 5, priceRial: null })).toEqual({ kind: 'ok' });
    expect(decide({ ...send, parts: 6, priceRial: null })).toEqual({
      kind: 'cap',
      at: TODAY,
      whose: 'chat',
      unit: 'rial',
      cap: 14_200,
      used: 7100,
      wanted: 8520,
    });
    expect(decide({ ...send, parts: 6, priceRial: 7100 })).toEqual({ kind: 'ok' });
    expect(decide({ ...send, parts: 6, priceRial: 7101 })).toMatchObject({ kind: 'cap', wanted: 7101 });
  });

  it('let nothing leave while the switch is thrown, and say since when and by whom', () => {
    const send = { ...IDLE, limits: { ...none, halted: HALT, window: { from: 0, to: 1 } }, parts: 1 };
    expect(decide({ ...send, limits: { ...send.limits, heldAt: HALT.at } })).toEqual({
      kind: 'held',
      at: HALT.at,
    });
    expect(decide({ ...send, approved: true })).toEqual({ kind: 'halted', ...HALT });
    expect(decide({ ...send, limits: { ...send.limits, halted: null } }).kind).toBe('window');
  });

  it('hold the cap of a person against what that one has confirmed, after the cap of all', () => {
    const one = { unit: 'parts', parts: 50 } as const;
    const limits: Limits = { ...none, cap: { unit: 'parts', parts: 100 }, personCap: one };
    const spentToday = { ...NOTHING, parts: 80 };
    const send = { ...IDLE, limits, spentToday };
    const verdict = (parts: number, own: number) =>
      decide({ ...send, parts, spentByPerson: { ...NOTHING, parts: own } });
    expect(verdict(10, 40)).toEqual({ kind: 'ok' });
    expect(verdict(11, 40)).toEqual({
      kind: 'cap',
      at: TODAY,
      whose: 'person',
      unit: 'parts',
      cap: 50,
      used: 40,
      wanted: 11,
    });
    expect(verdict(21, 40)).toMatchObject({ whose: 'chat', used: 80 });
    expect(verdict(20, 0)).toEqual({ kind: 'ok' });
  });

  it('say ok if and only if nothing stands against the send, whatever else is set', () => {
    fc.assert(
      fc.property(asked, fc.boolean(), (send, approved) => {
        const { limits, parts, now } = send;
        const verdict = decide({ ...send, approved });
        const alone = (limit: Partial<Limits>) =>
          decide({ ...send, approved, limits: { ...none, ...limit } }).kind;
        const closed = limits.window !== null && !isWithin(limits.window, now);
        const over = alone({ cap: limits.cap }) === 'cap' || alone({ personCap: limits.personCap }) === 'cap';
        const needsTwo = limits.approvalParts !== null && parts > limits.approvalParts && !approved;
        const open = closed ? 'window' : over ? 'cap' : needsTwo ? 'approval' : 'ok';
        const allowed = limits.halted === null ? open : 'halted';
        expect(verdict.kind).toBe(limits.heldAt === null ? allowed : 'held');
      }),
      { numRuns: 2000 },
    );
  });

  it('never let a day pass its cap, in whatever order sends come', () => {
    const sends = fc.array(
      fc.record({
        parts: fc.integer({ min: 1, max: 5000 }),
        priceRial: fc.option(fc.integer({ min: 0, max: 1e7 })),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(cap, sends, (dayCap, day) => {
        let spent = NOTHING;
        for (const { parts, priceRial } of day) {
          const verdict = decide({
            limits: { ...none, cap: dayCap },
            found: NOTHING_FOUND,
            parts,
            priceRial,
            spentToday: spent,
            spentByPerson: NOTHING,
            now: NOON,
          });
          if (verdict.kind !== 'ok') continue;
          spent = {
            parts: spent.parts + parts,
            rial: spent.rial + (priceRial ?? 0),
            unpricedParts: spent.unpricedParts + (priceRial === null ? parts : 0),
          };
        }
        if (dayCap.unit === 'parts') expect(spent.parts).toBeLessThanOrEqual(dayCap.parts);
        else {
          expect(spent.rial).toBeLessThanOrEqual(dayCap.rial);
          expect(spent.unpricedParts).toBeLessThanOrEqual(dayCap.parts);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('count rial where a cap of the chat or of each person does', () => {
    const [inParts, inRial] = [
      { unit: 'parts', parts: 1 },
      { unit: 'rial', rial: 1, parts: 1 },
    ] as const;
    for (const [all, each, counts] of [
      [null, null, false],
      [inParts, inParts, false],
      [inRial, null, true],
      [null, inRial, true],
      [inParts, inRial, true],
    ] as const)
      expect(countsRial({ ...none, cap: all, personCap: each })).toBe(counts);
  });

  it('may change what they say when the hours begin or end, or a day that is counted is over, and not before', () => {
    const day = fc.date({
      min: new Date('2026-11-24T00:00:00Z'),
      max: new Date('2026-11-26T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(asked, day, ({ limits }, at) => {
        const turns = new Set([
          ...(limits.window === null ? [] : [limits.window.from, limits.window.to]),
          ...(limits.cap === null && limits.personCap === null ? [] : [0]),
        ]);
        const now = Math.floor(at.getTime() / 60_000);
        const ahead = Array.from({ length: 1440 }, (_, n) => now + n + 1).find((each) =>
          turns.has(each % 1440),
        );
        expect(nextTurn(limits, NOTHING_FOUND, at, 'UTC')).toEqual(
          ahead === undefined ? null : new Date(ahead * 60_000),
        );
      }),
      { numRuns: 1000 },
    );
    const atNine = { ...none, window: { from: 540, to: 540 } };
    expect(nextTurn(atNine, NOTHING_FOUND, new Date('2026-11-24T05:00:30Z'), 'Asia/Tehran')).toEqual(
      new Date('2026-11-24T05:30:00Z'),
    );
  });

  it('stop more when the cap is lower, the day fuller or the send larger', () => {
    fc.assert(
      fc.property(asked, fc.integer({ min: 0, max: 1000 }), (send, more) => {
        const limits = { ...none, cap: send.limits.cap, personCap: send.limits.personCap };
        if (decide({ ...send, limits }).kind !== 'cap') return;
        const larger = {
          ...send,
          limits,
          parts: send.parts + more,
          priceRial: send.priceRial === null ? null : send.priceRial + more,
        };
        expect(decide(larger).kind).toBe('cap');
        const fuller = {
          ...send,
          limits,
          spentToday: {
            parts: send.spentToday.parts + more,
            rial: send.spentToday.rial + more,
            unpricedParts: send.spentToday.unpricedParts,
          },
          spentByPerson: {
            ...send.spentByPerson,
            parts: send.spentByPerson.parts + more,
            rial: send.spentByPerson.rial + more,
          },
        };
        expect(decide(fuller).kind).toBe('cap');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a send is due', () => {
  const [hold, before, after] = [1000, 999, 1001].map((seconds) => new Date(seconds * 1000)) as [
    Date,
    Date,
    Date,
  ];
  const text = { kind: 'text' } as const;
  const local = { year: '1405', month: '9', day: '3', hour: '0', minute: '0' };
  it.each([
    ['when its hold is over', { outgoing: text, sendAt: null }, hold],
    ['at its own time after that', { outgoing: text, sendAt: after }, after],
    ['not at its own time before that', { outgoing: text, sendAt: before }, hold],
    [
      'when the gateway lets it go, which keeps it',
      { outgoing: { kind: 'future', at: 1001, local }, sendAt: null } as const,
      after,
    ],
  ])('%s', (_when, send, due) => {
    expect(dueAt({ ...send, holdUntil: hold })).toEqual(due);
  });
});

describe('a sending window', () => {
  it.each<[string, SendingWindow, number, boolean]>([
    ['09:00 belongs to 9–21', { from: 540, to: 1260 }, 540, true],
    ['20:59 belongs to 9–21', { from: 540, to: 1260 }, 1259, true],
    ['21:00 does not', { from: 540, to: 1260 }, 1260, false],
    ['midnight belongs to 21–9', { from: 1260, to: 540 }, 0, true],
    ['21:00 belongs to 21–9', { from: 1260, to: 540 }, 1260, true],
    ['09:00 does not', { from: 1260, to: 540 }, 540, false],
    ['23:59 belongs to 9–24', { from: 540, to: 0 }, 1439, true],
    ['midnight does not', { from: 540, to: 0 }, 0, false],
  ])('knows that %s', (_what, range, now, open) => {
    expect(isWithin(range, now)).toBe(open);
  });

  it('and the window from its end to its beginning share the day without a gap or an overlap', () => {
    fc.assert(
      fc.property(
        window.filter(({ from, to }) => from !== to),
        minute,
        ({ from, to }, now) => {
          expect(isWithin({ from, to }, now)).toBe(!isWithin({ from: to, to: from }, now));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is as long as the way from its beginning to its end', () => {
    fc.assert(
      fc.property(window, (range) => {
        const open = Array.from({ length: 1440 }, (_, now) => now).filter((now) => isWithin(range, now));
        expect(open.length).toBe((range.to - range.from + 1440) % 1440 || 1440);
      }),
    );
  });

  it('goes by the clocks of the chat’s time zone', () => {
    const instant = new Date('2026-11-24T20:35:59Z');
    expect(minuteOfDay(instant, 'UTC')).toBe(1235);
    expect(minuteOfDay(instant, 'Asia/Tehran')).toBe(5);
    expect(minuteOfDay(new Date('2026-07-01T22:00:00Z'), 'Europe/Berlin')).toBe(0);
  });
});
