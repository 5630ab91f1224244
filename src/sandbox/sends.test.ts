import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, sendOn, v1, v3, v4 } from './testing.ts';

/** 1405/06/29 17:43:20 in Tehran. */
const NOW = 1_789_913_600_000;
const OTHER = '50001234';
const MANY = {
  fromArray: [LINE, OTHER],
  recipients: [PLAIN, '+989122222222'],
  messageArray: ['یک', 'two'],
  typeArray: [0, 1],
};
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

function demo() {
  const account = sandbox.world.account('demo');
  if (account === undefined) throw new Error('no demo account');
  return account;
}

/** What was noted of the sends since `before` of them. */
function noted(before: number) {
  return sandbox.ledger.sends().filter(({ number }) => number > before);
}

async function multi(version: number, change: object = {}): Promise<unknown> {
  const body = { ...MANY, ...change };
  if (version === 4) {
    const query = Object.entries(body).map(([name, list]) => [name, list.join(',')]);
    return (await v4(sandbox, 'sms/multi.json', Object.fromEntries(query))).json;
  }
  return (await (version === 3 ? v3 : v1)(sandbox, 'sms/multiple-send', body)).json;
}

describe.each([4, 3, 1])('many messages in one call of version %i', (version) => {
  const refused = (status: number, code: number) =>
    version === 1 ? { status: 200, result: { status: code } } : { return: { status } };

  test('each has its own line, text, kind and id', async () => {
    const before = sandbox.ledger.totals().sends;
    const json = await multi(version);
    const sent = noted(before);
    expect(sent).toMatchObject([
      { operation: 'multi', version, line: LINE, text: 'یک', flash: false, recipients: ['9121111111'] },
      { operation: 'multi', version, line: OTHER, text: 'two', flash: true, recipients: ['9122222222'] },
    ]);
    const [first = 0n, second = 0n] = sent.map(({ messageIds }) => BigInt(messageIds[0] ?? 0));
    expect(first).not.toBe(second);
    if (version === 1) {
      const result = [first, second].map((id) => ({ status: 0, id }));
      expect(json).toEqual({ status: 200, result: { status: 0, result } });
      return;
    }
    const common = { state: 1, date: Math.floor(NOW / 1000) };
    expect(json).toEqual({
      return: { status: 200, message: 'پیام با موفقیت در صف ارسال قرار گرفت' },
      entries: [
        { ...common, index: 0, messageid: first, message: 'یک', from: `+98${LINE}`, to: '+989121111111' },
        { ...common, index: 1, messageid: second, message: 'two', from: `+98${OTHER}`, to: '+989122222222' },
      ],
    });
  });

  test.each(['fromArray', 'recipients', 'messageArray', 'typeArray'] as const)(
    'one element more in %s is refused as unequal, and nothing is sent',
    async (name) => {
      const before = sandbox.ledger.totals().sends;
      const json = await multi(version, { [name]: [...MANY[name], MANY[name][0]] });
      expect(json).toMatchObject(refused(419, 28));
      expect(noted(before)).toEqual([]);
    },
  );

  test.each([
    ['an unknown line', { fromArray: [LINE, '30009'] }, 400, 23],
    ['an empty text', { messageArray: ['a', ' '] }, 400, 24],
    ['a recipient that is none', { recipients: [PLAIN, '12'] }, 411, 28],
    ['a text that is too long', { messageArray: ['a', 'س'.repeat(901)] }, 413, 28],
  ])('%s refuses the whole call', async (_, change, status, code) => {
    expect(await multi(version, change)).toMatchObject(refused(status, code));
    expect(demo().credit).toBe(10_000_000_000);
  });

  test('a kind other than 0 and 1 is refused by its name', async () => {
    const message = expect.stringMatching(/: typeArray$/);
    const failed = version === 1 ? { status: 400, message } : { return: { status: 400, message } };
    expect(await multi(version, { typeArray: [0, 2] })).toEqual(failed);
  });

  test('the credit must cover all of them', async () => {
    demo().credit = 1420 + 2840 - 1;
    expect(await multi(version)).toMatchObject(refused(400, 22));
    demo().credit += 1;
    await multi(version);
    expect(demo().credit).toBe(0);
  });
});

test('on version 4 a comma inside a text becomes one more element', async () => {
  expect(await multi(4, { messageArray: ['یک, دو', 'سه'] })).toMatchObject({ return: { status: 419 } });
  expect(await multi(3, { messageArray: ['یک, دو', 'سه'] })).toMatchObject({ return: { status: 200 } });
  expect(await multi(4, { messageArray: ['یک, دو'] })).toMatchObject({
    entries: [{ message: 'یک' }, { message: ' دو' }],
  });
});

