import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FaultRule } from './faults.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { KEY, PLAIN, exchange, http, rawSend, sendOn, v1, v3, v4 } from './testing.ts';
import type { LedgerRecord } from './world/ledger.ts';

let sandbox: Sandbox;
let onHit: (record: LedgerRecord) => void;

beforeAll(async () => {
  sandbox = await startSandbox({ onEvent: (record) => record.kind === 'hit' && onHit(record) });
});
beforeEach(() => {
  onHit = () => undefined;
  sandbox.faults.clear();
  sandbox.world.reset();
});
afterAll(() => sandbox.close());

/** Sends over a raw socket under one fault; how the connection went, and whether the message was accepted. */
async function sendUnder(rule: FaultRule) {
  const before = sandbox.ledger.totals().sends;
  const id = sandbox.faults.add({ times: 1, ...rule });
  const answer = await exchange(sandbox.baseUrl, rawSend());
  const [head = '', ...rest] = answer.text.split('\r\n\r\n');
  const accepted = sandbox.ledger.totals().sends - before;
  const hit = sandbox.ledger.hits().at(-1);
  sandbox.faults.remove(id);
  return { ...answer, head, body: rest.join('\r\n\r\n'), accepted, hit };
}

describe.each([
  ['before', 0],
  ['after', 1],
] as const)('%s the effect', (when, accepted) => {
  test('a dropped connection ends without a byte', async () => {
    const seen = await sendUnder({ kind: 'drop', when });
    expect(seen).toMatchObject({ text: '', ended: 'fin', accepted });
    expect(seen.hit).toMatchObject({ reachedEffect: accepted === 1, fault: 'drop', outcome: 'drop' });
  });

  test('a reset connection ends in an error without a byte', async () => {
    const seen = await sendUnder({ kind: 'reset', when });
    expect(seen).toMatchObject({ text: '', ended: 'reset', accepted });
    expect(seen.hit).toMatchObject({ reachedEffect: accepted === 1, fault: 'reset', outcome: 'reset' });
  });

  test('a hanging call is noted at once, answers nothing, and ends when the client leaves', async () => {
    const noted = new Promise<LedgerRecord>((resolve) => {
      onHit = resolve;
    });
    const before = sandbox.ledger.totals().sends;
    sandbox.faults.add({ kind: 'hang', when, times: 1 });
    const controller = new AbortController();
    let settled = false;
    const pending = fetchRaw(controller.signal).finally(() => {
      settled = true;
    });
    expect(await noted).toMatchObject({ fault: 'hang', outcome: 'hang', reachedEffect: accepted === 1 });
    // Other calls are answered meanwhile.
    expect((await v3(sandbox, 'my/credit')).json).toMatchObject({ return: { status: 200 } });
    expect(settled).toBe(false);
    controller.abort();
    await expect(pending).rejects.toThrow('aborted');
    expect(sandbox.ledger.totals().sends - before).toBe(accepted);
  });

  test('an HTML page arrives in the place of the answer', async () => {
    const { head, body, accepted: count } = await sendUnder({ kind: 'html', when, httpStatus: 403 });
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
    expect(head).toContain('text/html');
    expect(body).toContain('<html>');
    expect(count).toBe(accepted);
  });

  test('an error arrives in the place of the answer, in the envelope', async () => {
    const seen = await sendUnder({ kind: 'error', when, status: 409, message: 'بعداً' });
    expect(seen.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(seen.body)).toEqual({ return: { status: 409, message: 'بعداً' } });
    expect(seen.accepted).toBe(accepted);
  });

  test('a delay of some milliseconds changes nothing else', async () => {
    const seen = await sendUnder({ kind: 'delay', when, ms: 5 });
    expect(JSON.parse(seen.body)).toMatchObject({ return: { status: 200 } });
    expect(seen).toMatchObject({ accepted: 1, hit: { fault: 'delay', outcome: 'answered' } });
  });
});

