import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, rest, sendOn, v1, v3, v4 } from './testing.ts';

const NOW = 1_790_000_000_000;
const SECONDS = NOW / 1000;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW, deliverySeconds: 4 });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

function lastIds(): string[] {
  return [...(sandbox.ledger.sends().at(-1)?.messageIds ?? [])];
}

describe('version 4', () => {
  test('send answers with one data that holds the id, the state 1, line and recipients with prefix', async () => {
    const { json, httpStatus } = await sendOn(4, sandbox, {
      recipients: [PLAIN, '9122222222'],
      message: 'سلام، خوبی',
    });
    expect(httpStatus).toBe(200);
    expect(json).toEqual({
      return: { status: 200, message: 'پیام با موفقیت در صف ارسال قرار گرفت' },
      data: {
        messageid: BigInt(lastIds()[0] ?? ''),
        message: 'سلام، خوبی',
        state: 1,
        from: `+98${LINE}`,
        to: '+989121111111,+989122222222',
        date: SECONDS,
      },
    });
  });

  test('status, select, latest, credit and details answer in their documented shapes', async () => {
    await sendOn(4, sandbox, { message: 'شب بخیر' });
    sandbox.world.advance(4000);
    const [id = ''] = lastIds();
    const messageid = BigInt(id);
    const common = { messageid, from: `+98${LINE}`, state: 10, status: 'رسیده به گیرنده' };
    const ok = { status: 200, message: 'تایید شد' };
    expect((await v4(sandbox, 'sms/status.json', { messageid: id })).json).toEqual({
      return: ok,
      entries: [{ ...common, state: 4, number: '+989121111111' }],
    });
    expect((await v4(sandbox, 'sms/select.json', { messageid: id })).json).toEqual({
      return: ok,
      entries: [{ ...common, number: '+989121111111', message: 'شب بخیر', date: SECONDS }],
    });
    expect((await v4(sandbox, 'sms/latest.json')).json).toEqual({
      return: ok,
      data: {
        messageid,
        message: 'شب بخیر',
        recipients_count: 1,
        recipients: ['+989121111111'],
        from: `+98${LINE}`,
        state: 10,
        date: SECONDS,
      },
    });
    expect((await v4(sandbox, 'user/credit.json')).json).toEqual({
      return: ok,
      data: { credit: 9_999_998_580 },
    });
    expect((await v4(sandbox, 'user/details.json')).json).toEqual({
      return: ok,
      data: {
        fullname: 'کاربر آزمایشی',
        mellicode: '001*****89',
        shenasname: '1234',
        date: '1402/05/14',
        postcode: '1234567890',
        addr: expect.any(String),
        expire_time: '2208988800',
        credit: '9999998580.00',
        tarrif: '1420',
        type: 'نماینده',
      },
    });
  });
});

describe('version 3', () => {
  test('send answers with a state in words and without recipients', async () => {
    const { json } = await sendOn(3, sandbox);
    expect(json).toEqual({
      return: { status: 200, message: 'پیام با موفقیت در صف ارسال قرار گرفت' },
      data: {
        messageid: BigInt(lastIds()[0] ?? ''),
        message: 'سلام',
        state: 'فعال',
        from: `+98${LINE}`,
        date: SECONDS,
      },
    });
  });

  test('status and select give a row for every recipient under the same id', async () => {
    await sendOn(3, sandbox, { recipients: [PLAIN, '09121111100', '09121111901'] });
    sandbox.world.advance(4000);
    const [id = ''] = lastIds();
    for (const [path, delivered] of [
      ['sms/status', 4],
      ['sms/select', 10],
    ] as const) {
      const { json } = await v3(sandbox, path, `{"messageid":[${id}]}`);
      expect(json).toMatchObject({
        return: { status: 200 },
        entries: [
          { messageid: BigInt(id), number: '+989121111111', state: delivered, status: 'رسیده به گیرنده' },
          { messageid: BigInt(id), number: '+989121111100', state: 5, status: 'نرسیده به گیرنده' },
          { messageid: BigInt(id), number: '+989121111901', state: 2, status: 'نرسیده به مخابرات' },
        ],
      });
    }
  });

  test('latest, credit and details answer as in version 4', async () => {
    await sendOn(3, sandbox);
    for (const [path, twin] of [
      ['sms/latest', 'sms/latest.json'],
      ['my/credit', 'user/credit.json'],
      ['my', 'user/details.json'],
    ] as const) {
      expect((await v3(sandbox, path)).json).toEqual((await v4(sandbox, twin)).json);
    }
  });
});

