import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, exchange, http, rest, sendOn, v1, v3, v4 } from './testing.ts';

const NOW = 1_790_000_000_000;
const SECONDS = NOW / 1000;
type Listed = { entries: { to: string; date: number; message: string }[] };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW, adminPort: 0 });
});
beforeEach(() => {
  sandbox.world.reset();
  sandbox.faults.clear();
});
afterAll(() => sandbox.close());

const LISTS = [
  ['selectoutbox', { startdate: SECONDS - 100, enddate: SECONDS + 100 }],
  ['latestoutbox', {}],
  ['statusbynumber', { number: PLAIN, startdate: SECONDS - 100 }],
] as const;

async function list(path: string, parameters = {}): Promise<Listed['entries']> {
  return ((await rest(4, sandbox, `sms/${path}`, parameters)).json as Listed).entries;
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `09${121_000_000 + index}`);
}

async function admin(path: string, body?: object) {
  const options = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) };
  return http(`${sandbox.adminUrl}${path}`, options);
}

describe('listing lag', () => {
  test('what was accepted shows in lists, counts and as the latest one only later', async () => {
    sandbox.world.setSwitches({ lagMs: 5000 });
    await sendOn(3, sandbox);
    const id = sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
    const range = { startdate: 0, enddate: SECONDS };
    const counted = async () => (await rest(3, sandbox, 'sms/countoutbox', range)).json;
    for (const [path, parameters] of LISTS) expect(await list(path, parameters)).toEqual([]);
    expect(await counted()).toMatchObject({ data: { sumcount: 0 } });
    expect((await v3(sandbox, 'sms/latest')).json).toMatchObject({ return: { status: 400 } });
    expect((await v1(sandbox, 'sms/latest')).json).toMatchObject({ result: { status: 31 } });
    sandbox.world.advance(4999);
    expect(await list('latestoutbox')).toEqual([]);
    sandbox.world.advance(1);
    for (const [path, parameters] of LISTS) expect(await list(path, parameters)).toHaveLength(1);
    expect(await counted()).toMatchObject({ data: { sumcount: 1 } });
    expect((await v3(sandbox, 'sms/latest')).json).toMatchObject({ data: { messageid: BigInt(id) } });
  });

  test('a message that is asked for by its id is known at once', async () => {
    sandbox.world.setSwitches({ lagMs: 5000 });
    await sendOn(3, sandbox);
    const messageid = sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
    for (const path of ['status', 'select'])
      expect((await v4(sandbox, `sms/${path}.json`, { messageid })).json).toMatchObject({
        entries: { length: 1 },
      });
  });

  test('a received message shows later too, and receive does not take it before', async () => {
    sandbox.world.setSwitches({ lagMs: 1000 });
    await admin('/inbound', { account: 'demo', from: PLAIN, message: 'late' });
    expect(await list('inbox')).toHaveLength(3);
    expect(await list('receive')).toHaveLength(2);
    sandbox.world.advance(1000);
    expect(await list('receive')).toMatchObject([{ message: 'late' }]);
  });
});

test('a listing cap cuts lists, not counts', async () => {
  await sendOn(3, sandbox, { recipients: numbers(10) });
  sandbox.world.setSwitches({ cap: 4 });
  expect(await list('selectoutbox', LISTS[0][1])).toHaveLength(4);
  expect(await list('latestoutbox')).toHaveLength(4);
  sandbox.world.setSwitches({ cap: 1 });
  expect((await v4(sandbox, 'sms/inboxpaged.json')).json).toMatchObject({
    entries: { length: 1 },
    current: { totalcount: '3' },
  });
  const range = { startdate: 0, enddate: SECONDS };
  expect((await rest(4, sandbox, 'sms/countoutbox', range)).json).toMatchObject({ data: { sumcount: 10 } });
});

test('shuffled lists hold the same entries in another order each time', async () => {
  const recipients = numbers(30);
  await sendOn(3, sandbox, { recipients });
  const messageid = sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
  const plain = (await list('latestoutbox')).map(({ to }) => to);
  expect(plain).toEqual(recipients.map((number) => number.replace(/^0/, '+98')));
  sandbox.world.setSwitches({ shuffled: true });
  const first = (await list('latestoutbox')).map(({ to }) => to);
  const second = (await list('latestoutbox')).map(({ to }) => to);
  expect(first).not.toEqual(plain);
  expect(second).not.toEqual(first);
  expect([...first].sort()).toEqual([...plain].sort());
  const report = (await v4(sandbox, 'sms/status.json', { messageid })).json as {
    entries: { number: string }[];
  };
  expect(report.entries.map(({ number }) => number)).not.toEqual(plain);
});

