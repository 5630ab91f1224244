import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, rest, sendOn } from './testing.ts';

const NOW = 1_790_000_000_000;
const SECONDS = NOW / 1000;
const DAY = 86_400;
const OTHER = '50001234';
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

/** Two calls a minute apart: one for two recipients, one of two parts for the first of them. */
async function sendTwice(): Promise<bigint[]> {
  await sendOn(3, sandbox, { recipients: ['09121111111', '09121111100'], message: 'یک' });
  sandbox.world.advance(60_000);
  await sendOn(3, sandbox, { from: OTHER, recipients: ['09121111111'], message: 'س'.repeat(71) });
  sandbox.world.advance(60_000);
  return sandbox.ledger
    .sends()
    .slice(-2)
    .map(({ messageIds }) => BigInt(messageIds[0] ?? ''));
}

const OK = { status: 200, message: 'تایید شد' };
const DELIVERED = { state: 10, status: 'رسیده به گیرنده' };
const FAILED = { state: 5, status: 'نرسیده به گیرنده' };

describe.each([4, 3] as const)('version %i', (version) => {
  const ask = async (path: string, parameters = {}) => {
    const { json, httpStatus } = await rest(version, sandbox, `sms/${path}`, parameters);
    expect(httpStatus).toBe(200);
    return json;
  };

  test('selectoutbox lists a row for every recipient, oldest first', async () => {
    const [first, second] = await sendTwice();
    const row = { messageid: first, message: 'یک', from: `+98${LINE}`, date: SECONDS };
    expect(await ask('selectoutbox', { startdate: SECONDS, enddate: SECONDS + DAY })).toEqual({
      return: OK,
      entries: [
        { ...row, number: '+989121111111', ...DELIVERED },
        { ...row, number: '+989121111100', ...FAILED },
        {
          messageid: second,
          message: 'س'.repeat(71),
          number: '+989121111111',
          from: `+98${OTHER}`,
          ...DELIVERED,
          date: SECONDS + 60,
        },
      ],
    });
  });

  test('selectoutbox takes a day to the second and both its ends, and refuses more, and a range turned round', async () => {
    await sendTwice();
    const count = async (startdate: number, enddate: number) =>
      ((await ask('selectoutbox', { startdate, enddate })) as { entries: unknown[] }).entries.length;
    expect(await count(SECONDS + 60 - DAY, SECONDS + 60)).toBe(3);
    expect(await count(SECONDS, SECONDS)).toBe(2);
    expect(await count(SECONDS + 1, SECONDS + 59)).toBe(0);
    const wrong = { return: { status: 417, message: 'بازه زمانی نامعتبر است' } };
    expect(await ask('selectoutbox', { startdate: SECONDS - DAY - 1, enddate: SECONDS })).toEqual(wrong);
    expect(await ask('selectoutbox', { startdate: SECONDS, enddate: SECONDS - 1 })).toEqual(wrong);
  });

  test('latestoutbox lists the newest rows first, as many as asked for', async () => {
    const [first, second] = await sendTwice();
    const row = { message: 'یک', from: `+98${LINE}`, date: SECONDS };
    expect(await ask('latestoutbox', { pagesize: 2 })).toEqual({
      return: OK,
      entries: [
        {
          messageid: second,
          from: `+98${OTHER}`,
          to: '+989121111111',
          message: 'س'.repeat(71),
          ...DELIVERED,
          date: SECONDS + 60,
        },
        { ...row, messageid: first, to: '+989121111111', ...DELIVERED },
      ],
    });
    expect(await ask('latestoutbox')).toMatchObject({ entries: { length: 3 } });
  });

  test('latestoutbox gives 200 rows by default and refuses to give more', async () => {
    const recipients = Array.from({ length: 200 }, (_, index) => `09${121_000_000 + index}`);
    await sendOn(3, sandbox, { recipients });
    await sendOn(3, sandbox, { recipients });
    expect(await ask('latestoutbox')).toMatchObject({ entries: { length: 200 } });
    expect(await ask('latestoutbox', { pagesize: 201 })).toMatchObject({
      return: { status: 400, message: expect.stringMatching(/pagesize$/) },
    });
    expect(await ask('latestoutbox', { pagesize: 0 })).toMatchObject({ return: { status: 400 } });
  });

  test('countoutbox counts recipients and their parts, and echoes the range', async () => {
    await sendTwice();
    const range = { startdate: SECONDS - 10 * DAY, enddate: SECONDS + DAY };
    expect(await ask('countoutbox', range)).toEqual({
      return: OK,
      data: { ...range, sumpart: 4, sumcount: 3, cost: 4 * 1420 },
    });
    expect(await ask('countoutbox', { startdate: SECONDS + 1, enddate: SECONDS + DAY })).toMatchObject({
      data: { sumpart: 2, sumcount: 1, cost: 2840 },
    });
    expect(await ask('countoutbox', { startdate: 2, enddate: 1 })).toMatchObject({ return: { status: 417 } });
  });

  test('statusbynumber lists what went to one number since a time, with its status as a number', async () => {
    const [first, second] = await sendTwice();
    const row = { to: '+989121111111', status: 10, statustext: 'رسیده به گیرنده' };
    expect(await ask('statusbynumber', { number: '+989121111111', startdate: 0 })).toEqual({
      return: OK,
      entries: [
        { messageid: second, message: 'س'.repeat(71), ...row, date: SECONDS + 60 },
        { messageid: first, message: 'یک', ...row, date: SECONDS },
      ],
    });
    expect(await ask('statusbynumber', { number: '09121111111', startdate: SECONDS + 1 })).toMatchObject({
      entries: [{ messageid: second }],
    });
    expect(await ask('statusbynumber', { number: '3000', startdate: 0 })).toMatchObject({
      return: { status: 411 },
    });
  });

  test('statusbynumber gives 50 rows by default and refuses to give more', async () => {
    for (let count = 0; count < 51; count += 1) await sendOn(1, sandbox);
    const of = { number: '09121111111', startdate: 0 };
    expect(await ask('statusbynumber', of)).toMatchObject({ entries: { length: 50 } });
    expect(await ask('statusbynumber', { ...of, pagesize: 3 })).toMatchObject({ entries: { length: 3 } });
    expect(await ask('statusbynumber', { ...of, pagesize: 51 })).toMatchObject({ return: { status: 400 } });
  });

  test('with an id per recipient every row has its own', async () => {
    for (const account of sandbox.world.accounts()) account.idsMode = 'recipient';
    await sendOn(3, sandbox, { recipients: ['09121111111', '09122222222'] });
    const ids = sandbox.ledger.sends().at(-1)?.messageIds.map(BigInt) ?? [];
    const list = (await ask('latestoutbox')) as { entries: { messageid: bigint }[] };
    expect(list.entries.map(({ messageid }) => messageid)).toEqual(ids);
  });
});
