import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PICTURE } from '../../src/ports/charts.ts';
import { useBrowser } from '../support/browser.ts';
import { sentBefore } from '../support/history.ts';
import {
  answer,
  as,
  labels,
  LINE,
  link,
  linkGroup,
  open,
  OPS_GROUP,
  press,
  receive,
  said,
  shows,
  startPeyk,
  WATCHING,
} from '../support/page-story.ts';
import { given } from '../support/talk.ts';
import { DESKTOP, fits, PHONE, picture, say } from '../support/try-page.ts';

/* What comes by itself, and what was sent as a picture: on the page, as a team sees it. */

const TEHRAN = { colorScheme: 'light', timezoneId: 'Asia/Tehran' } as const;
const ON_PHONE = { ...TEHRAN, viewport: PHONE, hasTouch: true, isMobile: true } as const;
const ON_DESKTOP = { ...TEHRAN, viewport: DESKTOP } as const;

const browser = useBrowser();

test('in Persian a received message becomes a card in the group, is taken, and says that it was answered', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
  await linkGroup(page, 'fa');
  await said(page, 'از قبل در صندوق بود').filter({ hasText: '۳ پیام' }).waitFor();

  receive(sandbox, '9127654321', 'سلام، سفارش ۱۰۲۴ من کی می‌رسد؟');
  const card = said(page, 'سفارش ۱۰۲۴');
  await shows(card, `📩 به ${LINE}`, 'از 0912•••4321');
  expect(await card.innerText()).not.toContain('7654321');
  expect(await labels(card)).toEqual(['🔎 سابقه', '↩️ پاسخ', '🙋 با من', '✔ انجام شد', '⛔ مسدود']);
  await press(card, '🙋 با من');
  await shows(card, '🙋 با رضا');
  await press(card, '↩️ پاسخ');
  await answer(
    said(page, 'از همان خطی ارسال می‌شود که پیام به آن رسیده است'),
    page,
    'سلام، فردا پیش از ظهر می‌رسد.',
  );
  await shows(card, /↩️ پاسخ [\u2068]?رضا[\u2069]? · [\u2066-\u2069]*#A1[\u2066-\u2069]* · ✅ تحویل‌شده/u);
  expect(sandbox.ledger.sends()).toMatchObject([
    { line: LINE, recipients: ['9127654321'], text: 'سلام، فردا پیش از ظهر می‌رسد.' },
  ]);
  await shows(said(page, '✉️').filter({ hasText: 'پیش از ظهر' }), '۱ تحویل شد');
  await intoView(card);
  await picture(page, 'inbound-fa.png');
  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
});

test('in English a second person is told who took the message, and the answer by reply leaves from its line', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, ON_DESKTOP);
  await linkGroup(page, 'en');
  await said(page, 'The inbox already held 3 messages').waitFor();
  await joins(page, 'Nima', '@nima_nik');

  receive(sandbox, '9351112233', 'Is the shop open on Friday?', '50001234');
  const card = said(page, 'open on Friday');
  await shows(card, '📩 to 50001234', '0935•••2233');
  await press(card, '🙋 Take');
  await shows(card, '🙋 Nima');
  await as(page, 'Sara');
  await answer(card, page, 'Yes, from ten.');
  const told = said(page, 'Your text has not been sent');
  await shows(told, /🙋 .*Nima.* took .*#in\d+.* and has not answered yet/u, 'Yes, from ten.');
  expect(await labels(told)).toEqual(['✅ Send anyway', '🙋 Ask Nima']);
  await press(told, '🙋 Ask');
  await said(page, 'Sara Ahmadi would like to answer').waitFor();

  await as(page, 'Nima');
  await answer(card, page, 'Yes, from nine.');
  await shows(card, '↩️ answered by Nima · #A1 · ✅ delivered');
  expect(sandbox.ledger.sends()).toMatchObject([
    { line: '50001234', recipients: ['9351112233'], text: 'Yes, from nine.' },
  ]);
  await press(card, '✔ Done');
  await shows(card, '✔ done · Nima');
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
});

