import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { customers, upload } from '../support/customers.ts';
import { link, press, receive, said, shows, startPeyk, WATCHING } from '../support/page-story.ts';
import { PHONE, say } from '../support/try-page.ts';

/* What stands on a button can be read at once on a phone: no label takes a second line. */

const browser = useBrowser();

test('in Persian on a phone every label of draft, review, job and received message stands on one line', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { sandbox } = peyk;
  const { page } = await browser.open(peyk.pageUrl, { viewport: PHONE, colorScheme: 'light' });
  await link(page, 'fa');

  await say(page, '/send 09121234567 09351112233 سلام');
  const draft = said(page, 'روی هم ۲ پارت');
  await draft.getByTestId('btn').first().waitFor();
  await allOnOneLine(page);

  await upload(page, 'سفارش‌ها.csv', customers(450, 'fa'), '/bulk');
  const card = said(page, 'سفارش‌ها.csv');
  await shows(card, 'ستون شماره‌ها');
  await allOnOneLine(page);
  await press(card, 'ادامه');
  await said(page, 'این فیلدها را می‌توانید در آن بیاورید').waitFor();
  await say(page, '{نام} عزیز، سفارش {سفارش} شما آماده است');
  await shows(card, '۴ با فیلد خالی');
  await allOnOneLine(page);
  await press(card, '👀');
  await allOnOneLine(page);

  receive(sandbox, '9127654321', 'سفارش من کی می‌رسد؟');
  await said(page, 'سفارش من کی').waitFor();
  await allOnOneLine(page);

  await press(draft, '✅ ارسال به ۲');
  await page
    .locator('.text', { hasText: /تحویل شد|پذیرفته شد/u })
    .first()
    .waitFor();
  expect(await allOnOneLine(page)).toBeGreaterThan(8);
  await page.close();
});

/** Gives how many labels were looked at. */
async function allOnOneLine(page: Page): Promise<number> {
  const labels = await page
    .getByTestId('btn')
    .locator('span')
    .evaluateAll((spans) =>
      spans.map((span) => {
        const range = span.ownerDocument.createRange();
        range.selectNodeContents(span);
        const tops = Array.from(range.getClientRects(), ({ top }) => Math.round(top / 8));
        return { text: span.textContent, lines: Math.max(...tops) - Math.min(...tops) };
      }),
    );
  expect(labels.filter(({ lines }) => lines > 1)).toEqual([]);
  return labels.length;
}
