import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Secret } from '../../src/domain/secret.ts';
import { ACCOUNTS, LOCKED, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

describe.each(ACCOUNTS)('with $title', (account) => {
  test('credit is whole rial and goes down with a send', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();

    await gateway
      .use('sending')
      .send({ line: '3000123456', recipients: ['989121110001'], text: 'سلام', flash: false });

    expect(Number.isSafeInteger(before)).toBe(true);
    expect(before - (await gateway.use('credit').credit())).toBe(1420);
  });

  test('account details have a name and what the version shows', async () => {
    const details = await bench.open(account).use('account').details();

    expect(details.fullName).toEqual(expect.any(String));
    if (account.version !== 1) {
      expect(details.credit).toEqual(expect.any(Number));
      expect(details.expiresAt).toBeGreaterThan(1_000_000_000);
      expect(details.tariff).toMatch(/^\d/);
    }
  });

  test('a server error is asked again, then a refusal, and a page is unreadable', async () => {
    const gateway = bench.open(account);
    const down = { kind: 'error', operation: 'credit', status: 500, message: 'down' };
    await bench.admin('/faults', { ...down, times: 2 });
    expect(await gateway.use('credit').credit()).toBeGreaterThan(0);
    await bench.admin('/faults', { ...down, times: 3 });
    await expect(gateway.use('credit').credit()).rejects.toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'credit', code: 500, text: 'down' },
    });
    await bench.admin('/faults', { kind: 'html', operation: 'credit', httpStatus: 200, times: 1 });
    await expect(gateway.use('credit').credit()).rejects.toMatchObject({ code: 'gateway_unreadable' });
  });

  test('one dropped answer is made up for by another try', async () => {
    await bench.admin('/faults', { kind: 'reset', operation: 'credit', times: 1 });
    expect(await bench.open(account).use('credit').credit()).toBeGreaterThan(0);
  });
});

test.each(LOCKED)('a locked account is refused as such with $title', async (account) => {
  const expected = { code: 'gateway_refused', params: { code: 3, table: 'user', name: 'user_locked' } };
  await expect(bench.open(account).use('credit').credit()).rejects.toMatchObject(expected);
  await expect(bench.open(account).use('account').details()).rejects.toMatchObject(expected);
});

test('a trial account is read by every version', async () => {
  const trial = { username: 'trial', password: 'trial-pass', apiKey: 'trial-key', token: 'trial-token' };
  await bench.admin('/accounts', { ...trial, credit: 7_000, userStatus: 2 });
  for (const gateway of bench.openAll(ACCOUNTS, trial)) {
    expect(await gateway.use('credit').credit()).toBe(7_000);
    expect(await gateway.use('account').details()).toMatchObject({ fullName: 'کاربر آزمایشی' });
  }
});

test.each([3, 4] as const)('a wrong key is refused by version %i', async (version) => {
  const gateway = bench.open({ version, credentials: { apiKey: new Secret('wrong-key') } });
  await expect(gateway.use('credit').credit()).rejects.toMatchObject({
    code: 'gateway_refused',
    params: { code: 401, name: 'not_authorized' },
  });
});

test('a wrong token is refused by version 1 as an unknown user', async () => {
  const gateway = bench.open({ version: 1, credentials: { token: new Secret('wrong-token') } });
  await expect(gateway.use('credit').credit()).rejects.toMatchObject({
    code: 'gateway_refused',
    params: { code: 1, name: 'user_not_found' },
  });
});
