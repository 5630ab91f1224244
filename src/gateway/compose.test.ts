import { expect, test } from 'vitest';

import { Secret } from '../domain/secret.ts';
import type { GatewayCredentials, GatewayVersion } from '../ports/gateway.ts';
import { createGateway } from './compose.ts';
import type { GatewayLogRecord } from './calls.ts';
import { acceptance, SEND } from './testing/accounts.ts';
import { answer, startRawServer } from './testing/raw-server.ts';

const key = { apiKey: new Secret('key') };
const token = { token: new Secret('token') };
const pair = { username: 'demo', password: new Secret('pass') };

function of(credentials: GatewayCredentials, versions: readonly GatewayVersion[] = [3, 4, 1]) {
  return createGateway({
    baseUrl: 'http://127.0.0.1:1/prefix/',
    wsUrl: 'http://127.0.0.1:1',
    credentials,
    versions,
  });
}

test.each([
  [key, [3, 4]],
  [token, [1]],
  [pair, [3, 1]],
  [{ ...key, ...token }, [3, 4, 1]],
  [{}, []],
] as const)('credentials %o reach the versions %j', (credentials, versions) => {
  expect(of(credentials).versions).toEqual(versions);
});

test('what no credential reaches says which credentials would', () => {
  expect(() => of(token).use('details')).toThrow(
    expect.objectContaining({
      code: 'gateway_unsupported',
      params: { facet: 'details', missing: ['api_key', 'username_password'] },
    }),
  );
  expect(of(token).has('details')).toBe(false);
  expect(of(token).has('sending')).toBe(true);
});

test('what no version of the deployment offers misses no credential', () => {
  expect(() => of(token, [1]).use('details')).toThrow(
    expect.objectContaining({ params: { facet: 'details', missing: [] } }),
  );
});

test.each([
  [3, ['details', 'outbox', 'counts', 'inbox', 'blacklist', 'phonebookWrite', 'pattern']],
  [4, ['details', 'outbox', 'counts', 'inbox', 'blacklist']],
  [1, ['phonebookWrite', 'pattern', 'futureSend', 'phonebookSend']],
] as const)('version %i has what all have, and %j', (version, own) => {
  const gateway = of({ ...key, ...token }, [version]);
  const all = ['sending', 'multi', 'credit', 'account', 'reports', 'phonebookRead', 'registration'] as const;
  const rest = ['details', 'outbox', 'counts', 'inbox', 'blacklist'] as const;
  const some = [...rest, 'phonebookWrite', 'pattern', 'futureSend', 'phonebookSend'] as const;
  const held = [...all, ...some].filter((facet) => gateway.has(facet));
  expect(new Set(held)).toEqual(new Set([...all, ...own]));
});

test.each([
  [[3, 4, 1], 3, 3],
  [[4, 3, 1], 3, 4],
  [[1, 4], 1, 1],
  [[4, 1], 1, 4],
  [[4], 4, 4],
] as const)('of the versions %j version %i sends and version %i reads', async (versions, sends, reads) => {
  const server = await startRawServer({
    onRequest: (socket, request) => {
      const version = Number(/\/api\/v(\d)/.exec(request)?.[1]);
      const sending = /\/sms\/send/.test(request);
      const credit =
        version === 1
          ? '{"status":200,"result":{"status":0,"value":5}}'
          : '{"return":{"status":200},"data":{"credit":5}}';
      answer(200, sending ? acceptance(version === 1 ? 1 : 3) : credit)(socket);
    },
  });
  const records: GatewayLogRecord[] = [];
  const gateway = createGateway({
    baseUrl: `${server.url}/prefix/`,
    wsUrl: server.url,
    credentials: { ...key, ...token },
    versions,
    log: (record) => records.push(record),
  });

  await gateway.use('sending').send(SEND);
  await gateway.use('credit').credit();
  await gateway.close();
  await server.close();

  expect(records.map(({ operation, version, outcome }) => [operation, version, outcome])).toEqual([
    ['send', sends, 'accepted'],
    ['credit', reads, 'read'],
  ]);
  expect(server.requests()[0]).toMatch(sends === 1 ? / \/api\/v1\// : / \/prefix\/api\/v\d/);
});

test('a log that throws does not turn an accepted send into an error', async () => {
  const server = await startRawServer({ onRequest: answer(200, acceptance(3)) });
  const gateway = createGateway({
    baseUrl: server.url,
    credentials: key,
    versions: [3],
    log: () => {
      throw new Error('disk full');
    },
  });

  const result = await gateway.use('sending').send(SEND);
  await gateway.close();
  await server.close();

  expect(result.outcome).toBe('accepted');
});

test.each([
  'ftp://gateway',
  'nonsense',
  'http://user:secret@gateway',
  'https://:secret@gateway',
  'http://secret.example.com',
  'https://169.254.169.254/secret',
  'http://2130706433/secret',
])('the address %s is refused unrepeated', (address) => {
  const act = () => createGateway({ baseUrl: address, credentials: key, versions: [3] });
  expect(act).toThrow(expect.objectContaining({ code: 'config' }));
  expect(act).not.toThrow(/secret/);
});
