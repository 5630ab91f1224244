import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type { GatewayCredentials, GatewayVersion } from '../ports/gateway.ts';
import type { CredentialKind } from '../ports/stores.ts';
import { createAccounts, type Accounts } from './accounts.ts';

const ALL = [3, 4, 1] as const satisfies readonly GatewayVersion[];
const KEY: GatewayCredentials = { apiKey: new Secret('key') };

let opened: string[];
let accounts: Accounts;

function accountsOf(
  credentialsOf: (bindingId: string) => Promise<GatewayCredentials | null> = () => Promise.resolve(KEY),
  versions: readonly GatewayVersion[] = ALL,
): Accounts {
  opened = [];
  // Nothing listens there: an account opens nothing until it is used.
  const address = 'http://127.0.0.1:9/';
  accounts = createAccounts({
    baseUrl: address,
    wsUrl: address,
    versions,
    credentialsOf: (bindingId) => {
      opened.push(bindingId);
      return credentialsOf(bindingId);
    },
  });
  return accounts;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await accounts.close();
  vi.useRealTimers();
});

describe('an account', () => {
  test('is opened when it is needed, once, also by many at the same moment', async () => {
    const all = accountsOf();
    const gateways = await Promise.all(Array.from({ length: 10 }, () => all.of('a')));
    expect(new Set(gateways).size).toBe(1);
    expect(await all.of('b')).not.toBe(gateways[0]);
    expect(opened).toEqual(['a', 'b']);
    expect(gateways[0]?.versions).toEqual([3, 4]);
  });

  test('is forgotten with its key after a minute, however often it was used', async () => {
    const all = accountsOf();
    const first = await all.of('a');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await all.of('a')).toBe(first);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await all.of('a')).not.toBe(first);
    expect(opened).toEqual(['a', 'a']);
  });

  test('that was forgotten keeps its connections until what is on the wire has ended', async () => {
    const all = accountsOf();
    const close = vi.spyOn(await all.of('a'), 'close');
    await vi.advanceTimersByTimeAsync(60_000 + 89_000);
    expect(close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('whose binding has ended is not connected, and is looked up again the next time', async () => {
    let credentials: GatewayCredentials | null = null;
    const all = accountsOf(() => Promise.resolve(credentials));
    await expect(all.of('a')).rejects.toMatchObject({ code: 'not_connected' });
    credentials = KEY;
    expect((await all.of('a')).has('sending')).toBe(true);
    expect(opened).toEqual(['a', 'a']);
  });

  test('that cannot be opened fails with the reason each time, and nothing else fails with it', async () => {
    const all = accountsOf((id) =>
      id === 'bad' ? Promise.reject(new AppError('crypto', 'sealed')) : Promise.resolve(KEY),
    );
    await expect(Promise.all([all.of('bad'), all.of('bad')])).rejects.toMatchObject({ code: 'crypto' });
    await expect(all.of('bad')).rejects.toMatchObject({ code: 'crypto' });
    expect(await all.of('good')).toBeDefined();
    await vi.advanceTimersByTimeAsync(200_000);
  });

  test('that failed and was opened again is kept for its own full minute', async () => {
    let credentials: GatewayCredentials | null = null;
    const all = accountsOf(() => Promise.resolve(credentials));
    await expect(all.of('a')).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(30_000);
    credentials = KEY;
    const gateway = await all.of('a');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(await all.of('a')).toBe(gateway);
  });

  test('is closed at the end, each one once', async () => {
    const all = accountsOf();
    const closes = await Promise.all(['a', 'b'].map(async (id) => vi.spyOn(await all.of(id), 'close')));
    await all.close();
    await all.close();
    await vi.advanceTimersByTimeAsync(200_000);
    for (const close of closes) expect(close).toHaveBeenCalledTimes(1);
  });
});

describe('what an account can do', () => {
  test.each<[readonly CredentialKind[], readonly GatewayVersion[], boolean, readonly string[]]>([
    [['api_key'], ALL, false, ['username_password', 'token']],
    [['token'], ALL, true, []],
    [['password'], ALL, true, []],
    [['api_key'], [3, 4], false, []],
    [[], ALL, false, ['username_password', 'token']],
  ])('is known from the kinds of its credentials: %j on %j', (kinds, versions, future, missing) => {
    const all = accountsOf(undefined, versions);
    const capabilities = all.capabilities(kinds);
    expect(capabilities.has('sending')).toBe(kinds.length > 0);
    expect(capabilities.has('futureSend')).toBe(future);
    expect(capabilities.missing('futureSend').toSorted()).toEqual(missing.toSorted());
    expect(opened).toEqual([]);
  });

  test('is the same however often and after whatever else it is asked', () => {
    const facets = ['sending', 'futureSend', 'pattern', 'inbox', 'blacklist'] as const;
    const asked = ['has', 'missing'] as const;
    const alone = new Map(
      facets.flatMap((facet) =>
        asked.map((question) => [
          `${question} ${facet}`,
          accountsOf(undefined, ALL).capabilities(['api_key'])[question](facet),
        ]),
      ),
    );
    expect(new Set([...alone.values()].map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(3);
    const capabilities = accountsOf().capabilities(['api_key']);
    for (const round of [asked, asked.toReversed(), asked])
      for (const facet of facets)
        for (const question of round)
          expect(capabilities[question](facet)).toEqual(alone.get(`${question} ${facet}`));
  });

  test('does not depend on the order of the kinds, and is found out once', () => {
    const all = accountsOf();
    expect(all.capabilities(['api_key', 'token'])).toBe(all.capabilities(['token', 'api_key']));
    expect(all.capabilities(['api_key'])).not.toBe(all.capabilities(['token']));
  });

  test.each<[readonly GatewayVersion[], readonly string[]]>([
    [
      [3, 4, 1],
      ['api_key', 'username_password', 'token'],
    ],
    [[3], ['api_key', 'username_password']],
    [[4], ['api_key']],
    [[1], ['username_password', 'token']],
  ])('versions %j take these credentials: %j', (versions, names) => {
    expect(accountsOf(undefined, versions).accepted()).toEqual(names);
  });

  test('can be asked of credentials that are being checked, without keeping them', async () => {
    const all = accountsOf();
    const probed = all.probe({ token: new Secret('token') });
    expect(probed.versions).toEqual([1]);
    await probed.close();
    expect(opened).toEqual([]);
  });
});
