import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { link, press, said, shows, startPeyk } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, say } from '../support/try-page.ts';
import { WEEKDAY_NAME } from '../support/weekday.ts';

/* Sends that wait for their time, on the page. */

const browser = useBrowser();

test('a send waits for its time, is listed, moved, changed and taken off, and another comes every week', async () => {
  await using peyk = await startPeyk({ deliverySeconds: 4 });
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');
  await say(page, '/schedule tomorrow 9 09121234567, 09351112233 The meeting is at ten.');
  const card = said(page, 'The meeting is at ten.');
  await shows(card, /To be sent .*, 09:00 \(.?Asia\/Tehran.?\)/);
  await press(card, '✅ Send 2');
  await shows(card, /Scheduled for .*, 09:00/);
  await say(page, '/schedule every tuesday 10:00 09121234567 The weekly offer is here.');
  const weekly = said(page, 'The weekly offer');
  await shows(weekly, 'Then every Tuesday at 10:00');
  await press(weekly, '✅ Send 1');
  await shows(weekly, 'Scheduled for');

  await say(page, '/scheduled');
  const list = said(page, '2 scheduled sends');
  await shows(list, '#A1', 'every Tuesday at 10:00');
  await picture(page, 'scheduled.png');
  await press(list, '🕐 A1');
  await said(page, 'When should it be sent?').waitFor();
  await say(page, '2024-05-01 9:00');
  await said(page, 'That time is over').waitFor();
  await said(page, 'When should it be sent?').getByTestId('btn').first().waitFor();
  await say(page, `${WEEKDAY_NAME.en} 18:30`);
  await said(page, 'stays scheduled for').waitFor();
  await press(card, '🕐 When');
  await press(said(page, 'Choose, or type a time'), 'Tomorrow 09:00');
  await shows(card, /To be sent .*, 09:00/);
  await press(card, '✏️ Text');
  await said(page, 'What should the message say?').waitFor();
  await say(page, 'The meeting is at ten. Bring the list.');
  await shows(card, 'Bring the list');
  await press(card, '✅ Send 2');
  await shows(card, 'Scheduled for');
  await press(card, '🗑 Cancel');
  await shows(said(page, 'cancelled'), '#A3');

  await press(weekly, '🗑 Cancel');
  await press(said(page, 'What should end?'), 'The whole series');
  await said(page, 'it will not repeat').waitFor();
  await say(page, '/scheduled');
  await said(page, 'Nothing is scheduled here').waitFor();
  expect(peyk.sandbox.ledger.totals().recipients).toBe(0);
  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
});

test('«فردا ۹ صبح» is a time in Persian', async () => {
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
  await shows(card, /زمان ارسال: .* ۱۴۰[۰-۹]، ۰۹:۰۰ \(.?Asia\/Tehran.?\)/);
  await press(card, '✅ ارسال به ۱');
  await shows(card, 'زمان‌بندی‌شده برای');
  await say(page, '/scheduled');
  await shows(said(page, '۱ ارسال زمان‌بندی‌شده'), '#A1');
  await press(card, '🗑 لغو');
  await said(page, 'لغو شد').waitFor();
  expect(peyk.sandbox.ledger.totals().recipients).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});
