import { describe, expect, test } from 'vitest';
import { jalaliDayOf } from '../../src/domain/calendar.ts';
import { createTables } from '../../src/tables/tables.ts';
import { DAY_MS, GATEWAY_ERRORS, historyIn, mobile } from '../support/history.ts';
import { plain, rows, talkIn, type TestAccount } from '../support/talk.ts';
import { DEMO_LINE, startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* Sent messages as the gateway lists them: of a time, the latest, and to one number. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 1 });
const on = made(historyIn);

const TEHRAN = 'Asia/Tehran';

const listings = (account: TestAccount, operation = 'selectoutbox') => on.calls(account, operation);

const numbersIn = (text: string): string[] => text.match(/09\d{9}/g) ?? [];

describe.concurrent('/outbox', () => {
  test('lists a time of several days page by page, newest first, with what it adds up to', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 23; n += 1) on.sent(account, mobile(n), { days: n % 7, text: `Text ${n}` });
    on.sent(account, '09121110000', { days: 1, text: 'lost', line: '50001234' });
    on.sent(account, mobile(30), { days: 8, text: 'too old' });

    const first = await talk.asks(sara, sara, '/outbox 7d', 'Sent');
    const text = plain(first);
    expect(text).toContain('24 messages to 24 numbers');
    expect(text).toContain('✅ delivered 23 · ❌ not delivered 1');
    expect(numbersIn(text)).toHaveLength(10);
    expect(text).toContain('line 50001234');
    expect(rows(first)).toEqual([['1 / 3', '▶'], ['⬇ CSV']]);
    expect(listings(account)).toHaveLength(7);

    await talk.presses(sara, first, '▶');
    const second = await talk.turns(first, (m) => rows(m).flat().includes('2 / 3'));
    expect(rows(second)).toEqual([['◀', '2 / 3', '▶'], ['⬇ CSV']]);
    await talk.presses(sara, second, '▶');
    const third = await talk.turns(first, (m) => rows(m).flat().includes('3 / 3'));
    expect(rows(third)).toEqual([['◀', '3 / 3'], ['⬇ CSV']]);
    const all = [first, second, third].flatMap((page) => numbersIn(plain(page)));
    expect(all).toHaveLength(24);
    expect(new Set(all).size).toBe(24);
    expect(all).not.toContain(mobile(30));
    const texts = [first, second, third].map(plain).join('\n');
    expect(texts.indexOf('Text 0')).toBeLessThan(texts.indexOf('Text 6'));

    // Every press is of the time that was asked for, not of the one when it is pressed.
    const spans = await world.database.sql`
      select distinct b.payload ->> 'from' as since, b.payload ->> 'to' as until
      from button b join chat c on c.id = b.chat_id
      where c.telegram_id = ${sara.id} and b.action like 'outbox.%'`;
    expect(spans).toHaveLength(1);
  });

  test('is of today so far without a time, and says when there is nothing', async () => {
    const { sara, account } = await on.linked();
    const none = await talk.asks(sara, sara, '/outbox', 'Nothing was sent in this period');
    expect(rows(none)).toEqual([]);
    expect(listings(account)).toHaveLength(1);
    on.sent(account, mobile(1));
    const one = await talk.asks(sara, sara, '/outbox 24h', '1 message to 1 number');
    expect(rows(one)).toEqual([['⬇ CSV']]);
  });

  test('of today has what was sent a moment ago, though the gateway’s clock is ahead', async () => {
    const own = await startWorld({}, { deliverySeconds: 1 });
    try {
      const { asks, presses, turns, account, connects, errors } = talkIn(own);
      const nima = own.driver.user({ first_name: 'Nima', language_code: 'en' });
      await connects(nima, { apiKey: account().apiKey });
      // Ahead, and still in the same day of Tehran.
      const left = DAY_MS - ((Date.now() + 3.5 * 3_600_000) % DAY_MS);
      own.sandbox.world.advance(Math.min(10 * 60_000, left / 2));
      const draft = await asks(nima, nima, '/send 09121234567 Hello', '#A1');
      await presses(nima, draft, '✅ Send');
      await turns(draft, /1 (accepted|delivered)/);
      for (const line of ['/outbox', '/outbox 24h', '/outbox 7d'])
        expect(plain(await asks(nima, nima, line, 'Sent')), line).toContain('1 message to 1 number');
      expect(plain(await asks(nima, nima, '/count', 'Count'))).toContain('1 message');
      expect(errors()).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test('gives all of it as a file, however many pages there are', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 12; n += 1) on.sent(account, mobile(n), { days: n % 3, text: `=Text ${n}` });
    const list = await talk.asks(sara, sara, '/outbox 7d', '12 messages');
    await talk.presses(sara, list, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, list.message_id);
    expect(file.document?.file_name).toMatch(/^outbox-20\d\d-\d\d-\d\d_20\d\d-\d\d-\d\d\.csv$/);
    expect(plain(file)).toContain('12 messages');
    const [header, ...body] = await createTables().read({ name: 'a.csv', content: talk.fileOf(file) });
    expect(header).toEqual([
      'date',
      'number',
      'line',
      'state',
      'gateway state',
      "gateway's word",
      'message id',
      'text',
      'first network',
    ]);
    expect(body).toHaveLength(12);
    expect(body.map(([, to = '']) => to).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, n) => mobile(n)).toSorted(),
    );
    const [newest] = body;
    expect(newest?.[0]).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(newest?.slice(2, 5)).toEqual([DEMO_LINE, 'delivered', '10']);
    expect(newest?.[6]).toMatch(/^\d{19}$/);
    expect(newest?.[7]).toMatch(/^=Text \d+$/);
  });

  test('reads Jalali days in Persian, and answers with Jalali dates and Persian digits', async () => {
    const { sara, account } = await on.linked('fa');
    for (const days of [1, 2, 3, 4]) on.sent(account, mobile(days), { days, text: `متن ${days}` });
    const typed = (days: number): string => {
      const { year, month, day } = jalaliDayOf(new Date(Date.now() - days * DAY_MS - 2000), TEHRAN);
      const two = (part: number): string => String(part).padStart(2, '0');
      return `${year}/${two(month)}/${two(day)}`.replaceAll(
        /\d/g,
        (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '',
      );
    };
    const list = await talk.asks(sara, sara, `/outbox از ${typed(3)} تا ${typed(2)}`, 'ارسال‌شده‌ها');
    expect(plain(list)).toContain('۲ پیام به ۲ شماره');
    expect(plain(list)).toContain('✅ تحویل شد ۲');
    expect(numbersIn(plain(list)).toSorted()).toEqual([mobile(2), mobile(3)]);
    expect(plain(list)).toMatch(/[۰-۹]{1,2} \p{L}+ ۱۴[۰-۹]{2}/u);
    await talk.presses(sara, list, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, list.message_id);
    const [header, newest] = await createTables().read({ name: 'a.csv', content: talk.fileOf(file) });
    expect(header?.slice(0, 4)).toEqual(['تاریخ', 'شماره', 'خط', 'وضعیت']);
    expect(newest?.[0]).toMatch(/^14\d\d\/\d\d\/\d\d /);
    expect(newest?.[3]).toBe('تحویل شد');
  });

  test('latest gives the newest of any time, in both languages', async () => {
    const { sara, account } = await on.linked();
    for (const days of [0, 50, 400]) on.sent(account, mobile(days), { days });
    // Linking has looked there too, for the lines that the account sends by.
    const before = listings(account, 'latestoutbox').length;
    const list = await talk.asks(sara, sara, '/outbox latest', '3 messages to 3 numbers');
    expect(numbersIn(plain(list))).toEqual([mobile(0), mobile(50), mobile(400)]);
    expect(listings(account)).toEqual([]);
    expect(listings(account, 'latestoutbox')).toHaveLength(before + 1);
    await talk.presses(sara, list, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, list.message_id);
    expect(file.document?.file_name).toBe('outbox-latest.csv');
    await talk.asks(sara, sara, '/outbox آخرین', '3 messages to 3 numbers');
  });

  test('of one line lists that alone; of a card or a tag it is their report', async () => {
    const { sara, account } = await on.linked();
    on.sent(account, mobile(1), { text: 'by the own line' });
    on.sent(account, mobile(2), { text: 'by another', line: '50001234' });
    for (const typed of ['7d line:50001234', '50001234']) {
      const list = await talk.asks(sara, sara, `/outbox ${typed}`, '1 message to 1 number');
      expect(plain(list)).toMatch(/📞 line 50001234 only\n[\s\S]*by another/u);
    }
    await talk.asks(sara, sara, `/send ${mobile(0)} Hello`, '#A1');
    await talk.asks(sara, sara, '/outbox A1', 'nothing of it was sent');
    await talk.asks(sara, sara, '/outbox #sale', 'sent nothing with this tag');
  });

  test.each(['next week maybe', '2026-11-10 2026-11-01', '7', '2026-02-30'])(
    'asks again for a time that it cannot read: %s',
    async (typed) => {
      const { sara, account } = await on.linked();
      on.sent(account, mobile(1));
      const asked = await talk.asks(sara, sara, `/outbox ${typed}`, 'as a time in the past');
      expect(plain(asked)).toContain('latest');
      expect(listings(account)).toEqual([]);
      await talk.asks(sara, sara, '24h', '1 message to 1 number');
    },
  );

  test('says how long a time may be, and asks the gateway nothing when it is longer', async () => {
    const { sara, account } = await on.linked();
    const told = await talk.asks(sara, sara, '/outbox 40d', 'at most 31 days');
    expect(plain(told)).toContain('That is 40 days');
    expect(listings(account)).toEqual([]);
    await talk.asks(sara, sara, '/outbox 31d', 'Nothing was sent');
    expect(listings(account)).toHaveLength(31);
  });

  test('shows the days that it could read, and names the one that it could not', async () => {
    const { sara, account } = await on.linked();
    for (const days of [0, 1, 2]) on.sent(account, mobile(days), { days });
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'selectoutbox', times: 1 });
    const list = await talk.asks(sara, sara, '/outbox 3d', '⚠ Missing here: ');
    expect(plain(list)).toContain('2 messages to 2 numbers');
    expect(plain(list)).toMatch(/Missing here: \d{1,2} \w+ 20\d\d.*answered something I cannot read/);
    on.harm(account, { kind: 'error', status: 400, operation: 'selectoutbox', times: 1 });
    await talk.presses(sara, list, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, list.message_id);
    expect(plain(file)).toMatch(/2 messages\n⚠ Missing here: .*The gateway refused/);
    // The next look has nothing in its way.
    await talk.asks(sara, sara, '/outbox 3d', '3 messages to 3 numbers');
  });

  test('does not say that nothing was sent when it does not know', async () => {
    const { sara, account } = await on.linked();
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'selectoutbox', times: 1 });
    const told = await talk.asks(sara, sara, '/outbox 3d', 'in the days that could be read');
    expect(plain(told)).toContain('⚠ Missing here: ');
  });

  test('turns no page once the account is unlinked', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 12; n += 1) on.sent(account, mobile(n));
    const list = await talk.asks(sara, sara, '/outbox 24h', '12 messages');
    await world.database.sql`
      update binding b set state = 'gone', credentials = null from chat c
      where c.id = b.chat_id and c.telegram_id = ${sara.id}`;
    await talk.presses(sara, list, '▶');
    await talk.hears(sara, 'No gateway account is linked to this chat any more', list.message_id);
    expect(listings(account)).toHaveLength(2);
  });

  test.each(GATEWAY_ERRORS)('tells it when the gateway $name', async ({ rule, says }) => {
    const { sara, account } = await on.linked();
    on.harm(account, { ...rule, operation: 'selectoutbox' });
    const told = await talk.asks(sara, sara, '/outbox 7d', says);
    expect(plain(told)).not.toContain('Nothing was sent');
    on.harm(account, { ...rule, operation: 'latestoutbox' });
    await talk.asks(sara, sara, '/outbox latest', says);
  });
});

