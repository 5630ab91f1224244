import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outgoing } from './kinds/index.ts';
import type { OutgoingRow } from './kinds/kind.ts';
import { fitsAddress } from './kinds/multi.ts';
import {
  callsOf,
  canonicalCall,
  canonicalPayload,
  isTooNear,
  messageCount,
  messagesOf,
  partsOf,
  withoutBlocked,
  type Blocked,
  type Payload,
} from './outgoing.ts';

const number = fc.nat(400).map((n) => `98912${String(n).padStart(7, '0')}`);
const row = fc.record({
  line: fc.constantFrom('3000123456', '50001234'),
  recipient: number,
  text: fc.constantFrom('Hello', 'سلام', 'x'.repeat(200)),
  flash: fc.boolean(),
});

const outgoing: fc.Arbitrary<Outgoing> = fc.oneof(
  fc.constant({ kind: 'text' } as const),
  fc.record({
    kind: fc.constant('multi' as const),
    rows: fc.array(row, { minLength: 1, maxLength: 350 }),
    inAddress: fc.constantFrom(undefined, true as const),
  }),
  fc.record({
    kind: fc.constant('pattern' as const),
    patternId: fc.constant('1'),
    variables: fc.dictionary(fc.constantFrom('a', 'b'), fc.string({ maxLength: 5 })),
    perCall: fc.constantFrom(1, 200, 500),
  }),
  fc.record({
    kind: fc.constant('book' as const),
    bookId: fc.constant('7'),
    title: fc.constant('VIP'),
    way: fc.constantFrom('call' as const, 'expanded' as const),
  }),
);

const payload: fc.Arbitrary<Payload> = fc
  .record({ outgoing, recipients: fc.uniqueArray(number, { minLength: 1, maxLength: 450 }) })
  .map(({ outgoing: made, recipients }) => ({
    outgoing: made,
    recipients: made.kind === 'multi' ? [...new Set(made.rows.map((each) => each.recipient))] : recipients,
    line: '3000123456',
    text: 'Hello',
    flash: false,
  }));