describe('version 1', () => {
  test('send answers with status 0 and one id inside result', async () => {
    const { json } = await sendOn(1, sandbox, { recipients: [PLAIN, '9122222222'] });
    expect(json).toEqual({ status: 200, result: { status: 0, id: BigInt(lastIds()[0] ?? '') } });
  });

  test('status gives one delivery code per id, in the order of the ids', async () => {
    await sendOn(1, sandbox, { recipients: [PLAIN] });
    const [first = ''] = lastIds();
    await sendOn(1, sandbox, { recipients: [PLAIN, '09121111100'] });
    const [second = ''] = lastIds();
    const ask = async () => (await v1(sandbox, 'sms/status', `{"idArray":[${second},7,${first}]}`)).json;
    const answer = (a: number, b: number) => ({
      status: 200,
      result: {
        status: 0,
        result: [
          { id: BigInt(second), status: a },
          { id: 7, status: 14 },
          { id: BigInt(first), status: b },
        ],
      },
    });
    expect(await ask()).toEqual(answer(1, 1));
    sandbox.world.advance(1500);
    expect(await ask()).toEqual(answer(3, 3));
    sandbox.world.advance(4000);
    expect(await ask()).toEqual(answer(5, 4));
  });

  test('latest, credit and details answer in their documented shapes', async () => {
    await sendOn(1, sandbox);
    sandbox.world.advance(60_000);
    expect((await v1(sandbox, 'sms/latest')).json).toEqual({
      status: 200,
      result: {
        status: 0,
        details: {
          id: BigInt(lastIds()[0] ?? ''),
          message: 'سلام',
          recipients: ['+989121111111'],
          from: `+98${LINE}`,
          state: 4,
          now: SECONDS + 60,
          time: SECONDS,
        },
      },
    });
    expect((await v1(sandbox, 'my/credit')).json).toEqual({
      status: 200,
      result: { status: 0, value: 9_999_998_580 },
    });
    expect((await v1(sandbox, 'my')).json).toEqual({
      status: 200,
      result: {
        status: 0,
        details: {
          fullname: 'کاربر آزمایشی',
          company: 'شرکت نمونه',
          date: '1402/05/14',
          fax: '02112345678',
          mellicode: '001*****89',
          shenasname: '1234',
          addr: expect.any(String),
          postcode: '1234567890',
        },
      },
    });
  });
});

test('latest without a sent message is refused in each version, with its own words', async () => {
  const none = { return: { status: 400, message: 'هیچ پیامکی یافت نشد' } };
  expect((await v4(sandbox, 'sms/latest.json')).json).toEqual(none);
  expect((await v3(sandbox, 'sms/latest', [])).json).toEqual(none);
  expect((await v1(sandbox, 'sms/latest')).json).toEqual({ status: 200, result: { status: 31 } });
});

test('all versions stand before one world: what one sends, the others see', async () => {
  await sendOn(1, sandbox);
  const [id = ''] = lastIds();
  expect((await v3(sandbox, 'sms/status', `{"messageid":[${id}]}`)).json).toMatchObject({
    entries: [{ messageid: BigInt(id), state: 1 }],
  });
});

test('delivery advances with time: queued, on the way, delivered', async () => {
  await sendOn(3, sandbox, { recipients: ['09121111150'] });
  const [id = ''] = lastIds();
  const seen: unknown[] = [];
  for (const ms of [0, 1500, 1500]) {
    sandbox.world.advance(ms);
    seen.push((await v4(sandbox, 'sms/status.json', { messageid: id })).json);
  }
  expect(seen).toMatchObject([1, 3, 4].map((state) => ({ entries: [{ state }] })));
});

test('with an id per recipient, each id has one row and send answers with the first', async () => {
  const account = sandbox.world.account('demo');
  if (account === undefined) throw new Error('no demo account');
  account.idsMode = 'recipient';
  const { json } = await sendOn(3, sandbox, { recipients: [PLAIN, '9122222222'] });
  const ids = lastIds();
  expect(ids).toHaveLength(2);
  expect(json).toMatchObject({ data: { messageid: BigInt(ids[0] ?? '') } });
  expect((await v4(sandbox, 'sms/status.json', { messageid: ids.join(',') })).json).toMatchObject({
    entries: [{ number: '+989121111111' }, { number: '+989122222222' }],
  });
});

test.each([4, 3, 1])('version %i: what is no message id is echoed as it was written', async (version) => {
  if (version === 1) {
    const { json } = await v1(sandbox, 'sms/status', { idArray: ['abc'] });
    expect(json).toMatchObject({ result: { result: [{ id: 'abc', status: 14 }] } });
    return;
  }
  const { json } = await rest(version === 4 ? 4 : 3, sandbox, 'sms/status', { messageid: ['abc'] });
  expect(json).toMatchObject({ entries: [{ messageid: 'abc', state: 14 }] });
});

test.each([4, 3, 1])('version %i: an empty type is none, and the message is no flash', async (version) => {
  const send = { from: LINE, recipients: [PLAIN], message: 'x', type: '' };
  if (version === 1) await v1(sandbox, 'sms/send', send);
  else await rest(version === 4 ? 4 : 3, sandbox, 'sms/send', send);
  expect(sandbox.ledger.sends().at(-1)).toMatchObject({ version, flash: false });
});

test("another account's id is as unknown as one that never was", async () => {
  sandbox.world.addAccount({ username: 'other', password: 'p', apiKey: 'other-key' });
  await sendOn(3, sandbox);
  const { json } = await v4(sandbox, 'sms/status.json', { messageid: lastIds()[0] ?? '' }, 'other-key');
  expect(json).toMatchObject({ entries: [{ number: '', state: 14 }] });
});
