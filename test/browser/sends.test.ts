import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { useBrowser } from '../support/browser.ts';
import { customers, upload } from '../support/customers.ts';
import { SAID, talliedIn } from '../support/long-send.ts';
import { answer, as, insist, link, linkGroup, press, said, shows, startPeyk } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, say } from '../support/try-page.ts';

/** A gateway that takes its time over calls with many messages: what people press meanwhile is pressed in time. */
const SLOW = { kind: 'delay', operation: 'multi', ms: 8000 } as const;

const browser = useBrowser();

test('a file of customers becomes one card that is paused, goes on, is stopped, and sends the rest', async () => {
  await using peyk = await startPeyk({ deliverySeconds: 4 });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');
  await say(page, '/limits approval off');
  await said(page, 'off, nobody else has to approve').waitFor();

  await upload(page, 'orders.csv', customers(1800, 'en'), '/bulk');
  const card = said(page, 'orders.csv');
  await shows(card, 'Phone column: «phone» (found)');
  await shows(card, /1,800 good numbers · ♻️ 30 repeated · 🚫 34 invalid/);
  await press(card, 'Continue');
  await said(page, 'You can use these fields in it').waitFor();
  await say(page, 'Dear {name}, your order {order} is ready. Nik Shop');

  await shows(card, 'Message 1 of 1,782', 'Dear Reza, your order 1000');
  await press(card, '👀 Look');
  await press(card, '▶');
  await shows(card, 'Message 2 of 1,782', 'Dear Maryam');
  await press(card, '◀');
  await shows(card, 'Message 1 of 1,782');
  await press(card, '◀');
  await shows(card, 'Message 1,782 of 1,782');
  await press(card, 'Left out');
  const leftOut = said(page, 'Left out of');
  await shows(leftOut, '82 rows');
  await shows(leftOut, '7221 · the same number as above');
  await press(card, 'skipped.csv');
  const file = page.locator('.message:not(.out)', { hasText: 'skipped-A1.csv' });
  await file.waitFor();

  await press(card, 'Back');
  sandbox.faults.add(SLOW);
  await press(card, '✅ Send 1,782');
  await card.getByTestId('btn').filter({ hasText: '↩️ Undo' }).waitFor();
  await shows(card, /\d+ waiting for the gateway’s answer/);
  await insist(card, '⏸ Pause');
  await shows(card, '⏸ Paused by Sara Ahmadi');
  const paused = await settled(card);
  expect(paused).toEqual({ went: sentBy(sandbox), not: 1782 - sentBy(sandbox), unknown: 0 });

  await insist(card, '▶ Resume');
  await shows(card, /[▓░]{10} [1-9][\d,]* \/ 1,782/);
  await shows(card, /\d+ waiting for the gateway’s answer/);
  await picture(page, 'bulk-progress.png');
  await insist(card, '⏹ Stop');
  await shows(card, '⏹ Stopped by Sara Ahmadi');
  const stopped = await settled(card);
  expect(stopped).toEqual({ went: sentBy(sandbox), not: 1782 - sentBy(sandbox), unknown: 0 });
  expect(stopped.went).toBeGreaterThan(paused.went);
  expect(stopped.not).toBeGreaterThan(0);
  await press(card, 'rest.csv');
  await page.locator('.message:not(.out)', { hasText: 'rest-A1.csv' }).waitFor();

  sandbox.faults.clear();
  await insist(card, '▶ Send the rest');
  await card
    .filter({ hasNotText: /waiting to be sent|not sent: stopped/ })
    .filter({ hasText: /1,7\d\d delivered/ })
    .waitFor();
  expect(sentBy(sandbox)).toBe(1782);
  expect(numbersOf(sandbox)).toHaveProperty('size', 1782);
  await card.getByTestId('btn').filter({ hasText: '🔁 Resend' }).waitFor();
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
});

test('in Persian on a phone the file is sent as the answer, a missing name is filled in, and the report comes', async () => {
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
  await said(page, 'کدام فایل؟').waitFor();
  await upload(page, 'سفارش‌ها.csv', customers(450, 'fa'));
  const card = said(page, 'سفارش‌ها.csv');
  await shows(card, 'ستون شماره‌ها: «شماره» (پیدا شد)');
  await shows(card, '۴۵۰ شمارهٔ درست · ♻️ ۷ تکراری · 🚫 ۸ نامعتبر');
  await press(card, 'ادامه');
  await said(page, 'این فیلدها را می‌توانید در آن بیاورید').waitFor();
  await say(page, '{نام} عزیز، سفارش {سفارش} شما آمادهٔ تحویل است. فروشگاه نیک');
  await shows(card, 'پیام ۱ از ۴۴۶', '۴ با فیلد خالی');
  await press(card, 'پر کردن با یک کلمه');
  await said(page, 'اگر ردیفی مقدار نداشت چه بیاید؟').waitFor();
  await say(page, 'مشتری');
  await shows(card, 'پیام ۱ از ۴۵۰', '«مشتری» به جایش می‌آید');

  sandbox.faults.add(SLOW);
  await press(card, '✅ ارسال به ۴۵۰');
  await shows(card, '۲۰۰ در انتظار پاسخ پنل پیامک');
  await insist(card, '⏸ مکث');
  await shows(card, '⏸ مکث توسط رضا', '۲۰۰ ارسال شد، ۲۵۰ ارسال نشد');
  await picture(page, 'bulk-fa.png');
  await insist(card, '▶ ادامه');
  await shows(card, '▓▓▓▓░░░░░░ ۲۰۰ از ۴۵۰');
  sandbox.faults.clear();
  await shows(card, /۴۴[۰-۹] تحویل شد/);
  expect(sentBy(sandbox)).toBe(450);
  expect(numbersOf(sandbox)).toHaveProperty('size', 450);
  expect(sandbox.ledger.sends().filter(({ text }) => text.startsWith('مشتری عزیز'))).toHaveLength(4);
  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
});

