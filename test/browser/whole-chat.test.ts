import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { link } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, press, said, say, SOON, startTryMode } from '../support/try-page.ts';

const NATIONAL_CODE = '0499370899';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

test('a member of a team does the daily work from the page: help, phonebooks with a file, inbox, reports', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');

  await say(page, '/help');
  await said(page, 'What you can do here').waitFor(SOON);
  await picture(page, 'help.png');

  await say(page, '/books');
  await said(page, 'Staff').waitFor(SOON);
  await press(page, 'Staff');
  const book = said(page, 'Staff').filter({ hasText: '09' });
  await book.waitFor(SOON);
  await press(page, 'CSV');
  const file = page.locator('.message:not(.out)', { hasText: '.csv' }).last();
  await file.waitFor(SOON);
  await picture(page, 'phonebook.png');

  await say(page, '/inbox all');
  await page.getByTestId('btn').filter({ hasText: 'CSV' }).nth(1).waitFor(SOON);
  await picture(page, 'inbox.png');

  await say(page, '/send 09121234567 Hello');
  await said(page, '#A1').waitFor(SOON);
  await press(page, '✅ Send');
  await said(page, '1 accepted').waitFor(SOON);
  await say(page, '/outbox today');
  await said(page, '📤 Sent').filter({ hasText: '09121234567' }).waitFor(SOON);
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});

test('a manager registers a user in Persian on a phone', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, {
    viewport: PHONE,
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
  });
  await link(page, 'fa');
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await say(page, '/register');
  await said(page, 'نام کاربری مدیر').waitFor(SOON);
  await press(page, 'demo');
  await said(page, 'نام کاربری تازه؟').waitFor(SOON);
  await say(page, 'nikshiraz2');
  await said(page, 'شمارهٔ همراه او؟').waitFor(SOON);
  await say(page, '۰۹۱۷۱۲۳۴۵۶۷');
  await said(page, 'کد ملی او؟').waitFor(SOON);
  await say(page, NATIONAL_CODE);
  await said(page, 'رمزی برای او؟').waitFor(SOON);
  await press(page, '🎲');
  await said(page, 'شمارهٔ بستهٔ تعرفه؟').waitFor(SOON);
  await say(page, '۱۴');
  await said(page, 'نمایندهٔ فروش باشد؟').waitFor(SOON);
  await press(page, 'خیر');
  await page.getByTestId('btn').filter({ hasText: '👁' }).waitFor(SOON);
  await press(page, '👁');
  await page.getByTestId('btn').filter({ hasText: '✅' }).waitFor(SOON);
  expect(await page.locator('#conversation').innerText()).not.toContain(NATIONAL_CODE);
  await picture(page, 'register-fa.png');
  await press(page, '✅');
  await said(page, 'nikshiraz2').filter({ hasText: 'ثبت شد' }).waitFor(SOON);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});
