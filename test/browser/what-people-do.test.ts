import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import {
  link,
  open,
  OPS_GROUP,
  press,
  receive,
  said,
  shows,
  startPeyk,
  WATCHING,
  type Locale,
} from '../support/page-story.ts';
import { longPress, PHONE, say } from '../support/try-page.ts';

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
    name: 'Reza',
    inbox: 'The inbox already held',
    received: 'Is the shop open on Friday?',
    taken: '🙋 Sara',
    done: '✔ done',
    noMobile: 'no mobile number',
    sendTo: 'Send an SMS to',
    to: '✉️ SMS to 09121234567',
    whatText: 'What should the message say?',
  },
  fa: {
    text: 'سلام، فردا تعطیل هستیم.',
    forwarded: 'این پیام فوروارد شده',
    make: '✉️ پیامک',
    numbers: 'به کدام شماره',
    accepted: 'پذیرفت',
    send: '✅ ارسال',
    name: 'مریم',
    inbox: 'از قبل در صندوق بود',
    received: 'سفارش من کی می‌رسد؟',
    taken: '🙋 با',
    done: '✔ انجام شد',
    noMobile: 'شمارهٔ موبایلی نیست',
    sendTo: 'پیامک بفرستید؟',
    to: '✉️ پیامک به 09121234567',
    whatText: 'متن پیام چه باشد؟',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string>>>;

test.each(['en', 'fa'] as const)('a text is forwarded, and another one answered: %s', async (locale) => {
  await using peyk = await startPeyk({ settings: { UNDO_SECONDS: '1' } });
  const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
  const words = WORDS[locale];
  await link(page, locale);
  await open(page, OPS_GROUP);
  await say(page, words.text);
  // What is answered moves the message: a finger waits for it.
  if (locale === 'en') await said(page, 'No gateway account is linked to this chat yet').waitFor();
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
  await shows(page.locator('.message').last(), words.make);
  await menu(page, words.text.replace('/send it', 'Send it'), 'reply');
  await say(page, '/send 09351112233');
  await shows(said(page, '#A2'), words.send, '09351112233');
  // SHOT answered
  expect(problems).toEqual([]);
  await page.close();
});

test.each(['en', 'fa'] as const)('a contact is shared, and answers a question: %s', async (locale) => {
  await using peyk = await startPeyk({ settings: { UNDO_SECONDS: '1' } });
  const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
  const words = WORDS[locale];
  await link(page, locale);
  await contact(page, words.name, '021-88887777');
  await shows(said(page, words.noMobile), '021-88887777');
  await contact(page, words.name, '+98 912 123 4567');
  const asked = said(page, words.sendTo);
  await shows(asked, words.to);
  // SHOT contact
  await press(asked, words.to);
  await said(page, words.whatText).waitFor();
  await say(page, words.name);
  await shows(said(page, '#A1'), '09121234567', words.send);
  await say(page, '/send');
  await said(page, words.numbers).waitFor();
  await contact(page, words.name, '۰۹۳۵۱۱۱۲۲۳۳');
  await said(page, words.whatText).waitFor();
  // SHOT answer
  await say(page, words.name);
  await shows(said(page, '#A2'), '09351112233', words.send);
  expect(problems).toEqual([]);
  await page.close();
});

test.each(['en', 'fa'] as const)(
  'a received message is taken and closed by reactions: %s',
  async (locale) => {
    await using peyk = await startPeyk({ settings: WATCHING });
    const { page, problems } = await browser.open(peyk.pageUrl, ON_PHONE);
    const words = WORDS[locale];
    await link(page, locale);
    await said(page, words.inbox).waitFor();
    receive(peyk.sandbox, '9127654321', words.received);
    const card = said(page, words.received);
    await card.waitFor();
    await react(page, card, '👀');
    await shows(card, words.taken);
    // SHOT taken
    await react(page, card, '👌');
    await shows(card, words.done);
    // SHOT closed
    expect(problems).toEqual([]);
    await page.close();
  },
);

async function react(page: Page, card: Locator, emoji: string): Promise<void> {
  await longPress(card, { x: 20, y: 20 });
  await page.getByTestId('react').filter({ hasText: emoji }).click();
}

/** Shares somebody's contact, as from the address book of a phone. */
async function contact(page: Page, name: string, number: string): Promise<void> {
  await page.getByTestId('attach').click();
  await page.getByTestId('menu-other-contact').click();
  await page.locator('input[name=first_name]').fill(name);
  await page.locator('input[name=phone_number]').fill(number);
  await page.locator('input[name=phone_number]').press('Enter');
}

/** Chooses from the menu of one's own newest message that says this. */
async function menu(page: Page, text: string, item: 'forward' | 'reply'): Promise<void> {
  const own = page.locator('.message.out', { hasText: text }).last();
  await longPress(own, { x: 20, y: 20 });
  await page.getByTestId(`menu-${item}`).click();
}
