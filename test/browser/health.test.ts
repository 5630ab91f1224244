import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { link, press, said, shows, startPeyk } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, say } from '../support/try-page.ts';

/** The people with whom the page's world begins. */
const EVERYBODY = '500000001,500000002';

const browser = useBrowser();
test.each([
  ['en', DESKTOP, 'Bot status', 'health.png'],
  ['fa', PHONE, 'وضعیت ربات', 'health-fa.png'],
] as const)(
  'who runs the deployment asks in the chat how it is (%s)',
  async (locale, viewport, head, name) => {
    await using peyk = await startPeyk({ settings: { OWNER_IDS: EVERYBODY } });
    const { page, problems } = await browser.open(peyk.pageUrl, { viewport, colorScheme: 'light' });
    await link(page, locale);
    await say(page, '/health');
    const card = said(page, head);
    await card.waitFor();
    await shows(card, '✅');
    await press(card, '↻');
    await shows(card, '✅');
    await fits(page, viewport);
    await picture(page, name);
    expect(problems).toEqual([]);
  },
);
