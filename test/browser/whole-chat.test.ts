import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { link } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, press, said, say, startTryMode } from '../support/try-page.ts';

const NATIONAL_CODE = '0499370899';

const browser = useBrowser();

test('a member of a team does the daily work from the page: help, phonebooks with a file, inbox, reports', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');

  await say(page, '/help');
  await said(page, 'What you can do here').waitFor();
  await picture(page, 'help.png');

  await say(page, '/books');
  await said(page, 'Staff').waitFor();
  await press(page, 'Staff');
  const book = said(page, 'Staff').filter({ hasText: '09' });
  await book.waitFor();
  await press(page, 'CSV');
  const file = page.locator('.message:not(.out)', { hasText: '.csv' }).last();
  await file.waitFor();
  await picture(page, 'phonebook.png');

  await say(page, '/inbox all');
  await page.getByTestId('btn').filter({ hasText: 'CSV' }).nth(1).waitFor();
  await picture(page, 'inbox.png');

  await say(page, '/send 09121234567 Hello');
  await said(page, '#A1').waitFor();
  await press(page, '✅ Send');
  await said(page, '1 accepted').waitFor();
  await say(page, '/outbox today');
  await said(page, '📤 Sent').filter({ hasText: '09121234567' }).waitFor();
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
  await said(page, 'نام کاربری مدیر').waitFor();
  await press(page, 'demo');
  await said(page, 'نام کاربری جدید؟').waitFor();
  await say(page, 'nikshiraz2');
  await said(page, 'شمارهٔ همراه او؟').waitFor();
  await say(page, '۰۹۱۷۱۲۳۴۵۶۷');
  await said(page, 'کد ملی او؟').waitFor();
  await say(page, NATIONAL_CODE);
  await said(page, 'رمزی برای او؟').waitFor();
  await press(page, '🎲');
  await said(page, 'شمارهٔ بستهٔ تعرفه؟').waitFor();
  await say(page, '۱۴');
  await said(page, 'نمایندهٔ فروش باشد؟').waitFor();
  await press(page, 'خیر');
  await page.getByTestId('btn').filter({ hasText: '👁' }).waitFor();
  await press(page, '👁');
  await page.getByTestId('btn').filter({ hasText: '✅' }).waitFor();
  expect(await page.locator('#conversation').innerText()).not.toContain(NATIONAL_CODE);
  await picture(page, 'register-fa.png');
  await press(page, '✅');
  await said(page, 'nikshiraz2').filter({ hasText: 'ثبت شد' }).waitFor();
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});
