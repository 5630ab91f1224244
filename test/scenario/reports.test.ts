import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { jalaliDayOf } from '../../src/domain/calendar.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { createTables } from '../../src/tables/tables.ts';
import { DAY_MS, GATEWAY_ERRORS, historyIn, mobile } from '../support/history.ts';
import { given, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { jobsOf, rewriteReports } from '../support/reported.ts';

/* What became of messages: by card, by time and by id. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 1 });
const on = made(historyIn);

/** Below every report of a time. */
const TIMES = [
  ['Today', 'Yesterday'],
  ['7 days', 'This month'],
];
/** Rial for a part of Latin text in the sandbox. */
const PRICE = 2840;

/** Sends to these numbers and waits until their reports have come. */
async function campaign(
  person: Person,
  to: readonly string[],
  until: RegExp,
  place: Person | number = person,
) {
  const card = await talk.asks(person, place, `/send ${to.join(' ')} Good morning`, /#A\d/);
  await talk.presses(person, card, '✅');
  return await talk.turns(card, until);
}

async function tableIn(file: Message) {
  const name = file.document?.file_name ?? '';
  return await createTables().read({ name, content: talk.fileOf(file) });
}

describe.concurrent('/report of a card', () => {
  test('says where each recipient stands, with shares, who confirmed it, when, and the gateway’s words', async () => {
    const { sara } = await on.linked();
    await campaign(sara, [mobile(0), mobile(1), '09121110000', '09121111901'], /2 not delivered/);
    const report = await talk.asks(sara, sara, '/report A1', '#A1 · as of');
    const text = plain(report);
    expect(text).toContain('Good morning');
    expect(text).toContain('by Sara · line 3000123456');
    expect(text).toMatch(/Confirmed \w{3} \d+ \w{3} 20\d\d, \d\d:\d\d · started \d\d:\d\d · ended \d\d:\d\d/);
    expect(text).toContain('4 recipients · 4 parts\n');
    expect(text).toContain('✅ delivered: 2 · 50%');
    expect(text).toContain('❌ not delivered: 2 · 50%');
    expect(text).toContain('Not delivered: 1 did not reach the handset · 1 did not reach the network');
    expect(text).not.toMatch(/unknown|not sent/);
    expect(rows(report)).toEqual([['❌ See 2', '🔁 Resend to 2'], ['⬇ CSV', '⬇ XLSX'], ['🔄 Refresh']]);
  });

  test('gives a file of either kind with one row for each recipient', async () => {
    const { sara, account } = await on.linked();
    await campaign(sara, [mobile(0), '09121110000'], /1 not delivered/);
    const report = await talk.asks(sara, sara, '/report #a1', '#A1 · as of');
    for (const kind of ['CSV', 'XLSX']) {
      await talk.presses(sara, report, `⬇ ${kind}`);
      const name = `report-A1.${kind.toLowerCase()}`;
      const file = await talk.hears(sara, (m) => m.document?.file_name === name, report.message_id);
      expect(plain(file)).toBe('📊 #A1 · 2 recipients');
      const [header, ...body] = await tableIn(file);
      expect(header).toEqual([
        'number',
        'message id',
        'state',
        'gateway state',
        "gateway's word",
        'checked at',
        'first network',
      ]);
      const id = given(talk.sends(account.username)[0]?.messageIds[0]);
      const time = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(body).toEqual([
        [mobile(0), id, 'delivered', '4', 'رسیده به گیرنده', time, 'MCI'],
        ['09121110000', id, 'not delivered', '5', 'نرسیده به گیرنده', time, 'MCI'],
      ]);
    }
  });

  test('shows an unknown outcome as unknown, and a refusal with its reason', async () => {
    const { sara, account } = await on.linked('fa');
    const id = on.harm(account, { kind: 'reset', when: 'after', operation: 'send' });
    await campaign(sara, [mobile(0)], /۱ نامعلوم/);
    world.sandbox.faults.remove(id);
    const unknown = await talk.asks(sara, sara, '/report A1', '#A1 · ساعت');
    expect(plain(unknown)).toContain('❔ نامعلوم: ۱ · ۱۰۰٪');
    expect(plain(unknown)).not.toContain('پذیرفته شد');
    expect(plain(unknown)).not.toMatch(/ارسال نشد|تحویل نشد:/);

    on.harm(account, { kind: 'error', code: 23, status: 400, operation: 'send' });
    await campaign(sara, [mobile(1), mobile(2)], /۲ ارسال نشد/);
    const refused = await talk.asks(sara, sara, '/report a۲', '#A2');
    expect(plain(refused)).toContain('⛔ ارسال نشد: پنل پیامک نپذیرفت: ۲ · ۱۰۰٪');
    expect(plain(refused)).toContain('۲ پذیرفته نشد: این خط مال این حساب نیست.');
    await talk.presses(sara, refused, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, refused.message_id);
    const [header, first] = await tableIn(file);
    expect(header).toEqual([
      'شماره',
      'شناسهٔ پیام',
      'وضعیت',
      'کد پنل پیامک',
      'گفتهٔ پنل پیامک',
      'زمان بررسی',
      'اپراتور موبایل اول',
    ]);
    expect(first?.slice(0, 3)).toEqual([mobile(1), '', 'ارسال نشد: پنل پیامک نپذیرفت']);
  });

  test('is brought up to date by its button, again and again, and asks the gateway for no report', async () => {
    const { sara, account } = await on.linked();
    const card = await campaign(sara, [mobile(0)], /1 delivered/);
    const { sql } = world.database;
    const jobs = await jobsOf(sql, sara.id);
    await rewriteReports(sql, jobs, () => ({ kind: 'waiting', raw: '1', text: '' }));
    const before = talk.hits(account.username).length;
    const report = await talk.asks(sara, sara, '/report A1', '⏳ waiting for a report: 1 · 100%');
    expect(await talk.presses(sara, report, '🔄')).toBe('');
    // While it is being answered, a second press is the same wish.
    await talk.settled(sara, sara);
    await rewriteReports(sql, jobs, () => ({ kind: 'delivered' }));
    expect(await talk.presses(sara, report, '🔄')).toBe('');
    await talk.turns(report, '✅ delivered: 1 · 100%');
    // Only what it cost: that is asked until the answer is exact, which it is at once.
    const asked = talk.hits(account.username).slice(before);
    expect(asked.map(({ operation }) => operation)).toEqual(['countoutbox']);
    expect(plain(card)).toContain('1 delivered');
  });

  test('of a draft says that nothing was sent, and of no card that there is none', async () => {
    const { sara } = await on.linked();
    await talk.asks(sara, sara, `/send ${mobile(0)} Hello`, '#A1');
    const told = await talk.asks(sara, sara, '/report A1', 'nothing of it was sent');
    expect(rows(told)).toEqual([]);
    // Who looks for a command to send again finds its button below the report.
    const meant = await talk.asks(sara, sara, '/resend A1', 'Did you mean /report?');
    await talk.presses(sara, meant, '/report');
    await talk.hears(sara, 'nothing of it was sent', meant.message_id);
    await talk.asks(sara, sara, '/report A2', 'There is no card A2 in this chat');
    const other = await on.linked();
    await talk.asks(other.sara, other.sara, '/report A1', 'There is no card A1 in this chat');
  });

  test('of a send that was stopped tells what was left out', async () => {
    const { sara, account } = await on.linked();
    on.harm(account, { kind: 'error', code: 22, status: 400, operation: 'send' });
    await campaign(sara, [mobile(0)], /Stopped: not enough credit/);
    const report = await talk.asks(sara, sara, '/report A1', 'Stopped: not enough credit.');
    expect(plain(report)).toContain('⛔ not sent: refused: 1 · 100%');
    expect(plain(report)).toContain('1 refused: there is not enough credit');
  });

  test('works from what Peyk knows where the account can list nothing', async () => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { token: talk.account().token });
    await campaign(sara, [mobile(0)], /1 delivered/);
    const report = await talk.asks(sara, sara, '/report A1', '✅ delivered: 1 · 100%');
    await talk.presses(sara, report, '⬇ CSV');
    await talk.hears(sara, (m) => m.document?.file_name === 'report-A1.csv', report.message_id);
    const told = await talk.asks(sara, sara, '/report today', /cannot do this.*an API key/);
    expect(plain(told)).toContain('The report of a card still works');
  });
});

