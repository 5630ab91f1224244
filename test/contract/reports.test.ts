import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SmsGateway } from '../../src/ports/gateway.ts';
import { ACCOUNTS, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

async function sendTo(gateway: SmsGateway, ...recipients: string[]): Promise<string> {
  const answer = await gateway
    .use('sending')
    .send({ line: '3000123456', recipients, text: `to ${recipients.join()}`, flash: false });
  if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${answer.outcome}`);
  return answer.messageIds[0].id;
}

describe.each(ACCOUNTS)('with $title', (account) => {
  test('status goes from on its way to delivered', async () => {
    const gateway = bench.open(account);
    const id = await sendTo(gateway, '989121110011');

    const [before] = await gateway.use('reports').status([id]);
    bench.advance(60);
    const [after] = await gateway.use('reports').status([id]);

    expect(['waiting', 'sent']).toContain(before?.state.kind);
    expect(after).toMatchObject({ id, state: { kind: 'delivered' } });
  });

  test('a number that is not reached ends as failed', async () => {
    const gateway = bench.open(account);
    const id = await sendTo(gateway, '989121110000');
    bench.advance(60);

    const [entry] = await gateway.use('reports').status([id]);

    expect(entry).toMatchObject({ id, state: { kind: 'failed' } });
  });

  test('an id that is not the account’s is never shown as delivered or failed', async () => {
    const entries = await bench
      .open(account)
      .use('reports')
      .status(['1152921504606846977'])
      .catch(() => []);
    for (const entry of entries) expect(entry.state.kind).toBe('unknown');
  });

  test('more than 50 ids are all answered for', async () => {
    const gateway = bench.open(account);
    const ids: string[] = [];
    for (let i = 0; i < 51; i += 1)
      ids.push(await sendTo(gateway, `98912111${String(i + 100).padStart(4, '0')}`));

    const entries = await gateway.use('reports').status(ids);

    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(ids));
  });

  test('latest is nothing, then the message that was sent last', async () => {
    const gateway = bench.open(account);
    const none = await gateway.use('reports').latest();
    await sendTo(gateway, '989121110011');
    const id = await sendTo(gateway, '989121110012', '989121110013');

    const latest = await gateway.use('reports').latest();

    expect(none === undefined || none.id !== id).toBe(true);
    expect(latest).toMatchObject({
      id,
      text: 'to 989121110012,989121110013',
      recipients: ['989121110012', '989121110013'],
      recipientsCount: 2,
    });
  });
});

describe.each(ACCOUNTS.filter(({ version }) => version !== 1))('with $title', (account) => {
  test('status and details name every recipient of a call', async () => {
    const gateway = bench.open(account);
    const id = await sendTo(gateway, '989121110011', '989121110012');
    bench.advance(60);

    const status = await gateway.use('reports').status([id]);
    const details = await gateway.use('details').byIds([id]);

    expect(status.map(({ recipient }) => recipient)).toEqual(['989121110011', '989121110012']);
    expect(details).toHaveLength(2);
    expect(details[0]).toMatchObject({
      id,
      recipient: '989121110011',
      text: 'to 989121110011,989121110012',
      state: { raw: 10, kind: 'delivered' },
      date: expect.any(Number),
    });
  });

  test('details of 50 messages hold when the 51st is nobody’s, and of none there are none', async () => {
    const gateway = bench.open(account);
    const id = await sendTo(gateway, '989121110011');
    const theirs = Array.from({ length: 50 }, (_, at) => String(1n + BigInt(at)));

    const details = await gateway.use('details').byIds([id, ...theirs]);

    expect(details).toMatchObject([{ id, recipient: '989121110011' }]);
    expect(await gateway.use('details').byIds(theirs)).toEqual([]);
  });
});
