import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SmsGateway } from '../../src/ports/gateway.ts';
import { FRESH_LINE, FRESH_REST, START, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
  await bench.addFresh();
});
afterEach(() => bench.close());

const DAY = 86_400;

async function send(gateway: SmsGateway, text: string, ...recipients: string[]): Promise<string> {
  const answer = await gateway.use('sending').send({ line: FRESH_LINE, recipients, text, flash: false });
  if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${answer.outcome}`);
  return answer.messageIds[0].id;
}

describe.each(FRESH_REST)('with $title', (account) => {
  test('a day lists what was sent in it and nothing else', async () => {
    const gateway = bench.open(account);
    await send(gateway, 'early', '989121110001');
    bench.advance(DAY + 100);
    const id = await send(gateway, 'سلام', '989121110002', '989121110003');
    bench.advance(60);

    const from = START + DAY;
    const messages = await gateway.use('outbox').inRange({ from, to: from + DAY });

    expect(messages.map(({ recipient = '' }) => recipient).toSorted()).toEqual([
      '989121110002',
      '989121110003',
    ]);
    expect(messages[0]).toMatchObject({
      id,
      text: 'سلام',
      state: { raw: 10, kind: 'delivered' },
      date: START + DAY + 100,
    });
    expect(await gateway.use('outbox').inRange({ from: from + 200, to: from + 300 })).toEqual([]);
  });

  test('the newest come without a range, no more than asked for', async () => {
    const gateway = bench.open(account);
    const ids: string[] = [];
    for (const [at, text] of ['a', 'b', 'c'].entries()) {
      ids.push(await send(gateway, text, `98912111000${at}`));
      bench.advance(1);
    }

    const all = await gateway.use('outbox').newest();
    const two = await gateway.use('outbox').newest(2);

    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(two.map(({ text }) => text).toSorted()).toEqual(['b', 'c']);
    expect(all.find(({ text }) => text === 'b')?.recipient).toBe('989121110001');
  });

  test('a number lists what went to it, since a moment', async () => {
    const gateway = bench.open(account);
    await send(gateway, 'first', '989121110001');
    bench.advance(1_000);
    const id = await send(gateway, 'second', '989121110001', '989121110002');
    await send(gateway, 'other', '989121110002');
    bench.advance(60);

    const since = { recipient: '989121110001', since: START + 500 };
    const messages = await gateway.use('outbox').byNumber(since);

    expect(messages).toMatchObject([
      { id, text: 'second', recipient: '989121110001', state: { kind: 'delivered' } },
    ]);
    expect(await gateway.use('outbox').byNumber({ ...since, since: START })).toHaveLength(2);
    expect(await gateway.use('outbox').byNumber({ ...since, since: START, limit: 1 })).toHaveLength(1);
  });

  test('counts agree with what was sent', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();
    await send(gateway, 'س'.repeat(71), '989121110001', '989121110002');
    await send(gateway, 'سلام', '989121110003');

    const counted = await gateway.use('counts').sent({ from: START, to: START + 10 });

    expect(counted).toEqual({ parts: 5, messages: 3, cost: before - (await gateway.use('credit').credit()) });
    expect(await gateway.use('counts').sent({ from: 0, to: START - 1 })).toEqual({
      parts: 0,
      messages: 0,
      cost: 0,
    });
  });
});
