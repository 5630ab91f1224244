import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import {
  beSomeone,
  DESKTOP,
  fits,
  PHONE,
  picture,
  press,
  said,
  say,
  SOON,
  startTryMode,
} from '../support/try-page.ts';

const DEMO_KEY = 'sandbox-key-demo';
const DEMO_LINE = '3000123456';
let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

test('a newcomer with no settings at all links the demo account and sees a send delivered', async () => {
  await using peyk = await startTryMode();
  expect(peyk.screen).toContain(DEMO_KEY);
  expect(peyk.screen).toContain(DEMO_LINE);
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await beSomeone(page, 'Sara');
  await page
    .getByTestId(/^chat-\d/)
    .filter({ hasText: 'Peyk' })
    .click();

  await page.getByTestId('start').click();
  await said(page, 'I am Peyk').waitFor(SOON);
  await say(page, '/connect');
  await said(page, 'Send the API key').waitFor(SOON);
  await say(page, DEMO_KEY);
  await said(page, 'Use it in this chat?').waitFor(SOON);
  expect(await page.locator('#conversation').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅ Link');
  await said(page, 'Which sender line').waitFor(SOON);
  await say(page, DEMO_LINE);
  await said(page, 'Try: /send').waitFor(SOON);
  await say(page, '/credit');
  await said(page, '10,000,000,000 rial').filter({ hasText: 'as of' }).waitFor(SOON);

  await say(page, '/send 09121234567, ۰۹۳۵۱۱۱۲۲۳۳, 0912x Hello, the meeting is at ten.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '2 to send' }).waitFor(SOON);
  expect(await card.innerText()).toMatch(/Hello, the meeting is at ten\./);
  expect(await card.innerText()).toMatch(/0912x.*not a number/);
  await picture(page, 'first-send-preview.png');
  await press(page, '✅ Send');
  await page.getByTestId('btn').filter({ hasText: '↩️ Undo' }).waitFor(SOON);
  await card.filter({ hasText: '2 accepted' }).waitFor(SOON);
  await card.filter({ hasText: '2 delivered' }).waitFor(SOON);
  await picture(page, 'first-send.png');

  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});

test('the same in Persian on a phone', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, {
    viewport: PHONE,
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
  });
  await beSomeone(page, 'رضا');
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page
    .getByTestId(/^chat-\d/)
    .filter({ hasText: 'Peyk' })
    .click();

  await page.getByTestId('start').click();
  await said(page, 'من پیکم').waitFor(SOON);
  await say(page, '/connect');
  await said(page, 'کلید API را بفرستید').waitFor(SOON);
  await say(page, DEMO_KEY);
  await said(page, 'حساب:').waitFor(SOON);
  expect(await page.locator('#conversation').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅');
  await said(page, 'نخست از کدام خط').waitFor(SOON);
  await say(page, '۳۰۰۰۱۲۳۴۵۶');
  await said(page, 'امتحان کنید:').waitFor(SOON);
  await say(page, '/credit');
  await said(page, '💰').waitFor(SOON);

  await say(page, '/send 09121234567، ۰۹۳۵۱۱۱۲۲۳۳، ۰۹۱۲x جلسه فردا ساعت ۱۰ است.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '۲ فرستاده می‌شود' }).waitFor(SOON);
  expect(await card.innerText()).toMatch(/جلسه فردا ساعت ۱۰ است\./);
  expect(await card.innerText()).toMatch(/۰۹۱۲x.*شماره نیست/);
  await press(page, '✅');
  await page.getByTestId('btn').filter({ hasText: '↩️' }).waitFor(SOON);
  await card.filter({ hasText: '۲ را درگاه پذیرفت' }).waitFor(SOON);
  await card.filter({ hasText: '۲ رسید' }).waitFor(SOON);
  await picture(page, 'first-send-fa.png');

  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});