test('credit that falls below the threshold is told, another person takes it, and it says when that is over', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, ON_DESKTOP);
  await linkGroup(page, 'en');
  await joins(page, 'Nima', '@nima_nik');
  await as(page, 'Sara');
  await say(page, '/alerts credit 5,000,000');
  await said(page, 'Credit counts as low below 5,000,000 rial.').waitFor();

  const account = given(sandbox.world.account('demo'));
  account.credit = 4_820_000;
  const alert = said(page, 'Credit low');
  await shows(alert, '🔴 Credit low · Nik Shop · 4,820,000 rial (limit 5,000,000 rial)');
  expect(await labels(alert)).toEqual([
    '🙋 I’ll top up',
    '🔇 4 h',
    '🔇 until tomorrow 9:00',
    '🔇 until Saturday',
  ]);
  await as(page, 'Nima');
  await press(alert, '🙋 I’ll top up');
  await shows(
    alert,
    /🙋 .*Nima.* took it at .*\d\d:\d\d.* · brought up again at .*\d\d:\d\d.* if unchanged/u,
  );
  await intoView(alert);
  await picture(page, 'credit-alert.png');

  account.credit = 24_820_000;
  await shows(said(page, '🟢 Credit is up again'), '24,820,000 rial');
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
});

test('the report of a send is a picture with the numbers below it', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { page, problems } = await browser.open(peyk.pageUrl, ON_DESKTOP);
  await link(page, 'en');
  await campaign(page, '/send', '✅ Send', /\d+ delivered/);
  await say(page, '/report A1');
  const report = said(page, '#A1 · as of');
  await shows(report, 'by Sara Ahmadi · line 3000123456', /✅ delivered: \d+ · \d/, /❌ not delivered: \d/);
  await drawn(page, report);
  await picture(page, 'report.png');
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
});

test('in Persian on a phone the report of some days is a picture with the numbers below it', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
  await link(page, 'fa');
  let sent = 0;
  for (const [days, count] of [52, 31, 44, 18, 60, 27].entries())
    for (let n = 0; n < count; n += 1, sent += 1) {
      const to = n % 15 === 14 ? '09121110000' : `0912${1_111_111 + n}`;
      sentBefore({ sandbox }, { username: 'demo' }, to, { days });
    }
  await say(page, '/report ۷ روز');
  const report = said(page, '📊 گزارش');
  await shows(report, `${sent.toLocaleString('fa')} پیام`, /✅ تحویل شد: [۰-۹]+ · /);
  await drawn(page, report);
  await picture(page, 'report-fa.png');
  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
});

/** A send to many, of which some get nothing, until the reports are in. */
async function campaign(page: Page, command: string, label: string, until: RegExp): Promise<void> {
  const numbers = Array.from({ length: 40 }, (_, n) => `0912${1_111_111 + n}`);
  await say(
    page,
    `${command} ${[...numbers, '09121110000', '09121111901'].join(' ')} The shop is open again.`,
  );
  const card = said(page, '#A1');
  await press(card, label);
  await shows(card, until, '2 not delivered');
}

/** Its picture is there, whole, at the size that was drawn. */
async function drawn(page: Page, report: Locator): Promise<void> {
  const image = report.locator('.photo img');
  await intoView(image);
  const sizes = `[...document.querySelectorAll('.photo img')].map((each) => [each.naturalWidth, each.naturalHeight])`;
  await expect.poll(async () => await page.evaluate(sizes)).toEqual([[PICTURE.width, PICTURE.height]]);
  expect(await image.isVisible()).toBe(true);
  await intoView(report);
}

/** Somebody becomes an operator of the group. */
async function joins(page: Page, name: string, username: string): Promise<void> {
  await say(page, `/role operator ${username}`);
  const question = said(page, 'I know nobody here with that name');
  await question.waitFor();
  await as(page, name);
  await press(question, 'Join as operator');
  await said(page, 'You are operator in «Nik Shop – Ops»').waitFor();
  await open(page, OPS_GROUP);
}

/** A card that is drawn anew meanwhile is none to wait for. */
async function intoView(shown: Locator): Promise<void> {
  await shown.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
}
