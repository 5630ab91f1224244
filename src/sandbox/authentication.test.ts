import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { KEY, LINE, PLAIN, TOKEN, http, sendOn, v1, v3, v4 } from './testing.ts';

const ODD_KEY = 'odd/key+with?marks%20&=é'.replace('é', '~');
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  sandbox.world.addAccount({
    username: 'odd',
    password: 'odd-pass',
    apiKey: ODD_KEY,
    lines: [LINE],
    credit: 1_000_000,
  });
  // latest answers with success only once something was sent.
  await sendOn(3, sandbox);
});
afterAll(() => sandbox.close());

const SEND = { from: LINE, recipients: [PLAIN], message: 'x' };
const QUERIES = { from: LINE, recipients: PLAIN, message: 'x' };

const V4_CALLS = [
  ['sms/send.json', QUERIES],
  ['sms/status.json', { messageid: '1' }],
  ['sms/select.json', undefined],
  ['sms/latest.json', {}],
  ['user/credit.json', {}],
  ['user/details.json', {}],
] as const;
const V3_CALLS = [
  ['sms/send', SEND],
  ['sms/status', { messageid: [1] }],
  ['sms/select', undefined],
  ['sms/latest', []],
  ['my/credit', []],
  ['my', []],
] as const;
const V1_CALLS = [
  ['sms/send', SEND],
  ['sms/status', { idArray: [1] }],
  ['sms/latest', undefined],
  ['my/credit', undefined],
  ['my', undefined],
] as const;

/** select needs an id that exists. */
function knownId(): string {
  return sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
}

const v4Urls = [
  ['key in the path', (path: string, query: string) => `${KEY}/${path}?${query}`],
  ['percent-encoded key in the path', (path, query) => `${percentEncodeAll(KEY)}/${path}?${query}`],
  ['query apikey', (path, query) => `${path}?apikey=${KEY}&${query}`],
  ['query api_key', (path, query) => `${path}?${query}&api_key=${KEY}`],
] satisfies [string, (path: string, query: string) => string][];

test.each(v4Urls)('version 4 accepts every operation with its %s', async (_, url) => {
  for (const [path, query] of V4_CALLS) {
    const given = new URLSearchParams(query ?? { messageid: knownId() }).toString();
    const { json } = await http(`${sandbox.baseUrl}/api/v4/${url(path, given)}`);
    expect(json).toMatchObject({ return: { status: 200 } });
  }
});

test('a version 4 key full of signs works in the path and in the query when it is encoded', async () => {
  const encoded = encodeURIComponent(ODD_KEY);
  for (const address of [`${encoded}/user/credit.json`, `user/credit.json?apikey=${encoded}`]) {
    const { json } = await http(`${sandbox.baseUrl}/api/v4/${address}`);
    expect(json).toMatchObject({ data: { credit: 1_000_000 } });
  }
});

test.each([
  ['Authorization with the key', { Authorization: KEY }],
  ['Authorization with Bearer', { authorization: `Bearer ${KEY}` }],
  ['Authorization with bearer in small letters', { AUTHORIZATION: `bearer  ${KEY}` }],
  ['Token', { Token: KEY }],
  ['token in small letters', { token: KEY }],
  ['Authorization and Token together', { Authorization: `Bearer ${KEY}`, Token: KEY }],
  ['Username and Password', { Username: 'demo', Password: 'demo-pass' }],
  ['username and password in small letters', { username: 'demo', password: 'demo-pass' }],
  ['token, username and password together', { token: KEY, username: 'demo', password: 'demo-pass' }],
  ['the key alone in Username', { username: KEY }],
])('version 3 accepts every operation with %s', async (_, headers) => {
  for (const [path, body] of V3_CALLS) {
    const { json } = await v3(sandbox, path, body ?? `{"messageid":[${knownId()}]}`, headers);
    expect(json).toMatchObject({ return: { status: 200 } });
  }
});

test.each([
  ['token', { token: TOKEN }],
  ['TOKEN in capitals', { TOKEN }],
  ['Authorization with Bearer', { Authorization: `Bearer ${TOKEN}` }],
  ['username and password', { username: 'demo', password: 'demo-pass' }],
  ['Username and Password', { Username: 'demo', Password: 'demo-pass' }],
  ['token, username and password together', { token: TOKEN, username: 'demo', password: 'demo-pass' }],
  ['the token alone in username', { username: TOKEN }],
])('version 1 accepts every operation with %s', async (_, headers) => {
  for (const [path, body] of V1_CALLS) {
    const { json } = await v1(sandbox, path, body, headers);
    expect(json).toMatchObject({ status: 200, result: { status: 0 } });
  }
});

const INVALID = { return: { status: 401, message: 'توکن نامعتبر است' } };