describe.concurrent('/report of a time', () => {
  test('adds up states, lines, parts and cost, and says why the rest did not arrive', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 6; n += 1) on.sent(account, mobile(n), { days: n });
    on.sent(account, '09121110000', { line: '50001234' });
    on.sent(account, '09121112200', { days: 2 });
    on.sent(account, mobile(9), { days: 9 });
    on.harm(account, { kind: 'error', code: 23, status: 400, operation: 'send' });
    await campaign(sara, [mobile(1), mobile(2)], /2 not sent/);
    const report = await talk.asks(sara, sara, '/report 7d', 'Report');
    const text = plain(report);
    expect(text).toContain('8 messages to 8 numbers');
    expect(text).toContain('✅ delivered: 6 · 75%');
    expect(text).toContain('❌ not delivered: 2 · 25%');
    expect(text).toContain('Not delivered: 2 did not reach the handset');
    expect(text).toContain('📞 3000123456: 7 messages');
    expect(text).toContain('📞 50001234: 1 message');
    expect(text).toContain(`💰 8 parts · ${(8 * PRICE).toLocaleString('en')} rial · ≈ 2,840 rial a part`);
    expect(text).toContain('2 refused: this sender line does not belong to the account');
    expect(rows(report)).toEqual([...TIMES, ['❌ See 2'], ['⬇ CSV', '⬇ XLSX']]);
    await talk.presses(sara, report, '⬇ XLSX');
    const file = await talk.hears(sara, (m) => m.document !== undefined, report.message_id);
    expect(file.document?.file_name).toMatch(/^outbox-.*\.xlsx$/);
    expect(await tableIn(file)).toHaveLength(9);
  });

  test('says nothing of a price for what was refused whole, though none was known', async () => {
    const { sara, account } = await on.linked();
    on.harm(account, { kind: 'error', code: 23, status: 400, operation: 'send' });
    const card = await campaign(sara, [mobile(1), mobile(2)], /2 not sent/);
    const report = await talk.asks(sara, sara, '/report today', '2 refused');
    expect(plain(report)).not.toContain('🧮');
    expect(plain(card)).not.toContain('price');
  });

  test('is of another time by one press, on the same card', async () => {
    const { sara, account } = await on.linked();
    on.sent(account, mobile(0));
    on.sent(account, mobile(1), { days: 1, line: '50001234' });
    const today = await talk.asks(sara, sara, '/report', '1 message to 1 number');
    await talk.presses(sara, today, '7 days');
    const week = await talk.turns(today, '2 messages to 2 numbers');
    expect(week.photo).toBeDefined();
    await talk.presses(sara, week, 'Yesterday');
    const before = await talk.turns(today, '1 message to 1 number');
    expect(plain(before)).toContain('📞 50001234: 1 message');
    // One line stays that line.
    const ofLine = await talk.asks(sara, sara, '/report 50001234', 'Nothing was sent in this period');
    await talk.presses(sara, ofLine, '7 days');
    const line = await talk.hears(sara, '1 message to 1 number', ofLine.message_id);
    expect(plain(line)).toContain('50001234');
    expect(line.photo).toBeDefined();
    await talk.turns(ofLine, (message) => rows(message).length === 0);
    await talk.presses(sara, line, 'Today');
    const none = await talk.hears(sara, 'Nothing was sent in this period', line.message_id);
    expect(rows(none)).toEqual(TIMES);
    await talk.turns(line, (message) => rows(message).length === 0);
  });

  test('is what /status of a time gives', async () => {
    const { sara, account } = await on.linked();
    on.sent(account, mobile(1), { days: 1 });
    const of = async (command: string) => plain(await talk.asks(sara, sara, `${command} yesterday`, '📊'));
    const report = await of('/report');
    expect(report).toContain('1 message');
    expect(await of('/status')).toBe(report);
  });

  test('goes by the months of the reader’s calendar', async () => {
    const { sara, account } = await on.linked('fa');
    on.sent(account, mobile(0), { text: 'سلام' });
    const today = await talk.asks(sara, sara, '/report', '۱ پیام به ۱ شماره');
    expect(rows(today).slice(0, 2)).toEqual([
      ['دیروز', 'امروز'],
      ['این ماه', '۷ روز'],
    ]);
    await talk.presses(sara, today, 'این ماه');
    const { year, month } = jalaliDayOf(new Date(), 'Asia/Tehran');
    const first = `${year}/${month}/1`;
    const typed = await talk.asks(sara, sara, `/report ${first}..امروز`, '۱ پیام به ۱ شماره');
    // The minute may have passed in between.
    const untimed = (message: Message) => plain(message).replace(/، [۰-۹]+:[۰-۹]+/u, '');
    const pressed = await talk.turns(today, (message) => untimed(message) === untimed(typed));
    expect(rows(pressed)[0]).toEqual(rows(today)[0]);
  });

  test('is of today so far without a time, and reads Jalali days in Persian', async () => {
    const { sara, account } = await on.linked('fa');
    await talk.asks(sara, sara, '/report', 'در این بازه چیزی ارسال نشده است');
    for (const days of [1, 2, 3]) on.sent(account, mobile(days), { days, text: 'سلام' });
    const day = (days: number): string => {
      const { year, month, day: n } = jalaliDayOf(new Date(Date.now() - days * DAY_MS), 'Asia/Tehran');
      return `${year}/${month}/${n}`;
    };
    const report = await talk.asks(sara, sara, `/report ${day(3)}..${day(2)}`, '۲ پیام به ۲ شماره');
    expect(plain(report)).toContain('✅ تحویل شد: ۲ · ۱۰۰٪');
    expect(plain(report)).toContain('💰 ۲ پارت · ۲٬۸۴۰ ریال · هر پارت ≈ ۱٬۴۲۰ ریال');
  });

  test('tells which days it could not read, and that the cost could not be counted', async () => {
    const { sara, account } = await on.linked();
    for (const days of [0, 1, 2]) on.sent(account, mobile(days), { days });
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'selectoutbox', times: 1 });
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'countoutbox' });
    const report = await talk.asks(sara, sara, '/report 3d', '⚠ Missing here: ');
    expect(plain(report)).toContain('2 messages to 2 numbers');
    expect(plain(report)).toContain('Parts and cost could not be counted.');
  });

  test('asks again for what is neither a card nor a time', async () => {
    const { sara } = await on.linked();
    await talk.asks(
      sara,
      sara,
      '/report everything please',
      'as a card, a period in the past, a line or a tag',
    );
    await talk.asks(sara, sara, '2026-11-10 2026-11-01', 'as a card, a period in the past, a line or a tag');
    const report = await talk.asks(sara, sara, 'yesterday', 'Nothing was sent in this period');
    expect(rows(report)).toEqual(TIMES);
    await talk.asks(sara, sara, '/report 90d', 'at most 31 days');
  });

  test.each([
    ['en', '/report nonsense', 'could not read «nonsense»', 'today'],
    ['fa', '/report فلان', '«فلان» را نه', 'امروز'],
    ['en', '/count nonsense', 'could not read «nonsense»', 'today'],
    ['fa', '/outbox فلان', '«فلان» را زمانی', 'امروز'],
  ])('says once what it can read, in %s: %s', async (lang, typed, says, example) => {
    const { sara } = await on.linked(lang);
    const asked = await talk.asks(sara, sara, typed, says);
    expect(plain(asked).split(example)).toHaveLength(2);
  });

  test.each(['/report', '/count'])(
    'names what cannot be read by its beginning alone: %s',
    async (command) => {
      const { sara } = await on.linked();
      const asked = await talk.asks(sara, sara, `${command} ${'nonsense '.repeat(300)}`, 'could not read');
      expect(plain(asked).split('nonsense').length).toBeLessThan(7);
    },
  );

  test.each(GATEWAY_ERRORS)('tells it when the gateway $name', async ({ rule, says }) => {
    const { sara, account } = await on.linked();
    on.harm(account, { ...rule, operation: 'selectoutbox' });
    const told = await talk.asks(sara, sara, '/report today', says);
    expect(plain(told)).not.toContain('Nothing was sent');
  });
});

