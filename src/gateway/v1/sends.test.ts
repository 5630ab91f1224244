import { describe, expect, test } from 'vitest';

import { SEND } from '../testing/accounts.ts';
import { exchange, failureOf, rest, v1 } from '../testing/exchange.ts';

const at = { year: '1404', month: '12', day: '29', hour: '23', minute: '05' };
const PATTERN = {
  line: '3000123456',
  recipients: ['989120000001'],
  patternId: '218',
  variables: { name: 'علی', Code: '0012' },
  flash: false,
};
const allow = { beforeWrite: () => Promise.resolve(true) };

describe('a future send of version 1', () => {
  test('says when, by parts, and asks for no repetition', async () => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, id: 9 }));

    const answer = await gateway.use('futureSend').sendLater({ ...SEND, at }, allow);
    await gateway.use('futureSend').sendLater({ ...SEND, at, retries: '3', period: '7' });

    expect(answer).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '9' }] });
    const fields = {
      from: '3000123456',
      recipients: ['09120000001', '09120000002'],
      message: SEND.text,
      sendDate: { year: '1404', month: '12', day: '29', hour: '23', min: '05' },
    };
    expect(seen()).toMatchObject([
      { method: 'POST', path: '/sms/future-send', json: { ...fields, prtrys: '0', sentPeriod: '0' } },
      { json: { ...fields, prtrys: '3', sentPeriod: '7' } },
    ]);
  });

  test('says when as one text where the deployment says so', async () => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, id: 9 }), { isV1Plain: true });
    await gateway.use('futureSend').sendLater({ ...SEND, at });
    expect(seen()).toMatchObject([{ json: { sendDate: '1404/12/29 23:05' } }]);
  });

  test('is rejected for a wrong time', async () => {
    const { gateway } = await exchange(1, v1({ status: 26 }));
    expect(await gateway.use('futureSend').sendLater({ ...SEND, at })).toMatchObject({
      outcome: 'rejected',
      name: 'wrong_send_time',
    });
  });
});

describe('a send by pattern', () => {
  test('of version 1 names its variables and type', async () => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, id: 13_378_001_234_567 }));

    const answer = await gateway.use('pattern').sendPattern({ ...PATTERN, flash: true }, allow);

    expect(answer).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '13378001234567' }] });
    expect(seen()[0]).toMatchObject({
      method: 'POST',
      path: '/sms/pattern-send',
      json: {
        from: '3000123456',
        recipients: ['09120000001'],
        message: PATTERN.variables,
        patternId: 218,
        type: 1,
      },
    });
    expect(gateway.use('pattern').recipientsLimit).toBe(200);
  });

  test('of version 3 goes to one recipient, without a type, and compares no text', async () => {
    const data = {
      messageid: 8,
      message: 'علی عزیز، کد 0012',
      state: 'فعال',
      from: '+983000123456',
      date: 1,
    };
    const { gateway, seen } = await exchange(3, rest({ data }));
    const pattern = gateway.use('pattern');

    expect(await pattern.sendPattern(PATTERN, allow)).toMatchObject({
      outcome: 'accepted',
      messageIds: [{ id: '8' }],
    });
    expect(seen()[0]?.path).toBe('/sms/pattern-send');
    expect(seen()[0]?.json).toEqual({
      from: '3000123456',
      recipients: ['09120000001'],
      message: PATTERN.variables,
      pattern_id: 218,
    });
    expect(await failureOf(pattern.sendPattern({ ...PATTERN, recipients: SEND.recipients }))).toMatchObject({
      code: 'bad_input',
      params: { field: 'recipients', reason: 'too_many', limit: pattern.recipientsLimit },
    });
    expect(await failureOf(pattern.sendPattern({ ...PATTERN, flash: true }))).toMatchObject({
      params: { field: 'flash', reason: 'needs_version_1' },
    });
    expect(seen()).toHaveLength(1);
  });

  test('is rejected when the pattern is not active', async () => {
    const { gateway } = await exchange(3, rest({}, 400, 'خطا در ارسال پیام: کد 29'));
    expect(await gateway.use('pattern').sendPattern(PATTERN)).toMatchObject({
      outcome: 'rejected',
      code: 29,
      name: 'pattern_not_active',
    });
  });

  test('stays unknown when version 3 answers for another line', async () => {
    const { gateway } = await exchange(3, rest({ data: { messageid: 8, from: '1000' } }));
    expect(await gateway.use('pattern').sendPattern(PATTERN)).toMatchObject({
      outcome: 'unknown',
      reason: 'echo_differs',
    });
  });

  test('without variables sends an object without members', async () => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, id: 1 }));
    await gateway.use('pattern').sendPattern({ ...PATTERN, variables: {} });
    expect(seen()[0]?.json).toMatchObject({ message: {} });
  });
});

describe('a send to a phonebook', () => {
  const BOOK = {
    line: '3000123456',
    bookId: '1152921504606846977',
    recipients: [],
    text: 'سلام',
    flash: false,
  };

  test('needs no recipients of its own and keeps every digit of the book', async () => {
    const { gateway, seen } = await exchange(1, `{"status":200,"result":{"status":0,"id":[5,6,7]}}`);

    const answer = await gateway.use('phonebookSend').sendToBook(BOOK, allow);

    expect(answer).toMatchObject({
      outcome: 'accepted',
      messageIds: [{ id: '5' }, { id: '6' }, { id: '7' }],
    });
    expect(seen()[0]).toMatchObject({
      method: 'POST',
      path: '/sms/phonebook-send',
      json: { from: '3000123456', recipients: [], message: 'سلام', type: 0 },
    });
  });

  test('is refused when there is no such book', async () => {
    const { gateway } = await exchange(1, v1({ status: 40 }));
    expect(await gateway.use('phonebookSend').sendToBook(BOOK)).toMatchObject({
      outcome: 'rejected',
      code: 40,
      name: 'no_such_record',
    });
  });
});

test.each(['futureSend', 'pattern', 'phonebookSend'] as const)(
  'a fence that stays shut writes nothing for %s',
  async (facet) => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, id: 1 }));
    const hooks = { beforeWrite: () => Promise.resolve(false) };
    const run = {
      futureSend: () => gateway.use('futureSend').sendLater({ ...SEND, at }, hooks),
      pattern: () => gateway.use('pattern').sendPattern(PATTERN, hooks),
      phonebookSend: () => gateway.use('phonebookSend').sendToBook({ ...SEND, bookId: '1' }, hooks),
    };
    expect(await run[facet]()).toEqual({ outcome: 'not_sent', reason: 'fence' });
    expect(seen()).toEqual([]);
  },
);
