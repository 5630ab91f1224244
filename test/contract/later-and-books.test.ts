import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { FRESH, FRESH_LINE, START, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

/** Facets that version 1 alone has. */
const VERSION_1 = FRESH.filter(({ version }) => version === 1);
const NUMBERS = ['989121110001', '989121110002', '989121110003'];
const PRICE = 1420;

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
  await bench.addFresh();
});
afterEach(() => bench.close());

/** A moment as its parts in the calendar and the time of Iran. */
function inIran(seconds: number) {
  const format = new Intl.DateTimeFormat('en-US-u-ca-persian-nu-latn', {
    timeZone: 'Asia/Tehran',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(seconds * 1_000).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

describe.each(VERSION_1)('a future send with $title', (account) => {
  const request = { line: FRESH_LINE, recipients: NUMBERS, text: 'سلام', flash: false };

  test('is taken now and goes out at its time', async () => {
    const gateway = bench.open(account);

    const answer = await gateway.use('futureSend').sendLater({ ...request, at: inIran(START + 3_600) });

    if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${answer.outcome}`);
    const [{ id }] = answer.messageIds;
    const [before] = await gateway.use('reports').status([id]);
    bench.advance(3_700);
    const [after] = await gateway.use('reports').status([id]);
    expect(before?.state.kind).not.toBe('delivered');
    expect(after?.state.kind).toBe('delivered');
  });

  test('is rejected for a time that has passed', async () => {
    const answer = await bench
      .open(account)
      .use('futureSend')
      .sendLater({ ...request, at: inIran(START - 3_600) });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 26, name: 'wrong_send_time' });
  });

  test('is not written behind a shut fence', async () => {
    const gateway = bench.open(account);
    const before = await gateway.use('credit').credit();
    const hooks = { beforeWrite: () => Promise.resolve(false) };

    const answer = await gateway
      .use('futureSend')
      .sendLater({ ...request, at: inIran(START + 3_600) }, hooks);

    expect(answer).toEqual({ outcome: 'not_sent', reason: 'fence' });
    expect(await gateway.use('credit').credit()).toBe(before);
  });
});

describe.each(VERSION_1)('a send to a phonebook with $title', (account) => {
  const openBook = async () => {
    const gateway = bench.open(account);
    await gateway.use('phonebookWrite').create({ name: 'a', numbers: NUMBERS.slice(0, 2), flag: 'f' });
    const book = await gateway.use('phonebookRead').byName('a');
    return { gateway, bookId: book?.id ?? '' };
  };
  const request = { line: FRESH_LINE, recipients: [], text: 'سلام، علی', flash: false };

  test('goes to the numbers of the book', async () => {
    const { gateway, bookId } = await openBook();
    const before = await gateway.use('credit').credit();

    const answer = await gateway.use('phonebookSend').sendToBook({ ...request, bookId });

    expect(answer.outcome).toBe('accepted');
    expect(before - (await gateway.use('credit').credit())).toBe(2 * PRICE);
    expect(await gateway.use('reports').latest()).toMatchObject({ text: request.text });
  });

  test('goes to further numbers as well', async () => {
    const { gateway, bookId } = await openBook();
    const before = await gateway.use('credit').credit();

    const answer = await gateway
      .use('phonebookSend')
      .sendToBook({ ...request, bookId, recipients: NUMBERS.slice(2) });

    expect(answer.outcome).toBe('accepted');
    expect(before - (await gateway.use('credit').credit())).toBe(3 * PRICE);
  });

  test('is one effect when the answer is lost', async () => {
    const { gateway, bookId } = await openBook();
    const before = await gateway.use('credit').credit();
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    const answer = await gateway.use('phonebookSend').sendToBook({ ...request, bookId });

    expect(answer).toMatchObject({ outcome: 'unknown' });
    expect(before - (await gateway.use('credit').credit())).toBe(2 * PRICE);
  });

  test('to a book that is not there is refused as such', async () => {
    const { gateway } = await openBook();
    const answer = await gateway.use('phonebookSend').sendToBook({ ...request, bookId: '999999' });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 40, name: 'no_such_record' });
  });
});
