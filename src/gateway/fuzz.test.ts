import fc from 'fast-check';
import { expect, test } from 'vitest';

import { classify } from '../domain/attempt.ts';
import type { Observation } from '../domain/attempt.ts';
import { AppError } from '../domain/errors.ts';
import { createCalls } from './calls.ts';
import type { SeenAnswer } from './calls.ts';
import { readJson, writeJson } from './json.ts';
import { observeRestSend } from './rest-send.ts';
import { acceptance, SEND } from './testing/accounts.ts';
import type { Transport } from './transport/transport.ts';
import { observeV1Send } from './v1/sends.ts';
import { createV1Adapter } from './v1/adapter.ts';
import { createV3Adapter } from './v3/adapter.ts';

const observers = [observeRestSend(SEND), observeV1Send(SEND.recipients)];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    200,
    400,
    22,
    '200',
    true,
    1e308,
    '9007199254740993',
    9_007_199_254_740_993n,
  ),
  fc.string(),
  fc.integer(),
);
const names = fc.constantFrom(
  'return',
  'status',
  'message',
  'data',
  'entries',
  'result',
  'id',
  'messageid',
  'value',
  'credit',
  'details',
  'recipients',
  'state',
  'date',
  'current',
  '__proto__',
  'constructor',
  'from',
  'to',
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(names, tie('tree'), { maxKeys: 5 }),
  ),
}));
/** Close to a real answer: a right envelope around anything. */
const nearMiss = fc.record({
  return: fc.record({ status: scalar, message: scalar }),
  status: scalar,
  data: tree,
  entries: tree,
  result: tree,
});
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.oneof(tree, nearMiss).map((value) => Buffer.from(writeJson(value))),
  fc
    .tuple(fc.constantFrom(acceptance(1), acceptance(3)), fc.nat())
    .map(([text, at]) => Buffer.from(text).subarray(0, at % text.length)),
);
const status = fc.oneof(fc.constant(200), fc.integer({ min: 100, max: 599 }));

test('any answer to a send has one class, and an accepted one has a positive id', () => {
  fc.assert(
    fc.property(status, bytes, (httpStatus, body) => {
      for (const observe of observers) {
        const { seen }: SeenAnswer = observe({ httpStatus, body });
        const result = classify(seen satisfies Observation);
        expect(['accepted', 'rejected', 'unknown']).toContain(result.outcome);
        if (result.outcome === 'accepted') {
          for (const { id } of result.messageIds) expect(BigInt(id) > 0n).toBe(true);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});

test('any answer to a read is a value or one of the typed errors', async () => {
  await fc.assert(
    fc.asyncProperty(status, bytes, async (httpStatus, body) => {
      const transport: Transport = {
        read: () => Promise.resolve({ httpStatus, body }),
        write: () => Promise.resolve({ kind: 'answered', answer: { httpStatus, body } }),
        expect: () => undefined,
        close: () => Promise.resolve(),
      };
      const of = (version: 1 | 3) => createCalls({ version, transport, scrub: (text) => text });
      const v3 = createV3Adapter(of(3), {});
      const v1 = createV1Adapter(of(1), {});
      const reads: (() => Promise<unknown>)[] = [
        v3.credit.credit,
        v3.account.details,
        v3.reports.latest,
        () => v3.reports.status(['1', '2']),
        () => v3.details.byIds(['1']),
        v1.credit.credit,
        v1.account.details,
        v1.reports.latest,
        () => v1.reports.status(['1', '2']),
      ];
      for (const read of reads) {
        const error: unknown = await read().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ code: expect.stringMatching(/^gateway_(?:refused|unreadable)$/) });
        }
      }
      for (const { sending } of [v3, v1]) {
        const sent = await sending.send(SEND, {});
        expect(['accepted', 'rejected', 'unknown']).toContain(sent.outcome);
      }
    }),
    { numRuns: 400 },
  );
});

test('the digits of an integer survive reading and writing', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (value) => {
      const reading = readJson(Buffer.from(`{"id":${value}}`));
      expect(reading.ok && writeJson(reading.value)).toBe(`{"id":${value}}`);
    }),
  );
});

test('reading never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
      expect(typeof readJson(input).ok).toBe('boolean');
    }),
    { numRuns: 2_000 },
  );
  expect(readJson(Buffer.from('['.repeat(1_000_000)))).toEqual({ ok: false, reason: 'too_deep' });
  expect(readJson(Buffer.from(`[${'9'.repeat(1_000_000)}]`))).toMatchObject({ ok: true });
});
