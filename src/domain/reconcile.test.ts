import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolve, type Evidence, type InDoubt, type ListedMessage } from './reconcile.ts';

const LINE = '3000123456';
const TEXT = 'Hello';
const R = ['989120000001', '989120000002', '989120000003'] as const;
const WINDOW = { from: 1000, to: 2000 };

function doubt(recipients: readonly string[] = R, more: Partial<InDoubt> = {}): InDoubt {
  const messages = new Map(recipients.map((recipient) => [recipient, { line: LINE, text: TEXT }]));
  return { messages, window: WINDOW, callSeconds: 2, ...more };
}

function row(recipient: string, more: Partial<ListedMessage> = {}): ListedMessage {
  return { id: '71', line: LINE, recipient, text: TEXT, date: 1500, ...more };
}

function evidence(rows: readonly ListedMessage[], more: Partial<Evidence> = {}): Evidence {
  return {
    rows,
    complete: true,
    clockKnown: true,
    settled: true,
    exhausted: false,
    claimed: () => false,
    unnamed: [],
    endings: [],
    blocked: new Set(),
    ...more,
  };
}

const all = R.map((recipient) => row(recipient));

describe('a call that the lists show in full', () => {
  test('was sent, whether or not the lists are complete and the time has passed', () => {
    const poor = { complete: false, clockKnown: false, settled: false };
    for (const more of [{}, poor]) {
      const settled = resolve(doubt(), evidence(all, more));
      expect(settled).toMatchObject({ kind: 'sent', shared: false });
      expect(settled.kind === 'sent' && settled.claims.map(({ messageId }) => messageId)).toEqual([
        '71',
        '71',
        '71',
      ]);
    }
  });

  test.each([
    // Seconds of the call, how far its rows are apart, whether they are of one id.
    [2, 5, false, true],
    [2, 6, false, false],
    [9, 9, false, true],
    [2, 400, true, true],
  ])(
    'when it took %i s: rows %i s apart, of one id: %j, are those of one call: %j',
    (callSeconds, apart, isOneId, isOne) => {
      const rows = R.map((recipient, n) => row(recipient, { id: isOneId ? '80' : `8${n}`, date: 1500 }));
      const last = row(R[2], { id: rows[2]?.id ?? '', date: 1500 + apart });
      expect(resolve(doubt(R, { callSeconds }), evidence([...rows.slice(0, 2), last]))).toMatchObject({
        kind: 'sent',
        shared: !isOne,
      });
    },
  );

  test('is not known to be ours where one row does not tell its line', () => {
    const rows = R.map((recipient, n) => row(recipient, { line: n === 0 ? null : LINE }));
    expect(resolve(doubt(), evidence(rows))).toMatchObject({ kind: 'sent', shared: true });
  });

  test('is found once under each id, by the text that is nearest to its own', () => {
    const [own, longer] = [row(R[0]), row(R[0], { text: 'Hello\nلغو۱۱' })];
    const both = { endings: ['\nلغو۱۱'] };
    for (const rows of [
      [own, longer],
      [longer, own],
    ])
      expect(resolve(doubt([R[0]]), evidence(rows, both))).toMatchObject({ claims: [{ match: 0 }] });
  });

  test('has of each recipient the earliest row, by its number where they are of one second', () => {
    const rows = [
      row(R[0], { id: '10', date: 1100 }),
      row(R[0], { id: '9', date: 1100 }),
      row(R[0], { id: '8', date: 1200 }),
      row(R[1], { id: '99', date: 1900 }),
    ];
    expect(resolve(doubt(R.slice(0, 2)), evidence(rows))).toMatchObject({
      shared: true,
      claims: [{ messageId: '9' }, { messageId: '99' }],
    });
  });

  test('is told apart from an equal one of somebody else by its group', () => {
    const foreign = row(R[0], { id: '60', date: 1100 });
    const settled = resolve(doubt(), evidence([foreign, ...all]));
    expect(settled).toMatchObject({ kind: 'sent', shared: false });
    expect(settled.kind === 'sent' && settled.claims[0]?.messageId).toBe('71');
  });

  test('is never sent again though its rows are scattered: whoever sent them, everybody has the text', () => {
    const rows = R.map((recipient, n) => row(recipient, { id: String(80 + n), date: 1100 + n * 300 }));
    expect(resolve(doubt(), evidence(rows))).toMatchObject({ kind: 'sent', shared: true });
  });

  test('is found under a text that the gateway has changed, and under a line without its prefix', () => {
    const rows = R.map((recipient) => row(recipient, { text: 'Hello\nلغو۱۱', line: '98' + LINE }));
    const settled = resolve(doubt(), evidence(rows, { endings: ['\nلغو۱۱'] }));
    expect(settled).toMatchObject({ kind: 'sent' });
    expect(settled.kind === 'sent' && settled.claims[0]?.match).toBe(3);
    expect(resolve(doubt(), evidence(rows)).kind).toBe('asked');
  });

  test.each([
    ['3000123', '983000123', true],
    ['983000123', '3000123', true],
    ['20001', '20001', true],
    // So short a number is the end of many.
    ['300012', '98300012', false],
    ['98300012', '300012', false],
    ['3000123', '3000124', false],
  ])('of line %s by rows of line %s: %j', (line, listed, isSame) => {
    const messages = new Map([[R[0], { line, text: TEXT }]]);
    const { kind } = resolve(doubt([], { messages }), evidence([row(R[0], { line: listed })]));
    expect(kind).toBe(isSame ? 'sent' : 'asked');
  });
});

