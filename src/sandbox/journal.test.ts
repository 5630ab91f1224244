import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bodyOf, logLine } from './journal.ts';
import type { Exchange } from './journal.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { KEY, LINE, PLAIN, TOKEN, exchange, http, rawSend, sendOn, v1, v3, v4 } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ adminPort: 0, keep: { exchanges: 500 } });
});
afterAll(() => sandbox.close());

function last(): Exchange {
  const found = sandbox.journal.list().at(-1);
  if (found === undefined) throw new Error('the journal is empty');
  return found;
}

async function journal(query = ''): Promise<{ total: number; exchanges: readonly { number: number }[] }> {
  const { json } = await http(`${sandbox.adminUrl}/journal${query}`);
  return z
    .strictObject({ total: z.int(), exchanges: z.array(z.looseObject({ number: z.int() })) })
    .parse(json);
}

test('an exchange is kept whole: what was asked, what was answered, which messages it sent', async () => {
  const { json, text } = await sendOn(3, sandbox, { message: 'سلام' });
  expect(json).toMatchObject({ return: { status: 200 } });
  expect(last()).toMatchObject({
    version: 3,
    operation: 'send',
    account: 'demo',
    request: {
      method: 'POST',
      url: '/api/v3/rest/sms/send',
      headers: { authorization: '***', host: new URL(sandbox.baseUrl).host },
      body: { text: JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'سلام', type: 0 }) },
    },
    answer: {
      httpStatus: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { text, bytes: Buffer.byteLength(text) },
    },
    outcome: 'answered',
    fault: null,
    refused: null,
    warnings: [],
    messageIds: sandbox.ledger.sends().at(-1)?.messageIds,
  });
  const [messageId = ''] = last().messageIds;
  expect((await journal(`?messageId=${messageId}`)).exchanges).toMatchObject([{ number: last().number }]);
});

/** Requests and the words in which the journal says why they were refused. */
const REFUSED: readonly (readonly [what: string, call: () => Promise<unknown>, why: string])[] = [
  [
    'a parameter that is written wrong',
    () => v3(sandbox, 'sms/send', { from: LINE, recipient: [PLAIN], message: 'x' }),
    '`recipients` is missing; unknown parameter `recipient`: did you mean `recipients`?',
  ],
  [
    "another version's way to write one",
    () => v3(sandbox, 'phonebook/number', { bookId: 1001 }),
    '`book_id` is missing; unknown parameter `bookId`: did you mean `book_id`?',
  ],
  [
    'a value out of bounds',
    () => v4(sandbox, 'sms/latestoutbox.json', { pagesize: '300' }),
    '`pagesize` is the text "300": it must be from 1 to 200',
  ],
  [
    'a text in the place of a list',
    () => v3(sandbox, 'sms/send', { from: LINE, recipients: PLAIN, message: 'x' }),
    '`recipients` is the text "09121111111": Invalid input: expected array, received string',
  ],
  ['a path', () => v3(sandbox, 'sms/mutliple-send', {}), 'did you mean `/sms/multiple-send`?'],
  ['a method', () => v3(sandbox, 'phonebook/delete', {}), '/phonebook/delete takes DELETE, not POST'],
  [
    'a version that this port does not serve',
    () => http(`${sandbox.wsUrl}/api/v3/rest/my`),
    'addresses on this port begin with /api/v1/rest/',
  ],
  [
    'no credentials',
    () => v3(sandbox, 'my', {}, {}),
    'there are no credentials: the API key stands in the header',
  ],
  [
    'the secret of another version',
    () => v3(sandbox, 'my', {}, { token: TOKEN }),
    'no account has this API key; it is the token for version 1 of account demo',
  ],
  [
    'a wrong password',
    () => v1(sandbox, 'my', undefined, { username: 'demo', password: 'wrong-one' }),
    'the password is not that of account demo',
  ],
  [
    'an account that may not',
    () => v4(sandbox, 'user/credit.json', {}, 'sandbox-key-locked'),
    'account locked has user status 3; only 0 and 2 may use the service',
  ],
  [
    'a line',
    () => sendOn(4, sandbox, { from: '3000' }),
    "`3000` is none of the account's lines: 3000123456, 50001234",
  ],
  [
    'a recipient among several',
    () => sendOn(3, sandbox, { recipients: [PLAIN, '0912'] }),
    '`0912` (number 2 of 2) is no mobile number',
  ],
  [
    'too many of them',
    () => sendOn(1, sandbox, { recipients: Array.from({ length: 201 }, () => PLAIN) }),
    '201 recipients, and one call takes 200',
  ],
  [
    'too long a text',
    () => sendOn(3, sandbox, { message: 'x'.repeat(901) }),
    '901 characters, and 900 are allowed',
  ],
  [
    'a body that is not JSON',
    () => v3(sandbox, 'sms/send', '{"from":'),
    'the body is not JSON: Unexpected end',
  ],
  [
    'lists of unequal length',
    () =>
      v3(sandbox, 'sms/multiple-send', {
        fromArray: [LINE],
        recipients: [PLAIN, PLAIN],
        messageArray: ['x'],
        typeArray: [0],
      }),
    'the lists differ in length: fromArray 1, recipients 2, messageArray 1, typeArray 1',
  ],
  [
    'variables of a pattern',
    () =>
      v3(sandbox, 'sms/pattern-send', {
        from: LINE,
        recipients: [PLAIN],
        message: { Code: 1 },
        pattern_id: 1,
      }),
    'pattern 1 lacks its variables code; given: Code',
  ],
  ['what is not HTTP', () => exchange(sandbox.baseUrl, 'HELO\r\n\r\n'), 'this is not HTTP'],
];

