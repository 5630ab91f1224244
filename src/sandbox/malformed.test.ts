import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import type { LedgerRecord } from './world/ledger.ts';
import { KEY, LINE, PLAIN, TOKEN, exchange, http, rawSend, remove, v1, v3, v4 } from './testing.ts';

const restEnvelope = z.object({ return: z.strictObject({ status: z.int(), message: z.string().min(1) }) });
const v1Envelope = z.union([
  z.strictObject({ status: z.literal(200), result: z.unknown() }),
  z.strictObject({ status: z.int().min(400), message: z.string().min(1) }),
]);

const crashes: unknown[] = [];
let sandbox: Sandbox;
let onEvent: ((record: LedgerRecord) => void) | undefined;

beforeAll(async () => {
  sandbox = await startSandbox({
    onCrash: (error) => crashes.push(error),
    onEvent: (record) => onEvent?.(record),
  });
});
afterAll(() => sandbox.close());

test('a body that is not JSON is refused in the envelope of the version', async () => {
  for (const body of [
    '{',
    'from=1&to=2',
    '"a" "b"',
    '--x\r\ncontent-disposition: form-data\r\n',
    '{"m":"a"b"}',
  ]) {
    expect((await v3(sandbox, 'sms/send', body)).json).toEqual({
      return: { status: 400, message: 'قالب درخواست نامعتبر است' },
    });
    expect((await v1(sandbox, 'sms/send', body)).json).toEqual({
      status: 400,
      message: 'قالب درخواست نامعتبر است',
    });
  }
});

test('a body nested too deeply is refused like one that is not JSON', async () => {
  const deep = `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect((await v3(sandbox, 'sms/send', deep)).json).toMatchObject({ return: { status: 400 } });
  expect((await v1(sandbox, 'sms/send', deep)).json).toMatchObject({ status: 400 });
});

test('a body over the cap is read to its end and refused', async () => {
  const huge = JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'x'.repeat(3_000_000) });
  expect((await v3(sandbox, 'sms/send', huge)).json).toMatchObject({ return: { status: 413 } });
  expect((await v1(sandbox, 'sms/send', huge)).json).toMatchObject({ status: 413 });
});

test('a known path with a wrong method is told apart from an unknown path', async () => {
  const rest = `${sandbox.baseUrl}/api`;
  const cases = [
    [`${rest}/v3/rest/my/credit`, 'GET', 405],
    [`${rest}/v3/rest/sms/send`, 'DELETE', 405],
    [`${rest}/v4/${KEY}/user/credit.json`, 'POST', 405],
    [`${rest}/v4/user/credit.json?apikey=${KEY}`, 'POST', 405],
    [`${rest}/v4/${KEY}/sms/nothing.json`, 'GET', 404],
    [`${rest}/v4/${KEY}`, 'GET', 404],
    [`${rest}/v4`, 'GET', 404],
    [`${rest}/v3/rest/sms/nothing`, 'POST', 404],
    [`${rest}/v2/rest/sms/send`, 'POST', 404],
    [sandbox.baseUrl, 'GET', 404],
  ] as const;
  for (const [url, method, status] of cases) {
    const { json, httpStatus } = await http(url, { method, headers: { authorization: KEY } });
    expect(json).toMatchObject({ return: { status } });
    expect(httpStatus).toBe(200);
  }
  const old = `${sandbox.wsUrl}/api`;
  const v1Cases = [
    [`${old}/v1/rest/my/credit`, 'POST', 405],
    [`${old}/v1/rest/sms/send`, 'GET', 405],
    [`${old}/v1/rest/nothing`, 'GET', 404],
    [`${old}/v3/rest/my`, 'POST', 404],
    [`${old}/v4/${KEY}/user/credit.json`, 'GET', 404],
    [sandbox.wsUrl, 'GET', 404],
  ] as const;
  for (const [url, method, status] of v1Cases) {
    const { json, httpStatus } = await http(url, { method, headers: { token: TOKEN } });
    expect(json).toMatchObject({ status, message: expect.any(String) });
    expect(httpStatus).toBe(200);
  }
});

test('operations that only another version has answer as unknown paths', async () => {
  for (const path of ['sms/future-send', 'sms/phonebook-send', 'sms/multi', 'phonebook/list'])
    expect((await v3(sandbox, path)).json).toMatchObject({ return: { status: 404 } });
  for (const path of ['phonebook/new.json', 'sms/pattern-send.json', 'sms/multiple-send.json'])
    expect((await v4(sandbox, path)).json).toMatchObject({ return: { status: 404 } });
  for (const path of ['line/blocked/add', 'sms/inbox', 'sms/select', 'sms/countoutbox'])
    expect((await v1(sandbox, path, {})).json).toMatchObject({ status: 404 });
});

test('slashes too many and one at the end do no harm', async () => {
  const { json } = await http(`${sandbox.baseUrl}//api/v3/rest//my/credit/`, {
    method: 'POST',
    headers: { authorization: KEY },
  });
  expect(json).toMatchObject({ return: { status: 200 } });
});

