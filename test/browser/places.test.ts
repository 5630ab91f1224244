import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/storage/database/database.ts';
import { useBrowser } from '../support/browser.ts';
import {
  ALERTS_CHANNEL,
  answer,
  as,
  labels,
  LINE,
  linkGroup,
  press,
  receive,
  said,
  shows,
  startPeyk,
  SUPPORT_FORUM,
  WATCHING,
} from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, say } from '../support/try-page.ts';

/* Other places than a plain group: a forum with a topic for each correspondent, and a channel that is told things. */

const TEHRAN = { colorScheme: 'light', timezoneId: 'Asia/Tehran' } as const;
/** So many in one look: ten are told one by one. */
const ASKED = [
  'سلام، سفارشم هنوز نرسیده است',
  'ممنون، رسید',
  'قیمت عمده چند است؟',
  'نشانی فروشگاه کجاست؟',
  'شمارهٔ پیگیری را می‌فرستید؟',
  'آیا پرداخت در محل دارید؟',
  'می‌خواهم سفارشم را لغو کنم',
  'رنگ آبی هم دارید؟',
  'ارسال به شیراز چند روز طول می‌کشد؟',
  'ساعت کاری شما چیست؟',
  'سلام، جشنواره تا کی ادامه دارد؟',
  'کد تخفیف را برایم بفرستید',
  'جمعه باز هستید؟',
];

const browser = useBrowser();

test('in a forum each correspondent has a topic, in which their messages are and are answered', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, { ...TEHRAN, viewport: DESKTOP });
  await linkGroup(page, 'en', SUPPORT_FORUM);
  await said(page, 'The inbox already held 3 messages').waitFor();
  await say(page, '/name 09127654321 Maryam');
  await said(page, 'is now called Maryam here').waitFor();
  await say(page, '/alerts');
  const alerts = said(page, 'Alerts of this chat');
  await press(alerts, '⚙ This chat');
  await press(alerts, '▫️ 🗂 A topic per sender');
  await alerts.getByTestId('btn').filter({ hasText: '✅ 🗂' }).waitFor();

  receive(sandbox, '9127654321', 'Hello, where is my order 1024?');
  const hers = topic(page, 'Maryam');
  await hers.waitFor();
  receive(sandbox, '9351112233', 'سلام، جمعه‌ها هم باز هستید؟');
  receive(sandbox, '9194445566', 'Please send me the price list.', '50001234');
  await topic(page, '0935•••2233').waitFor();
  await topic(page, '0919•••5566').waitFor();
  receive(sandbox, '9127654321', 'It was to come on Thursday.');
  expect(await said(page, '📩').count()).toBe(0);
  await hers.locator('.count', { hasText: '2' }).waitFor();

  await hers.click();
  const first = said(page, 'my order 1024');
  await shows(first, `📩 to ${LINE}`, '0912•••4321 · Maryam');
  const second = said(page, 'come on Thursday');
  await second.waitFor();
  expect(await page.locator('.message', { hasText: '📩' }).count()).toBe(2);
  await answer(second, page, 'It left today and comes tomorrow before noon.');
  await shows(second, '↩️ answered by Sara Ahmadi · #A1 · ✅ delivered');
  expect(sandbox.ledger.sends()).toMatchObject([{ line: LINE, recipients: ['9127654321'] }]);
  await shows(said(page, '✉️').filter({ hasText: 'before noon' }), '1 delivered');
  expect(await topicNames(page)).toEqual([
    'General',
    'Orders',
    'پشتیبانی',
    '📥 0912•••4321 · Maryam',
    expect.stringMatching(/^📥 09.*1$/u),
    expect.stringMatching(/^📥 09.*1$/u),
  ]);
  await picture(page, 'forum-topics.png');
  await topic(page, '0935•••2233').click();
  await shows(said(page, 'جمعه‌ها هم باز هستید'), `📩 to ${LINE}`);
  expect(await page.locator('.message', { hasText: 'Thursday' }).count()).toBe(0);
  await as(page, 'رضا', SUPPORT_FORUM);
  await fits(page, PHONE);
  await topic(page, '0919•••5566').click();
  await said(page, 'the price list').waitFor();
  expect(await page.getByTestId('topic-1').innerText()).toBe('عمومی');
  receive(sandbox, '9127654321', 'It is here, thank you.');
  await hers.locator('.count', { hasText: '۱' }).waitFor();
  const open = await topic(page, '0919•••5566').boundingBox();
  expect(open?.x).toBeGreaterThanOrEqual(0);
  expect((open?.x ?? 0) + (open?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  expect(problems).toEqual([]);
  await page.close();
});

