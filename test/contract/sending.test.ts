import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pauseAfter } from '../../src/domain/attempt.ts';
import { ACCOUNTS, LOCKED, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const REQUEST = {
  line: '3000123456',
  recipients: ['989121110001', '989121110002'],
  text: 'سلام، علی\nsecond line 😀',
  flash: false,
};

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

describe.each(ACCOUNTS)('sending with $title', (account) => {
  test('is accepted once, as it was asked', async () => {
    const gateway = bench.open(account);
    await bench.acceptedSends();

    const answer = await gateway.use('sending').send(REQUEST, { beforeWrite: () => Promise.resolve(true) });

    expect(answer).toMatchObject({ outcome: 'accepted' });
    const ids = answer.outcome === 'accepted' ? answer.messageIds.map(({ id }) => id) : [];
    // The gateway's ids are beyond what a double can hold, so a rounded one would be even.
    for (const id of ids) expect(BigInt(id) % 2n).toBe(1n);
    const sends = await bench.acceptedSends();
    expect(sends).toHaveLength(1);
    expect(sends[0]?.text).toBe(REQUEST.text);
    expect(sends[0]?.recipients).toHaveLength(2);
  });

  test('a flash message is accepted', async () => {
    const answer = await bench
      .open(account)
      .use('sending')
      .send({ ...REQUEST, flash: true });
    expect(answer.outcome).toBe('accepted');
  });

  test('200 recipients are accepted in one call', async () => {
    const recipients = Array.from({ length: 200 }, (_, i) => `9891211${String(i).padStart(5, '0')}`);
    const answer = await bench
      .open(account)
      .use('sending')
      .send({ ...REQUEST, text: 'hi', recipients });
    expect(answer.outcome).toBe('accepted');
  });

  test('an unknown line is rejected with its code', async () => {
    const answer = await bench
      .open(account)
      .use('sending')
      .send({ ...REQUEST, line: '3999999999' });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 23, table: 'sending', name: 'invalid_line' });
  });

  test('credit that does not suffice is rejected with its code', async () => {
    await bench.admin('/credit', { account: 'demo', credit: 10 });
    const answer = await bench.open(account).use('sending').send(REQUEST);
    await bench.admin('/credit', { account: 'demo', credit: 10_000_000 });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 22, name: 'insufficient_credit' });
  });

  test.each([
    ['dropped', { kind: 'drop', when: 'after' }],
    ['cut off', { kind: 'truncate', mode: 'length' }],
    ['cut off between chunks', { kind: 'truncate', mode: 'chunked' }],
    ['a page', { kind: 'html', when: 'after' }],
    [
      'a redirect',
      { kind: 'error', when: 'after', status: 500, httpStatus: 307, headers: { location: '/' } },
    ],
  ])('an answer that is %s after the effect is unknown, and one send', async (_title, fault) => {
    await bench.acceptedSends();
    await bench.admin('/faults', { ...fault, operation: 'send', times: 1 });

    const answer = await bench.open(account).use('sending').send(REQUEST);

    expect(answer.outcome).toBe('unknown');
    expect(await bench.acceptedSends()).toHaveLength(1);
  });

  test('a fence that stays shut sends nothing', async () => {
    await bench.acceptedSends();

    const answer = await bench
      .open(account)
      .use('sending')
      .send(REQUEST, { beforeWrite: () => Promise.resolve(false) });

    expect(answer).toEqual({ outcome: 'not_sent', reason: 'fence' });
    expect(await bench.acceptedSends()).toHaveLength(0);
  });
});

test.each(LOCKED)('a locked account cannot send with $title', async (account) => {
  const answer = await bench.open(account).use('sending').send(REQUEST);
  expect(answer.outcome).toBe('rejected');
  // Versions 3 and 4 name the state of the account, version 1 only refuses; both stop the account.
  expect(pauseAfter(answer)).toBe('account');
});
