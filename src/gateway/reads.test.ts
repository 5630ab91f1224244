import { afterEach, describe, expect, test } from 'vitest';

import { AppError } from '../domain/errors.ts';
import type { GatewayLogRecord } from './calls.ts';
import { gatewayOf, VERSIONS } from './testing/accounts.ts';
import { answer, answerJson, startRawServer } from './testing/raw-server.ts';
import type { Behaviour } from './testing/raw-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(
  version: 1 | 3 | 4,
  behaviour: Behaviour,
  timeouts: { readMs?: number } = {},
  random = () => 0,
) {
  const server = await startRawServer(behaviour);
  const records: GatewayLogRecord[] = [];
  const gateway = gatewayOf(version, server.url, {
    timeouts,
    log: (record) => records.push(record),
    random,
  });
  closers.push(server.close, gateway.close);
  return { server, gateway, records };
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error('expected an AppError', { cause: error });
}

const credits = {
  3: '{"return":{"status":200,"message":"ok"},"data":{"credit":1234567}}',
  4: '{"return":{"status":200,"message":"ok"},"data":{"credit":"1234567.90"},"extra":1}',
  1: '{"status":200,"result":{"status":0,"value":1234567.5}}',
} as const;

const refusals = {
  3: [
    '{"return":{"status":401,"message":"توکن نامعتبر است"}}',
    { code: 401, table: 'return', name: 'not_authorized' },
  ],
  4: [
    '{"return":{"status":400,"message":"خطا: کد ۲۲"}}',
    { code: 22, table: 'sending', name: 'insufficient_credit' },
  ],
  1: ['{"status":200,"result":{"status":1,"value":0}}', { code: 1, table: 'user', name: 'user_not_found' }],
} as const;

