import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { customers, upload } from '../support/customers.ts';
import { link, press, said, shows, startPeyk } from '../support/page-story.ts';
import { given } from '../support/talk.ts';
import { DESKTOP, say } from '../support/try-page.ts';

/* What a send costs, and texts that are kept, on the page. */

const browser = useBrowser();

test('the card knows the price after some sends, warns when the credit is short, and texts are kept', async () => {
  await using peyk = await startPeyk({ deliverySeconds: 4 });
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await link(page, 'en');
  await say(page, '/template hours We are open from nine to five.');
  await said(page, 'Saved as #hours').waitFor();
  await say(page, '/templates');
  const kept = said(page, '1 template here');
  await kept.waitFor();
  await press(kept, '#hours');
  await said(page, 'To which numbers?').waitFor();
  await say(page, '09121234567, 09351112233');
  const first = said(page, '#A1');
  await shows(first, '2 parts in all · the price is not known yet');
  await press(first, '✅ Send 2 · 2 parts');
  await shows(first, '2 delivered');
  await say(page, '/send 09121234567 #hours');
  const second = said(page, '#A2');
  await shows(second, 'We are open from nine to five.');
  await shows(second, '≈ 2,840 rial (2,840 a part');
  await shows(second, /credit after ≈ 9,999,991,480 rial(?! · about)/);
  await press(second, '✖ Cancel');

  given(peyk.sandbox.world.account('demo')).credit = 9_994_320;
  await say(page, '/credit');
  await said(page, '9,994,320 rial').waitFor();
  await say(page, '/limits approval off');
  await said(page, 'off, nobody else has to approve').waitFor();
  await upload(page, 'all.csv', customers(4000, 'en'), '/bulk');
  const card = said(page, 'all.csv');
  await shows(card, '4,000 good numbers');
  await press(card, 'Continue');
  await said(page, 'You can use these fields in it').waitFor();
  await say(page, 'Nik Shop: three days of sales begin tomorrow.');
  await shows(card, 'is short by about 1,365,680 rial');
  await card.getByTestId('btn').filter({ hasText: '✅ Send 4,000 · ≈ 11,360,000 rial' }).waitFor();
  await press(card, '✖ Cancel');
  await shows(said(page, '#A3'), 'none of it was sent');
  await say(page, '/unknown');
  await said(page, 'No outcome has been unknown for more than 15 minutes').waitFor();
  expect(peyk.sandbox.ledger.totals().recipients).toBe(2);
  expect(problems).toEqual([]);
  await page.close();
});