describe.concurrent('/status', () => {
  test('shows text, recipient and date of messages on demand, as often as asked', async () => {
    const { sara, account } = await on.linked();
    const ids = [0, 1].map((n) => on.sent(account, mobile(n), { text: `Text <${n}>` }));
    const status = await talk.asks(sara, sara, `/status ${ids.join(',')}`, '2 messages');
    expect(plain(status)).toContain(`${given(ids[0])} 09121111111: ✅ delivered`);
    expect(rows(status)).toEqual([['🔎 Details']]);
    for (let press = 0; press < 2; press += 1) {
      const after = given(world.driver.messages(sara).at(-1)).message_id;
      await talk.presses(sara, status, '🔎');
      const details = await talk.hears(sara, 'Details of 2 messages', after);
      expect(plain(details)).toContain('Text <0>');
      expect(plain(details)).toContain(`${given(ids[1])} · ${mobile(1)} · ✅ delivered`);
      await talk.settled(sara, sara);
    }
    expect(on.calls(account, 'select')).toHaveLength(2);
  });

  test('of more than 50 ids asks in groups, and gives all of it as a file', async () => {
    const { sara, account } = await on.linked();
    const ids = Array.from({ length: 120 }, (_, n) => on.sent(account, mobile(n)));
    const status = await talk.asks(sara, sara, `/status ${ids.join(' ')}`, '120 messages');
    expect(plain(status)).toContain('more; all of it is in the file below');
    expect(rows(status)).toEqual([['🔎 Details of the first 20']]);
    expect(on.calls(account, 'status')).toHaveLength(3);
    const file = await talk.hears(sara, (m) => m.document?.file_name === 'status.csv', status.message_id);
    const [header, ...body] = await tableIn(file);
    expect(header).toEqual(['message id', 'number', 'state', 'gateway state', "gateway's word"]);
    expect(body.map(([id]) => id)).toEqual(ids);
    expect(body[119]).toEqual([ids[119], mobile(119), 'delivered', '4', 'رسیده به گیرنده']);
    await talk.presses(sara, status, '🔎');
    const details = await talk.hears(sara, 'Details of 20 messages', file.message_id);
    expect(plain(details)).toContain(mobile(0));
  });

  test('offers no details where the account has none', async () => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(sara, { token: account.token });
    const status = await talk.asks(sara, sara, `/status ${on.sent(account, mobile(0))}`, '1 message');
    expect(rows(status)).toEqual([]);
  });
});

describe.concurrent('both', () => {
  test.each(['/report', '/report A1'])('need a role and an account: %s', async (command) => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
    const nobody = world.driver.user({ first_name: 'Nora', language_code: 'en' });
    const group = world.driver.group({ creator: owner, members: [viewer, nobody] });
    await talk.asks(nobody, group, command, 'No gateway account is linked');
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    await campaign(owner, [mobile(0)], /1 delivered/, group);
    await talk.asks(nobody, group, command, 'needs the role viewer');
    const answer = await talk.asks(viewer, group, command, /1 message|1 recipient/);
    expect(await talk.presses(nobody, answer, '⬇')).toContain('does not allow');
    await talk.presses(viewer, answer, '⬇');
    const file = await talk.hears(group, (m) => m.document !== undefined, answer.message_id);
    // A file is there to be read: its numbers are whole, in a group too.
    expect((await tableIn(file)).flat()).toContain(mobile(0));
  });
});
