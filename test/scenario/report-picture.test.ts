import type { Message } from '@grammyjs/types';
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { PICTURE } from '../../src/ports/charts.ts';
import { createTables } from '../../src/tables/tables.ts';
import { historyIn, mobile } from '../support/history.ts';
import { given, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { jobsOf, rewriteReports } from '../support/reported.ts';

/* Reports with their picture, by card, time and line: the same numbers twice, and what can be done with them. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.5 });
const on = made(historyIn);

/** The picture that came with a message, as it is seen. */
function seen(message: Message) {
  const photo = given(message.photo?.at(-1));
  const { width, height } = PICTURE;
  expect([photo.width, photo.height]).toEqual([width, height]);
  const { bytes } = given(world.playground.control.file(photo.file_id));
  const href = `data:image/png;base64,${bytes.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${href}" width="${width}" height="${height}"/></svg>`;
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render();
}

/** Its colours. */
function coloursOf(message: Message): Set<string> {
  const { pixels } = seen(message);
  const found = new Set<string>();
  // Below the figures: what is coloured there is a bar.
  for (let at = PICTURE.width * 560 * 4; at < pixels.length; at += 4)
    found.add(pixels.toString('hex', at, at + 3));
  return found;
}

const [GOOD, BAD] = ['2fa36b', 'c8383f'];

/** How many bars of the picture are green where they begin. */
function barsOf(message: Message): number {
  const { pixels } = seen(message);
  const row = (PICTURE.height - 100) * PICTURE.width;
  const isGood = (x: number): boolean => pixels.toString('hex', (row + x) * 4, (row + x) * 4 + 3) === GOOD;
  let found = 0;
  for (let x = 1; x < PICTURE.width; x += 1) if (isGood(x) && !isGood(x - 1)) found += 1;
  return found;
}

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

describe.concurrent('the report of a card', () => {
  test('is a picture with the numbers below it, and both are renewed by its button', async () => {
    const { sara } = await on.linked();
    await campaign(sara, [mobile(0), mobile(1), '09121110000'], /1 not delivered/);
    const { sql } = world.database;
    const jobs = await jobsOf(sql, sara.id);
    await rewriteReports(sql, jobs, ({ kind }) => (kind === 'delivered' ? { kind: 'waiting' } : {}));
    const report = await talk.asks(sara, sara, '/report A1', '#A1 · as of');
    expect([...coloursOf(report)]).toEqual(expect.arrayContaining([BAD]));
    expect(coloursOf(report).has(GOOD)).toBe(false);
    await rewriteReports(sql, jobs, ({ kind }) => (kind === 'waiting' ? { kind: 'delivered' } : {}));
    await talk.presses(sara, report, '🔄');
    const renewed = await talk.turns(report, '✅ delivered: 2 · 66.7%');
    expect([...coloursOf(renewed)]).toEqual(expect.arrayContaining([GOOD, BAD]));
  });

  test('lists who got nothing with the reason, and sends it again to them alone', async () => {
    const { sara, account } = await on.linked();
    await campaign(sara, [mobile(0), '09121110000', '09121111901'], /2 not delivered/);
    const report = await talk.asks(sara, sara, '/report A1', '#A1 · as of');
    await talk.presses(sara, report, '❌ See 2');
    const list = await talk.hears(sara, '#A1 · 2 recipients did not get it', report.message_id);
    expect(plain(list)).toContain('09121110000 · did not reach the handset');
    expect(plain(list)).toContain('09121111901 · did not reach the network');
    expect(plain(list)).not.toContain(mobile(0));
    await talk.presses(sara, report, '🔁 Resend to 2');
    const draft = await talk.hears(sara, '#A2', report.message_id);
    await talk.presses(sara, draft, '✅');
    await talk.turns(draft, /2 not delivered/);
    expect(talk.sends(account.username).map(({ recipients }) => recipients.length)).toEqual([3, 2]);
    const after = await talk.asks(sara, sara, '/report A1', '#A1 · as of');
    expect(rows(after).flat()).not.toContain('🔁 Resend to 2');
  });

  test('of a large send shows the minutes in which its deliveries came in', async () => {
    const { sara } = await on.linked();
    const many = Array.from({ length: 120 }, (_, n) => mobile(n));
    await campaign(sara, many, /\d+ delivered/);
    // Four minutes of thirty each; all of them left in one.
    const hour = Math.floor(Date.now() / 3_600_000) * 3600 - 3600;
    await rewriteReports(world.database.sql, await jobsOf(world.database.sql, sara.id), (_, number) => ({
      kind: 'delivered',
      at: hour + (Number(number.slice(-3)) % 4) * 60,
    }));
    const report = await talk.asks(sara, sara, '/report A1', '✅ delivered: 120 · 100%');
    expect(barsOf(report)).toBe(4);
    // No line tells of what nobody has.
    expect(plain(report)).not.toMatch(/(?:^|[\s:])0 /u);
  });

  test('holds what it was thought to cost against what it did', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 30; n += 1) on.sent(account, mobile(n), { days: 1 });
    await talk.asks(sara, sara, `/send ${mobile(40)} First`, '#A1');
    const card = await talk.asks(sara, sara, `/send ${mobile(41)} ${mobile(42)} Second`, /#A2[^]*≈ 5,680/);
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /2 delivered/);
    const report = await talk.asks(sara, sara, '/report A2', '#A2 · as of');
    expect(plain(report)).toContain('💰 estimated ≈ 5,680 rial · actual 5,680 rial');
  });

  test('says what of the cost is not known', async () => {
    const { sara, account } = await on.linked('fa');
    await campaign(sara, [mobile(0)], /۱ تحویل شد/);
    // Somebody else's message of the same time.
    await world.database.sql`
      update attempt set on_wire_at = on_wire_at - interval '1 hour' where id in (
        select a.id from attempt a join job j on j.id = a.job_id where j.confirmed_by = ${sara.id})`;
    on.sent(account, mobile(5), { days: 0.01 });
    const shared = await talk.asks(sara, sara, '/report A1', /#A1 · ساعت/);
    expect(plain(shared)).toContain('هزینهٔ واقعی جداگانه معلوم نیست');
    world.sandbox.faults.add({ kind: 'reset', operation: 'countoutbox', account: account.username });
    const lost = await talk.asks(sara, sara, '/report A1', /#A1 · ساعت/);
    expect(plain(lost)).toContain('هزینهٔ واقعی به دست نیامد. پنل پیامک پاسخ نداد.');
  });
});

describe.concurrent('the report of a send without reports', () => {
  test('says that none is asked for any more, whether its time was over or its account gone', async () => {
    const { sara } = await on.linked();
    const { sql } = world.database;
    const card = await campaign(sara, [mobile(0)], /1 delivered/);
    await rewriteReports(sql, await jobsOf(sql, sara.id), () => ({ kind: 'waiting', raw: '', text: '' }));
    await sql`
      update job set poll_after_seconds = -1, ended_at = now() - interval '73 hours' where confirmed_by = ${sara.id}`;
    const ended = 'No further delivery report has come, and none is asked for any more.';
    const report = plain(await talk.asks(sara, sara, '/report A1', '#A1 · as of'));
    expect(report).toContain('⌛ accepted, no report came: 1 · 100%');
    expect(report).toContain(ended);
    const shown = await talk.asks(sara, sara, '/status A1', ended);
    expect(shown.message_id).not.toBe(card.message_id);
  });
});

describe.concurrent('the report of a time', () => {
  test('has files in which no text is a formula and no number loses its zero', async () => {
    const { sara, account } = await on.linked();
    const formula = '=HYPERLINK("http://x.example","+98")';
    on.sent(account, mobile(0), { text: formula });
    on.sent(account, mobile(1), { text: '@SUM(1+1)' });
    const report = await talk.asks(sara, sara, '/report', '2 messages to 2 numbers');
    for (const kind of ['csv', 'xlsx']) {
      await talk.presses(sara, report, `⬇ ${kind.toUpperCase()}`);
      const named = (m: Message): boolean => m.document?.file_name?.endsWith(`.${kind}`) === true;
      const content = talk.fileOf(await talk.hears(sara, named, report.message_id));
      if (kind === 'csv') {
        expect(content.subarray(0, 3).toString('hex')).toBe('efbbbf');
        expect(content.toString()).not.toMatch(/[,\n"][=@]/u);
        expect(content.toString()).toContain("'=HYPERLINK");
      }
      const [, ...body] = await createTables().read({ name: `a.${kind}`, content });
      expect(body.map((row) => row[7])).toEqual(expect.arrayContaining([formula, '@SUM(1+1)']));
      expect(body.map((row) => row[1])).toEqual(expect.arrayContaining([mobile(0), mobile(1)]));
    }
  });

  test('is a picture of its days, in the other language too, with a list of the failed', async () => {
    const { sara, account } = await on.linked('fa');
    for (let n = 0; n < 12; n += 1) on.sent(account, mobile(n), { days: n % 6 });
    on.sent(account, '09121110000', { days: 2 });
    const report = await talk.asks(sara, sara, '/report ۷ روز', 'گزارش');
    expect([...coloursOf(report)]).toEqual(expect.arrayContaining([GOOD, BAD]));
    expect(plain(report)).toContain('۱۳ پیام به ۱۳ شماره');
    expect(plain(report)).toContain('تحویل‌نشده‌ها: ۱ نرسیده به گوشی');
    await talk.presses(sara, report, '❌');
    const list = await talk.hears(sara, /۱ پیام تحویل نشد/, report.message_id);
    expect(plain(list)).toContain('09121110000 · نرسیده به گوشی');
  });

  test('adds what the sends of the chat were thought to cost', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 30; n += 1) on.sent(account, mobile(n), { days: 1 });
    const card = await talk.asks(sara, sara, `/send ${mobile(40)} ${mobile(41)} Hello`, /≈ 5,680/);
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /2 delivered/);
    const report = await talk.asks(sara, sara, '/report 2d', '32 messages to');
    expect(plain(report)).toContain('🧮 Estimated for this chat’s 1 send ≈ 5,680 rial');
    expect(plain(report)).toContain(`💰 32 parts · ${(32 * 2840).toLocaleString('en')} rial`);
  });

  test('of one line counts that line alone, in its file and its list of the failed too', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 4; n += 1) on.sent(account, mobile(n));
    on.sent(account, mobile(9), { line: '50001234' });
    on.sent(account, '09121110000', { line: '50001234' });
    on.sent(account, '09121110100');
    const report = await talk.asks(sara, sara, '/report line:50001234', '2 messages to 2 numbers');
    expect(plain(report)).toContain('📞 line 50001234 only');
    expect(plain(report)).toContain('The actual cost of these alone is not known');
    expect(plain(report)).not.toContain('a part');
    await talk.presses(sara, report, '❌ See 1');
    await talk.hears(sara, '1 message not delivered', report.message_id);
    await talk.presses(sara, report, '⬇ CSV');
    const file = await talk.hears(sara, (m) => m.document !== undefined, report.message_id);
    const table = await createTables().read({ name: 'a.csv', content: talk.fileOf(file) });
    expect(table).toHaveLength(3);
    await talk.asks(sara, sara, '/report 3000123456 2d', '5 messages to 5 numbers');
    const none = await talk.asks(sara, sara, '/report 90001234', 'Nothing was sent in this period');
    expect(rows(none).flat()).toEqual(['Today', 'Yesterday', '7 days', 'This month']);
  });

  test('goes without its picture where a group allows none', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const group = world.driver.group({ creator: owner, members: [] });
    const account = talk.account();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    on.sent(account, mobile(0));
    world.playground.control.fault({
      method: 'sendPhoto',
      match: { chat_id: group },
      code: 400,
      description: 'Bad Request: not enough rights to send photos to the chat',
    });
    const report = await talk.asks(owner, group, '/report', '1 message to 1 number');
    expect(report.photo).toBeUndefined();
    expect(rows(report).at(-1)).toEqual(['⬇ CSV', '⬇ XLSX']);
  });
});
