import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { KEY, LINE, PLAIN, TOKEN, http, v1, v3, v4 } from './testing.ts';
import type { Reply } from './testing.ts';

let strict: Sandbox;
let lenient: Sandbox;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([startSandbox({ strict: true }), startSandbox()]);
});
afterAll(() => Promise.all([strict.close(), lenient.close()]));

const SEND = { from: LINE, recipients: [PLAIN], message: 'x', type: 0 };
const authorization = KEY;

function post(
  sandbox: Sandbox,
  path: string,
  body = '',
  headers: Record<string, string> = { authorization },
) {
  return http(`${sandbox.baseUrl}${path}`, { method: 'POST', headers, body });
}

/** What passes with a warning and is refused strictly: with which status, and in which words. */
const LOOSE: readonly (readonly [string, (sandbox: Sandbox) => Promise<Reply>, number, string])[] = [
  [
    'a wrong Authorization beside a right token',
    (on) => v3(on, 'my', {}, { authorization: 'wrong', token: KEY }),
    401,
    'beside the right credential stands another API key',
  ],
  [
    'a wrong password beside a right token',
    (on) => v3(on, 'my', {}, { token: KEY, username: 'demo', password: 'wrong' }),
    401,
    'beside the right credential stands a user name with password',
  ],
  [
    'a wrong key in the path beside a right one in the query',
    (on) => v4(on, 'user/credit.json', { apikey: KEY }, 'wrong'),
    401,
    'beside the right credential stands another API key',
  ],
  ['two slashes', (on) => post(on, '/api//v3/rest/my'), 404, 'the path has `//` in it'],
  ['a slash at the end', (on) => post(on, '/api/v3/rest/my/'), 404, 'the path ends with `/`'],
  ['a long address', (on) => v4(on, 'user/credit.json', { x: 'x'.repeat(9000) }), 400, 'the address has 90'],
  [
    'raw newlines',
    (on) => v3(on, 'sms/send', JSON.stringify(SEND).replace('"x"', '"a\nb"')),
    400,
    'a text in the body has raw newlines or control characters',
  ],
  ['a body that is null', (on) => v3(on, 'my', 'null'), 400, 'the body is null, not an object'],
  [
    'a number as a text',
    (on) => v3(on, 'sms/latestoutbox', { pagesize: '10' }),
    400,
    '`pagesize` is a string',
  ],
  ['a type as a text', (on) => v3(on, 'sms/send', { ...SEND, type: '0' }), 400, '`type` is a string'],
  [
    'a line as a number',
    (on) => v3(on, 'sms/send', { ...SEND, from: Number(LINE) }),
    400,
    '`from` is a number',
  ],
  ['ids as texts', (on) => v3(on, 'sms/status', { messageid: ['5'] }), 400, '`messageid` holds values'],
  [
    'types of a list as texts',
    (on) =>
      v3(on, 'sms/multiple-send', {
        fromArray: [LINE],
        recipients: [PLAIN],
        messageArray: ['x'],
        typeArray: ['0'],
      }),
    400,
    '`typeArray` holds values',
  ],
];

test.each(LOOSE)('%s: passes with a warning, and is refused strictly', async (_what, call, status, why) => {
  expect((await call(lenient)).json).toMatchObject({ return: { status: 200 } });
  const passed = lenient.journal.list().at(-1);
  expect(passed).toMatchObject({ refused: null });
  expect(passed?.warnings).toContainEqual(expect.stringContaining(`a stricter gateway refuses this: ${why}`));

  const before = strict.ledger.totals().sends;
  expect((await call(strict)).json).toMatchObject({ return: { status } });
  expect(strict.journal.list().at(-1)?.refused).toContain(why);
  expect(strict.ledger.totals().sends).toBe(before);
});

test('a 64-bit id is a number like the others', async () => {
  const sent = await v3(strict, 'sms/send', SEND);
  expect(sent.json).toMatchObject({ return: { status: 200 } });
  const [id = ''] = strict.ledger.sends().at(-1)?.messageIds ?? [];
  const asked = await v3(strict, 'sms/status', `{"messageid":[${id}]}`);
  expect(asked.json).toMatchObject({ entries: [{ number: '+989121111111' }] });
});

test('what the interface has passes strictly, on all versions, without a warning', async () => {
  const user = { uname: 'fresh1', passwd: 'p1', passwd_repeat: 'p1', parent: 'demo', mobile: '09121111111' };
  const calls: readonly (readonly [Reply, object])[] = [
    [await v3(strict, 'sms/send', SEND), { return: { status: 200 } }],
    [await v3(strict, 'sms/status', { messageid: [5] }), { return: { status: 200 } }],
    [await v3(strict, 'my', '', { authorization: `Bearer ${KEY}` }), { return: { status: 200 } }],
    [
      await v3(strict, 'user/register', { ...user, melli_code: '0012345679', package: 12, reseller: 0 }),
      { return: { status: 200 } },
    ],
    [await v4(strict, 'sms/latestoutbox.json', { pagesize: '10' }), { return: { status: 200 } }],
    [await v1(strict, 'sms/send', SEND), { status: 200, result: { status: 0 } }],
    [
      await v1(strict, 'sms/status', { idArray: ['5'] }, { token: TOKEN }),
      { status: 200, result: { status: 0 } },
    ],
  ];
  for (const [{ json }, wanted] of calls) expect(json).toMatchObject(wanted);
  const noted = strict.journal.list().slice(-calls.length);
  expect(noted.flatMap(({ warnings }) => warnings)).toEqual([]);
});