describe.concurrent('/track', () => {
  test('lists what was sent to one number, newest first, with its states', async () => {
    const { sara, account } = await on.linked();
    const to = '09121110000';
    for (const days of [0, 3, 20]) on.sent(account, to, { days, text: `Day ${days}` });
    on.sent(account, mobile(1));
    const list = await talk.asks(sara, sara, `/track ${to}`, `${to} · since`);
    const text = plain(list);
    expect(text).toContain('2 messages');
    expect(text).toContain('❌ not delivered');
    expect(text.indexOf('Day 0')).toBeLessThan(text.indexOf('Day 3'));
    expect(text).not.toContain('Day 20');
    const more = await talk.asks(sara, sara, '/track +989121110000 30d', `${to} · since`);
    expect(plain(more)).toContain('Day 20');
    expect(listings(account, 'statusbynumber')).toHaveLength(2);
  });

  test.each(['/status', '/report', '/outbox'])('is what %s of a mobile number gives', async (command) => {
    const { sara, account } = await on.linked();
    for (const days of [0, 20]) on.sent(account, mobile(7), { days, text: `Day ${days}` });
    const list = await talk.asks(sara, sara, `${command} ${mobile(7)}`, `${mobile(7)} · since`);
    expect(plain(list)).toContain('Day 0');
    await talk.asks(sara, sara, `${command} +98${mobile(7).slice(1)} 30d`, 'Day 20');
  });

  test('takes the number and the time in Persian, and a day as the beginning', async () => {
    const { sara, account } = await on.linked('fa');
    const { year, month, day } = jalaliDayOf(new Date(Date.now() - 10 * DAY_MS), TEHRAN);
    for (const days of [2, 12]) on.sent(account, mobile(5), { days, text: `متن ${days}` });
    const list = await talk.asks(sara, sara, `/track ۰۹۱۲۱۱۱۱۱۱۶ ${year}/${month}/${day}`, '۱ پیام');
    expect(plain(list)).toContain('متن 2');
    expect(plain(list)).toContain('✅ تحویل شد');
    await talk.asks(sara, sara, '/track ۰۹۱۲۱۱۱۱۱۱۶ ۳۰ روز', '۲ پیام');
  });

  test('asks for the number that is missing or wrong, and for a time that it cannot read', async () => {
    const { sara, account } = await on.linked();
    on.sent(account, mobile(1));
    await talk.asks(sara, sara, '/track', 'Which mobile number?');
    await talk.asks(sara, sara, 'my mother', 'is not one mobile number');
    await talk.asks(sara, sara, mobile(1), '1 message');
    await talk.asks(sara, sara, `/track ${mobile(1)} ${mobile(2)}`, 'one at a time');
    await talk.asks(sara, sara, '/cancel', 'Question cancelled');
    await talk.asks(sara, sara, `/track ${mobile(1)} some time ago`, 'as a time in the past');
    await talk.asks(sara, sara, 'yesterday', '1 message');
    expect(listings(account, 'statusbynumber')).toHaveLength(2);
  });

  test('says that there may be more when the gateway gives no more, and how to see them', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 60; n += 1)
      on.sent(account, mobile(1), { text: `A text of some length, number ${n}` });
    const list = await talk.asks(sara, sara, `/track ${mobile(1)}`, 'at most 50 at once');
    expect(plain(list)).toMatch(/\/outbox 20\d\d-\d\d-\d\d/);
    expect(rows(list)).toEqual([['🔎 The last 24 hours']]);
    const file = await talk.hears(sara, (m) => m.document !== undefined, list.message_id);
    expect(file.document?.file_name).toBe(`track-${mobile(1)}.csv`);
    const table = await createTables().read({ name: 'a.csv', content: talk.fileOf(file) });
    expect(table).toHaveLength(51);
    await talk.presses(sara, list, '🔎 The last 24 hours');
    const day = await talk.hears(sara, 'at most 50 at once', file.message_id);
    expect(rows(day)).toEqual([]);
  });

  test('says when nothing was sent to the number, and looks further back by a press where no number is shown', async () => {
    const { sara, account } = await on.linked();
    const group = world.driver.group({ creator: sara });
    await talk.connects(sara, { apiKey: account.apiKey }, { chat: group });
    on.sent(account, mobile(9), { days: 20, text: 'Day 20' });
    const none = await talk.asks(sara, group, `/track ${mobile(9)}`, 'Nothing was sent to');
    expect(plain(none)).not.toContain(mobile(9));
    expect(rows(none)).toEqual([['🔎 The last 90 days']]);
    await talk.presses(sara, none, '🔎 The last 90 days');
    const found = await talk.hears(group, (m) => plain(m).includes('Day 20'), none.message_id);
    expect(rows(found)).toEqual([]);
    const never = await talk.asks(sara, group, `/track ${mobile(8)} 90d`, 'Nothing was sent to');
    expect(rows(never)).toEqual([]);
  });

  test.each(GATEWAY_ERRORS)('tells it when the gateway $name', async ({ rule, says }) => {
    const { sara, account } = await on.linked();
    on.harm(account, { ...rule, operation: 'statusbynumber' });
    const told = await talk.asks(sara, sara, `/track ${mobile(1)}`, says);
    expect(plain(told)).not.toContain('Nothing was sent');
  });
});

describe.concurrent('both', () => {
  test.each(['/outbox', '/outbox latest', '/track 09121234567'])(
    'need a role, an account, and one that can: %s',
    async (command) => {
      const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
      const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
      const nobody = world.driver.user({ first_name: 'Nora', language_code: 'en' });
      const group = world.driver.group({ creator: owner, members: [viewer, nobody] });
      await talk.asks(nobody, group, command, 'No gateway account is linked');
      const account = talk.account();
      await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
      await talk.gives('viewer', viewer, group);
      on.sent(account, '09121234567');
      await talk.asks(nobody, group, command, 'needs the role viewer');
      const list = await talk.asks(viewer, group, command, '1 message');
      if (rows(list).length > 0) {
        expect(await talk.presses(nobody, list, '⬇')).toContain('does not allow');
        await talk.presses(viewer, list, '⬇');
        await talk.hears(group, (m) => m.document !== undefined, list.message_id);
      }

      const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
      await talk.connects(sara, { token: talk.account().token });
      await talk.asks(sara, sara, command, /cannot do this.*an API key/);
    },
  );
});
