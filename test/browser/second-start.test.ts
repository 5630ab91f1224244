import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { link, LONG, receive, said, startPeyk, WATCHING } from '../support/page-story.ts';
import { DESKTOP, SOON } from '../support/try-page.ts';
import { until } from '../support/until.ts';

/* The chat page forgets with the process, the database does not: what is there after a second start. */

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

test(
  'a private chat that is gone with the first start is told everything again once somebody writes in it',
  async () => {
    await using peyk = await startPeyk({ settings: { ...WATCHING, PORT: String(await freePort()) } });
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP });
    await link(page, 'en');
    await said(page, 'in the inbox already').waitFor(SOON);
    receive(peyk.sandbox, '9121110009', 'While both are here');
    await said(page, 'While both are here').waitFor(SOON);

    await peyk.again(() => receive(peyk.sandbox, '9121110009', 'While nobody is here'));
    await until(async () =>
      expect(await refused(peyk.pageUrl)).toContain('initiate conversation with a user'),
    );
    await page.getByTestId('start').click(SOON);

    await said(page, 'While nobody is here').waitFor(SOON);
    receive(peyk.sandbox, '9121110009', 'And afterwards');
    await said(page, 'And afterwards').waitFor(SOON);
    expect(problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  },
  LONG,
);

/** Why messages of the bot were not taken. */
async function refused(pageUrl: string): Promise<string> {
  const answer = await fetch(`${pageUrl}_control/calls?method=sendMessage`);
  return await answer.text();
}