test('an address that is too long is refused in the envelope, however long it is', async () => {
  for (const length of [40_000, 200_000]) {
    const tail = `/user/credit.json?x=${'x'.repeat(length)}`;
    const base = await http(`${sandbox.baseUrl}/api/v4/${KEY}${tail}`);
    expect(base.json).toMatchObject({ return: { status: 400 } });
    const ws = await http(`${sandbox.wsUrl}/api/v1/rest/my${tail}`, { headers: { token: TOKEN } });
    expect(ws.json).toMatchObject({ status: 400 });
  }
});

test('what is not HTTP gets the envelope of the port and a closed connection', async () => {
  const base = await exchange(sandbox.baseUrl, 'HELO gateway\r\n\r\n');
  expect(base.text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"return":\{"status":400,/);
  const ws = await exchange(sandbox.wsUrl, 'HELO gateway\r\n\r\n');
  expect(ws.text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"status":400,"message"/);
});

test('a client that leaves in the middle of its body has no effect and is noted', async () => {
  const before = sandbox.ledger.totals();
  const noted = new Promise<LedgerRecord>((resolve) => {
    onEvent = resolve;
  });
  const { hostname, port } = new URL(sandbox.baseUrl);
  const [head] = rawSend().split('\r\n\r\n');
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(`${head}\r\n\r\n{"from":`));
  expect(await noted).toMatchObject({
    kind: 'hit',
    operation: 'send',
    reachedEffect: false,
    outcome: 'aborted',
  });
  socket.destroy();
  expect(sandbox.ledger.totals().sends).toBe(before.sends);
});

const anyPath = fc
  .array(
    fc.oneof(
      fc.constantFrom('api', 'v4', 'v3', 'v1', 'rest', 'sms', 'my', 'user', 'send', 'status', 'credit', KEY),
      fc.constantFrom('send.json', 'select.json', 'credit.json', '..', '.', '%', '%2F', '%zz', '{x}', ''),
      fc.webSegment(),
    ),
    { maxLength: 8 },
  )
  .map((segments) => `/${segments.join('/')}`);
const anyQuery = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((query) => `?${query}`),
  fc
    .dictionary(fc.constantFrom('from', 'recipients', 'message', 'type', 'messageid', 'apikey'), fc.string())
    .map((query) => `?apikey=${KEY}&${new URLSearchParams(query).toString()}`),
);
const anyMethod = fc.constantFrom('GET' as const, 'POST' as const, 'DELETE' as const, 'PUT' as const);
const MEMBERS = [
  'from',
  'recipients',
  'message',
  'type',
  'messageid',
  'idArray',
  '__proto__',
  'patternId',
  'pattern_id',

  'book_id',
  'bookId',
  'numbers',
  'name',
  'flag',
  'number',
  'to',
  'startdate',
  'enddate',
  'page',
  'pagesize',

  'isread',
  'count',
  'offset',
  'sendDate',
  'fromArray',
  'messageArray',
  'typeArray',
  'register_personality',
  'uname',
  'username',
  'password',
  'repeatPassword',
  'mobile',
  'package',
  'reseller',
];
const PATHS = [
  'sms/send',
  'sms/status',
  'sms/select',
  'sms/latest',
  'my/credit',
  'my',
  'sms/multiple-send',
  'sms/pattern-send',
  'sms/future-send',
  'sms/phonebook-send',
  'sms/selectoutbox',
  'sms/statusbynumber',

  'sms/inbox',
  'sms/inboxpaged',
  'sms/receive',
  'sms/countinbox',
  'user/register',
  'my/phonebook',
  'phonebook',
  'phonebook/new',
  'phonebook/number',
  'phonebook/number/add',
  'phonebook/1001/number',
  'line/blocked/list',
  'line/blocked/add',
  'line/blocked/remove',
  'line/blocked/exists',
];
const loose = fc.oneof(fc.jsonValue(), fc.constantFrom(LINE, PLAIN, [PLAIN], [1], 0, '', null));
const anyBody = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.dictionary(fc.constantFrom(...MEMBERS), loose).map((body) => JSON.stringify(body)),
);

async function ask(base: string, path: string, method: 'GET' | 'POST' | 'DELETE' | 'PUT', body: string) {
  const headers = { authorization: base === sandbox.wsUrl ? TOKEN : KEY };
  return http(base + path, { method, headers, ...(method === 'GET' ? {} : { body }) });
}

test('no path, query, method or body makes the sandbox answer outside its envelope', async () => {
  await fc.assert(
    fc.asyncProperty(anyPath, anyQuery, anyMethod, anyBody, async (path, query, method, body) => {
      const rest = await ask(sandbox.baseUrl, path + query, method, body);
      z.union([restEnvelope, v1Envelope]).parse(rest.json);
      const old = await ask(sandbox.wsUrl, path + query, method, body);
      v1Envelope.parse(old.json);
    }),
    { numRuns: 150 },
  );
  expect(crashes).toEqual([]);
});

test('no body of a real operation makes the sandbox answer outside its envelope', async () => {
  const paths = fc.constantFrom(...PATHS);
  await fc.assert(
    fc.asyncProperty(paths, anyBody, async (path, body) => {
      restEnvelope.parse((await v3(sandbox, path, body)).json);
      v1Envelope.parse((await v1(sandbox, path, body)).json);
      restEnvelope.parse((await remove(3, sandbox, path, body)).json);
      v1Envelope.parse((await remove(1, sandbox, path, body)).json);
    }),
    { numRuns: 300 },
  );
  expect(crashes).toEqual([]);
});
