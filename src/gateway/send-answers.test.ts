import { afterEach, describe, expect, test } from 'vitest';

import { isAppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type { GatewayVersion, SendRequest } from '../ports/gateway.ts';
import { acceptance, gatewayOf, SEND, VERSIONS } from './testing/accounts.ts';
import { exchange, failureOf } from './testing/exchange.ts';
import { answer, startRawServer } from './testing/raw-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function sendTo(version: GatewayVersion, body: string, httpStatus = 200, request: SendRequest = SEND) {
  const server = await startRawServer({ onRequest: answer(httpStatus, body) });
  const gateway = gatewayOf(version, server.url);
  closers.push(server.close, gateway.close);
  return { result: await gateway.use('sending').send(request), requests: server.requests() };
}

function refusal(version: GatewayVersion, status: number, text: string): string {
  return JSON.stringify(version === 1 ? { status, message: text } : { return: { status, message: text } });
}

describe.each(VERSIONS)('a send of version %i', (version) => {
  test('is accepted with the digits of its id', async () => {
    const { result } = await sendTo(version, acceptance(version, '18446744073709551615'));

    expect(result).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '18446744073709551615' }] });
  });

  test('is accepted whatever code its text speaks of', async () => {
    const said = acceptance(version).replace(
      /"status":200(?:,"message":"[^"]*")?/u,
      '"status":200,"message":"کد 22"',
    );
    const { result } = await sendTo(version, said);

    expect(result).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    [400, 'return', 'bad_request'],
    [401, 'return', 'not_authorized'],
    [413, 'return', 'inconsistent_data'],
    [414, 'return', 'recipients_over_limit'],
    [22, 'sending', 'insufficient_credit'],
  ])('is rejected by status %i, whatever the HTTP status', async (status, table, name) => {
    const expected = { outcome: 'rejected', code: status, table, name, text: 'no' };
    expect((await sendTo(version, refusal(version, status, 'no'))).result).toMatchObject(expected);
    expect((await sendTo(version, refusal(version, status, 'no'), 500)).result).toMatchObject(expected);
  });

  test.each(['خطا در ارسال پیام: کد 29', 'خطا: کد ۲۹', 'خطا: كد ٢٩', 'Error code: 29'])(
    'is rejected with the code that its text names: %s',
    async (text) => {
      const { result } = await sendTo(version, refusal(version, 400, text));
      expect(result).toMatchObject({ outcome: 'rejected', code: 29, name: 'pattern_not_active', text });
    },
  );

  test.each([500, 429, 1000, 2000, 27, 402, 999])('stays unknown after status %i', async (status) => {
    const { result } = await sendTo(version, refusal(version, status, 'hm'));
    expect(result).toMatchObject({ outcome: 'unknown', reason: 'ambiguous_code', code: status });
  });

  test.each([0, -5, '"abc"', 'null', '1.5', '[]', '{}'])('stays unknown with the id %s', async (id) => {
    const raw = acceptance(version, String(id));
    expect((await sendTo(version, raw)).result).toMatchObject({
      outcome: 'unknown',
      reason: 'no_message_id',
      raw,
    });
  });

  test('stays unknown when an acceptance comes under an HTTP error', async () => {
    const { result } = await sendTo(version, acceptance(version), 502);
    expect(result).toMatchObject({
      outcome: 'unknown',
      reason: 'http_status',
      messageIds: [{ id: '9007199254740993' }],
    });
  });

  test('keeps no more than 200 characters of what the gateway says', async () => {
    const said = 'ن'.repeat(300);
    const body = refusal(version, 400, said);
    const { result } = await sendTo(version, body);
    expect(result).toMatchObject({ text: said.slice(0, 200), raw: body.slice(0, 200) });

    const { gateway } = await exchange(version, body);
    expect(await failureOf(gateway.use('credit').credit())).toMatchObject({
      params: { text: said.slice(0, 200) },
    });
  });

  test('is read up to 2 MiB, and no byte more', async () => {
    const body = Buffer.alloc(2 * 1024 * 1024 + 1, ' ');
    body.write(acceptance(version));
    const sizes = [body.length - 1, body.length].map(async (size) => {
      const { gateway } = await exchange(version, body.toString('utf8', 0, size));
      return await gateway.use('sending').send(SEND);
    });
    expect(await Promise.all(sizes)).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'unknown', reason: 'too_big', stage: 'answer' },
    ]);
  });

  test.each([
    ['line', { line: 'abc' }],
    ['recipients', { recipients: [] }],
    [
      'recipients',
      { recipients: Array.from({ length: 201 }, (_, i) => `9891200${String(i).padStart(5, '0')}`) },
    ],
    ['recipients', { recipients: ['09120000001'] }],
    ['recipients', { recipients: ['989120000001', '989120000001'] }],
    ['text', { text: ' \n ' }],
    ['text', { text: 'x'.repeat(901) }],
    ['text', { text: 'half \uD83D of a pair' }],
  ])('with a %s that breaks a limit never reaches the gateway', async (field, change) => {
    const server = await startRawServer({});
    const gateway = gatewayOf(version, server.url);
    closers.push(server.close, gateway.close);

    const error: unknown = await gateway
      .use('sending')
      .send({ ...SEND, ...change })
      .catch((thrown: unknown) => thrown);

    expect(isAppError(error, 'bad_input')).toBe(true);
    expect(error).toMatchObject({ params: { field } });
    expect(server.connections()).toBe(0);
  });
});