describe.each(VERSIONS)('a read of version %i', (version) => {
  test('comes back from a second try after a reset', async () => {
    let first = true;
    const { server, gateway, records } = await start(version, {
      onRequest: (socket) => {
        if (first) socket.resetAndDestroy();
        else answer(200, credits[version])(socket);
        first = false;
      },
    });

    expect(await gateway.use('credit').credit()).toBe(1_234_567);
    expect(server.requests()).toHaveLength(2);
    expect(records).toEqual([
      { operation: 'credit', version, ms: expect.any(Number), outcome: 'read', httpStatus: 200 },
    ]);
  });

  test('is tried three times at most, and then there was no answer', async () => {
    const { server, gateway } = await start(version, { onRequest: (socket) => socket.resetAndDestroy() });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({
      code: 'gateway_no_answer',
      params: { operation: 'credit', version, reason: 'reset' },
    });
    expect(server.requests()).toHaveLength(3);
  });

  test.each([
    ['ends too early', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ret\r\n', 'truncated'],
    ['is no HTTP', '220 mail.example ESMTP\r\n', 'protocol'],
  ])('is tried three times also where its answer %s', async (_title, said, reason) => {
    const { server, gateway } = await start(version, { onRequest: (socket) => socket.end(said) });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({ code: 'gateway_no_answer', params: { reason } });
    expect(server.requests()).toHaveLength(3);
  });

  test('is not tried again after a refusal', async () => {
    const [body, params] = refusals[version];
    const { server, gateway } = await start(version, { onRequest: answer(500, body) });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'credit', version, ...params },
    });
    expect(server.requests()).toHaveLength(1);
  });

  test.each([500, 599, 1000, 2000])(
    'is tried again after the gateway’s own fault, %i in its envelope',
    async (code) => {
      const fault =
        version === 1 ? { status: code, message: 'x' } : { return: { status: 400, message: `کد ${code}` } };
      const answers = [fault, fault, credits[version]];
      const { server, gateway } = await start(version, {
        onRequest: (socket) => answerJson(answers.shift())(socket),
      });

      expect(await gateway.use('credit').credit()).toBe(1_234_567);
      expect(server.requests()).toHaveLength(3);
    },
  );

  test.each([499, 600])('is not tried again after %i in its envelope', async (code) => {
    const fault = version === 1 ? { status: code } : { return: { status: code } };
    const { server, gateway } = await start(version, { onRequest: answerJson(fault) });

    expect(await failureOf(gateway.use('credit').credit())).toMatchObject({ params: { code } });
    expect(server.requests()).toHaveLength(1);
  });

  test.each([500, 503])('is tried again after a %i page, which stays unreadable', async (httpStatus) => {
    const { server, gateway } = await start(version, { onRequest: answer(httpStatus, '<h1>Busy</h1>') });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({
      code: 'gateway_unreadable',
      params: { reason: 'not_json', httpStatus },
    });
    expect(server.requests()).toHaveLength(3);
  });

  test('ends at its deadline whatever the server does', async () => {
    const { server, gateway } = await start(version, { onRequest: () => {} }, { readMs: 300 });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({ code: 'gateway_no_answer', params: { reason: 'timeout' } });
    expect(server.requests().length).toBeLessThanOrEqual(1);
  });

  test('ends at its deadline also while it waits for another try', async () => {
    const { server, gateway } = await start(
      version,
      { onRequest: (socket) => socket.resetAndDestroy() },
      { readMs: 300 },
      () => 10_000,
    );

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({ code: 'gateway_no_answer', params: { reason: 'timeout' } });
    // On a slow machine not even the first has come by then.
    expect(server.requests().length).toBeLessThan(2);
  });

  test('ends with its gateway, and none begins after that', async () => {
    const { server, gateway } = await start(version, { onRequest: () => void gateway.close() });

    for (let time = 0; time < 2; time += 1)
      expect(await failureOf(gateway.use('credit').credit())).toMatchObject({
        code: 'gateway_no_answer',
        params: { reason: 'aborted' },
      });
    expect([server.connections(), server.requests().length]).toEqual([1, 1]);
  });

  test('stops reading a body without an end', async () => {
    const { server, gateway } = await start(version, {
      onRequest: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
        const more = (): void => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on('drain', more);
        more();
      },
    });

    const error = await failureOf(gateway.use('credit').credit());

    expect(error).toMatchObject({ code: 'gateway_no_answer', params: { reason: 'too_big' } });
    expect(server.requests()).toHaveLength(1);
  });

  test.each([
    ['a BOM before the document', `\uFEFF${credits[version]}`],
    [
      'members nobody asked for',
      credits[version].replace('{', '{"__proto__":{"status":500},"constructor":1,'),
    ],
  ])('accepts %s', async (_title, body) => {
    const { gateway } = await start(version, { onRequest: answer(200, body) });

    expect(await gateway.use('credit').credit()).toBe(1_234_567);
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html><p>hello</p>'],
    ['another document', '[1,2,3]'],
    ['half a document', credits[version].slice(0, -3)],
    ['two documents', `${credits[version]}${credits[version]}`],
    ['one key with two values', credits[version].replace('"status":200', '"status":200,"status":400')],
    ['nesting without an end', '['.repeat(200_000)],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(credits[version])])],
    ['a credit that is not a number', credits[version].replace(/1234567[^,}]*/, '"much"')],
    ['a credit beyond safe numbers', credits[version].replace(/"?1234567[^,}]*/, '90071992547409930')],
    ['a success without a payload', version === 1 ? '{"status":200}' : '{"return":{"status":200}}'],
  ])('cannot read %s', async (_title, body) => {
    const { server, gateway } = await start(version, { onRequest: answer(200, body) });

    expect(await failureOf(gateway.use('credit').credit())).toMatchObject({ code: 'gateway_unreadable' });
    expect(server.requests()).toHaveLength(1);
  });

  test('keeps ids of 64 bits and asks for more than 50 in groups', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => String(9_007_199_254_740_993n + BigInt(index)));
    const { server, gateway } = await start(version, {
      onRequest: (socket, request) => {
        const asked = [...request.matchAll(/90071992547\d+/g)].map(([id]) => id);
        const rows = asked.map(
          (id) =>
            `{"messageid":${id},"id":${id},"number":"+989120000001","state":10,"status":"رسیده به گیرنده"}`,
        );
        const body =
          version === 1
            ? `{"status":200,"result":{"status":0,"result":[${rows.join(',')}]}}`
            : `{"return":{"status":200,"message":""},"entries":[${rows.join(',')}]}`;
        answer(200, body)(socket);
      },
    });

    const entries = await gateway.use('reports').status(ids);

    expect(server.requests()).toHaveLength(2);
    expect(server.requests()[0]).toContain('/sms/status');
    expect(entries.map((entry) => entry.id)).toEqual(ids);
    expect(entries[0]).toMatchObject({
      recipient: '989120000001',
      state: { raw: 10, text: 'رسیده به گیرنده', kind: 'delivered' },
    });
  });
});