test('versions 4 and 3 refuse wrong or missing credentials with 401 for every operation', async () => {
  for (const [path, query] of V4_CALLS) {
    for (const key of ['wrong', TOKEN, 'SANDBOX-KEY-DEMO']) {
      expect((await v4(sandbox, path, query ?? {}, key)).json).toEqual(INVALID);
    }
    expect((await http(`${sandbox.baseUrl}/api/v4/${path}`)).json).toEqual(INVALID);
    expect((await http(`${sandbox.baseUrl}/api/v4//${path}`)).json).toEqual(INVALID);
  }
  const wrong = [
    {},
    { authorization: 'wrong' },
    { authorization: `Basic ${KEY}` },
    { token: TOKEN },
    { username: 'demo', password: 'wrong' },
    { username: 'odd', password: 'demo-pass' },
    { username: 'nobody', password: 'demo-pass' },
    { username: 'demo' },
    { password: 'demo-pass' },
    { apikey: KEY },
  ];
  for (const [path, body] of V3_CALLS) {
    for (const headers of wrong) {
      const { json, httpStatus } = await v3(sandbox, path, body, headers);
      expect(json).toEqual(INVALID);
      expect(httpStatus).toBe(200);
    }
  }
});

test('version 1 refuses wrong credentials: calls about the account say user not found, the others 401', async () => {
  for (const headers of [{ token: 'wrong' }, { token: KEY }, { username: 'demo', password: 'no' }]) {
    const given = headers;
    expect((await v1(sandbox, 'my/credit', undefined, given)).json).toEqual({
      status: 200,
      result: { status: 1, value: 0 },
    });
    expect((await v1(sandbox, 'my', undefined, given)).json).toMatchObject({
      status: 200,
      result: { status: 1, details: { fullname: '' } },
    });
    expect((await v1(sandbox, 'sms/send', SEND, given)).json).toEqual({
      status: 401,
      message: 'توکن نامعتبر است',
    });
  }
  for (const [path, body] of V1_CALLS) {
    expect((await v1(sandbox, path, body, {})).json).toEqual({
      status: 401,
      message: 'اطلاعات کاربری ارسال نشده است',
    });
  }
});

test('a locked account is known but may do nothing: versions 4 and 3 answer 401 with its status', async () => {
  const locked = { return: { status: 401, message: 'حساب کاربری غیرفعال است: کد 3' } };
  for (const [path, query] of V4_CALLS) {
    expect((await v4(sandbox, path, query ?? {}, 'sandbox-key-locked')).json).toEqual(locked);
  }
  for (const [path, body] of V3_CALLS) {
    expect((await v3(sandbox, path, body, { token: 'sandbox-key-locked' })).json).toEqual(locked);
  }
});

test('version 1 shows the user status of an account that is not active, and refuses its sends', async () => {
  const headers = { token: 'sandbox-token-locked' };
  expect((await v1(sandbox, 'my/credit', undefined, headers)).json).toEqual({
    status: 200,
    result: { status: 3, value: 0 },
  });
  expect((await v1(sandbox, 'my', undefined, headers)).json).toMatchObject({ result: { status: 3 } });
  expect((await v1(sandbox, 'sms/send', SEND, headers)).json).toMatchObject({ status: 401 });
});

test('a trial account may use the service, and version 1 says in both calls about the account that it is one', async () => {
  const trial = { username: 'trial', password: 'p', apiKey: 'trial-key', token: 'trial-token', credit: 5 };
  sandbox.world.addAccount({ ...trial, lines: [LINE], price: { gsm7: 0, ucs2: 0 }, userStatus: 2 });
  const headers = { token: 'trial-token' };
  expect((await v1(sandbox, 'my/credit', undefined, headers)).json).toEqual({
    status: 200,
    result: { status: 2, value: 5 },
  });
  expect((await v1(sandbox, 'my', undefined, headers)).json).toMatchObject({
    result: { status: 2, details: { fullname: 'کاربر آزمایشی' } },
  });
  expect((await v1(sandbox, 'sms/send', SEND, headers)).json).toMatchObject({ result: { status: 0 } });
  expect((await v4(sandbox, 'user/credit.json', {}, 'trial-key')).json).toMatchObject({
    data: { credit: 5 },
  });
});

test('no credential stands in any record of the ledger, wrong keys in the path included', async () => {
  await v4(sandbox, 'user/credit.json', {}, 'a-key-of-elsewhere');
  await http(`${sandbox.baseUrl}/api/v4/a-key-of-elsewhere`);
  await http(`${sandbox.baseUrl}/api/v3/rest/${KEY}/demo-pass`);
  const text = JSON.stringify([sandbox.ledger.hits(), sandbox.ledger.sends()]);
  for (const secret of [KEY, TOKEN, 'sandbox-key-locked', 'demo-pass', 'a-key-of-elsewhere', ODD_KEY]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(encodeURIComponent(secret));
  }
});

function percentEncodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