describe('rows that are no evidence', () => {
  test.each([
    ['of another line', { line: '50001234' }],
    ['of another text', { text: 'Hello!' }],
    ['before the window', { date: 999 }],
    ['after the window', { date: 2001 }],
    ['of another recipient', { recipient: '989129999999' }],
  ])('are those %s', (_, more) => {
    const rows = R.map((recipient) => row(recipient, more));
    expect(resolve(doubt(), evidence(rows))).toMatchObject({
      kind: 'asked',
      proven: true,
      claims: [],
      absent: [...R],
    });
  });

  test('are those of another attempt', () => {
    expect(resolve(doubt(), evidence(all, { claimed: ({ id }) => id === '71' }))).toMatchObject({
      absent: [...R],
    });
  });
});

describe('a call that the lists do not show, or in part', () => {
  test.each([
    ['the lists are not complete', { complete: false }],
    ['the clocks were never compared', { clockKnown: false }],
    ['the time has not passed', { settled: false }],
  ])('stays open while %s', (_, more) => {
    expect(resolve(doubt(), evidence([], more))).toEqual({ kind: 'open', found: 0 });
    expect(resolve(doubt(), evidence(all.slice(1), more))).toEqual({ kind: 'open', found: 2 });
  });

  test('is asked about in the end all the same, without proof', () => {
    const late = { complete: false, clockKnown: false, settled: false, exhausted: true };
    const asked = resolve(doubt(), evidence(all.slice(2), late));
    expect(asked).toMatchObject({ kind: 'asked', proven: false, absent: [R[0], R[1]], blocked: [] });
  });

  test('has those apart that a blacklist explains, where the rest went through', () => {
    const blocked = new Set([R[0]]);
    expect(resolve(doubt(), evidence(all.slice(2), { blocked }))).toMatchObject({
      blocked: [R[0]],
      absent: [R[1]],
    });
    expect(resolve(doubt(), evidence([], { blocked }))).toMatchObject({ blocked: [], absent: [...R] });
  });
});

