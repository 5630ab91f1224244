import { expect, test } from 'vitest';
import { CODE, MARKUP, PATHS } from '../naughty/program-texts.ts';
import { OURS, PERSIAN, TELEGRAM } from '../naughty/chat-texts.ts';
import { DIRECTIONS, FACES, MARKS } from '../naughty/unicode-texts.ts';
import { useBrowser } from '../support/browser.ts';
import { labels, linkGroup, receive, said, startPeyk, WATCHING } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE } from '../support/try-page.ts';

/* What a stranger writes, in a real browser: it is seen, and that is all that it does. */

/** What a card shows without leaving anything out. */
const MESSAGE_UNITS = 2000;
/** So many come one by one. */
const CARDS = 10;

const browser = useBrowser();

test('hostile texts on cards run nothing, link to nothing and break no layout', async () => {
  await using peyk = await startPeyk({ settings: WATCHING });
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => problems.push(`a window: ${popup.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(peyk.pageUrl) && !request.url().startsWith('blob:'))
      problems.push(`a request: ${request.url()}`);
  });
  await linkGroup(page, 'en');
  await said(page, 'The inbox already held 3 messages').waitFor();
  const title = await page.title();
  const kinds = [MARKUP, CODE, PATHS, TELEGRAM, OURS, PERSIAN, [...DIRECTIONS, ...MARKS, ...FACES]];
  const messages = kinds.flatMap(packed);
  expect(messages.length).toBeLessThanOrEqual(CARDS);
  for (const [index, text] of messages.entries()) receive(peyk.sandbox, `91277700${10 + index}`, text);
  for (const index of messages.keys()) await said(page, `0912•••00${10 + index}`).waitFor();

  const quotes = page.locator('.message:not(.out) blockquote .quoted');
  expect((await quotes.allTextContents()).map(seen)).toEqual(messages.map(seen));
  const alien =
    'script, style, iframe, object, svg, math, img, video, form, input, base, link, meta, template';
  const text = page.locator('.message:not(.out) blockquote');
  expect(await text.locator(alien).count()).toBe(0);
  expect(await text.locator('a, strong, em, u, s, pre, code, .command, .mention, .spoiler').count()).toBe(0);
  for (const index of messages.keys())
    expect(await labels(said(page, `0912•••00${10 + index}`))).toEqual([
      '🙋 Take',
      '↩️ Reply',
      '🔎 History',
      '⛔ Block',
      '✔ Done',
    ]);
  expect(await page.title()).toBe(title);
  for (const more of await text.locator('.more').all()) await more.click();
  await fits(page, PHONE);
  const overhangs = `[...document.querySelectorAll('.bubble')].filter((each) => each.scrollWidth > each.clientWidth).length`;
  expect(await page.evaluate(overhangs)).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

/** As many as fit, line by line, in each message; none is so long that a card leaves some of it out. */
function packed(texts: readonly string[]): string[] {
  const messages: string[] = [];
  for (const text of texts.filter((each) => !each.includes('\0') && !/\+\d{8}/u.test(each))) {
    const last = messages.at(-1);
    if (last === undefined || last.length + text.length >= MESSAGE_UNITS) messages.push(text);
    else messages[messages.length - 1] = `${last}\n${text}`;
  }
  return messages;
}

/** Without marks of direction, and without what keeps Telegram from making links. */
function seen(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/gu, '');
}