test.each(REFUSED)('of what is refused it says why: %s', async (_what, call, why) => {
  await call();
  expect(last().refused).toContain(why);
});

test('what passes although it has an unknown parameter leaves a warning', async () => {
  await v4(sandbox, 'sms/inboxpaged.json', { pagesize: '10', is_read: '0' });
  expect(last()).toMatchObject({
    refused: null,
    warnings: ['unknown parameter `is_read`: did you mean `isread`?, and is ignored'],
  });
});

test('no secret stands in it, whichever way it came', async () => {
  const secrets = [KEY, TOKEN, 'demo-pass', 'wrong-key-of-elsewhere', 'Secret-passwd-1', 'Secret-passwd-2'];
  const path = `api/v4/user/credit.json`;
  await http(`${sandbox.baseUrl}/${path}?apikey=${KEY}&note=${encodeURIComponent(`x ${KEY}`)}`);
  await http(`${sandbox.baseUrl}/${path}?api_key=wrong-key-of-elsewhere`);
  await v4(sandbox, 'user/credit.json', {}, 'wrong-key-of-elsewhere');
  await v3(sandbox, 'my', {}, { authorization: `Bearer ${KEY}` });
  await v3(sandbox, 'my', {}, { username: KEY });
  await v1(sandbox, 'my', undefined, { username: 'demo', password: 'demo-pass' });
  await v1(sandbox, 'sms/send', { from: LINE, recipients: [PLAIN], message: `key ${TOKEN}`, type: 0 });
  await v3(sandbox, 'user/register', {
    uname: 'x y',
    passwd: 'Secret-passwd-1',
    passwd_repeat: 'Secret-passwd-2',
  });
  await v3(sandbox, 'user/register', '{"passwd" : "Secret-passwd-1","passwd_repeat":"Secret-passwd-2');
  await http(`${sandbox.baseUrl}/api//v4/wrong-key-of-elsewhere/user/credit.json`);
  await http(`${sandbox.baseUrl}/api/v4//wrong-key-of-elsewhere/user/credit.json`);
  await http(`${sandbox.baseUrl}/v4/wrong-key-of-elsewhere/user/credit.json`);
  await v3(sandbox, 'my', {}, { username: 'wrong-key-of-elsewhere', password: 'Secret-passwd-1' });
  await v3(sandbox, 'user/register', 'uname=x&passwd=Secret-passwd-1&passwd_repeat=Secret-passwd-2');
  await v3(sandbox, 'user/register', "{'passwd': 'Secret-passwd-1'}");
  await v3(sandbox, 'user/register', '{"passwd":["Secret-passwd-1"],"token":{"is":"Secret-passwd-2"}}');
  const kept = sandbox.journal.list().slice(-16);
  expect(kept.map(({ operation }) => operation)).toEqual([
    ...Array.from({ length: 3 }, () => 'credit'),
    ...Array.from({ length: 3 }, () => 'details'),
    'send',
    'register',
    'register',
    'credit',
    'credit',
    null,
    'details',
    ...Array.from({ length: 3 }, () => 'register'),
  ]);
  const text = JSON.stringify(kept) + kept.map(logLine).join('\n');
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(JSON.stringify(sandbox.ledger.hits())).not.toContain('wrong-key-of-elsewhere');
  expect(kept[0]?.request.url).toBe('/api/v4/user/credit.json?apikey=***&note=***');
  expect(kept[2]?.request.url).toBe('/api/v4/***/user/credit.json');
  expect(kept[7]?.request.body.text).toBe('{"uname":"x y","passwd":"***","passwd_repeat":"***"}');
  expect(kept[13]?.request.body.text).toBe('uname=x&passwd=***&passwd_repeat=***');
  // The runtime's own words would show a piece of it.
  await v3(sandbox, 'user/register', '{"passwd": x9}');
  expect(JSON.stringify(last())).not.toContain('x9');
});