test('a channel has what is told in Persian: who wrote, how a send ended, and the day’s digest', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page, problems } = await browser.open(peyk.pageUrl, { ...TEHRAN, viewport: DESKTOP });
  await linkGroup(page, 'en');
  await said(page, 'The inbox already held 3 messages').waitFor();
  await say(page, `/alerts ${ALERTS_CHANNEL.slice(5)}`);
  await said(page, 'Alerts go to Nik Shop – Alerts from now on').waitFor();
  const place = said(page, '📍 Nik Shop – Alerts');
  await press(place, '▫️ Digest');
  await shows(place, '📅 09:00');
  await press(place, 'فارسی');
  await place.getByTestId('btn').filter({ hasText: '✅ فارسی' }).waitFor();
  const numbers = Array.from({ length: 40 }, (_, n) => `0912${1_111_111 + n}`);
  await say(page, `/send ${[...numbers, '09121110000'].join(' ')} جشنواره از فردا آغاز می‌شود.`);
  const card = said(page, '#A1');
  await press(card, '✅ Send');
  await shows(card, '40 delivered');

  await as(page, 'رضا', ALERTS_CHANNEL);
  await shows(said(page, '🏁'), /#A1.* به پایان رسید/u);
  for (const [index, text] of ASKED.entries()) receive(sandbox, `935111${2230 + index}`, text);
  const flood = said(page, 'پیام دیگر');
  await shows(flood, '📥 ۳ پیام دیگر', '0935•••2240', 'جمعه باز هستید؟');
  expect(await labels(flood)).toEqual(['⬇ همه در یک فایل']);
  await morning(peyk.dataDir);
  const digest = said(page, '📅 خلاصهٔ روز');
  await shows(digest, '✉️ ۴۱ ارسال شد · ۴۰ تحویل شد · ۱ تحویل نشد', '📩 دریافت ۱۶');
  expect(await page.getByTestId('composer').isVisible()).toBe(false);
  await page.setViewportSize(PHONE);
  await picture(page, 'channel-digest-fa.png');
  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
});

async function topicNames(page: Page): Promise<string[]> {
  return await page.getByTestId(/^topic-\d/).allTextContents();
}

function topic(page: Page, name: string) {
  return page.getByTestId(/^topic-\d/).filter({ hasText: name });
}

/** It is nine in the morning of the next day, as far as a digest is concerned; before nine it is that minute. */
async function morning(dataDir: string): Promise<void> {
  const noted: unknown = JSON.parse(readFileSync(join(dataDir, 'peyk.json'), 'utf8'));
  const { runtimeDir } = z.object({ runtimeDir: z.string() }).parse(noted);
  const { sql, close } = openDatabase({
    target: { socketDir: runtimeDir, port: 5432, user: 'peyk', database: 'peyk' },
    max: 1,
  });
  await sql`
    update sink set digested_on = '2000-01-01', digest_at = l.at
    from (
      select least(540, extract(hour from t) * 60 + extract(minute from t))::int as at
      from (select now() at time zone 'Asia/Tehran' as t) x
    ) l where 'digest' = any(kinds)`;
  const before = sql`(
    select (l.day + min(s.digest_at) * interval '1 minute') at time zone 'Asia/Tehran' - interval '1 hour'
    from sink s, (select (now() at time zone 'Asia/Tehran')::date as day) l group by l.day)`;
  await sql`update attempt set ended_at = least(ended_at, ${before})`;
  await sql`update inbound set captured_at = least(captured_at, ${before})`;
  await sql`update notice set sent_at = ${before} where sent_at is not null`;
  await close();
}
