import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { row, workbook } from '../../src/tables/testing/files.ts';
import { useBrowser } from '../support/browser.ts';
import {
  answer,
  as,
  link,
  linkGroup,
  type Locale,
  receive,
  said,
  shows,
  startPeyk,
  WATCHING,
} from '../support/page-story.ts';
import { DESKTOP, PHONE, say } from '../support/try-page.ts';
import { WEEKDAY_NAME } from '../support/weekday.ts';

/*
 * The daily flows on a phone, in both languages: each press is of a button below the last message of the chat. With
 * FLOW_PICTURES=1 each moment is kept in test-output/flows, on a phone and a desktop, light and dark.
 */

const browser = useBrowser();

const STORY = {
  en: {
    before: 'The inbox already held',
    file: 'march.xlsx',
    rows: ['Customers of March', '', 'no|customer name|mobile', '1|Sara|09121110001', '2|Lena|09121110002'],
    toFields: 'Dear {customer name}, come in.',
    schedule: '/schedule tomorrow 9 09121234567 The meeting is at ten.',
    leaves: 'To be sent ',
    scheduled: 'Scheduled for',
    day: `${WEEKDAY_NAME.en} 18:30`,
    question: 'Are you open on Friday?',
    reply: 'Yes, from nine to five.',
    me: 'Sara',
    other: 'رضا',
    approver: '/role approver @reza_nik',
    joined: 'شما در',
    send: '/send 09121234567 09351112233 Please agree to this',
    agree: 'Please agree to this',
  },
  fa: {
    before: 'از قبل در صندوق',
    file: 'اسفند.xlsx',
    rows: ['مشتریان اسفند', '', 'ردیف|نام مشتری|موبایل', '۱|سارا|۰۹۱۲۱۱۱۰۰۰۱', '۲|لاله|۰۹۱۲۱۱۱۰۰۰۲'],
    toFields: '{نام مشتری} عزیز، تشریف بیاورید.',
    schedule: '/schedule فردا ۹ صبح ۰۹۱۲۱۲۳۴۵۶۷ جلسه ساعت ۱۰ است.',
    leaves: 'زمان ارسال:',
    scheduled: 'زمان‌بندی‌شده برای',
    day: `${WEEKDAY_NAME.fa} ۱۸:۳۰`,
    question: 'جمعه باز هستید؟',
    reply: 'بله، از نه تا پنج.',
    me: 'رضا',
    other: 'Sara',
    approver: '/role approver @sara_ahmadi',
    joined: 'You are approver in',
    send: '/send ۰۹۱۲۱۲۳۴۵۶۷ ۰۹۳۵۱۱۱۲۲۳۳ لطفاً تأیید کنید',
    agree: 'لطفاً تأیید کنید',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string | readonly string[]>>>;

for (const locale of ['en', 'fa'] as const) {
  test(`the card is the last message, in ${locale}`, async () => {
    const words = STORY[locale];
    await using peyk = await startPeyk({
      deliverySeconds: 2,
      settings: { ...WATCHING, UNDO_SECONDS: '600' },
    });
    const { page, problems } = await browser.open(peyk.pageUrl, {
      viewport: PHONE,
      colorScheme: locale === 'en' ? 'light' : 'dark',
      hasTouch: true,
      isMobile: true,
    });
    const { presses, kept } = chatOf(page, locale);

    await link(page, locale);
    // The account's received messages are told of when they have been read, and would come below the file's card.
    await said(page, words.before).waitFor();
    await kept('linked');
    await uploads(page, words.file, words.rows);
    await buttonOf(page, '📒').waitFor();
    await kept('file');
    await presses('✉️', '▶');
    await kept('columns');
    await presses('▶', '{');
    await say(page, words.toFields);
    await buttonOf(page, '✅').waitFor();
    await kept('preview');
    await presses('✅', '↩️');
    await kept('hold');
    await presses('↩️', '✅');
    await kept('undone');

    await say(page, words.schedule);
    await shows(last(page), words.leaves);
    await kept('time');
    await presses('✅', '🗑');
    await shows(last(page), words.scheduled);
    await kept('scheduled');
    await presses('🕐', '🕐');
    await say(page, words.day);
    await shows(last(page), words.leaves);
    await kept('time-changed');
    await presses('✅', '🗑');
    await shows(last(page), words.scheduled);

    receive(peyk.sandbox, '9121110009', words.question);
    await shows(last(page), words.question);
    await kept('received');
    await answer(last(page), page, words.reply);
    await buttonOf(page, '↩️').waitFor();
    await kept('replied');

    await linkGroup(page, locale);
    await said(page, words.before).waitFor();
    await kept('group-linked');
    await say(page, '/limits approval 1');
    await say(page, words.approver);
    await buttonOf(page, '➡').waitFor();
    await as(page, words.other);
    await buttonOf(page, '➡').click();
    await shows(last(page), words.joined);
    await as(page, words.me);
    await say(page, words.send);
    await shows(last(page), words.agree);
    await presses('➡', '✅');
    await as(page, words.other);
    await kept('asked');
    await presses('❌', '🔄');
    await as(page, words.me);
    await kept('rejected');
    await presses('🔄', '➡');
    await presses('➡', '✅');
    await as(page, words.other);
    await presses('✅', '↩️');
    await kept('approved');
    expect(problems).toEqual([]);
    await page.close();
  });
}

async function uploads(page: Page, name: string, rows: readonly string[]): Promise<void> {
  const cells = rows.map((line) =>
    row(...line.split('|').map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`)),
  );
  const buffer = Buffer.from(await workbook({ rows: cells.join('') }));
  await page.getByTestId('file-input').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await say(page, '');
}

const last = (page: Page) => page.locator('.message').last();

const buttonOf = (page: Page, sign: string) =>
  last(page).getByTestId('btn').filter({ hasText: sign }).first();

function chatOf(page: Page, locale: Locale) {
  let moment = 0;
  return {
    /** Presses a button of the last message; the last message then has a button with the other sign. */
    async presses(sign: string, then: string): Promise<void> {
      await buttonOf(page, sign).click();
      await buttonOf(page, then).waitFor();
    },

    async kept(name: string): Promise<void> {
      if (process.env['FLOW_PICTURES'] !== '1') return;
      const folder = join(import.meta.dirname, '../../test-output/flows');
      mkdirSync(folder, { recursive: true });
      moment += 1;
      const file = `${locale}-${String(moment).padStart(2, '0')}-${name}`;
      for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({
            path: join(folder, `${file}-${size}-${colorScheme}.png`),
            animations: 'disabled',
          });
        }
      }
    },
  };
}