test('above 500 parts somebody else of the team says yes, and is named on the report', async () => {
  await using peyk = await startPeyk({ deliverySeconds: 4 });
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await linkGroup(page, 'en');
  await upload(page, 'club.csv', customers(620, 'en'), '/bulk');
  const card = said(page, 'club.csv');
  await shows(card, '620 good numbers');
  await press(card, 'Continue');
  await answer(
    said(page, 'What should the message say?'),
    page,
    'Dear {name}, the club opens on Friday at seven.',
  );
  await shows(card, 'nobody else here may give it');
  expect(await card.getByTestId('btn').filter({ hasText: '✅ Send' }).count()).toBe(0);

  await say(page, '/role approver @reza_nik');
  await said(page, 'I know nobody here with that name').waitFor();
  await as(page, 'رضا');
  await press(said(page, 'I know nobody here with that name'), 'Join as approver');
  await shows(said(page, 'نقش شما در'), 'تأییدکننده است');

  await as(page, 'Sara');
  await press(card, '👀 Look');
  await press(card, '▶');
  await press(card, 'Back');
  await press(card, '➡ Ask for approval');
  await shows(said(page, 'waits for approval.'), 'رضا');
  await as(page, 'رضا');
  await press(card, '✅ Approve 614');
  await shows(card, 'by Sara Ahmadi, approved by رضا');
  await shows(card, /60\d delivered/);
  expect(numbersOf(peyk.sandbox)).toHaveProperty('size', 614);
  expect(problems).toEqual([]);
  await page.close();
});

test('the switch in /limits stops a send that is under way and lets it go on', async () => {
  await using peyk = await startPeyk({ deliverySeconds: 4 });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');
  await say(page, '/template ready Dear {name}, order {order} is ready.');
  await said(page, 'Saved as #ready').waitFor();
  await upload(page, 'orders.csv', customers(450, 'en'), '/bulk');
  const card = said(page, 'orders.csv');
  await shows(card, '450 good numbers');
  await press(card, 'Continue');
  await said(page, 'You can use these fields in it').waitFor();
  await say(page, 'Dear {nam}, your order {order} is ready.');
  await said(page, 'Did you mean {name}?').waitFor();
  await said(page, 'You can use these fields in it').getByTestId('btn').first().waitFor();
  await say(page, '#ready');
  await shows(card, 'Dear Reza, order 1000 is ready.');
  sandbox.faults.add(SLOW);
  await press(card, '✅ Send 446');
  await shows(card, '200 waiting for the gateway’s answer');
  await say(page, '/limits stop');
  await said(page, 'Sara Ahmadi switched all sends of this chat off. 1 send paused').waitFor();
  await shows(card, '⏸ Paused: Sara Ahmadi switched all sends of this chat off');
  expect(await settled(card)).toEqual({ went: 200, not: 246, unknown: 0 });
  expect(await card.getByTestId('btn').filter({ hasText: 'Resume' }).count()).toBe(0);
  await say(page, '/send 09121234567 Now?');
  const now = said(page, 'Now?');
  await press(now, '✅ Send 1');
  await shows(said(page, 'Nothing was sent'), 'switched all sends of this chat off');

  sandbox.faults.clear();
  await press(said(page, 'Limits of this chat'), '▶ Resume all sends');
  await said(page, 'switched sends on again. 1 send resumed').waitFor();
  await shows(card, /44\d delivered/);
  await press(now, '✅ Send 1');
  await shows(now, '1 delivered');
  expect(sentBy(sandbox)).toBe(447);
  expect(problems).toEqual([]);
  await page.close();
});

/** What an interrupted send says of itself, once nothing of it is out any more. */
async function settled(card: Locator) {
  const still = card.filter({ hasText: SAID, hasNotText: 'waiting for the gateway’s answer' });
  await still.waitFor();
  const [went, not, unknown] = talliedIn(await still.innerText());
  return { went, not, unknown };
}

/** How many messages have really gone out. */
function sentBy({ ledger }: Sandbox): number {
  return ledger.totals().recipients;
}

function numbersOf({ ledger }: Sandbox): ReadonlySet<string> {
  return new Set(ledger.sends().flatMap(({ recipients }) => recipients));
}
