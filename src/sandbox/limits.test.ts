import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, sendOn, v1, v3, v4 } from './testing.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `09${120_000_000 + index}`);
}

function refused(version: number, rest: [status: number, text: string], code: number): unknown {
  if (version === 1) return { status: 200, result: { status: code } };
  return { return: { status: rest[0], message: rest[1] } };
}

describe.each([4, 3, 1])('sending on version %i', (version) => {
  test.each([
    ['201 recipients', { recipients: numbers(201) }, [414, 'تعداد گیرندگان بیش از 200 شماره است'], 21],
    ['an unknown line', { from: '3000999999' }, [400, 'خطا در ارسال پیام: کد 23'], 23],
    ['an empty message', { message: '' }, [400, 'خطا در ارسال پیام: کد 24'], 24],
    ['a message of blanks', { message: ' \n ' }, [400, 'خطا در ارسال پیام: کد 24'], 24],
    ['no recipient', { recipients: [] }, [400, 'خطا در ارسال پیام: کد 25'], 25],
    ['901 characters', { message: 'س'.repeat(901) }, [413, 'متن پیام بیش از 900 نویسه است'], 28],
    ['an invalid recipient', { recipients: [PLAIN, '0912111'] }, [411, 'گیرنده نامعتبر است'], 28],
  ] satisfies [string, Parameters<typeof sendOn>[2], [number, string], number][])(
    'refuses %s with its code, and nothing is charged or noted as sent',
    async (_, request, rest, code) => {
      const sends = sandbox.ledger.totals().sends;
      const { json, httpStatus } = await sendOn(version, sandbox, request);
      expect(httpStatus).toBe(200);
      expect(json).toEqual(refused(version, rest, code));
      expect(sandbox.world.account('demo')?.credit).toBe(10_000_000_000);
      expect(sandbox.ledger.totals().sends).toBe(sends);
    },
  );

  test('refuses what the credit does not cover, to the rial', async () => {
    const account = sandbox.world.account('demo');
    if (account === undefined) throw new Error('no demo account');
    account.credit = 2 * 1420 - 1;
    const request = { recipients: [PLAIN, '09122222222'] };
    const { json } = await sendOn(version, sandbox, request);
    expect(json).toEqual(refused(version, [400, 'خطا در ارسال پیام: کد 22'], 22));
    account.credit = 2 * 1420;
    await sendOn(version, sandbox, request);
    expect(account.credit).toBe(0);
  });

  test('accepts 200 recipients and 900 characters, emoji counted as one, and charges every part', async () => {
    await sendOn(version, sandbox, { recipients: numbers(200), message: `😀${'س'.repeat(199)}` });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({ parts: 3, cost: 3 * 200 * 1420, version });
    await sendOn(version, sandbox, { message: `😀${'س'.repeat(899)}` });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({ parts: 14, cost: 14 * 1420 });
  });

  test('charges a Latin text by its own price and part size', async () => {
    await sendOn(version, sandbox, { message: 'a'.repeat(161) });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({ parts: 2, cost: 2 * 2840 });
  });

  test('takes lines and recipients in every form that clients write', async () => {
    for (const from of [LINE, `+98${LINE}`, '50001234']) {
      const recipients = ['09121111111', '9121111111', '+989121111111', '989121111111', '00989121111111'];
      await sendOn(version, sandbox, { from, recipients });
      const { line, recipients: noted } = sandbox.ledger.sends().at(-1) ?? {};
      expect(line).toBe(from.replace('+98', ''));
      expect(noted).toEqual(recipients.map(() => '9121111111'));
    }
  });

  test('keeps the text as it came: newlines, emoji, Persian digits, a plus, a comma, joiners', async () => {
    const message = 'خط ۱\nline 2 😀 می\u200Cروم، 1+1=2, ok & done % #';
    await sendOn(version, sandbox, { message });
    expect(sandbox.ledger.sends().at(-1)?.text).toBe(message);
  });
});

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function report(code: number): unknown {
  return { return: { status: 400, message: `خطا در دریافت گزارش: کد ${code}` } };
}

