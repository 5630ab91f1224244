import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { link, open, OPS_GROUP, press, said, shows, startPeyk, type Locale } from '../support/page-story.ts';
import { PHONE, say } from '../support/try-page.ts';

/* What people do in Telegram anyway, on the page as on a phone: each leads to a draft and its press. */

const ON_PHONE = {
  colorScheme: 'light',
  timezoneId: 'Asia/Tehran',
  viewport: PHONE,
  isMobile: true,
} as const;

const browser = useBrowser();

const WORDS = {
  en: {
    text: '/send it back: the shop is closed tomorrow.',
    forwarded: 'This was forwarded',
    make: '✉️ Make it an SMS',
    numbers: 'To which numbers?',
    accepted: 'accepted',
    send: '✅ Send',
  },
  fa: {
    text: 'سلام، فردا تعطیل هستیم.',
    forwarded: 'این پیام فوروارد شده',
    make: '✉️ پیامک',
    numbers: 'به کدام شماره',
    accepted: 'پذیرفت',
    send: '✅ ارسال',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string>>>;

test.each(['en', 'fa'] as const)('a text is forwarded, and another one answered: %s', async (locale) => {
  await using peyk = await startPeyk({ settings: { UNDO_SECONDS: '1' } });
  const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
  const words = WORDS[locale];
  await link(page, locale);
  await open(page, OPS_GROUP);
  await say(page, words.text);
  await menu(page, words.text, 'forward');
  await page.locator('.choices button', { hasText: 'Peyk' }).click();
  const asked = said(page, words.forwarded);
  await shows(asked, words.make);
  // SHOT forwarded
  await press(asked, words.make);
  await said(page, words.numbers).waitFor();
  await say(page, '09121234567');
  const card = said(page, '#A1');
  await shows(card, words.text, '09121234567', words.send);
  // SHOT draft
  await press(card, words.send);
  await expect.poll(() => peyk.sandbox.ledger.sends().map(({ text }) => text)).toEqual([words.text]);

  await say(page, words.text.replace('/send it', 'Send it'));
  await menu(page, words.text.replace('/send it', 'Send it'), 'reply');
  await say(page, '/send 09351112233');
  await shows(said(page, '#A2'), words.send, '09351112233');
  // SHOT answered
  expect(problems).toEqual([]);
  await page.close();
});

/** Chooses from the menu of one's own newest message that says this. */
async function menu(page: Page, text: string, item: 'forward' | 'reply'): Promise<void> {
  const own = page.locator('.message.out', { hasText: text }).last();
  await own.click({ button: 'right' });
  await page.getByTestId(`menu-${item}`).click();
}