describe('patterns', () => {
  const on3 = (change: object = {}) =>
    v3(sandbox, 'sms/pattern-send', {
      from: LINE,
      recipients: [PLAIN],
      message: { code: '123' },
      pattern_id: 1,
      ...change,
    });
  const on1 = (change: object = {}) =>
    v1(sandbox, 'sms/pattern-send', {
      from: LINE,
      recipients: [PLAIN],
      message: { code: '123' },
      patternId: 1,
      type: 0,
      ...change,
    });

  test('the variables fill the text, which is charged by its parts and answered as a send is', async () => {
    expect((await on3()).json).toMatchObject({
      return: { status: 200 },
      data: { message: 'کد تأیید شما: 123', state: 'فعال', from: `+98${LINE}` },
    });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({
      operation: 'pattern-send',
      version: 3,
      text: 'کد تأیید شما: 123',
      cost: 1420,
      flash: false,
    });
    expect((await on1()).json).toEqual({
      status: 200,
      result: { status: 0, id: BigInt(sandbox.ledger.sends().at(-1)?.messageIds[0] ?? 0) },
    });
  });

  test.each([
    ['the JSON of an object', '{"name":"سارا","order":"7"}'],
    ['numbers as values', { name: 'سارا', order: 7 }],
    ['variables that it does not have', { name: 'سارا', order: '7', more: 'x' }],
  ])('takes %s', async (_, message) => {
    const text = 'سارا گرامی، سفارش 7 ارسال شد.';
    expect((await on3({ message, pattern_id: '2' })).json).toMatchObject({ data: { message: text } });
    expect((await on1({ message, patternId: '2' })).json).toMatchObject({ result: { status: 0 } });
    expect(sandbox.ledger.sends().at(-1)?.text).toBe(text);
  });

  test.each([
    ['an unknown pattern', { pattern_id: 3, patternId: 3 }, 29],
    ['no variables, written as a list', { message: [] }, 28],
    ['a variable in other letters', { message: { Code: '1' } }, 28],
    ['an empty variable', { message: { code: '' } }, 28],
    ['an unknown line', { from: '30009' }, 23],
  ])('%s is refused', async (_, change, code) => {
    expect((await on3(change)).json).toEqual({
      return: { status: 400, message: `خطا در ارسال پیام: کد ${code}` },
    });
    expect((await on1(change)).json).toEqual({ status: 200, result: { status: code } });
    expect(demo().credit).toBe(10_000_000_000);
  });

  test('a pattern that is switched off is not active', async () => {
    sandbox.world.addAccount({
      username: 'off',
      password: 'p',
      apiKey: 'off-key',
      lines: [LINE],
      credit: 5000,
      patterns: [{ id: 1, text: '{code}', active: false }],
    });
    const body = { from: LINE, recipients: [PLAIN], message: { code: '1' }, pattern_id: 1 };
    expect((await v3(sandbox, 'sms/pattern-send', body, { token: 'off-key' })).json).toMatchObject({
      return: { message: expect.stringMatching(/کد 29$/) },
    });
  });

  test('version 3 wants pattern_id and does not know patternId', async () => {
    expect((await on3({ pattern_id: undefined, patternId: 1 })).json).toMatchObject({
      return: { status: 400, message: expect.stringMatching(/pattern_id$/) },
    });
  });

  test('what is no object is refused by name', async () => {
    for (const message of ['text', ['a'], 5, '[1]'])
      expect((await on3({ message })).json).toMatchObject({
        return: { status: 400, message: expect.stringMatching(/message$/) },
      });
  });
});