test('an offset of listed dates moves every date in lists, and ranges with them, but no answer of a send', async () => {
  const offset = 12_600;
  sandbox.world.setSwitches({ dateOffsetSeconds: offset });
  expect((await sendOn(3, sandbox)).json).toMatchObject({ data: { date: SECONDS } });
  expect(await list('selectoutbox', LISTS[0][1])).toEqual([]);
  const moved = { startdate: SECONDS + offset, enddate: SECONDS + offset };
  expect(await list('selectoutbox', moved)).toMatchObject([{ date: SECONDS + offset }]);
  expect(await list('latestoutbox')).toMatchObject([{ date: SECONDS + offset }]);
  expect((await v3(sandbox, 'sms/latest')).json).toMatchObject({ data: { date: SECONDS + offset } });
  expect((await v1(sandbox, 'sms/latest')).json).toMatchObject({
    result: { details: { now: SECONDS, time: SECONDS + offset } },
  });
  expect((await list('inbox'))[0]).toMatchObject({ date: SECONDS - 600 + offset });
});

test('a suffix is added to what is sent from then on, wherever it is shown again', async () => {
  await sendOn(3, sandbox, { message: 'before' });
  sandbox.world.setSwitches({ textSuffix: '\nلغو11' });
  expect((await sendOn(3, sandbox, { message: 'after' })).json).toMatchObject({ data: { message: 'after' } });
  expect(sandbox.ledger.sends().at(-1)?.text).toBe('after');
  sandbox.world.setSwitches({ textSuffix: '' });
  for (const [path, parameters] of LISTS)
    expect((await list(path, parameters)).map(({ message }) => message).sort()).toEqual([
      'after\nلغو11',
      'before',
    ]);
  const messageid = sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
  expect((await v4(sandbox, 'sms/select.json', { messageid })).json).toMatchObject({
    entries: [{ message: 'after\nلغو11' }],
  });
  expect((await v1(sandbox, 'sms/latest')).json).toMatchObject({
    result: { details: { message: 'after\nلغو11' } },
  });
});

test('foreign traffic is charged and listed, but the ledger knows it not', async () => {
  await sendOn(3, sandbox, { message: 'same' });
  const before = sandbox.ledger.totals();
  const { json } = await admin('/foreign', {
    account: 'demo',
    line: LINE,
    recipients: [PLAIN],
    message: 'same',
    ageSeconds: 30,
  });
  expect(json).toEqual({ messageids: [expect.any(BigInt)] });
  expect(await list('latestoutbox')).toMatchObject([
    { message: 'same', date: SECONDS },
    { message: 'same', date: SECONDS - 30 },
  ]);
  expect(sandbox.ledger.totals()).toMatchObject({ sends: before.sends });
  expect(sandbox.world.account('demo')?.credit).toBe(10_000_000_000 - 2 * 2840);
  expect(await admin('/foreign', { account: 'demo', recipients: ['12'], message: 'x' })).toMatchObject({
    httpStatus: 400,
    json: { error: 'not sent: invalid_recipient' },
  });
});

test('a receive whose answer is lost has marked its messages as read', async () => {
  sandbox.faults.add({ kind: 'drop', when: 'after', operation: 'receive', times: 1 });
  const { host } = new URL(sandbox.baseUrl);
  const request = `GET /api/v4/sandbox-key-demo/sms/receive.json HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
  expect(await exchange(sandbox.baseUrl, request)).toEqual({ text: '', ended: 'fin' });
  expect(await list('receive')).toEqual([]);
  expect(await list('receive', { isread: 1 })).toHaveLength(3);
});

test('the admin interface shows switches, changes the given ones and leaves the others', async () => {
  const off = {
    lagMs: 0,
    cap: null,
    shuffled: false,
    dateOffsetSeconds: 0,
    textSuffix: '',
    countsCalls: false,
    oldestFirst: false,
    hidesRead: false,
    inboxIds: 'own',
    shapes: [],
    strict: false,
  };
  expect((await admin('/switches')).json).toEqual(off);
  await admin('/switches', { cap: 3 });
  expect((await admin('/switches', { lagMs: 10 })).json).toEqual({ ...off, lagMs: 10, cap: 3 });
  expect((await admin('/switches', { cap: null })).json).toEqual({ ...off, lagMs: 10 });
  expect(await admin('/switches', { lag: 10 })).toMatchObject({ httpStatus: 400 });
  expect(await admin('/switches', { lagMs: -1 })).toMatchObject({ httpStatus: 400 });
  await admin('/reset', {});
  expect((await admin('/switches')).json).toEqual(off);
});

test('switches and faults can be there from the start; the switches stay through a reset', async () => {
  const own = await startSandbox({
    switches: { lagMs: 60_000 },
    faults: [{ kind: 'error', status: 409, operation: 'credit' }],
  });
  expect((await rest(3, own, 'my/credit')).json).toMatchObject({ return: { status: 409 } });
  own.world.reset();
  await sendOn(3, own);
  expect((await rest(3, own, 'sms/latestoutbox')).json).toMatchObject({ entries: [] });
  await own.close();
});