describe('the calls of a payload', () => {
  test('hold every message in exactly one call, and each recipient of a call once', () => {
    fc.assert(
      fc.property(payload, (each) => {
        const calls = callsOf(each);
        for (const call of calls) {
          expect(call.recipients.length).toBeGreaterThan(0);
          expect(new Set(call.recipients).size).toBe(call.recipients.length);
          if (call.messages !== null) expect(call.messages.map((m) => m.recipient)).toEqual(call.recipients);
        }
        const { outgoing: how } = each;
        if (how.kind === 'multi') {
          const sent = calls.flatMap((call) => call.messages ?? []);
          const key = (m: (typeof sent)[number]) => JSON.stringify(m);
          expect(sent.map(key).toSorted()).toEqual(how.rows.map(key).toSorted());
        } else {
          expect(calls.flatMap((call) => call.recipients)).toEqual(each.recipients);
        }
      }),
    );
  });

  test('are no larger than the interface allows', () => {
    fc.assert(
      fc.property(payload, (each) => {
        const { outgoing: how } = each;
        const most =
          how.kind === 'multi'
            ? 100
            : how.kind === 'pattern'
              ? Math.min(how.perCall, 200)
              : how.kind === 'book' && how.way === 'call'
                ? Infinity
                : 200;
        for (const call of callsOf(each)) expect(call.recipients.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('leave each recipient’s messages in the order of the rows', () => {
    fc.assert(
      fc.property(payload, (each) => {
        if (each.outgoing.kind !== 'multi') return;
        const textsTo = (rows: readonly OutgoingRow[], to: string) =>
          rows.filter(({ recipient }) => recipient === to).map(({ text }) => text);
        const sent = callsOf(each).flatMap((call) => call.messages ?? []);
        for (const to of each.recipients) expect(textsTo(sent, to)).toEqual(textsTo(each.outgoing.rows, to));
      }),
    );
  });

  test('fit into an address where they travel in one', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({
      line: '30001234567890',
      recipient: `98912${String(n).padStart(7, '0')}`,
      text: `سلام شماره ${n}، سفارش شما رسید`,
      flash: true,
    }));
    const base = { line: '1', text: '', flash: false, recipients: rows.map(({ recipient }) => recipient) };
    expect(callsOf({ ...base, outgoing: { kind: 'multi', rows } })).toHaveLength(1);
    const calls = callsOf({ ...base, outgoing: { kind: 'multi', rows, inAddress: true } });
    expect(calls.length).toBeGreaterThan(1);
    for (const { messages } of calls) {
      const list = (of: (m: OutgoingRow) => string) => encodeURIComponent((messages ?? []).map(of).join(','));
      const query = [list((m) => m.line), list((m) => `0${m.recipient.slice(2)}`), list((m) => m.text)];
      expect(query.join('&').length + 2 * (messages ?? []).length).toBeLessThan(7000);
    }
    const row = { line: '3000', recipient: '989120000001', flash: false };
    expect(fitsAddress({ ...row, text: 'ی'.repeat(900) })).toBe(true);
    expect(fitsAddress({ ...row, text: '漢'.repeat(900) })).toBe(false);
  });

  test('count as many messages as leave', () => {
    fc.assert(
      fc.property(payload, (each) => {
        const sent = callsOf(each).flatMap((call) => messagesOf(each, call));
        expect(sent).toHaveLength(messageCount(each));
      }),
    );
  });
});

test('the parts of rows are counted one by one, and nobody knows those of a pattern', () => {
  const base = {
    line: '3000123456',
    text: 'Hello',
    flash: false,
    recipients: ['989120000001', '989120000002'],
  };
  expect(partsOf({ ...base, outgoing: { kind: 'text' } })).toBe(2);
  const rows = ['Hello', 'x'.repeat(161)].map((text) => ({
    line: '3000123456',
    recipient: '989120000001',
    text,
    flash: false,
  }));
  expect(partsOf({ ...base, outgoing: { kind: 'multi', rows } })).toBe(3);
  expect(
    partsOf({ ...base, outgoing: { kind: 'pattern', patternId: '1', variables: {}, perCall: 1 } }),
  ).toBeNull();
});

test('one and the same pattern with the same values is one message, in whatever order the values were typed', () => {
  const base = { line: '3000123456', text: '', flash: false, recipients: ['989120000001'] };
  const made = (variables: Record<string, string>): Payload => ({
    ...base,
    outgoing: { kind: 'pattern', patternId: '1', variables, perCall: 1 },
  });
  const key = (each: Payload) => callsOf(each).flatMap((call) => messagesOf(each, call))[0]?.text;
  expect(key(made({ a: '1', b: '2' }))).toBe(key(made({ b: '2', a: '1' })));
  expect(key(made({ a: '1', b: '2' }))).not.toBe(key(made({ a: '2', b: '1' })));
  expect(canonicalPayload(made({ a: '1', b: '2' }))).toBe(canonicalPayload(made({ b: '2', a: '1' })));
});

test('payloads that differ in anything differ as text', () => {
  const base: Payload = {
    outgoing: { kind: 'text' },
    line: '3000123456',
    text: 'a',
    flash: false,
    recipients: ['989120000001'],
  };
  const others: Payload[] = [
    { ...base, text: 'b' },
    { ...base, line: '50001234' },
    { ...base, flash: true },
    { ...base, recipients: ['989120000002'] },
    { ...base, outgoing: { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } },
    { ...base, outgoing: { kind: 'book', bookId: '7', title: 'VIP', way: 'expanded' } },
  ];
  expect(new Set([base, ...others].map(canonicalPayload)).size).toBe(others.length + 1);
});

test('a call stands for what the whole does, but for the messages of the others', () => {
  fc.assert(
    fc.property(payload, (whole) => {
      const calls = callsOf(whole);
      const stand = calls.map((call) => canonicalCall(whole, call));
      expect(new Set(stand).size).toBe(calls.length);
      if (whole.outgoing.kind === 'text' && calls.length === 1)
        expect(stand).toEqual([canonicalPayload(whole)]);
      for (const [i, { recipients }] of calls.entries())
        for (const recipient of recipients) expect(stand[i]).toContain(recipient);
    }),
  );
});

test('rows are told apart by line, recipient and text, and by nothing else', () => {
  const messages: OutgoingRow[] = [{ line: '1', recipient: '2', text: 'a', flash: true }];
  const base = { line: '9', text: 'b', flash: false, recipients: ['2'] };
  expect(
    messagesOf({ ...base, outgoing: { kind: 'multi', rows: messages } }, { recipients: ['2'], messages }),
  ).toEqual([{ line: '1', recipient: '2', text: 'a' }]);
});

test('what the gateway shall keep has two minutes to arrive before its time', () => {
  const local = { year: '1405', month: '9', day: '3', hour: '0', minute: '0' };
  const near = (at: number) => isTooNear({ kind: 'future', at, local }, 1000);
  expect([1119, 1120].map(near)).toEqual([true, false]);
  expect(isTooNear({ kind: 'text' }, 1000)).toBe(false);
});

describe('a payload without those who are blocked', () => {
  const lines = fc.constantFrom('3000123456', '50001234');
  const blocked: fc.Arbitrary<Blocked[]> = fc.array(fc.record({ line: lines, recipient: number }), {
    maxLength: 60,
  });
  const keys = (all: readonly Blocked[]) => new Set(all.map(({ line, recipient }) => `${line} ${recipient}`));

  test('keeps exactly the messages whose line may write to their recipient, in their order', () => {
    fc.assert(
      fc.property(payload, blocked, (whole, list) => {
        const out = keys(list);
        const messagesIn = (of: Payload) => callsOf(of).flatMap((call) => messagesOf(of, call));
        const left = withoutBlocked(whole, list);
        const stays = messagesIn(whole).filter(({ line, recipient }) => !out.has(`${line} ${recipient}`));
        expect(
          messagesIn(left)
            .map((each) => JSON.stringify(each))
            .toSorted(),
        ).toEqual(stays.map((each) => JSON.stringify(each)).toSorted());
        const names = (each: Payload) => each.recipients.filter((one) => left.recipients.includes(one));
        expect(left.recipients).toEqual(names(whole));
      }),
    );
  });

  test('names no phonebook in a call that could not leave them out', () => {
    const whole: Payload = {
      outgoing: { kind: 'book', bookId: '7', title: 'VIP', way: 'call' },
      line: '3000123456',
      text: 'Hello',
      flash: false,
      recipients: ['989120000001', '989120000002'],
    };
    const left = withoutBlocked(whole, [{ line: '3000123456', recipient: '989120000002' }]);
    expect(left.outgoing).toMatchObject({ kind: 'book', way: 'expanded' });
    expect(withoutBlocked(whole, [{ line: '50001234', recipient: '989120000002' }])).toBe(whole);
  });
});