describe('scheduled sends', () => {
  const future = async (sendDate: unknown) => {
    const body = { from: LINE, recipients: [PLAIN], message: 'x', sendDate, prtrys: '0', sentPeriod: '0' };
    return (await v1(sandbox, 'sms/future-send', body)).json;
  };
  /** 1405/07/01 09:30 in Tehran. */
  const DUE = Date.UTC(2026, 8, 23, 6, 0);

  test.each([
    ['Jalali parts as texts', { year: '1405', month: '07', day: '01', hour: '09', min: '30' }],
    ['Gregorian parts as numbers', { year: 2026, month: 9, day: 23, hour: 9, minute: 30 }],
    ['a Jalali date and time', '1405/07/01 09:30'],
    ['a Gregorian date and time', '2026-09-23T09:30:00'],
    ['epoch seconds', DUE / 1000],
    ['epoch seconds in quotes', String(DUE / 1000)],
  ])('%s name the time', async (_, sendDate) => {
    expect(await future(sendDate)).toEqual({ status: 200, result: { status: 0, id: expect.any(BigInt) } });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({
      operation: 'future-send',
      gatewayTime: Math.floor(NOW / 1000),
      scheduledFor: DUE / 1000,
    });
  });

  test('it is charged at once, waits for its time, and is delivered after it', async () => {
    await future(DUE / 1000);
    expect(demo().credit).toBe(10_000_000_000 - 2840);
    const [id = ''] = sandbox.ledger.sends().at(-1)?.messageIds ?? [];
    const row = { messageid: BigInt(id), number: '+989121111111' };
    const ask = async (path: string) => (await v3(sandbox, path, `{"messageid":[${id}]}`)).json;
    const waiting = { entries: [{ ...row, state: 0, status: 'زمان‌بندی شده' }] };
    expect(await ask('sms/status')).toMatchObject(waiting);
    expect(await ask('sms/select')).toMatchObject(waiting);
    expect((await v1(sandbox, 'sms/status', `{"idArray":[${id}]}`)).json).toMatchObject({
      result: { result: [{ status: 0 }] },
    });
    sandbox.world.advance(DUE - NOW);
    expect(await ask('sms/status')).toMatchObject({ entries: [{ ...row, state: 1 }] });
    sandbox.world.advance(5000);
    expect(await ask('sms/status')).toMatchObject({ entries: [{ ...row, state: 4 }] });
  });

  test('no list shows it before its time, and then it is the one that was sent last', async () => {
    await future(DUE / 1000);
    await sendOn(3, sandbox, { message: 'at once' });
    const span = { startdate: NOW / 1000, enddate: DUE / 1000 };
    const lists = async () => {
      const texts = async (path: string, parameters: object) => {
        const { json } = await v3(sandbox, `sms/${path}`, parameters);
        return (json as { entries: { message: string }[] }).entries.map(({ message }) => message);
      };
      return {
        range: await texts('selectoutbox', { startdate: DUE / 1000 - 86_400, enddate: DUE / 1000 }),
        newest: await texts('latestoutbox', {}),
        number: await texts('statusbynumber', { number: PLAIN, startdate: NOW / 1000 }),
        count: (await v3(sandbox, 'sms/countoutbox', span)).json,
        latest: [(await v3(sandbox, 'sms/latest')).json, (await v1(sandbox, 'sms/latest')).json],
      };
    };
    const latest = (message: string) => [{ data: { message } }, { result: { details: { message } } }];
    expect(await lists()).toMatchObject({
      newest: ['at once'],
      number: ['at once'],
      count: { data: { sumcount: 1 } },
      latest: latest('at once'),
    });
    sandbox.world.advance(DUE - NOW);
    expect(await lists()).toMatchObject({
      range: ['x'],
      newest: ['x', 'at once'],
      number: ['x', 'at once'],
      count: { data: { sumcount: 2 } },
      latest: latest('x'),
    });
  });

  test.each([
    ['the present', NOW / 1000],
    ['the past', '1405/06/29 17:43'],
    ['a day that Esfand does not have', '1406/12/30 10:00'],
    ['a day that September does not have', '2026-09-31 10:00'],
    ['an hour that no day has', { year: 1405, month: 8, day: 1, hour: 24, min: 0 }],
    ['words', 'tomorrow'],
    ['a list', [1]],
    ['parts that lack the hour', { year: 1405, month: 8, day: 1 }],
  ])('%s is a wrong time', async (_, sendDate) => {
    expect(await future(sendDate)).toEqual({ status: 200, result: { status: 26 } });
    expect(demo().credit).toBe(10_000_000_000);
  });
});

describe('sends to a phonebook', () => {
  const send = async (change: object = {}) => {
    const bookId = demo().phonebooks.all()[1]?.id;
    const body = { from: LINE, recipients: [], bookId, message: 'سلام', type: 0, ...change };
    return (await v1(sandbox, 'sms/phonebook-send', body)).json;
  };

  test('all numbers of the book get it, and the recipients besides, each once', async () => {
    expect(await send({ recipients: ['+989121110004', PLAIN] })).toEqual({
      status: 200,
      result: { status: 0, id: expect.any(BigInt) },
    });
    expect(sandbox.ledger.sends().at(-1)).toMatchObject({
      operation: 'phonebook-send',
      recipients: ['9121110004', '9121110005', '9121111111'],
      cost: 3 * 1420,
    });
  });

  test('a book may be longer than a list of recipients', async () => {
    const numbers = Array.from({ length: 450 }, (_, index) => `09${121_000_000 + index}`);
    const book = demo().phonebooks.create({ title: 'long', flag: 'long', numbers });
    if ('refused' in book) throw new Error(book.refused);
    expect(await send({ bookId: book.id })).toMatchObject({ result: { status: 0 } });
    expect(sandbox.ledger.sends().at(-1)?.recipients).toHaveLength(450);
  });

  test('without a list of recipients it goes to the book alone', async () => {
    expect(await send({ recipients: undefined })).toMatchObject({ result: { status: 0 } });
    expect(sandbox.ledger.sends().at(-1)?.recipients).toHaveLength(2);
  });

  test.each([
    ['an unknown book', { bookId: 5 }, 40],
    ['a recipient that is none', { recipients: ['12'] }, 28],
    ['an empty message', { message: '' }, 24],
    ['an unknown line', { from: '1' }, 23],
  ])('%s is refused', async (_, change, code) => {
    expect(await send(change)).toEqual({ status: 200, result: { status: code } });
  });

  test('an empty book has no recipient', async () => {
    const id = demo().phonebooks.all()[1]?.id ?? 0;
    demo().phonebooks.removeNumbers(id, ['09121110004', '09121110005']);
    expect(await send()).toEqual({ status: 200, result: { status: 25 } });
  });
});