test('a truncated answer announces its whole length and brings half', async () => {
  const { head, body, accepted } = await sendUnder({ kind: 'truncate' });
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(Buffer.byteLength(body)).toBeLessThan(length);
  expect(body).toMatch(/^\{"return":/);
  expect(accepted).toBe(1);
});

test('a truncated answer brings exactly the bytes asked for', async () => {
  expect((await sendUnder({ kind: 'truncate', bytes: 7 })).body).toBe('{"retur');
  const none = await sendUnder({ kind: 'truncate', bytes: 0 });
  expect(none.head).toMatch(/^HTTP\/1\.1 200 /);
  expect(none.body).toBe('');
});

test('a truncated answer in chunks lacks its last chunk', async () => {
  const { head, body, accepted } = await sendUnder({ kind: 'truncate', mode: 'chunked', bytes: 7 });
  expect(head).toMatch(/transfer-encoding: chunked/i);
  expect(body).toBe('7\r\n{"retur\r\n');
  expect(accepted).toBe(1);
});

test('an endless answer goes on until the client leaves', async () => {
  sandbox.faults.add({ kind: 'endless', times: 1 });
  const response = await fetch(`${sandbox.baseUrl}/api/v4/${KEY}/user/credit.json`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > 5_000_000) break;
  }
  expect(bytes).toBeGreaterThan(5_000_000);
  expect((await v3(sandbox, 'my/credit')).json).toMatchObject({ return: { status: 200 } });
});

test('an error by code is worded as each version words its codes, also with an HTTP status', async () => {
  sandbox.faults.add({ kind: 'error', code: 27, httpStatus: 503 });
  const rest = { return: { status: 400, message: 'خطا در ارسال پیام: کد 27' } };
  expect(await sendOn(4, sandbox)).toMatchObject({ httpStatus: 503, json: rest });
  expect(await sendOn(3, sandbox)).toMatchObject({ httpStatus: 503, json: rest });
  expect(await sendOn(1, sandbox)).toMatchObject({
    httpStatus: 503,
    json: { status: 200, result: { status: 27 } },
  });
});

test('an error by status is the outer status of version 1', async () => {
  sandbox.faults.add({ kind: 'error', status: 500 });
  expect((await v1(sandbox, 'my/credit')).json).toMatchObject({ status: 500, message: expect.any(String) });
});

test.each([301, 302, 307, 308, 421, 425, 429])(
  'an HTTP status %i can be answered, with headers',
  async (status) => {
    const headers = { location: `${sandbox.baseUrl}/elsewhere`, 'retry-after': '1' };
    const { head, accepted } = await sendUnder({ kind: 'error', httpStatus: status, headers });
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('location: http');
    expect(accepted).toBe(0);
  },
);

test('a body of any text can take the place of the answer after the effect', async () => {
  const { body, accepted } = await sendUnder({ kind: 'body', text: '{"return":{"status":"200"}} trailing' });
  expect(body).toBe('{"return":{"status":"200"}} trailing');
  expect(accepted).toBe(1);
});

test('a rule meets only the version, operation and account that it names', async () => {
  sandbox.world.addAccount({ username: 'other', password: 'p', apiKey: 'other-key' });
  sandbox.faults.add({ kind: 'error', status: 409, version: 3, operation: 'credit', account: 'demo' });
  const ok = { return: { status: 200 } };
  expect((await v3(sandbox, 'my/credit')).json).toMatchObject({ return: { status: 409 } });
  expect((await v3(sandbox, 'my')).json).toMatchObject(ok);
  expect((await v4(sandbox, 'user/credit.json')).json).toMatchObject(ok);
  expect((await v3(sandbox, 'my/credit', [], { token: 'other-key' })).json).toMatchObject(ok);
  expect((await v3(sandbox, 'my/credit', [], { token: 'nobody' })).json).toMatchObject({
    return: { status: 401 },
  });
});