describe('reports', () => {
  test('status takes 50 ids and refuses 51 and none, on all versions', async () => {
    const fifty = await v4(sandbox, 'sms/status.json', { messageid: ids(50).join(',') });
    expect(fifty.json).toMatchObject({ return: { status: 200 } });
    expect((await v4(sandbox, 'sms/status.json', { messageid: ids(51).join(',') })).json).toEqual(report(32));
    expect((await v4(sandbox, 'sms/status.json', { messageid: '' })).json).toEqual(report(30));

    expect((await v3(sandbox, 'sms/status', { messageid: ids(50) })).json).toMatchObject({
      return: { status: 200 },
    });
    expect((await v3(sandbox, 'sms/status', { messageid: ids(51) })).json).toEqual(report(32));
    expect((await v3(sandbox, 'sms/status', { messageid: [] })).json).toEqual(report(30));

    expect((await v1(sandbox, 'sms/status', { idArray: ids(50) })).json).toMatchObject({
      result: { status: 0 },
    });
    expect((await v1(sandbox, 'sms/status', { idArray: ids(51) })).json).toMatchObject({
      result: { status: 32 },
    });
    expect((await v1(sandbox, 'sms/status', { idArray: [] })).json).toMatchObject({ result: { status: 30 } });
  });

  test('an id that never was is told by state 14, and select finds no report for it', async () => {
    expect((await v3(sandbox, 'sms/status', { messageid: [5, 'x', '7'] })).json).toMatchObject({
      entries: [{ messageid: 5, state: 14 }, { state: 14 }, { messageid: 7, state: 14 }],
    });
    expect((await v3(sandbox, 'sms/select', { messageid: [5] })).json).toEqual(report(31));
    expect((await v4(sandbox, 'sms/select.json', { messageid: '5' })).json).toEqual(report(31));
  });
});

describe('parameters', () => {
  const INCOMPLETE = 'پارامترهای ارسالی ناقص یا نامعتبر است';
  const full = { from: LINE, recipients: [PLAIN], message: 'x', type: 1 };

  test.each(['from', 'recipients', 'message'] as const)(
    'an absent %s and a null one are refused alike, by name',
    async (name) => {
      const { [name]: _, ...without } = full;
      for (const body of [without, { ...full, [name]: null }]) {
        expect((await v3(sandbox, 'sms/send', body)).json).toEqual({
          return: { status: 400, message: `${INCOMPLETE}: ${name}` },
        });
        expect((await v1(sandbox, 'sms/send', body)).json).toEqual({
          status: 400,
          message: `${INCOMPLETE}: ${name}`,
        });
      }
      const query = Object.entries({ ...full, recipients: PLAIN, type: '1' }).filter(([key]) => key !== name);
      const { json } = await v4(sandbox, 'sms/send.json', Object.fromEntries(query));
      expect(json).toEqual({ return: { status: 400, message: `${INCOMPLETE}: ${name}` } });
    },
  );

  test.each([
    ['recipients', 'one text', { ...full, recipients: PLAIN }],
    ['recipients', 'numbers', { ...full, recipients: [9121111111] }],
    ['type', 'two', { ...full, type: 2 }],
    ['message', 'an object', { ...full, message: {} }],
    ['body', 'a list', [full]],
  ])('%s as %s is refused', async (name, _, body) => {
    expect((await v3(sandbox, 'sms/send', body)).json).toEqual({
      return: { status: 400, message: `${INCOMPLETE}: ${name}` },
    });
  });

  test.each([
    ['an absent type', { ...full, type: undefined }, false],
    ['a null type', { ...full, type: null }, false],
    ['type 0', { ...full, type: 0 }, false],
    ['type 1', full, true],
    ['type 1 in quotes', { ...full, type: '1' }, true],
    ['a line that is a bare number', { ...full, from: 3000123456 }, true],
    ['members that nobody asked for', { ...full, authcode: 'x', deep: { a: [1] } }, true],
  ])('%s is accepted', async (_, body, flash) => {
    expect((await v3(sandbox, 'sms/send', body)).json).toMatchObject({ return: { status: 200 } });
    expect(sandbox.ledger.sends().at(-1)?.flash).toBe(flash);
    expect((await v1(sandbox, 'sms/send', body)).json).toMatchObject({ result: { status: 0 } });
  });

  test('raw newlines in a hand-built body are accepted', async () => {
    const body = `{"from":"${LINE}","recipients":["${PLAIN}"],"message":"خط یک\nخط دو"}`;
    expect((await v3(sandbox, 'sms/send', body)).json).toMatchObject({ return: { status: 200 } });
    expect(sandbox.ledger.sends().at(-1)?.text).toBe('خط یک\nخط دو');
  });

  test.each(['', '[]', '{}', 'null', '  '])('a call without parameters takes the body %j', async (body) => {
    expect((await v3(sandbox, 'my/credit', body)).json).toMatchObject({ data: { credit: 10_000_000_000 } });
  });
});
