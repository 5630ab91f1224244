import { Bot, InlineKeyboard, InlineQueryResultBuilder } from 'grammy';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { useBrowser } from '../support/browser.ts';
import { fits, PHONE } from '../support/try-page.ts';

/* Inline mode on the page: what a bot offers to `@bot words`, chosen by keyboard and by tap. */

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WORDS = {
  en: {
    first: 'Delivery report',
    about: 'Accepted 12, delivered 9',
    button: 'Again',
    press: 'Turn on inline mode',
  },
  fa: {
    first: 'گزارش تحویل',
    about: 'پذیرفته ۱۲، تحویل ۹',
    button: 'دوباره',
    press: 'روشن کردن حالت اینلاین',
  },
};

const browser = useBrowser();
let playground: Playground;
let bot: Bot;
let running: Promise<void>;

beforeEach(async () => {
  playground = await startPlayground({ seedWorld: true });
  bot = new Bot(playground.token, { client: { apiRoot: playground.apiRoot } });
});

afterEach(async () => {
  await bot.stop();
  await running;
  await playground.close();
});

/** Offers 8 results a page and three pages, and a button that leads to the bot. */
function answer(words: (typeof WORDS)['en'], photo?: string): void {
  const keyboard = new InlineKeyboard().text(words.button, 'again');
  bot.on('inline_query', (ctx) => {
    const from = Number(ctx.inlineQuery.offset || 0);
    const rows = Array.from({ length: 8 }, (_, index) =>
      InlineQueryResultBuilder.article(
        `r${from + index}`,
        from + index === 0 ? words.first : `#${from + index}`,
        {
          description: words.about,
          reply_markup: keyboard,
        },
      ).text(`${words.first} ${from + index}: ${ctx.inlineQuery.query}`),
    );
    const shown =
      photo !== undefined && from === 0
        ? [InlineQueryResultBuilder.photoCached('photo', photo, { title: words.first })]
        : [];
    return ctx.answerInlineQuery([...rows.slice(0, 1), ...shown, ...rows.slice(1)], {
      cache_time: 0,
      next_offset: from < 16 ? String(from + 8) : '',
      ...(from === 0 && { button: { text: words.button, start_parameter: 'from-inline' } }),
    });
  });
  bot.on('callback_query', (ctx) => ctx.editMessageText(`${words.button}: ${ctx.callbackQuery.data}`));
  running = bot.start();
}

test.each([
  ['en', 'light'],
  ['fa', 'dark'],
] as const)('results stand above the composer and are chosen, %s in %s', async (language, colorScheme) => {
  const words = WORDS[language];
  const { chats, users } = playground.control.state();
  const user = users.find((one) => one.language_code === language)?.id ?? 0;
  const group = chats.find((one) => one.type !== 'private')?.id ?? 0;
  const [uploaded] = playground.control.upload({ user_id: user, chat_id: user }, [
    { field: 'file', name: 'a.png', mime: 'image/png', bytes: Buffer.from(PNG, 'base64') },
  ]);
  answer(words, uploaded?.photo?.at(-1)?.file_id ?? '');
  const { page, problems } = await browser.open(`${playground.pageUrl}#user=${user}&chat=${user}`, {
    viewport: PHONE,
    colorScheme,
    hasTouch: true,
    isMobile: true,
  });
  await page.locator('.chat-head').getByRole('button').nth(2).click();
  await page.getByTestId('inline-mode').filter({ hasText: words.press }).click();
  await page.goto(`${playground.pageUrl}#user=${user}&chat=${group}`);

  const composer = page.getByTestId('composer');
  await composer.pressSequentially(`@${playground.botUsername} week 12`);
  const results = page.getByTestId('inline-results');
  await page.getByTestId('result-r0').filter({ hasText: words.about }).waitFor();
  await fits(page, PHONE);
  expect(await below(page)).toBe(true);
  // The end of the list brings the next page.
  await results.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByTestId('result-r12').waitFor();

  await composer.press('ArrowDown');
  await composer.press('Enter');
  const posted = page.locator('.message.out', { hasText: `${words.first} 0: week 12` });
  await posted.filter({ hasText: `@${playground.botUsername}` }).waitFor();
  expect(await composer.inputValue()).toBe('');
  expect(await results.isHidden()).toBe(true);
  expect(await posted.getByTestId('edit').count()).toBe(0);
  await posted.getByTestId('btn').tap();
  await page.locator('.message.out', { hasText: `${words.button}: again` }).waitFor();

  await composer.pressSequentially(`@${playground.botUsername} x`);
  await page.getByTestId('result-photo').locator('img').waitFor();
  await composer.press('Escape');
  expect(await results.isHidden()).toBe(true);
  await composer.pressSequentially('y');
  await page.getByTestId('result-photo').tap();
  await page.locator('.message.out .photo').waitFor();
  await fits(page, PHONE);

  await composer.pressSequentially(`@${playground.botUsername} z`);
  await page.getByTestId('inline-button').tap();
  await page.locator('.message.out', { hasText: '/start from-inline' }).waitFor();
  expect(problems).toEqual([]);
});

/** Whether the results end where the composer begins. */
async function below(page: Page): Promise<boolean> {
  const results = await page.getByTestId('inline-results').boundingBox();
  const composer = await page.getByTestId('composer').boundingBox();
  return (results?.y ?? 0) + (results?.height ?? 0) <= (composer?.y ?? 0);
}

test('a button asks the bot in another chat, and words to a bot without inline mode are words', async () => {
  playground.control.setInline({ enabled: true });
  answer(WORDS.en);
  bot.command('start', (ctx) =>
    ctx.reply('Share?', { reply_markup: new InlineKeyboard().switchInline('Share', 'week 7') }),
  );
  const { chats, users } = playground.control.state();
  const user = users.find((one) => one.language_code === 'en')?.id ?? 0;
  const group = chats.find((one) => one.type !== 'private');
  const { page, problems } = await browser.open(`${playground.pageUrl}#user=${user}&chat=${user}`);
  await page.getByTestId('start').click();
  await page.getByTestId('btn').click();
  await page
    .locator('dialog')
    .getByRole('button', { name: group?.title ?? '' })
    .click();
  await page.getByTestId('result-r0').click();
  await page.locator('.message.out', { hasText: 'Delivery report 0: week 7' }).waitFor();
  expect(page.url()).toContain(`chat=${group?.id}`);

  playground.control.setInline({ enabled: false });
  // What a page was told in the meantime shows nowhere; one that comes anew knows it before anything can be typed.
  await page.reload();
  await page.getByTestId('composer').fill(`@${playground.botUsername} are you there?`);
  await page.getByTestId('composer').press('Enter');
  await page.locator('.message.out', { hasText: 'are you there?' }).waitFor();
  expect(problems).toEqual([]);
});
