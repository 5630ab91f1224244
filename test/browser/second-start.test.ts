import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { link, receive, said, startPeyk, WATCHING } from '../support/page-story.ts';
import { DESKTOP } from '../support/try-page.ts';
import { until } from '../support/until.ts';

/* The chat page forgets with the process, the database does not: what is there after a second start. */

const browser = useBrowser();

test('a private chat that is gone with the first start is told everything again once somebody writes in it', async () => {
  await using peyk = await startPeyk({ settings: { ...WATCHING, PORT: String(await freePort()) } });
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP });
  await link(page, 'en');
  await said(page, 'The inbox already held').waitFor();
  receive(peyk.sandbox, '9121110009', 'While both are here');
  await said(page, 'While both are here').waitFor();

  await peyk.again(() => receive(peyk.sandbox, '9121110009', 'While nobody is here'));
  await until(async () => expect(await refused(peyk.pageUrl)).toContain('initiate conversation with a user'));
  await page.getByTestId('start').click();

  await said(page, 'While nobody is here').waitFor();
  receive(peyk.sandbox, '9121110009', 'And afterwards');
  await said(page, 'And afterwards').waitFor();
  expect(problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
});

/** Why messages of the bot were not taken. */
async function refused(pageUrl: string): Promise<string> {
  const answer = await fetch(`${pageUrl}_control/calls?method=sendMessage`);
  return await answer.text();
}
