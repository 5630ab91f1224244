import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SentMessage } from '../../ports/gateway.ts';
import { createTally, newestFirst, withoutRepeats } from './outbox-totals.ts';

const KINDS = ['waiting', 'sent', 'delivered', 'failed', 'blocked', 'unknown'] as const;

const row: fc.Arbitrary<SentMessage> = fc
  .record(
    {
      id: fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String),
      text: fc.constantFrom('a', 'b'),
      recipient: fc.constantFrom('989120000001', '989120000002', '989120000003'),
      line: fc.constantFrom('3000123456', '+983000123456', '50001234'),
      date: fc.integer({ min: 0, max: 100 }),
      kind: fc.constantFrom(...KINDS),
      word: fc.constantFrom('', 'not reached', 'returned'),
    },
    { requiredKeys: ['id', 'text', 'kind', 'word'] },
  )
  .map(({ kind, word, ...rest }) => ({ ...rest, state: { raw: 1, text: word, kind } }));
const rows = fc.array(row, { maxLength: 40 });

function totalsOf(...batches: readonly (readonly SentMessage[])[]) {
  const tally = createTally();
  for (const batch of batches) tally.add(batch);
  return tally.totals();
}

describe('the totals of an outbox', () => {
  it('count each row once, whatever the batches it comes in', () => {
    fc.assert(
      fc.property(rows, fc.nat(40), (all, cut) => {
        const totals = totalsOf(all.slice(0, cut), all.slice(cut));
        expect(totals).toEqual(totalsOf(all));
        expect(totals.messages).toBe(all.length);
        expect(Object.values(totals.kinds).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        const withLine = all.filter(({ line }) => line !== undefined).length;
        expect(totals.lines.reduce((sum, { messages }) => sum + messages, 0)).toBe(withLine);
        expect(totals.recipients).toBeLessThanOrEqual(Math.min(3, all.length));
      }),
    );
  });

  it('take a line with and without the prefix of the country for one', () => {
    const one = { id: '1', text: 'a', state: { raw: 10, text: '', kind: 'delivered' as const } };
    const { lines } = totalsOf([
      { ...one, line: '3000123456' },
      { ...one, line: '+983000123456' },
      { ...one, line: '50001234' },
    ]);
    expect(lines).toEqual([
      { line: '3000123456', messages: 2 },
      { line: '50001234', messages: 1 },
    ]);
  });

  it('put each dated row into the quarter of an hour in which it left', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const later = all.map((each) => (each.date === undefined ? each : { ...each, date: each.date * 60 }));
        const { shape } = totalsOf(later);
        const dated = later.filter(({ date }) => date !== undefined).length;
        expect(shape.reduce((sum, { messages }) => sum + messages, 0)).toBe(dated);
        expect(shape.every(({ at }) => at % 900 === 0)).toBe(true);
        expect(shape.map(({ at }) => at)).toEqual(
          shape.map(({ at }) => at).toSorted((one, other) => one - other),
        );
      }),
    );
  });

  it('give what did not arrive a reason, and the gateway’s words where it is none of ours', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const { words, reasons } = totalsOf(all);
        const missed = all.filter(({ state }) => state.kind === 'failed' || state.kind === 'blocked');
        expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(missed.length);
        const lost = missed.filter(({ state }) => state.kind === 'failed' && state.text === 'not reached');
        expect(words.reduce((sum, { count }) => sum + count, 0)).toBe(lost.length);
        expect(words.map(({ count }) => count)).toEqual(
          words.map(({ count }) => count).toSorted((left, right) => right - left),
        );
      }),
    );
  });
});

describe('rows without repeats', () => {
  const keyOf = ({ id, recipient = '', text }: SentMessage): string => `${id} ${recipient} ${text}`;

  it('are each there once, in their order, and never again for the next day', () => {
    fc.assert(
      fc.property(rows, rows, (today, more) => {
        const first = withoutRepeats(today, new Set());
        const named = first.rows.filter(({ recipient }) => recipient !== undefined);
        expect(new Set(named.map(keyOf)).size).toBe(named.length);
        expect(first.rows).toEqual(today.filter((each) => first.rows.includes(each)));
        const second = withoutRepeats([...today, ...more], first.keys);
        const again = new Set(named.map(keyOf));
        expect(second.rows.filter((each) => each.recipient !== undefined && again.has(keyOf(each)))).toEqual(
          [],
        );
      }),
    );
  });

  it('lose no recipient of a call that has one id for all, and no text', () => {
    const state = { raw: 10, text: '', kind: 'delivered' as const };
    const call = [
      { id: '7', text: 'a', recipient: '989120000001', state },
      { id: '7', text: 'a', recipient: '989120000002', state },
      { id: '7', text: 'b', recipient: '989120000002', state },
    ];
    expect(withoutRepeats(call, new Set()).rows).toEqual(call);
    expect(withoutRepeats([...call, ...call], new Set()).rows).toEqual(call);
  });

  it('keep every row that names no recipient: nothing tells it from another', () => {
    const state = { raw: 10, text: '', kind: 'delivered' as const };
    const call = [
      { id: '7', text: 'a', state },
      { id: '7', text: 'a', state },
    ];
    expect(withoutRepeats(call, new Set()).rows).toHaveLength(2);
  });
});

describe('the order of rows', () => {
  it('is by date, then by id as a number of any length, and the same from every start', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const sorted = all.toSorted(newestFirst);
        for (const [at, later] of sorted.slice(1).entries()) {
          const earlier = sorted[at] ?? later;
          expect(earlier.date ?? -1).toBeGreaterThanOrEqual(later.date ?? -1);
          if (earlier.date === later.date) expect(BigInt(earlier.id) >= BigInt(later.id)).toBe(true);
        }
        const plain = (list: readonly SentMessage[]) =>
          list.map(({ id, date, recipient }) => [id, date, recipient]);
        expect(plain(all.toReversed().toSorted(newestFirst))).toEqual(plain(sorted));
      }),
    );
  });
});
