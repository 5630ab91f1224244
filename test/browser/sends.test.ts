import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { answer, as, link, linkGroup, LONG, press, said, shows, startPeyk } from '../support/page-story.ts';
import { given } from '../support/talk.ts';
import { DESKTOP, fits, PHONE, picture, say, SOON } from '../support/try-page.ts';

const NAMES = {
  en: ['Reza', 'Maryam', 'Sara', 'Ali', 'Nima'],
  fa: ['رضا', 'مریم', 'زهرا', 'علی', 'نیما'],
} as const;
/** A gateway that takes its time over calls with many messages: what people press meanwhile is pressed in time. */
const SLOW = { kind: 'delay', operation: 'multi', ms: 8000 } as const;

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

test(
  'a file of customers becomes one card that is paused, goes on, is stopped, and sends the rest',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { sandbox } = peyk;
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
    await link(page, 'en');
    await say(page, '/limits approval off');
    await said(page, 'off, nobody else must agree').waitFor(SOON);

    await upload(page, 'orders.csv', customers(1800, 'en'), '/bulk');
    const card = said(page, 'orders.csv');
    await shows(card, 'Phone column: «phone» (found)');
    await shows(card, /1,800 good numbers · ♻️ 30 repeated · 🚫 34 not usable/);
    await press(card, 'Use');
    await said(page, 'These fields can stand in it').waitFor(SOON);
    await say(page, 'Dear {name}, your order {order} is ready. Nik Shop');

    await shows(card, 'Message 1 of 1,782', 'Dear Reza, your order 1000');
    await press(card, '▶');
    await shows(card, 'Message 2 of 1,782', 'Dear Maryam');
    await press(card, '◀');
    await shows(card, 'Message 1 of 1,782');
    await press(card, '◀');
    await shows(card, 'Message 1,782 of 1,782');
    await press(card, 'See left out');
    const leftOut = said(page, 'Left out of');
    await shows(leftOut, '82 rows');
    await shows(leftOut, '0912•••7221 · the same number as in a row above');
    await press(card, 'skipped.csv');
    const file = page.locator('.message:not(.out)', { hasText: 'skipped-A1.csv' });
    await file.waitFor(SOON);

    sandbox.faults.add(SLOW);
    await press(card, '✅ Send 1,782');
    await card.getByTestId('btn').filter({ hasText: '↩️ Undo' }).waitFor(SOON);
    await shows(card, /\d+ asked of the gateway/);
    await press(card, '⏸ Pause');
    await shows(card, '⏸ Paused by Sara Ahmadi');
    const paused = await settled(card);
    expect(paused).toEqual({ went: sentBy(sandbox), not: 1782 - sentBy(sandbox), unknown: 0 });

    await press(card, '▶ Resume');
    await shows(card, /[▓░]{10} [1-9][\d,]* \/ 1,782/);
    await shows(card, /\d+ asked of the gateway/);
    await picture(page, 'bulk-progress.png');
    await press(card, '⏹ Stop');
    await shows(card, '⏹ Stopped by Sara Ahmadi');
    const stopped = await settled(card);
    expect(stopped).toEqual({ went: sentBy(sandbox), not: 1782 - sentBy(sandbox), unknown: 0 });
    expect(stopped.went).toBeGreaterThan(paused.went);
    expect(stopped.not).toBeGreaterThan(0);
    await press(card, 'rest.csv');
    await page.locator('.message:not(.out)', { hasText: 'rest-A1.csv' }).waitFor(SOON);

    sandbox.faults.clear();
    await press(card, '▶ Send the rest');
    await card
      .filter({ hasNotText: /waiting to leave|not sent: stopped/ })
      .filter({ hasText: /1,7\d\d delivered/ })
      .waitFor(SOON);
    expect(sentBy(sandbox)).toBe(1782);
    expect(numbersOf(sandbox)).toHaveProperty('size', 1782);
    await card.getByTestId('btn').filter({ hasText: '🔁 Resend' }).waitFor(SOON);
    await fits(page, PHONE);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  'in Persian on a phone the file is sent as the answer, a missing name is filled in, and the report comes',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { sandbox } = peyk;
    const { page, problems } = await browser.open(peyk.pageUrl, {
      viewport: PHONE,
      colorScheme: 'light',
      hasTouch: true,
      isMobile: true,
    });
    await link(page, 'fa');
    await say(page, '/bulk');
    await said(page, 'کدام پرونده؟').waitFor(SOON);
    await upload(page, 'سفارش‌ها.csv', customers(450, 'fa'));
    const card = said(page, 'سفارش‌ها.csv');
    await shows(card, 'ستون شماره‌ها: «شماره» (پیدا شد)');
    await shows(card, '۴۵۰ شمارهٔ درست · ♻️ ۷ تکراری · 🚫 ۸ نامعتبر');
    await press(card, 'همین');
    await said(page, 'این جاهای خالی می‌تواند در آن بیاید').waitFor(SOON);
    await say(page, '{نام} عزیز، سفارش {سفارش} شما آمادهٔ تحویل است. فروشگاه نیک');
    await shows(card, 'پیام ۱ از ۴۴۶', '۴ بی‌مقدار');
    await press(card, 'با واژه‌ای پر شود');
    await said(page, 'اگر ردیفی مقدار نداشت چه بیاید؟').waitFor(SOON);
    await say(page, 'مشتری');
    await shows(card, 'پیام ۱ از ۴۵۰', '«مشتری» به جایش می‌آید');

    sandbox.faults.add(SLOW);
    await press(card, '✅ ارسال به ۴۵۰');
    await shows(card, '۲۰۰ به درگاه سپرده شد و هنوز پاسخی نیست');
    await press(card, '⏸ نگه دار');
    await shows(card, '⏸ رضا نگهش داشت', '۲۰۰ رفت، ۲۵۰ نرفت، ۰ نامعلوم');
    await picture(page, 'bulk-fa.png');
    await press(card, '▶ ادامه');
    await shows(card, '▓▓▓▓░░░░░░ ۲۰۰ از ۴۵۰');
    sandbox.faults.clear();
    await shows(card, /۴۴[۰-۹] رسید/);
    expect(sentBy(sandbox)).toBe(450);
    expect(numbersOf(sandbox)).toHaveProperty('size', 450);
    expect(sandbox.ledger.sends().filter(({ text }) => text.startsWith('مشتری عزیز'))).toHaveLength(4);
    await fits(page, DESKTOP);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  'above 500 parts somebody else of the team says yes, and is named on the report',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
    await linkGroup(page, 'en');
    await upload(page, 'club.csv', customers(620, 'en'), '/bulk');
    const card = said(page, 'club.csv');
    await shows(card, '620 good numbers');
    await press(card, 'Use');
    await answer(
      said(page, 'What shall the message say?'),
      page,
      'Dear {name}, the club opens on Friday at seven.',
    );
    await shows(card, 'nobody else here may give it');
    expect(await card.getByTestId('btn').filter({ hasText: '✅ Send' }).count()).toBe(0);

    await say(page, '/role approver @reza_nik');
    await said(page, 'I have not met that person').waitFor(SOON);
    await as(page, 'رضا');
    await press(said(page, 'I have not met that person'), 'Join as approver');
    await shows(said(page, 'نقش شما در'), 'تأییدکننده است');

    await as(page, 'Sara');
    await press(card, '▶');
    await press(card, '➡ Ask for approval');
    await shows(said(page, 'waits for approval. See its card'), 'رضا');
    await as(page, 'رضا');
    await press(card, '✅ Approve 614');
    await shows(card, 'by Sara Ahmadi, approved by رضا');
    await shows(card, /60\d delivered/);
    expect(numbersOf(peyk.sandbox)).toHaveProperty('size', 614);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  'a send waits for its time, is listed, moved, changed and taken off, and another comes every week',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
    await link(page, 'en');
    await say(page, '/schedule tomorrow 9 09121234567, 09351112233 The meeting is at ten.');
    const card = said(page, 'The meeting is at ten.');
    await shows(card, /Leaves .*, 09:00 \(.?Asia\/Tehran.?\)/);
    await press(card, '✅ Send 2');
    await shows(card, /Scheduled for .*, 09:00/);
    await say(page, '/schedule every tuesday 10:00 09121234567 The weekly offer is here.');
    const weekly = said(page, 'The weekly offer');
    await shows(weekly, 'Then every Tuesday at 10:00');
    await press(weekly, '✅ Send 1');
    await shows(weekly, 'Scheduled for');

    await say(page, '/scheduled');
    const list = said(page, '2 sends wait for their time');
    await shows(list, '#A1', 'every Tuesday at 10:00');
    await picture(page, 'scheduled.png');
    await press(list, '🕐 A1');
    await said(page, 'When shall it leave?').waitFor(SOON);
    await say(page, '2024-05-01 9:00');
    await said(page, 'That time is over').waitFor(SOON);
    await said(page, 'When shall it leave?').getByTestId('btn').waitFor(SOON);
    await say(page, 'friday 18:30');
    await said(page, 'stays scheduled for').waitFor(SOON);
    await press(card, '🕐 When');
    await press(said(page, 'Choose, or type a time'), 'Tomorrow 09:00');
    await shows(card, /Leaves .*, 09:00/);
    await press(card, '✏️ Text');
    await said(page, 'What shall the message say?').waitFor(SOON);
    await say(page, 'The meeting is at ten. Bring the list.');
    await shows(card, 'Bring the list');
    await press(card, '✅ Send 2');
    await shows(card, 'Scheduled for');
    await press(card, '🗑 Cancel');
    await shows(said(page, 'taken off the schedule'), '#A3');

    await press(weekly, '🗑 Cancel');
    await press(said(page, 'What shall end?'), 'The whole series');
    await said(page, 'none follows it').waitFor(SOON);
    await say(page, '/scheduled');
    await said(page, 'Nothing waits for its time here').waitFor(SOON);
    expect(sentBy(peyk.sandbox)).toBe(0);
    await fits(page, PHONE);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  '«فردا ۹ صبح» is a time in Persian',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { page, problems } = await browser.open(peyk.pageUrl, {
      viewport: PHONE,
      colorScheme: 'light',
      hasTouch: true,
      isMobile: true,
    });
    await link(page, 'fa');
    await say(page, '/schedule فردا ۹ صبح ۰۹۱۲۱۲۳۴۵۶۷ جلسه ساعت ۱۰ است.');
    const card = said(page, 'جلسه ساعت ۱۰ است.');
    await shows(card, /زمان رفتن: .* ۱۴۰[۰-۹]، ۰۹:۰۰ \(.?Asia\/Tehran.?\)/);
    await press(card, '✅ ارسال به ۱');
    await shows(card, 'زمان‌بندی‌شده برای');
    await say(page, '/scheduled');
    await shows(said(page, '۱ ارسال در انتظار زمان خود'), '#A1');
    await press(card, '🗑 لغو');
    await said(page, 'از برنامه برداشته شد').waitFor(SOON);
    expect(sentBy(peyk.sandbox)).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  'the card knows the price after some sends, warns when the credit is short, and texts are kept',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
    await link(page, 'en');
    await say(page, '/template hours We are open from nine to five.');
    await said(page, 'Kept as #hours').waitFor(SOON);
    await say(page, '/templates');
    const kept = said(page, '1 template here');
    await kept.waitFor(SOON);
    await press(kept, '#hours');
    await said(page, 'To which numbers?').waitFor(SOON);
    await say(page, '09121234567, 09351112233');
    const first = said(page, '#A1');
    await shows(first, '2 parts in all · the price is not known yet');
    await press(first, '✅ Send 2 · 2 parts');
    await shows(first, '2 delivered');
    await say(page, '/send 09121234567 #hours');
    const second = said(page, '#A2');
    await shows(second, 'We are open from nine to five.');
    await shows(second, '≈ 2,840 rial (2,840 a part');
    await shows(second, /credit after ≈ 9,999,991,480 rial · about [\d,]+ days at your pace/);
    await press(second, '✖ Cancel');

    given(peyk.sandbox.world.account('demo')).credit = 9_994_320;
    await say(page, '/credit');
    await said(page, '9,994,320 rial').waitFor(SOON);
    await say(page, '/limits approval off');
    await said(page, 'off, nobody else must agree').waitFor(SOON);
    await upload(page, 'all.csv', customers(4000, 'en'), '/bulk');
    const card = said(page, 'all.csv');
    await shows(card, '4,000 good numbers');
    await press(card, 'Use');
    await said(page, 'These fields can stand in it').waitFor(SOON);
    await say(page, 'Nik Shop: three days of sales begin tomorrow.');
    await shows(card, 'is short by about 1,365,680 rial');
    await card.getByTestId('btn').filter({ hasText: '✅ Send 4,000 · ≈ 11,360,000 rial' }).waitFor(SOON);
    await press(card, '✖ Cancel');
    await shows(said(page, '#A3'), 'none of it was sent');
    await say(page, '/unknown');
    await said(page, 'There is nothing older than a quarter of an hour').waitFor(SOON);
    expect(sentBy(peyk.sandbox)).toBe(2);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

test(
  'the switch in /limits stops a send that is under way and lets it go on',
  async () => {
    await using peyk = await startPeyk({ deliverySeconds: 4 });
    const { sandbox } = peyk;
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
    await link(page, 'en');
    await say(page, '/template ready Dear {name}, order {order} is ready.');
    await said(page, 'Kept as #ready').waitFor(SOON);
    await upload(page, 'orders.csv', customers(450, 'en'), '/bulk');
    const card = said(page, 'orders.csv');
    await shows(card, '450 good numbers');
    await press(card, 'Use');
    await said(page, 'These fields can stand in it').waitFor(SOON);
    await say(page, 'Dear {nam}, your order {order} is ready.');
    await said(page, 'Did you mean {name}?').waitFor(SOON);
    await said(page, 'These fields can stand in it').getByTestId('btn').waitFor(SOON);
    await say(page, '#ready');
    await shows(card, 'Dear Reza, order 1000 is ready.');
    sandbox.faults.add(SLOW);
    await press(card, '✅ Send 446');
    await shows(card, '200 asked of the gateway');
    await say(page, '/limits stop');
    await said(page, 'Sara Ahmadi switched all sends of this chat off. 1 send paused').waitFor(SOON);
    await shows(card, '⏸ Paused: Sara Ahmadi switched all sends of this chat off');
    expect(await settled(card)).toEqual({ went: 200, not: 246, unknown: 0 });
    expect(await card.getByTestId('btn').filter({ hasText: 'Resume' }).count()).toBe(0);
    await say(page, '/send 09121234567 Now?');
    const now = said(page, 'Now?');
    await press(now, '✅ Send 1');
    await shows(said(page, 'Nothing was sent'), 'switched all sends of this chat off');

    sandbox.faults.clear();
    await press(said(page, 'Limits of this chat'), '▶ Let sends go on');
    await said(page, 'switched sends on again. 1 send went on').waitFor(SOON);
    await shows(card, /44\d delivered/);
    await press(now, '✅ Send 1');
    await shows(now, '1 delivered');
    expect(sentBy(sandbox)).toBe(447);
    expect(problems).toEqual([]);
    await page.close();
  },
  LONG,
);

/** Rows with a phone, a name and an order; some are repeated, are no numbers, or lack their name. */
function customers(good: number, locale: 'en' | 'fa'): string {
  const names = NAMES[locale];
  const rows = [locale === 'fa' ? 'شماره,نام,سفارش' : 'phone,name,order'];
  for (let index = 0; index < good; index += 1) {
    const number = `0912${String(1_000_000 + index * 7919).slice(-7)}`;
    const name = names[index % names.length] ?? '';
    rows.push(`${number},${index % 97 === 96 ? '' : name},${1000 + index}`);
    if (index % 60 === 59) rows.push(`${number},${name},${9000 + index}`);
    if (index % 80 === 79) rows.push(`none,${name},${9000 + index}`);
    if (index % 150 === 149) rows.push(`0912123,${name},${9000 + index}`);
  }
  return `${rows.join('\n')}\n`;
}

async function upload(page: Page, name: string, text: string, caption = ''): Promise<void> {
  await page
    .getByTestId('file-input')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') });
  await say(page, caption);
}

/** What an interrupted send says of itself, once nothing of it is out any more. */
async function settled(card: Locator) {
  const numbers = /([\d,]+) (?:left|went out), ([\d,]+) did not, ([\d,]+) unknown/;
  const still = card.filter({ hasText: numbers, hasNotText: 'still out' });
  await still.waitFor(SOON);
  const [went = -1, not = -1, unknown = -1] = (numbers.exec(await still.innerText()) ?? [])
    .slice(1)
    .map((figure) => Number(figure.replaceAll(',', '')));
  return { went, not, unknown };
}

/** How many messages have really gone out. */
function sentBy({ ledger }: Sandbox): number {
  return ledger.totals().recipients;
}

function numbersOf({ ledger }: Sandbox): ReadonlySet<string> {
  return new Set(ledger.sends().flatMap(({ recipients }) => recipients));
}
