import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutbox, messageIds } from './outbox.ts';
import type { IdsMode, SentMessage } from './outbox.ts';

const LIMITS = { keepMessages: 1000, keepRecipients: 100_000 };

function message(firstId: bigint, idsMode: IdsMode, count: number): SentMessage {
  const recipients = Array.from({ length: count }, (_, index) => String(9_120_000_000 + index));
  return { firstId, idsMode, line: '1', text: 't', flash: false, recipients, sentAt: 0, parts: 1, cost: 1 };
}

test('a call with one id lists every recipient under it, a call with many ids one under each', () => {
  const outbox = createOutbox(LIMITS);
  outbox.add(message(101n, 'call', 3));
  outbox.add(message(103n, 'recipient', 3));
  expect(outbox.find(101n).map((row) => row.recipient)).toEqual(['9120000000', '9120000001', '9120000002']);
  expect(outbox.find(105n).map((row) => row.recipient)).toEqual(['9120000001']);
  expect(outbox.find(107n)).toHaveLength(1);
  for (const unknown of [-1n, 0n, 100n, 102n, 104n, 109n]) expect(outbox.find(unknown)).toEqual([]);
});

test('every id that was given finds its own recipient, whatever was sent before and after', () => {
  const calls = fc.array(
    fc.tuple(fc.constantFrom<IdsMode>('call', 'recipient'), fc.integer({ min: 1, max: 5 })),
    {
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(calls, (list) => {
      const outbox = createOutbox(LIMITS);
      let next = 1n;
      for (const [mode, count] of list) {
        outbox.add(message(next, mode, count));
        next += mode === 'call' ? 2n : BigInt(count) * 2n;
      }
      for (const sent of outbox.all()) {
        for (const [index, id] of messageIds(sent).entries()) {
          const rows = outbox.find(id);
          const expected = sent.idsMode === 'call' ? sent.recipients : [sent.recipients[index]];
          expect(rows.map((row) => row.recipient)).toEqual(expected);
        }
      }
    }),
  );
});

test('the oldest calls make room when there are too many calls or too many recipients', () => {
  const byCalls = createOutbox({ keepMessages: 2, keepRecipients: 100 });
  const byRows = createOutbox({ keepMessages: 100, keepRecipients: 10 });
  for (const id of [1n, 3n, 5n]) {
    byCalls.add(message(id, 'call', 1));
    byRows.add(message(id, 'call', 5));
  }
  expect(byCalls.all().map((sent) => sent.firstId)).toEqual([3n, 5n]);
  expect(byRows.all().map((sent) => sent.firstId)).toEqual([3n, 5n]);
  expect(byCalls.find(1n)).toEqual([]);
});

test('the newest call is kept even when it alone exceeds the room', () => {
  const outbox = createOutbox({ keepMessages: 10, keepRecipients: 2 });
  outbox.add(message(1n, 'call', 5));
  expect(outbox.latest()?.firstId).toBe(1n);
});
