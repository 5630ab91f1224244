import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { DESKTOP, fits, PHONE, picture, press, said, say, startTryMode } from '../support/try-page.ts';

const DEMO_KEY = 'sandbox-key-demo';
const DEMO_LINE = '3000123456';
const browser = useBrowser();

test('a newcomer with no settings at all links the demo account and sees a send delivered', async () => {
  await using peyk = await startTryMode();
  expect(peyk.screen).toContain(DEMO_KEY);
  expect(peyk.screen).toContain(DEMO_LINE);
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  const welcome = page.getByTestId('welcome');
  await welcome.filter({ hasText: 'This is a sandbox' }).waitFor();
  expect(await welcome.locator('li').count()).toBe(5);
  expect(await page.getByTestId('composer').isVisible()).toBe(false);

  await page.keyboard.press('Enter');
  await said(page, 'I am Peyk').waitFor();
  await welcome.locator('.command', { hasText: '/connect' }).click();
  await said(page, 'Send the API key').waitFor();
  await welcome.locator('code', { hasText: DEMO_KEY }).click();
  await page.getByTestId('toast').filter({ hasText: 'Copied' }).waitFor();
  await page.getByTestId('composer').press('Control+V');
  await page.getByTestId('send').click();
  await said(page, 'Use it in this chat?').waitFor();
  expect(await page.locator('.messages').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅ Link');
  await said(page, 'Which sender line').waitFor();
  await say(page, DEMO_LINE);
  await said(page, 'Try: /send').waitFor();
  await welcome.locator('.command', { hasText: '/credit' }).click();
  await said(page, 'a day in the last 7 days').filter({ hasText: 'left at this pace' }).waitFor();
  await said(page, 'in the last 14 days').locator('.photo').waitFor();
  await welcome.locator('.command', { hasText: '/inbox' }).click();
  await said(page, 'Unread').filter({ hasText: '3 messages' }).waitFor();
  await say(page, '/report 7d');
  const report = said(page, 'Report').filter({ hasText: 'not delivered' });
  await report.filter({ hasText: '50001234' }).filter({ hasText: 'rial a part' }).waitFor();

  await say(page, '/send 09121234567, ۰۹۳۵۱۱۱۲۲۳۳, 0912x Hello, the meeting is at ten.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '2 to send' }).waitFor();
  expect(await card.innerText()).toMatch(/Hello, the meeting is at ten\./);
  expect(await card.innerText()).toMatch(/0912x.*not a number/);
  await picture(page, 'first-send-preview.png');
  await press(page, '✅ Send');
  await page.getByTestId('btn').filter({ hasText: '↩️ Undo' }).waitFor();
  await card.filter({ hasText: '2 accepted' }).waitFor();
  await card.filter({ hasText: '2 delivered' }).waitFor();
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
  // Pressed while the page is drawn anew, as it is once it hears of events.
  await page.getByTestId('other-language').hover();
  await page.mouse.down();
  await page.evaluate("window.dispatchEvent(new Event('hashchange'))");
  await page.mouse.up();
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page.getByTestId('welcome').filter({ hasText: 'این پنل آزمایشی است' }).waitFor();

  // Whole, without scrolling: it stands where one writes later.
  const start = await page.getByTestId('start').boundingBox();
  expect((start?.y ?? Infinity) + (start?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
  await page.getByTestId('start').tap();
  await said(page, 'من پیکم').waitFor();
  await say(page, '/connect');
  await said(page, 'کلید API را بفرستید').waitFor();
  await say(page, DEMO_KEY);
  await said(page, 'حساب:').waitFor();
  expect(await page.locator('.messages').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅');
  await said(page, 'اول از کدام خط').waitFor();
  await say(page, '۳۰۰۰۱۲۳۴۵۶');
  await said(page, 'امتحان کنید:').waitFor();
  await say(page, '/credit');
  await said(page, '💰').waitFor();

  await say(page, '/send 09121234567، ۰۹۳۵۱۱۱۲۲۳۳، ۰۹۱۲x جلسه فردا ساعت ۱۰ است.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '۲ ارسال می‌شود' }).waitFor();
  expect(await card.innerText()).toMatch(/جلسه فردا ساعت ۱۰ است\./);
  expect(await card.innerText()).toMatch(/۰۹۱۲x.*شماره نیست/);
  await press(page, '✅');
  await page.getByTestId('btn').filter({ hasText: '↩️' }).waitFor();
  await card.filter({ hasText: '۲ پذیرفته شد' }).waitFor();
  await card.filter({ hasText: '۲ تحویل شد' }).waitFor();
  await picture(page, 'first-send-fa.png');

  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});
