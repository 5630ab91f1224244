import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readJson } from './json.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, http, sendOn, v3 } from './testing.ts';

/** What the admin interface steers beside faults: clock, deliveries, received messages, accounts. */

const NOW = 1_790_000_000_000;
let now = NOW;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ adminPort: 0, now: () => now });
});
beforeEach(async () => {
  now = NOW;
  await post('/reset', {});
});
afterAll(() => sandbox.close());

async function post(path: string, body: unknown): Promise<unknown> {
  return (await http(`${sandbox.adminUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })).json;
}

async function send(recipients: readonly string[]): Promise<bigint> {
  await sendOn(3, sandbox, { recipients: [...recipients] });
  return BigInt(sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '');
}

async function states(messageId: bigint): Promise<number[]> {
  const { text } = await v3(sandbox, 'sms/status', { messageid: [String(messageId)] });
  const { entries } = z.object({ entries: z.array(z.object({ state: z.int() })) }).parse(readJson(text));
  return entries.map(({ state }) => state);
}

test('the clock is read, set, moved, stopped and let go on', async () => {
  const time = async () => (await http(`${sandbox.adminUrl}/clock`)).json;
  expect(await time()).toEqual({ now: NOW, iso: '2026-09-21T14:13:20.000Z', frozen: false, realNow: NOW });
  expect(await post('/clock', { set: '2027-01-01T00:00:00Z' })).toMatchObject({ now: 1_798_761_600_000 });
  now += 5000;
  expect(await time()).toMatchObject({ now: 1_798_761_605_000 });
  expect(await post('/clock', { frozen: true, advanceMs: 1000 })).toMatchObject({ frozen: true });
  now += 60_000;
  expect(await time()).toMatchObject({ now: 1_798_761_606_000, frozen: true, realNow: NOW + 65_000 });
  await post('/clock', { set: NOW });
  expect(await time()).toMatchObject({ now: NOW, frozen: true });
  await post('/clock', { frozen: false });
  now += 1000;
  expect(await time()).toMatchObject({ now: NOW + 1000, frozen: false });
  await post('/reset', {});
  expect(await time()).toMatchObject({ now, frozen: false });
  expect(await post('/clock', { set: 'tomorrow' })).toMatchObject({ error: expect.any(String) });
});

test.each([
  { set: 9e15 },
  { set: -1 },
  { advanceMs: 8.6e15 },
  { advanceMs: -NOW - 1 },
  { frozen: true, advanceMs: 8.6e15 },
])('of a time that no calendar shows nothing is set: %j', async (change) => {
  expect(await post('/clock', change)).toMatchObject({ error: expect.stringContaining('1970 to 9999') });
  const { json } = await http(`${sandbox.adminUrl}/clock`);
  expect(json).toMatchObject({ now: NOW, frozen: false });
  const late = { account: 'demo', from: PLAIN, message: 'x', at: 9e15 };
  expect(await post('/inbound', late)).toMatchObject({ error: expect.stringContaining('at') });
});

test('deliveries end as the plan says, in its percentages, and each number always in the same way', async () => {
  const plan = { delivered: 70, not_delivered: 20, returned: 10 };
  expect(await post('/delivery', { account: 'demo', plan })).toEqual({ ok: true });
  const people = Array.from({ length: 200 }, (_, at) => `0912${String(at * 100).padStart(7, '0')}`);
  const [first, second] = [await send(people), await send(people)];
  await post('/clock', { advanceMs: 60_000 });
  const ended = await states(first);
  expect(await states(second)).toEqual(ended);
  const count = (state: number) => ended.filter((one) => one === state).length;
  expect(count(4) + count(5) + count(6)).toBe(200);
  for (const [state, wanted] of [
    [4, 140],
    [5, 40],
    [6, 20],
  ] as const) {
    expect(count(state)).toBeGreaterThan(wanted - 25);
    expect(count(state)).toBeLessThan(wanted + 25);
  }
  await post('/delivery', { plan: null });
  const unplanned = await send(people);
  await post('/clock', { advanceMs: 60_000 });
  expect(new Set(await states(unplanned))).toEqual(new Set([5]));
  expect(await post('/delivery', { plan: { delivered: 70 } })).toMatchObject({
    error: expect.stringContaining('the percentages must add up to 100'),
  });
});

/** A number of each operator, and of two ranges that none of the three has given out. */
const OF_EACH = [
  ['09121110011', '09901110011', '09961110011'],
  ['09021110011', '09351110011', '09411110011'],
  ['09201110011', '09231110011'],
  ['09981110011', '09321110011'],
] as const;

test('a plan may end otherwise for the recipients of one operator', async () => {
  const operators = {
    irancell: { not_sent: 100 },
    rightel: { returned: 100 },
    other: { not_delivered: 100 },
  };
  expect(await post('/delivery', { account: 'demo', plan: { delivered: 100, operators } })).toEqual({
    ok: true,
  });
  const sent: bigint[] = [];
  for (const numbers of OF_EACH) sent.push(await send(numbers));
  await post('/clock', { advanceMs: 60_000 });
  expect(await Promise.all(sent.map(states))).toEqual([
    [4, 4, 4],
    [2, 2, 2],
    [6, 6],
    [5, 5],
  ]);
  const refused = (plan: object) => post('/delivery', { plan });
  expect(await refused({ delivered: 100, operators: { mci: { delivered: 4 } } })).toMatchObject({
    error: expect.stringMatching(/the percentages must add up to 100[^]*plan\.operators\.mci/),
  });
  expect(await refused({ delivered: 100, operators: { vodafone: { delivered: 100 } } })).toMatchObject({
    error: expect.stringMatching(/"vodafone"[^]*plan\.operators/),
  });
});

test('a part may have another price for the recipients of one operator', async () => {
  const costOf = async (recipients: readonly string[], message: string) => {
    await sendOn(3, sandbox, { recipients: [...recipients], message });
    return sandbox.ledger.sends().at(-1)?.cost;
  };
  const all = OF_EACH.flat();
  const operators = { irancell: { ucs2: 2100 }, other: { gsm7: 10, ucs2: 1 } };
  const price = { gsm7: 3000, ucs2: 1500, operators };
  expect(await post('/price', { account: 'demo', ...price })).toEqual(price);
  expect(await costOf(all, 'سلام')).toBe(5 * 1500 + 3 * 2100 + 2);
  expect(await costOf(all, 'a'.repeat(161))).toBe(2 * (8 * 3000 + 2 * 10));
  expect(await post('/price', { account: 'demo', ucs2: 1600 })).toEqual({ ...price, ucs2: 1600 });
  await post('/price', { account: 'demo', operators: {} });
  expect(await costOf(all, 'سلام')).toBe(10 * 1600);
  for (const wrong of [{ irancell: { ucs2: -1 } }, { mtn: { ucs2: 1 } }, { mci: { both: 1 } }])
    expect(await post('/price', { account: 'demo', operators: wrong })).toMatchObject({
      error: expect.stringContaining('operators'),
    });
  expect(await costOf(all, 'سلام')).toBe(10 * 1600);
});

test("one message's state is set, for all recipients or one, and stays", async () => {
  const id = await send([PLAIN, '09122222222']);
  const set = (change: object) =>
    post('/delivery-state', { account: 'demo', messageid: String(id), ...change });
  expect(await set({ state: 'returned' })).toEqual({ recipients: 2 });
  expect(await states(id)).toEqual([6, 6]);
  expect(await set({ state: 'not_sent', recipient: '+989122222222' })).toEqual({ recipients: 1 });
  await post('/clock', { advanceMs: 60_000 });
  expect(await states(id)).toEqual([6, 2]);
  expect(await set({ state: 'returned', recipient: '09120000000' })).toMatchObject({
    error: 'account demo has sent no such message',
  });
  expect(await set({ state: 'lost' })).toMatchObject({ error: expect.stringContaining('state') });
});

test('received messages have dates of their own, come as a list, and stand in the order of their dates', async () => {
  const at = '2026-09-20T10:00:00+03:30';
  const messages = [
    { from: '09120000001', message: 'second', at: Date.parse(at) + 1000 },
    { from: '09120000002', message: 'first', at, line: '50001234' },
  ];
  expect(await post('/inbound', { account: 'demo', messages })).toEqual({
    messageids: [expect.any(BigInt), expect.any(BigInt)],
  });
  const { json } = await v3(sandbox, 'sms/inboxpaged', {});
  expect(json).toMatchObject({
    entries: [
      { message: 'Thanks, got it' },
      { message: '11' },
      { message: 'سلام، ساعت کاری شما چیست؟' },
      { message: 'second', date: Date.parse(at) / 1000 + 1 },
      { message: 'first', date: Date.parse(at) / 1000, to: '+9850001234' },
    ],
  });
  const wrong = [messages[0], { from: '1', message: 'x', line: '7' }];
  expect(await post('/inbound', { account: 'demo', messages: wrong })).toMatchObject({
    error: expect.any(String),
  });
  expect(sandbox.world.account('demo')?.inbox).toHaveLength(5);
});

test('one account is reset without the others, and its rules with it', async () => {
  const other = sandbox.freshAccount({ credit: 5000 });
  sandbox.faults.add({ kind: 'drop', account: 'demo' });
  sandbox.faults.add({ kind: 'error', status: 409, account: other.username, times: 1, operation: 'details' });
  const demo = sandbox.world.account('demo');
  if (demo !== undefined) demo.credit = 1;
  await post('/clock', { advanceMs: 1000 });
  expect(await post('/reset', { account: 'demo' })).toEqual({ ok: true });
  expect(sandbox.world.account('demo')).toMatchObject({ credit: 10_000_000_000, inbox: { length: 3 } });
  expect(sandbox.world.now()).toBe(NOW + 1000);
  expect(sandbox.faults.list()).toMatchObject([{ account: other.username }]);
  expect(sandbox.world.account(other.username)?.credit).toBe(5000);
  expect(await post('/reset', { account: 'demmo' })).toEqual({
    error: 'no account demmo: did you mean `demo`?',
  });
});

test('the demo week comes back with a reset of its account, once', async () => {
  const own = await startSandbox({ adminPort: 0, demoWeek: true, now: () => NOW });
  const calls = () => own.world.account('demo')?.outbox.all().length;
  const before = calls();
  await http(`${own.adminUrl}/reset`, { method: 'POST', body: '{"account":"demo"}' });
  expect(before).toBeGreaterThan(20);
  expect(calls()).toBe(before);
  await own.close();
});

test('one call makes an account that nobody else has, ready to send on all versions', async () => {
  const made = z
    .strictObject({
      username: z.string(),
      password: z.string(),
      apiKey: z.string(),
      token: z.string(),
      lines: z.array(z.string()),
    })
    .parse(await post('/accounts/fresh', { credit: 10_000, lines: [LINE] }));
  const again = z.looseObject({ apiKey: z.string() }).parse(await post('/accounts/fresh', {}));
  expect(again.apiKey).not.toBe(made.apiKey);
  const body = JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'x', type: 0 });
  const asked = { method: 'POST', body } as const;
  const rest = await http(`${sandbox.baseUrl}/api/v3/rest/sms/send`, {
    ...asked,
    headers: { token: made.apiKey },
  });
  expect(rest.json).toMatchObject({ return: { status: 200 } });
  const headers = { username: made.username, password: made.password };
  expect((await http(`${sandbox.wsUrl}/api/v1/rest/sms/send`, { ...asked, headers })).json).toMatchObject({
    result: { status: 0 },
  });
  expect(sandbox.world.account(made.username)?.credit).toBe(10_000 - 2 * 2840);
});