describe('an equal message that was surely accepted, under one id for several recipients', () => {
  const window = { from: 1098, to: 1103 };
  const unnamed = R.map((recipient) => ({ recipient, id: '60', window, isSure: true }));
  /** The gateway told the first id, and lists one for each. */
  const theirs = R.map((recipient, n) => row(recipient, { id: String(60 + 2 * n), date: 1101 }));
  const claimed = ({ id, recipient }: ListedMessage) => id === '60' && recipient === R[0];

  test('has its own rows, and ours is not taken for sent by them', () => {
    expect(resolve(doubt(), evidence(theirs, { unnamed, claimed }))).toEqual({
      kind: 'asked',
      proven: true,
      claims: [],
      blocked: [],
      absent: [...R],
    });
    const open = { unnamed, claimed, settled: false };
    expect(resolve(doubt(), evidence(theirs, open))).toEqual({ kind: 'open', found: 0 });
  });

  test('proves nothing where its account may be another one: neither that ours was sent, nor that it was not', () => {
    const unsure = { unnamed: unnamed.map((each) => ({ ...each, isSure: false })), claimed };
    expect(resolve(doubt(), evidence(theirs, unsure))).toEqual({ kind: 'open', found: 0 });
    expect(resolve(doubt(), evidence(theirs, { ...unsure, exhausted: true }))).toMatchObject({
      kind: 'asked',
      proven: false,
      absent: [...R],
    });
    // Without a row that could be either's, absence is as good as ever.
    expect(resolve(doubt(), evidence([], unsure))).toMatchObject({ kind: 'asked', proven: true });
  });

  test('leaves us our rows, whether before or after its own', () => {
    for (const date of [1090, 1101, 1102, 1500]) {
      const ours = R.map((recipient, n) => row(recipient, { id: String(80 + n), date }));
      const settled = resolve(doubt(), evidence([...ours, ...theirs], { unnamed, claimed }));
      expect(settled).toMatchObject({ kind: 'sent', shared: false });
    }
  });

  test('takes no row of ours where the list shows its id for everybody', () => {
    const listed = R.map((recipient) => row(recipient, { id: '60', date: 1101 }));
    const ours = R.map((recipient) => row(recipient, { id: '80', date: 1102 }));
    const more = { unnamed, claimed: ({ id }: ListedMessage) => id === '60' };
    const settled = resolve(doubt(), evidence([...listed, ...ours], more));
    expect(settled.kind === 'sent' && settled.claims.map(({ messageId }) => messageId)).toEqual([
      '80',
      '80',
      '80',
    ]);
  });

  test('takes nothing of another recipient, nor from another time', () => {
    const more = { unnamed: unnamed.slice(1, 2) };
    const rows = R.map((recipient) => row(recipient, { date: 1101 }));
    expect(resolve(doubt(), evidence(rows, more))).toMatchObject({
      claims: [{ recipient: R[0] }, { recipient: R[2] }],
      absent: [R[1]],
    });
    for (const date of [1097, 1104])
      expect(resolve(doubt([R[1]]), evidence([row(R[1], { date })], more)).kind).toBe('sent');
  });

  test('has a row that is older than ours can be', () => {
    const early = { from: 990, to: 1010 };
    const rows = [row(R[0], { id: '62', date: 995 }), row(R[0], { id: '80', date: 1005 })];
    const more = { unnamed: [{ recipient: R[0], id: '60', window: early, isSure: true }] };
    expect(resolve(doubt([R[0]]), evidence(rows, more))).toMatchObject({ kind: 'sent' });
  });

  test('whenever such calls were made, ours is found exactly when it was made', () => {
    const call = fc.record({
      date: fc.integer({ min: 1100, max: 1160 }),
      before: fc.nat(40),
      after: fc.nat(40),
    });
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 5 }),
        fc.option(fc.integer({ min: 1080, max: 1180 })),
        (calls, ours) => {
          const rows = calls.flatMap(({ date }, n) =>
            R.map((recipient) => row(recipient, { id: `5${n}`, date })),
          );
          const mine = ours === null ? [] : R.map((recipient) => row(recipient, { id: '80', date: ours }));
          const others = calls.flatMap(({ date, before, after }, n) =>
            R.map((recipient) => ({
              recipient,
              id: `untold${n}`,
              window: { from: date - before, to: date + after },
              isSure: true,
            })),
          );
          const settled = resolve(doubt(), evidence([...rows, ...mine], { unnamed: others }));
          if (ours === null) expect(settled).toMatchObject({ kind: 'asked', claims: [], absent: [...R] });
          else expect(settled.kind).toBe('sent');
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('whatever the lists hold', () => {
  const listed: fc.Arbitrary<ListedMessage> = fc.record({
    id: fc.nat(12).map((n) => String(n + 1)),
    line: fc.constantFrom(null, LINE, '98' + LINE, '50001234'),
    recipient: fc.constantFrom(...R, '989129999999'),
    text: fc.constantFrom(TEXT, 'Hello ', 'other'),
    // At the ends of the window, and as close together as the rows of one call.
    date: fc.oneof(fc.integer({ min: 900, max: 2100 }), fc.constantFrom(999, 1000, 1500, 1505, 2000, 2001)),
  });
  const flags = fc.record({
    complete: fc.boolean(),
    clockKnown: fc.boolean(),
    settled: fc.boolean(),
    exhausted: fc.boolean(),
  });
  const rows = fc.array(listed, { maxLength: 12 });

  test('absence is only proved by complete lists under a known clock after the time', () => {
    fc.assert(
      fc.property(rows, flags, (each, more) => {
        const settled = resolve(doubt(), evidence(each, more));
        const mayProve = more.complete && more.clockKnown && more.settled;
        if (settled.kind === 'asked') {
          expect(settled.proven).toBe(mayProve);
          expect(mayProve || more.exhausted).toBe(true);
        }
        if (settled.kind === 'open') expect(mayProve || more.exhausted).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('nobody is called absent whom a list shows, and nobody is lost', () => {
    fc.assert(
      fc.property(rows, (each) => {
        const settled = resolve(doubt(), evidence(each));
        const shown = new Set(
          each
            .filter(
              (r) =>
                (r.line === null || r.line.endsWith(LINE)) &&
                r.text !== 'other' &&
                r.date >= 1000 &&
                r.date <= 2000,
            )
            .map((r) => r.recipient),
        );
        if (settled.kind === 'open') throw new Error('complete lists leave nothing open');
        const claimed = settled.claims.map(({ recipient }) => recipient);
        const absent = settled.kind === 'asked' ? [...settled.absent, ...settled.blocked] : [];
        expect([...claimed, ...absent].toSorted()).toEqual([...R]);
        for (const recipient of absent) expect(shown.has(recipient)).toBe(false);
        for (const recipient of claimed) expect(shown.has(recipient)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('order and doubles of the lists change nothing', () => {
    fc.assert(
      fc.property(rows, flags, fc.func(fc.integer()), (each, more, order) => {
        const shuffled = [...each, ...each].toSorted((a, b) => order(a) - order(b));
        expect(resolve(doubt(), evidence(shuffled, more))).toEqual(resolve(doubt(), evidence(each, more)));
      }),
      { numRuns: 2000 },
    );
  });

  test('once everybody is found, more rows never take it back', () => {
    fc.assert(
      fc.property(rows, rows, flags, (each, later, more) => {
        if (resolve(doubt(), evidence(each, more)).kind !== 'sent') return;
        expect(resolve(doubt(), evidence([...each, ...later], more)).kind).toBe('sent');
      }),
      { numRuns: 2000 },
    );
  });

  test('no row is claimed twice when attempts are settled one after the other', () => {
    fc.assert(
      fc.property(
        rows,
        fc.subarray([...R], { minLength: 1 }),
        fc.subarray([...R], { minLength: 1 }),
        (each, one, other) => {
          const first = resolve(doubt(one), evidence(each));
          const mine = new Set(
            first.kind === 'open' ? [] : first.claims.map((c) => `${c.messageId} ${c.recipient}`),
          );
          const claimed = (r: ListedMessage) => mine.has(`${r.id} ${r.recipient}`);
          const second = resolve(doubt(other), evidence(each, { claimed }));
          const theirs =
            second.kind === 'open' ? [] : second.claims.map((c) => `${c.messageId} ${c.recipient}`);
          for (const claim of theirs) expect(mine.has(claim)).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