test.each([
  [{ operation: 'sned' }, /^no operation sned: did you mean `send`\?$/],
  [{ operation: 'whatever' }, /^no operation whatever; known: .*\bsend\b/],
  [{ operation: 'future-send', version: 3 as const }, /^no operation future-send; known: /],
  [{ account: 'nobody' }, /^no account nobody$/],
])('a rule that no request can meet is refused: %j', async (match, words) => {
  const rule = { kind: 'drop', ...match } as const;
  expect(() => sandbox.faults.add(rule)).toThrow(words);
  await expect(startSandbox({ faults: [rule] })).rejects.toThrow(words);
  expect(sandbox.faults.list()).toEqual([]);
});

test('a rule meets the recipient, number or text that a request of any version names', async () => {
  for (const match of [{ recipient: '09123334444' }, { containing: 'a word' }]) {
    const id = sandbox.faults.add({ kind: 'error', status: 409, ...match });
    const rest = { return: { status: 409 } };
    const given = { recipients: [PLAIN, '+989123334444'], message: 'this is a word' };
    for (const version of [4, 3]) expect((await sendOn(version, sandbox, given)).json).toMatchObject(rest);
    expect((await sendOn(1, sandbox, given)).json).toMatchObject({ status: 409 });
    expect((await sendOn(3, sandbox)).json).toMatchObject({ return: { status: 200 } });
    sandbox.faults.remove(id);
  }
  sandbox.faults.add({ kind: 'error', status: 409, recipient: '09123334444' });
  const asked = await v4(sandbox, 'sms/statusbynumber.json', { number: '9123334444', startdate: '0' });
  expect(asked.json).toMatchObject({ return: { status: 409 } });
});

test('a rule passes over what it must skip, harms as often as it says, then lets go', async () => {
  sandbox.faults.add({ kind: 'error', status: 409, operation: 'credit', skip: 1, times: 2 });
  const statuses: unknown[] = [];
  for (let calls = 0; calls < 5; calls += 1) {
    await v3(sandbox, 'my');
    statuses.push((await v3(sandbox, 'my/credit')).json);
  }
  expect(statuses).toMatchObject([200, 409, 409, 200, 200].map((status) => ({ return: { status } })));
  expect(sandbox.faults.list()).toMatchObject([{ seen: 3, used: 2 }]);
});

test('a delay ends with its rule', async () => {
  const before = sandbox.ledger.totals().sends;
  const id = sandbox.faults.add({ kind: 'delay', ms: 600_000, operation: 'send' });
  const sent = sendOn(3, sandbox);
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ used: 1 }]);
  expect(sandbox.ledger.totals().sends).toBe(before);
  sandbox.faults.remove(id);
  expect((await sent).json).toMatchObject({ return: { status: 200 } });
});

test('closing the sandbox ends what hangs and what is delayed', async () => {
  const own = await startSandbox();
  own.faults.add({ kind: 'hang', operation: 'credit' });
  own.faults.add({ kind: 'delay', ms: 600_000, operation: 'send' });
  const hit = [v3(own, 'my/credit'), sendOn(3, own)].map((call) =>
    call.then(() => 'answered').catch(() => 'cut'),
  );
  await new Promise<void>((resolve) => {
    const look = () => (own.faults.list().every(({ used }) => used === 1) ? resolve() : setImmediate(look));
    look();
  });
  await own.close();
  expect(await Promise.all(hit)).toEqual(['cut', 'cut']);
  expect(own.ledger.totals().sends).toBe(0);
  await expect(http(own.baseUrl)).rejects.toThrow('ECONNREFUSED');
});

function fetchRaw(signal: AbortSignal): Promise<unknown> {
  return fetch(`${sandbox.baseUrl}/api/v3/rest/sms/send`, {
    method: 'POST',
    headers: { authorization: KEY },
    body: rawSend().split('\r\n\r\n')[1] ?? '',
    signal,
  });
}