describe('what the versions show in their own ways', () => {
  test.each([
    ['a list of codes', '{"status":200,"result":[0,4,77]}'],
    ['a list inside the result', '{"status":200,"result":{"status":0,"result":[0,4,77]}}'],
  ])('version 1 status is read from %s in the order of the ids', async (_title, body) => {
    const { gateway } = await start(1, { onRequest: answer(200, body) });

    const entries = await gateway.use('reports').status(['11', '12', '13']);

    expect(entries.map(({ id, state }) => [id, state.raw, state.kind])).toEqual([
      ['11', 0, 'waiting'],
      ['12', 4, 'delivered'],
      ['13', 77, 'unknown'],
    ]);
  });

  test('version 1 codes of another number than the ids are unreadable', async () => {
    const { gateway } = await start(1, { onRequest: answer(200, '{"status":200,"result":[0]}') });

    expect(await failureOf(gateway.use('reports').status(['1', '2']))).toMatchObject({
      code: 'gateway_unreadable',
    });
  });

  test('version 1 latest is read from its details', async () => {
    const details = {
      id: 7,
      message: 'hi',
      recipients: ['09120000001'],
      from: '3000',
      state: 'فعال',
      now: 'x',
      time: '1700000000',
    };
    const { gateway } = await start(1, {
      onRequest: answerJson({ status: 200, result: { status: 0, details } }),
    });

    expect(await gateway.use('reports').latest()).toEqual({
      id: '7',
      text: 'hi',
      line: '3000',
      recipients: ['989120000001'],
      recipientsCount: 1,
      state: { raw: 'فعال', text: 'فعال', kind: 'unknown' },
      date: 1_700_000_000,
    });
  });

  test.each([3, 4] as const)(
    'latest of version %i is none after a plain 400 and a refusal after a coded one',
    async (version) => {
      const texts = ['پیامکی یافت نشد', 'خطا: کد 5'];
      const { gateway } = await start(version, {
        onRequest: (socket) => answerJson({ return: { status: 400, message: texts.shift() } })(socket),
      });

      expect(await gateway.use('reports').latest()).toBeUndefined();
      expect(await failureOf(gateway.use('reports').latest())).toMatchObject({
        code: 'gateway_refused',
        params: { code: 5, name: 'user_not_confirmed' },
      });
    },
  );

  test.each([3, 4] as const)('details of version %i keep states that nobody documented', async (version) => {
    const entries = [
      {
        messageid: 1,
        message: 'a',
        number: '+989120000001',
        state: 10,
        status: 'رسیده به گیرنده',
        from: '3000',
        date: 5,
      },
      { messageid: 2, message: 'b', number: '09120000002', state: 99, status: '؟', from: '3000', date: 6 },
    ];
    const { gateway } = await start(version, {
      onRequest: answerJson({ return: { status: 200, message: '' }, entries }),
    });

    const messages = await gateway.use('details').byIds(['1', '2']);

    expect(messages[0]).toMatchObject({ recipient: '989120000001', state: { kind: 'delivered' }, date: 5 });
    expect(messages[1]).toMatchObject({
      recipient: '989120000002',
      state: { raw: 99, text: '؟', kind: 'unknown' },
    });
  });

  test('an id that is not digits is refused before the call', async () => {
    const { server, gateway } = await start(3, {});

    expect(await failureOf(gateway.use('reports').status(['1; drop']))).toMatchObject({
      code: 'bad_input',
      params: { field: 'ids', reason: 'not_digits' },
    });
    expect(server.connections()).toBe(0);
  });
});
