import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { SHAPES } from './shapes.ts';
import type { ShapeName } from './shapes.ts';
import { documentTable, http, markdownTable, PLAIN } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ adminPort: 0, deliverySeconds: 0, now: () => 1_790_000_000_000 });
});
afterAll(() => sandbox.close());

const TWO = [PLAIN, '09122222222'];

/** What an account with these shapes is answered, ids and its own name and line apart. */
async function answers(shapes: readonly ShapeName[]) {
  const made = sandbox.freshAccount({ shapes: [...shapes], representative: true });
  const [line = ''] = made.lines;
  const call = async (path: string, body?: object, method: 'GET' | 'POST' = 'POST') => {
    const base = path.startsWith('api/v1') ? sandbox.wsUrl : sandbox.baseUrl;
    const headers = { token: path.startsWith('api/v1') ? made.token : made.apiKey };
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const { text, httpStatus } = await http(`${base}/${path}`, { method, headers, ...given });
    const shown = text
      .replaceAll(/\d{19}/g, 'LONG')
      .replaceAll(/\d{12}/g, (id) => (id.startsWith('1') ? 'SMALL' : id))
      .replaceAll(line, 'LINE')
      .replaceAll(/"book_id":("?)\d+/g, '"book_id":$1BOOK')
      .replaceAll(/"number_id":("?)\d+/g, '"number_id":$1NUMBER');
    return { shown, httpStatus, text };
  };
  const send = { from: line, recipients: TWO, message: 'Hello', type: 0 };
  return { call, send, line, made };
}

type Seen = (of: Awaited<ReturnType<typeof answers>>) => Promise<{ shown: string; httpStatus: number }>;

const sent: Seen = async ({ call, send }) => call('api/v3/rest/sms/send', send);
const latest: Seen = async ({ call, send }) => {
  await call('api/v3/rest/sms/send', send);
  return call('api/v3/rest/sms/latestoutbox');
};
const blocked: Seen = async ({ call, line }) => {
  await call('api/v3/rest/line/blocked/add', { number: line, to: [PLAIN] });
  return call('api/v3/rest/line/blocked/list', { number: line });
};
const poor: Seen = async ({ call, send, made }) => {
  const account = sandbox.world.account(made.username);
  if (account !== undefined) account.credit = 0;
  return call('api/v3/rest/sms/send', send);
};
const empty: Seen = ({ call }) => call('api/v3/rest/sms/inboxpaged');
const credit: Seen = ({ call }) => call('api/v3/rest/my/credit');
const status1: Seen = async ({ call, send }) => {
  const { text } = await call('api/v1/rest/sms/send', send);
  const [, id = ''] = /"id":"?(\d+)/.exec(text) ?? [];
  return call('api/v1/rest/sms/status', { idArray: [id] });
};
const registered: Seen = ({ call }) =>
  call('api/v1/rest/user/register', { username: 'a b', password: 'secret1', repeatPassword: 'secret1' });

/** A shape, a call, and what in its plain answer becomes what. */
const ROWS: readonly (readonly [ShapeName, Seen, string, string])[] = [
  ['text-ids', sent, '"messageid":LONG', '"messageid":"LONG"'],
  ['small-ids', sent, '"messageid":LONG', '"messageid":SMALL'],
  ['plain-numbers', sent, '"from":"+98LINE"', '"from":"LINE"'],
  ['plain-numbers', blocked, '"to":"+989121111111"', '"to":"9121111111"'],
  ['text-numbers', credit, '"credit":10000000000', '"credit":"10000000000"'],
  ['text-numbers', latest, '"state":10', '"state":"10"'],
  ['number-paging', blocked, '"totalcount":"1"', '"totalcount":1'],
  ['grouped-rows', latest, '"to":"+989121111111"', '"to":["+989121111111","+989122222222"]'],
  ['null-lists', empty, '"entries":[]', '"entries":null'],
  ['null-lists', empty, '"current":{', '"current":null'],
  ['entries-always', credit, '"data":{"credit":10000000000}', '"entries":[{"credit":10000000000}]'],
  ['bare-rows', status1, '"result":[{"id":LONG,"status":4}]', '"result":[4]'],
  ['bare-lists', status1, '"result":{"status":0,"result":[{', '"result":[{'],
  ['bare-lists', blocked, '"entries":[{', '"data":[{'],
  ['register-object', registered, '"result":10', '"result":{"status":10}'],
  ['sibling-statuses', poor, '"status":400,"message":"خطا در ارسال پیام: کد 22"', '"status":418,'],
  [
    'code-status',
    poor,
    '"status":400,"message":"خطا در ارسال پیام: کد 22"',
    '"status":22,"message":"خطا در ارسال پیام"',
  ],
  ['code-status', registered, '{"status":200,"result":10}', '{"status":10,"message":"خطا در انجام عملیات"}'],
];

describe.each(ROWS)('%s', (name, seen, plain, shaped) => {
  test(`makes ${shaped} of ${plain}`, async () => {
    const [before, after] = [await seen(await answers([])), await seen(await answers([name]))];
    expect(before.shown).toContain(plain);
    expect(after.shown).toContain(shaped);
    expect(after.shown).not.toContain(plain);
    expect([before.httpStatus, after.httpStatus]).toEqual([200, 200]);
  });
});

test('every shape has its row, and http-status is of HTTP', async () => {
  expect(new Set([...ROWS.map(([name]) => name), 'http-status'])).toEqual(
    new Set(SHAPES.map(({ name }) => name)),
  );
  expect(await poor(await answers(['http-status']))).toMatchObject({ httpStatus: 400 });
  expect(await poor(await answers(['http-status', 'code-status']))).toMatchObject({ httpStatus: 400 });
  expect(await poor(await answers(['http-status', 'sibling-statuses']))).toMatchObject({ httpStatus: 418 });
  expect(await credit(await answers(['http-status']))).toMatchObject({ httpStatus: 200 });
  expect((await http(`${sandbox.baseUrl}/api/v3/rest/my/credit`, { method: 'POST' })).httpStatus).toBe(200);
});

test('shapes combine, and small ids are found again however they are written', async () => {
  const on = await answers(['text-ids', 'small-ids', 'plain-numbers', 'grouped-rows', 'bare-lists']);
  const { text } = await on.call('api/v3/rest/sms/send', on.send);
  const [, id = ''] = /"messageid":"(\d{12})"/.exec(text) ?? [];
  expect(sandbox.ledger.sends().at(-1)?.messageIds).toEqual([id]);
  for (const asked of [id, Number(id)])
    expect((await on.call('api/v3/rest/sms/status', { messageid: [asked] })).shown).toBe(
      '{"return":{"status":200,"message":"تایید شد"},"data":[{"messageid":"SMALL","from":"LINE","number":["9121111111","9122222222"],"state":4,"status":"رسیده به گیرنده"}]}',
    );
});

test('one state of several is that of who still waits, then of who was not reached', async () => {
  const on = await answers(['grouped-rows']);
  const state = async (...recipients: string[]) => {
    const { text } = await on.call('api/v3/rest/sms/send', { ...on.send, recipients });
    const [, id = ''] = /"messageid":(\d+)/.exec(text) ?? [];
    const asked = await on.call('api/v3/rest/sms/status', { messageid: [id] });
    return Number(/"state":(\d+)/.exec(asked.text)?.[1]);
  };
  expect(await state(PLAIN, '09121111100')).toBe(5);
  expect(await state(PLAIN, '09121111100', '09121111903')).toBe(3);
});

test('the admin interface tells of shapes and sets them, for all or for one account', async () => {
  const admin = async (path: string, body?: object) =>
    http(
      `${sandbox.adminUrl}${path}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
  const made = sandbox.freshAccount({ shapes: [] });
  const shaped = async (headers: Record<string, string>) =>
    (await http(`${sandbox.baseUrl}/api/v3/rest/my/credit`, { method: 'POST', headers })).text.includes(
      'entries',
    );
  const [own, demo] = [{ token: made.apiKey }, { token: 'sandbox-key-demo' }];
  await admin('/shapes', { shapes: ['entries-always'] });
  expect([await shaped(own), await shaped(demo)]).toEqual([false, true]);
  expect((await admin('/shapes')).json).toEqual({ shapes: SHAPES, on: ['entries-always'] });
  await admin('/shapes', { account: made.username, shapes: null });
  expect(await shaped(own)).toBe(true);
  await admin('/shapes', { shapes: [] });
  expect([await shaped(own), await shaped(demo)]).toEqual([false, false]);
  expect((await admin('/shapes', { shapes: ['nul-lists'] })).text).toContain('did you mean `null-lists`?');
  expect((await admin('/switches', { shapes: ['yaml'] })).text).toContain('no shape yaml; known: text-ids');
});

test('an injected refusal has the shape of the account too, and the HTTP status that it asks for', async () => {
  const on = await answers(['code-status', 'http-status']);
  const refused = async (httpStatus?: number) => {
    sandbox.faults.add({ kind: 'error', code: 22, account: on.made.username, times: 1, httpStatus });
    return credit(on);
  };
  expect(await refused()).toMatchObject({ httpStatus: 400, shown: expect.stringContaining('"status":22') });
  expect(await refused(503)).toMatchObject({ httpStatus: 503 });
});

test('the table of the document is the one in code; UPDATE_TABLES=1 writes it', () => {
  const { text, made } = documentTable(
    'shapes.md',
    markdownTable([
      ['shape', 'what answers look like', 'where', 'who says so'],
      ...SHAPES.map(({ name, does, where, source }) => [`\`${name}\``, does, where, source]),
    ]),
  );
  expect(text).toBe(made);
});