describe.each([3, 4] as const)('a send of version %i', (version) => {
  test.each([
    ['text', 'this is a test', 'something else'],
    ['line', `+98${SEND.line}`, '+981000'],
  ])('stays unknown when the answer echoes another %s', async (_title, sent, other) => {
    const body = acceptance(version).replace(sent, other);
    expect((await sendTo(version, body)).result).toMatchObject({
      outcome: 'unknown',
      reason: 'echo_differs',
    });
  });

  test('keeps an id for every recipient where the answer has rows', async () => {
    const rows = SEND.recipients.map((number, index) => ({
      messageid: 70 + index,
      to: `+${number}`,
      message: SEND.text,
    }));
    const { result } = await sendTo(
      version,
      JSON.stringify({ return: { status: 200, message: '' }, entries: rows }),
    );

    expect(result).toMatchObject({
      outcome: 'accepted',
      messageIds: [
        { id: '70', recipient: '989120000001' },
        { id: '71', recipient: '989120000002' },
      ],
    });
  });

  test.each([[[]], [null], ['x'], [[null]]])('stays unknown when its rows are %j', async (entries) => {
    const { result } = await sendTo(version, JSON.stringify({ return: { status: 200 }, entries }));
    expect(result).toMatchObject({ outcome: 'unknown', reason: 'no_message_id' });
    expect(result).not.toHaveProperty('messageIds');
  });

  test('has no recipient for the one id of the call, and none where the rows name none', async () => {
    const answers = [[{ messageid: 7, to: '+989120000001' }], [{ messageid: 7 }, { messageid: 8 }]].map(
      async (entries) => await sendTo(version, JSON.stringify({ return: { status: 200 }, entries })),
    );
    const ids = (await Promise.all(answers)).map(({ result }) => 'messageIds' in result && result.messageIds);
    expect(ids).toEqual([[{ id: '7' }], [{ id: '7' }, { id: '8' }]]);
  });

  test.each<[string, unknown]>([
    ['without an id', { to: '+989120000002' }],
    ['that is none', null],
    ['that is a list', [{ messageid: 71 }]],
    ['whose id is no number', { messageid: '7x', to: '+989120000002' }],
  ])('proves nothing by rows of which one is one %s', async (_title, row) => {
    const entries = [{ messageid: 70, to: '+989120000001' }, row];
    const { result } = await sendTo(version, JSON.stringify({ return: { status: 200 }, entries }));
    expect(result).toMatchObject({ outcome: 'unknown', reason: 'no_message_id' });
  });
});

