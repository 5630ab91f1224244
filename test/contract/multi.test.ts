import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { MultiMessage } from '../../src/ports/gateway.ts';
import { ACCOUNTS, LOCKED, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const MESSAGES: readonly [MultiMessage, MultiMessage, MultiMessage] = [
  { line: '3000123456', recipient: '989121110001', text: 'سلام، علی', flash: false },
  { line: '50001234', recipient: '989121110002', text: 'hello & = % +', flash: true },
  { line: '3000123456', recipient: '989121110001', text: 'second\nline 😀', flash: false },
];

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

describe.each(ACCOUNTS)('many messages with $title', (account) => {
  test('are accepted in one call, each with an id of its own that leads back to it', async () => {
    const gateway = bench.open(account);

    const answer = await gateway
      .use('multi')
      .sendMany(MESSAGES, { beforeWrite: () => Promise.resolve(true) });

    if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${answer.outcome}`);
    expect(answer.messageIds.map(({ recipient }) => recipient)).toEqual(
      MESSAGES.map(({ recipient }) => recipient),
    );
    const ids = answer.messageIds.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const status = await gateway.use('reports').status(ids);
    expect(new Set(status.map(({ id }) => id))).toEqual(new Set(ids));
    if (!gateway.has('details')) return;
    const details = await gateway.use('details').byIds(ids);
    expect(ids.map((id) => details.find((row) => row.id === id))).toMatchObject(
      MESSAGES.map(({ recipient, text }) => ({ recipient, text })),
    );
  });

  test('are charged together', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();

    await gateway.use('multi').sendMany(MESSAGES.filter(({ flash }) => !flash));

    expect(before - (await gateway.use('credit').credit())).toBe(2 * 1420);
  });

  test('are rejected as a whole for one unknown line', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();

    const answer = await gateway
      .use('multi')
      .sendMany(MESSAGES.with(1, { ...MESSAGES[1], line: '3999999999' }));

    expect(answer).toMatchObject({ outcome: 'rejected', code: 23, name: 'invalid_line' });
    expect(await gateway.use('credit').credit()).toBe(before);
  });

  test('are one effect when the answer is lost', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    const answer = await gateway.use('multi').sendMany([MESSAGES[0]]);

    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'reset' });
    expect(before - (await gateway.use('credit').credit())).toBe(1420);
  });

  test('are not sent behind a shut fence', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();

    const answer = await gateway
      .use('multi')
      .sendMany(MESSAGES, { beforeWrite: () => Promise.resolve(false) });

    expect(answer).toEqual({ outcome: 'not_sent', reason: 'fence' });
    expect(await gateway.use('credit').credit()).toBe(before);
  });
});

test.each(LOCKED)('a locked account sends nothing with $title', async (account) => {
  const answer = await bench.open(account).use('multi').sendMany(MESSAGES);
  expect(answer.outcome).toBe('rejected');
});
