import { expect, test } from 'vitest';

import { Secret } from '../domain/secret.ts';
import type { GatewayCredentials, GatewayVersion, SmsGateway } from '../ports/gateway.ts';
import { createGateway } from './compose.ts';
import type { GatewayLogRecord } from './calls.ts';
import { acceptance, gatewayOf, SEND } from './testing/accounts.ts';
import { exchange, rest, v1 } from './testing/exchange.ts';
import { answer, startRawServer } from './testing/raw-server.ts';

const key = { apiKey: new Secret('k') };
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
  [{ username: 'demo' }, []],
  [{ password: new Secret('pass') }, []],
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

test.each([
  [
    [3, 4, 1],
    ['api_key', 'username_password', 'token'],
  ],
  [[4], ['api_key']],
  [[1], ['token', 'username_password']],
] as const)('without a credential the versions %j miss %j', (versions, missing) => {
  const gateway = of({}, versions);
  expect(() => gateway.use('sending')).toThrow(
    expect.objectContaining({ params: { facet: 'sending', missing } }),
  );
  gateway.expect('sending', 5);
});

test('a version without an address is none of the deployment', () => {
  const credentials = { ...key, ...token };
  const given = { credentials, versions: [3, 4, 1] } as const;
  expect(createGateway(given).versions).toEqual([]);
  expect(createGateway({ ...given, baseUrl: 'http://127.0.0.1:1' }).versions).toEqual([3, 4]);
  expect(createGateway({ ...given, wsUrl: 'http://127.0.0.1:1' }).versions).toEqual([1]);
});

test.each([
  ['api_key', { apiKey: new Secret('a\nb') }],
  ['api_key', { apiKey: new Secret('key ') }],
  ['token', { token: new Secret('') }],
  ['username', { ...pair, username: 'نام' }],
  ['password', { ...pair, password: new Secret(' pass') }],
])('a %s that cannot travel in a header is refused unrepeated', (field, credentials) => {
  expect(() => of(credentials)).toThrow(
    expect.objectContaining({ code: 'bad_input', params: { field, reason: 'not_printable' } }),
  );
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
    baseUrl: `${server.url}/prefix//`,
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

const at = { year: '1404', month: '1', day: '1', hour: '1', minute: '1' };
const [recipient = ''] = SEND.recipients;
const pattern = { line: SEND.line, recipients: [recipient], patternId: '1', variables: {}, flash: false };
const message = { line: SEND.line, recipient, text: 'x', flash: false };
const accepted = v1({ status: 0, id: 9 });

test.each<[GatewayVersion, unknown, string, string, (gateway: SmsGateway) => Promise<unknown>]>([
  [3, rest({ data: { credit: 5 } }), 'credit', 'read', (g) => g.use('credit').credit()],
  [3, rest({}, 400), 'credit', 'refused', (g) => g.use('credit').credit()],
  [3, rest({ data: {} }), 'credit', 'unreadable', (g) => g.use('credit').credit()],
  [3, rest({ entries: [] }), 'receive', 'done', (g) => g.use('inbox').receive()],
  [3, rest({}, 400), 'receive', 'refused', (g) => g.use('inbox').receive()],
  [3, '', 'receive', 'unreadable', (g) => g.use('inbox').receive()],
  [3, acceptance(3), 'send', 'accepted', (g) => g.use('sending').send(SEND)],
  [3, rest({}, 400), 'multi', 'rejected', (g) => g.use('multi').sendMany([message])],
  [3, '', 'pattern', 'unknown', (g) => g.use('pattern').sendPattern(pattern)],
  [1, '', 'send', 'unknown', (g) => g.use('sending').send(SEND)],
  [1, '', 'multi', 'unknown', (g) => g.use('multi').sendMany([message])],
  [1, accepted, 'pattern', 'accepted', (g) => g.use('pattern').sendPattern(pattern)],
  [1, accepted, 'future', 'accepted', (g) => g.use('futureSend').sendLater({ ...SEND, at })],
  [1, '', 'book_send', 'unknown', (g) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: '1' })],
])('the log of version %i says after %j that %s was %s', async (version, body, operation, outcome, run) => {
  const records: GatewayLogRecord[] = [];
  const { gateway } = await exchange(version, body, { log: (record) => records.push(record) });
  const began = performance.now();
  await run(gateway).catch(() => undefined);
  const most = Math.ceil(performance.now() - began);
  expect(records).toEqual([{ operation, version, ms: expect.any(Number), outcome, httpStatus: 200 }]);
  expect(records[0]?.ms).toBeLessThanOrEqual(most);
});

test('the log says why there was no answer', async () => {
  const server = await startRawServer({});
  await server.close();
  const records: GatewayLogRecord[] = [];
  const gateway = gatewayOf(3, server.url, { random: () => 0, log: (record) => records.push(record) });
  await expect(gateway.use('credit').credit()).rejects.toMatchObject({ code: 'gateway_no_answer' });
  await expect(gateway.use('inbox').receive()).rejects.toMatchObject({ code: 'gateway_no_answer' });
  await gateway.use('sending').send(SEND);
  await gateway.close();
  const ms: unknown = expect.any(Number);
  expect(records).toEqual([
    { operation: 'credit', version: 3, ms, outcome: 'no_answer', reason: 'refused' },
    { operation: 'receive', version: 3, ms, outcome: 'no_answer', reason: 'refused' },
    { operation: 'send', version: 3, ms, outcome: 'not_sent', reason: 'refused' },
  ]);
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