describe('on the wire', () => {
  test('version 3 posts JSON with the key in Authorization', async () => {
    const { requests } = await sendTo(3, acceptance(3), 200, { ...SEND, flash: true });
    const [head = '', body = ''] = requests[0]?.split('\r\n\r\n') ?? [];

    expect(head).toMatch(/^POST \/api\/v3\/rest\/sms\/send HTTP\/1\.1\r\n/);
    expect(head).toMatch(/\r\nauthorization: canary-key/i);
    expect(head).toMatch(/\r\naccept: application\/json\r\naccept-encoding: identity\r\n/);
    expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/);
    expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toEqual({
      from: '3000123456',
      recipients: ['09120000001', '09120000002'],
      message: SEND.text,
      type: 1,
    });
  });

  test.each([
    [3, { apiKey: new Secret('key') }, { authorization: 'key' }],
    [3, { username: 'demo', password: new Secret('pass') }, { username: 'demo', password: 'pass' }],
    [1, { token: new Secret('token') }, { token: 'token' }],
    [1, { username: 'demo', password: new Secret('pass') }, { username: 'demo', password: 'pass' }],
  ] as const)('version %i says who asks in headers of its own', async (version, credentials, expected) => {
    const server = await startRawServer({ onRequest: answer(200, acceptance(version)) });
    const gateway = gatewayOf(version, server.url, { credentials });
    closers.push(server.close, gateway.close);

    await gateway.use('sending').send(SEND);

    const headers =
      server.requests()[0]?.matchAll(/^(authorization|username|password|token): (.*)\r$/gm) ?? [];
    expect(Object.fromEntries([...headers].map(([, name, value]) => [name, value]))).toEqual(expected);
  });

  test('version 4 keeps a comma of the text inside its parameter', async () => {
    const { requests } = await sendTo(4, acceptance(4), 200, { ...SEND, text: 'a, b & c=d', flash: true });
    const url = new URL(requests[0]?.split(' ')[1] ?? '', 'http://gateway');
    expect(requests[0]).not.toMatch(/content-type/i);

    expect(url.pathname).toBe('/api/v4/canary-key-7f3A%2F9%2Bz%3D/sms/send.json');
    expect(url.searchParams.get('message')).toBe('a, b & c=d');
    expect(url.searchParams.get('type')).toBe('1');
    expect(url.searchParams.get('recipients')).toBe('09120000001,09120000002');
  });

  test('version 4 refuses before the call what would make its address too long', async () => {
    const server = await startRawServer({});
    const gateway = gatewayOf(4, server.url);
    closers.push(server.close, gateway.close);
    const recipients = Array.from({ length: 200 }, (_, i) => `9891200${String(i).padStart(5, '0')}`);

    await expect(
      gateway.use('sending').send({ ...SEND, recipients, text: 'س'.repeat(900) }),
    ).rejects.toMatchObject({
      code: 'bad_input',
      params: { field: 'text', reason: 'too_long_for_version_4' },
    });
    expect(server.connections()).toBe(0);
  });

  test('version 1 gives aligned ids their recipients', async () => {
    const { result } = await sendTo(1, '{"status":200,"result":{"status":0,"id":[5,6]}}');
    expect(result).toMatchObject({ messageIds: [{ id: '5', recipient: '989120000001' }, { id: '6' }] });
  });

  test.each(['null', '[null,null]', '[]'])('version 1 knows no such user, beside an id of %s', async (id) => {
    const { result } = await sendTo(1, `{"status":200,"result":{"status":1,"id":${id}}}`);
    expect(result).toMatchObject({ outcome: 'rejected', code: 1 });
  });

  test.each([
    ['a bare code', '{"status":200,"result":23}', { outcome: 'rejected', code: 23, name: 'invalid_line' }],
    ['a code beside the payload', '{"status":200,"result":{"status":22}}', { outcome: 'rejected', code: 22 }],
    [
      'a locked account',
      '{"status":200,"result":{"status":3}}',
      { outcome: 'rejected', table: 'user', name: 'user_locked' },
    ],
    [
      'an unknown user',
      '{"status":200,"result":{"status":1,"value":0}}',
      { outcome: 'rejected', code: 1, table: 'user', name: 'user_not_found' },
    ],
    [
      'a 1 beside an id, which may be its way to say yes',
      '{"status":200,"result":{"status":1,"id":77}}',
      { outcome: 'unknown', reason: 'ambiguous_code', code: 1 },
    ],
    ['a bare 1, which may be a count', '{"status":200,"result":1}', { outcome: 'unknown' }],
    ['a bare 40, which may be a count', '{"status":200,"result":40}', { outcome: 'unknown' }],
    ['nothing', '{"status":200,"result":null}', { outcome: 'unknown', reason: 'no_message_id' }],
    [
      'ids of another number',
      '{"status":200,"result":{"status":0,"id":[5]}}',
      { outcome: 'unknown', reason: 'no_message_id' },
    ],
    [
      'a list with an id that is none',
      '{"status":200,"result":{"status":0,"id":[5,"x"]}}',
      { outcome: 'unknown', reason: 'no_message_id' },
    ],
    [
      'the code of a failure that has no result',
      '{"status":400,"message":"کد 40"}',
      { outcome: 'rejected', code: 40, text: 'کد 40' },
    ],
    ['a failure without a text', '{"status":400}', { outcome: 'rejected', code: 400, text: '' }],
    [
      'a bare zero without an id',
      '{"status":200,"result":0}',
      { outcome: 'unknown', reason: 'no_message_id' },
    ],
  ])('version 1 understands %s', async (_title, body, expected) => {
    expect((await sendTo(1, body)).result).toMatchObject(expected);
  });
});