test('a fault and a client that leaves stand in it too', async () => {
  sandbox.faults.add({ kind: 'drop', when: 'after', times: 1 });
  await exchange(sandbox.baseUrl, rawSend());
  expect(last()).toMatchObject({
    fault: 'drop',
    outcome: 'drop',
    refused: null,
    messageIds: [expect.any(String)],
  });
  sandbox.faults.add({ kind: 'html', times: 1 });
  await v3(sandbox, 'my');
  expect(last()).toMatchObject({ fault: 'html', outcome: 'answered', answer: { httpStatus: 502 } });

  const left = new Promise<Exchange>((resolve) => {
    const stop = sandbox.journal.subscribe((seen) => {
      stop();
      resolve(seen);
    });
  });
  const { hostname, port } = new URL(sandbox.baseUrl);
  const [head] = rawSend().split('\r\n\r\n');
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(`${head}\r\n\r\n{"from":`));
  expect(await left).toMatchObject({ outcome: 'aborted', answer: null, messageIds: [] });
  socket.destroy();
});

test('what was sent while an answer was held back is not said to be of the call that waits for it', async () => {
  const other = sandbox.freshAccount();
  const wait = sandbox.faults.add({ kind: 'delay', when: 'after', ms: 600_000, operation: 'send', times: 1 });
  const sent = sandbox.ledger.sends().length;
  const held = sendOn(3, sandbox, { message: 'held back' });
  await expect.poll(() => sandbox.ledger.sends().length).toBe(sent + 1);
  await v3(
    sandbox,
    'sms/send',
    { from: other.lines[0], recipients: [PLAIN], message: "another's", type: 0 },
    { token: other.apiKey },
  );
  sandbox.faults.remove(wait);
  await held;
  const [own, theirs] = sandbox.ledger.sends().slice(-2);
  expect(sandbox.journal.list({ messageId: own?.messageIds[0] })).toMatchObject([
    { account: 'demo', messageIds: own?.messageIds },
  ]);
  expect(sandbox.journal.list({ messageId: theirs?.messageIds[0] })).toMatchObject([
    { account: other.username },
  ]);
});

test('it keeps the newest, is read by filters, and tells subscribers until they leave', async () => {
  const own = await startSandbox({ keep: { exchanges: 3 } });
  const heard: number[] = [];
  const stop = own.journal.subscribe(({ number }) => heard.push(number));
  for (let calls = 0; calls < 4; calls += 1) await v3(own, 'my/credit');
  stop();
  await v3(own, 'nothing');
  expect(heard).toEqual([1, 2, 3, 4]);
  expect(own.journal.total()).toBe(5);
  expect(own.journal.list().map(({ number }) => number)).toEqual([3, 4, 5]);
  expect(own.journal.list({ after: 4 }).map(({ number }) => number)).toEqual([5]);
  expect(own.journal.list({ refused: true }).map(({ number }) => number)).toEqual([5]);
  expect(own.journal.list({ operation: 'credit', account: 'demo' })).toHaveLength(2);
  expect(own.journal.list({ account: 'nobody' })).toEqual([]);
  await own.close();
});

test('by HTTP it is read with the same filters, and a filter that there is not is refused', async () => {
  await v3(sandbox, 'my/credit');
  const { total, exchanges } = await journal(`?after=${last().number - 1}`);
  expect([total, exchanges]).toMatchObject([last().number, [{ number: last().number, operation: 'credit' }]]);
  const refused = await journal('?refused=true&account=demo');
  expect(refused.exchanges.length).toBeGreaterThan(5);
  expect(await http(`${sandbox.adminUrl}/journal?acount=demo`)).toMatchObject({ httpStatus: 400 });
});

test('a long body is kept by its beginning and its length', async () => {
  await v3(sandbox, 'sms/send', { from: LINE, recipients: [PLAIN], message: 'س'.repeat(20_000) });
  const { text, bytes } = last().request.body;
  expect(text).toHaveLength(16_384);
  expect(bytes).toBeGreaterThan(40_000);
});

test('of a long body nothing but its beginning stays in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no garbage collection to be asked for');
  const kept: unknown[] = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let bodies = 0; bodies < 100; bodies += 1)
    kept.push(bodyOf(Buffer.alloc(1_000_000, 'x').toString('latin1')));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  expect(kept).toHaveLength(100);
});

test('as a line it fits on one, whatever was asked for', async () => {
  await v3(sandbox, 'sms/send', { from: 'a\nb', recipients: [PLAIN], message: 'x' });
  const line = logLine(last());
  expect(line).toMatch(
    /^20\S+Z v3 demo send POST \/api\/v3\/rest\/sms\/send 200 \d+ms refused: `a b` is none of/,
  );
});
