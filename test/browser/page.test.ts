import { readFile } from 'node:fs/promises';
import type { Message, Update } from '@grammyjs/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { useBrowser, type OpenPage } from '../support/browser.ts';
import { longPress } from '../support/try-page.ts';

const PHONE = { width: 360, height: 740 };

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
});
const aMessage = z.custom<Message>(isObject);
const someUpdates = z.array(z.custom<Update>(isObject));

const browser = useBrowser();
let playground: Playground;
let opened: OpenPage[] = [];
let offset = 0;

beforeEach(async () => {
  playground = await startPlayground({ port: 0, seedWorld: true });
  offset = 0;
});

afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await playground.close();
});

test('switching the person switches language, direction and chats, and a reload keeps the place', async () => {
  const { page } = await open({ user: person('sara') });
  await page.locator('html[lang=en][dir=ltr]').waitFor();

  await page.getByTestId('person-switcher').click();
  await page.getByTestId(`person-${person('reza')}`).click();

  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page.getByTestId(`chat-${group()}`).click();
  await page.getByTestId('composer').waitFor();
  await page.reload();
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page.getByTestId('composer').waitFor();
  expect(await page.locator('.chat-head h1').innerText()).toBe('Nik Shop – Ops');
});

test('a click is heard though a message comes between its press and its release', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const forum = chat((one) => one.is_forum === true);
  await page.getByTestId(`chat-${forum.id}`).hover();
  await page.mouse.down();
  const sent = await send({ chat_id: group(), text: 'Meanwhile' });
  await page.getByTestId(`msg-${sent.message_id}`).waitFor();
  await page.mouse.up();
  await expect.poll(() => page.locator('.chat-head h1').innerText()).toBe(forum.title);
  await page.getByTestId(`chat-${group()}`).filter({ hasText: 'Meanwhile' }).waitFor();
});

test('a button is pressed though its chat has come whole between its press and its release', async () => {
  const sara = person('sara');
  const buttons = [[{ text: 'Yes', callback_data: 'yes' }]];
  await send({ chat_id: group(), text: 'Shall we?', reply_markup: { inline_keyboard: buttons } });
  const { page } = await open({ user: sara });
  await page.getByTestId(`chat-${group()}`).filter({ hasText: 'Shall we?' }).waitFor();
  const held = Promise.withResolvers<void>();
  const came = page.waitForResponse(/\/messages\?(?!.*after)/u);
  await page.route(/\/messages\?(?!.*after)/u, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByTestId(`chat-${group()}`).click();
  await page.getByTestId('btn').filter({ hasText: 'Yes' }).last().hover();
  await page.mouse.down();
  held.resolve();
  await (await came).finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.mouse.up();
  const { callback_query: query } = await update((one) => one.callback_query !== undefined);
  expect(query).toMatchObject({ data: 'yes', from: { id: sara } });
});

test('a button is pressed though its message is edited, and another comes, between its press and its release', async () => {
  const sara = person('sara');
  const buttons = [[{ text: 'Yes', callback_data: 'yes' }]];
  const card = await send({
    chat_id: group(),
    text: 'Shall we?',
    reply_markup: { inline_keyboard: buttons },
  });
  const { page } = await open({ user: sara, chat: group() });
  const place = { chat_id: group(), message_id: card.message_id };
  const yes = page.getByTestId(`msg-${card.message_id}`).getByTestId('btn');
  await yes.hover();
  await page.mouse.down();
  await bot('editMessageText', {
    ...place,
    text: 'Shall we?\nFor 1,420 rial, as it seems?',
    reply_markup: { inline_keyboard: [[{ text: 'Yes, for 1,420', callback_data: 'yes' }]] },
  });
  const next = await send({ chat_id: group(), text: 'Meanwhile' });
  // The list of chats is not pressed: there it has arrived.
  await page.getByTestId(`chat-${group()}`).filter({ hasText: 'Meanwhile' }).waitFor();
  await page.mouse.up();
  const { callback_query: query } = await update((one) => one.callback_query !== undefined);
  expect(query).toMatchObject({ data: 'yes', from: { id: sara } });
  await yes.filter({ hasText: 'Yes, for 1,420' }).waitFor();
  await page.getByTestId(`msg-${next.message_id}`).waitFor();
});

test('a page that stays open over a second start counts what is unread, not what the ids have jumped by', async () => {
  const first = await open({ user: person('sara'), chat: person('sara') });
  const port = Number(new URL(playground.pageUrl).port);
  await playground.close();
  await first.page.locator('body[data-live="no"]').waitFor();
  playground = await startPlayground({ port, seedWorld: true, firstId: 967 });
  await first.page.locator('body[data-live="yes"]').waitFor();

  await bot('sendMessage', { chat_id: group(), text: 'The one message' });
  await first.page.getByTestId(`chat-${group()}`).filter({ hasText: 'The one message' }).waitFor();
  const badge = first.page.getByTestId(`chat-${group()}`).locator('.count');
  await badge.waitFor();
  expect(await badge.innerText()).toBe('1');
  await first.page.getByTestId('start').click();
  await first.page.locator('.message.out', { hasText: '/start' }).waitFor();
  expect(first.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
});

test('what is unread stays so over a reload and a second start, and notes of what happened in a chat do not count', async () => {
  const { page } = await open({ user: person('reza') });
  const badge = page.getByTestId(`chat-${group()}`).locator('.count');
  await bot('sendMessage', { chat_id: group(), text: 'Nobody has read this' });
  await badge.filter({ hasText: '۱' }).waitFor();

  await page.reload();
  await badge.filter({ hasText: '۱' }).waitFor();
  await page.getByTestId(`chat-${group()}`).click();
  await page.getByTestId('composer').waitFor();

  const port = Number(new URL(playground.pageUrl).port);
  await playground.close();
  playground = await startPlayground({ port, seedWorld: true, firstId: 967 });
  await page.goto(`${playground.pageUrl}#user=${person('reza')}`);
  await page.reload();
  await page.getByTestId(`chat-${group()}`).waitFor();
  expect(await badge.count()).toBe(0);
  await bot('sendMessage', { chat_id: group(), text: 'Nor this' });
  await badge.filter({ hasText: '۱' }).waitFor();
});

test('what is half written is there after a reload, in the chat in which it was written', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const composer = page.getByTestId('composer');
  await composer.fill('half a thought');
  await page.reload();
  await composer.waitFor();
  await expect.poll(() => composer.inputValue()).toBe('half a thought');

  await page.getByTestId(`chat-${chat((one) => one.is_forum === true).id}`).click();
  await expect.poll(() => composer.inputValue()).toBe('');
  await page
    .getByTestId(`chat-${group()}`)
    .filter({ hasText: /Draft:\s*half a thought/ })
    .waitFor();
  await page.getByTestId(`chat-${group()}`).click();
  await expect.poll(() => composer.inputValue()).toBe('half a thought');
  await composer.press('Enter');
  const sent = page.locator('.message.out');
  // What a page keeps reaches the browser a moment later, and one that is loaded in it finds what was there before.
  await sent.filter({ hasText: 'half a thought' }).waitFor();
  await page.reload();
  await sent.filter({ hasText: 'half a thought' }).waitFor();
  expect(await composer.inputValue()).toBe('');
  await composer.fill('a whole one');
  await composer.press('Enter');
  await page.reload();
  await sent.filter({ hasText: 'a whole one' }).waitFor();
});

test('a tap on a command sends it and leaves what is being written, a tap on code copies it', async () => {
  const { page, problems } = await open({ user: person('sara'), chat: group() });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const sent = await send({
    chat_id: group(),
    text: 'Try /credit, or <code>09121234567</code>',
    parse_mode: 'HTML',
  });
  const text = page.getByTestId(`msg-${sent.message_id}`).locator('.text');
  await page.getByTestId('composer').fill('half a thought');

  await text.locator('.command').click();
  expect((await update((one) => isText(one.message))).message?.text).toBe('/credit');
  expect(await page.getByTestId('composer').inputValue()).toBe('half a thought');

  await text.locator('code').click();
  await page.getByTestId('toast').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('09121234567');
  expect(problems).toEqual([]);
});

test('a tap on a tag finds it whole, newest first', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const old = await send({ chat_id: group(), text: 'Draft #A1 of long ago' });
  for (let n = 0; n < 30; n += 1) await send({ chat_id: group(), text: `Draft #A1${n}` });
  const sent = await send({ chat_id: group(), text: 'Sent #A1' });

  await page.getByTestId(`msg-${sent.message_id}`).locator('.tappable', { hasText: '#A1' }).click();
  const found = page.getByTestId('found').locator('button');
  expect(await page.getByTestId('search-input').inputValue()).toBe('#A1');
  expect(await found.locator('.preview').allInnerTexts()).toEqual(['Sent #A1', 'Draft #A1 of long ago']);
  await found.last().click();
  await page.locator(`.flash[data-id="${old.message_id}"]`).waitFor();
  await expect
    .poll(async () => (await page.getByTestId(`msg-${old.message_id}`).boundingBox())?.y)
    .toBeGreaterThan(100);
});

test('words are found however their letters and digits are written, and in another topic', async () => {
  const forum = chat((one) => one.is_forum === true);
  const topic = forum.topics?.[0]?.message_thread_id ?? 0;
  const { page, problems } = await open({ user: person('reza'), chat: forum.id }, PHONE);
  const sent = await send({ chat_id: forum.id, message_thread_id: topic, text: 'كتاب علي، شماره ۱۲' });
  await page.getByTestId('search').click();
  await page.getByTestId('search-input').fill('کتاب علی');
  const found = page.getByTestId('found');
  await found.locator('mark', { hasText: 'كتاب علي' }).waitFor();
  await page.getByTestId('search-input').fill('a(b');
  await found.filter({ hasText: 'چیزی پیدا نشد' }).waitFor();
  await page.getByTestId('search-input').fill('شماره 12');
  await found.locator('mark', { hasText: 'شماره ۱۲' }).waitFor();

  await page.getByTestId('search-input').press('Enter');
  await page.locator(`.flash[data-id="${sent.message_id}"]`).waitFor();
  expect(page.url()).toContain(`topic=${topic}`);
  await page.getByTestId('search-input').press('Escape');
  await page.getByTestId('search-input').waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

test('words are found in all chats from the keyboard, and their message is shown where it stands', async () => {
  const sara = person('sara');
  const forum = chat((one) => one.is_forum === true);
  const topic = forum.topics?.[0]?.message_thread_id ?? 0;
  const sent = await send({ chat_id: forum.id, message_thread_id: topic, text: 'The price list of اسفند' });
  for (let n = 0; n < 30; n += 1)
    await send({ chat_id: forum.id, message_thread_id: topic, text: `Line ${n}` });
  const { page, problems } = await open({ user: sara, chat: group() });
  await send({ chat_id: group(), text: 'Where is the price list?' });

  await page.keyboard.press('Control+KeyK');
  await page.keyboard.type('price list');
  const found = page.getByTestId('found-all').locator('button');
  await found.nth(1).waitFor();
  expect(await found.locator('.name').allInnerTexts()).toEqual([
    expect.stringContaining('Nik Shop – Ops'),
    expect.stringContaining('Nik Shop – Support'),
  ]);
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.locator(`.flash[data-id="${sent.message_id}"]`).waitFor();
  expect(page.url()).toContain(`chat=${forum.id}&topic=${topic}`);
  await page.getByTestId('search-all').fill('ops');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash.includes(`chat=${group()}`));
  await page.getByTestId('search-all').press('Escape');
  await page.getByTestId(`chat-${forum.id}`).waitFor();

  await page.locator('.scroller').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('where');
  await page.keyboard.press('Enter');
  await page.locator('.flash', { hasText: 'Where is the price list?' }).waitFor();
  await page.locator('.scroller').press('Escape');
  await page.getByTestId('search-input').waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

test('a message tells which update it made and which calls made it, in its menu', async () => {
  const { page, problems } = await open({ user: person('sara'), chat: group() }, PHONE);
  const asked = playground.control.message({ user_id: person('sara'), chat_id: group(), text: '/credit' });
  await update((one) => one.message?.text === '/credit');
  const sent = await send({ chat_id: group(), text: `Not ${playground.token}` });
  await bot('editMessageText', { chat_id: group(), message_id: sent.message_id, text: '12 rial' });

  // Released beside the menu, in which the browser sees a click that closes it.
  const text = page.getByTestId(`msg-${asked.message_id}`).locator('.text');
  await text.click({ button: 'right', position: { x: 2, y: 2 } });
  await page.getByTestId('menu-trace').click();
  const trace = page.getByTestId('trace');
  const told = trace.getByTestId('traced-update');
  await told.filter({ hasText: 'fetched by the bot' }).filter({ hasText: 'confirmed' }).waitFor();
  await told.locator('pre', { hasText: '"text": "/credit"' }).waitFor();
  await page.keyboard.press('Escape');
  await trace.waitFor({ state: 'detached' });

  await page.getByTestId(`msg-${sent.message_id}`).getByTestId('more').click();
  for (const key of ['Home', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await trace.getByTestId('call').nth(1).waitFor();
  expect(await trace.getByTestId('call').locator('.method').allInnerTexts()).toEqual([
    'sendMessage',
    'editMessageText',
  ]);
  await trace.getByTestId('call').first().locator('summary').click();
  const params = trace.locator('pre', { hasText: '"chat_id"' });
  expect(await params.innerText()).toContain(`Not ${playground.token.split(':')[0]}:•••`);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test('by a long press one reacts and forwards, and a contact is shared, each as the bot hears of it', async () => {
  const reza = person('reza');
  playground.control.start({ user_id: reza, bot: playground.botUsername });
  await bot('getUpdates', { allowed_updates: ['message', 'message_reaction'] });
  const sent = await send({ chat_id: reza, text: 'سفارش شما رسید: /status' });
  const { page, problems } = await open({ user: reza, chat: reza }, PHONE);
  const view = page.getByTestId(`msg-${sent.message_id}`);
  await longPress(view.locator('.command'));
  await page.getByTestId('react').filter({ hasText: '🎉' }).click();
  const reaction = view.getByTestId('reaction');
  await reaction.filter({ hasText: '🎉' }).waitFor();
  expect(await reaction.getAttribute('aria-pressed')).toBe('true');
  const heard = (await update((one) => one.message_reaction !== undefined)).message_reaction;
  expect(heard).toMatchObject({ user: { id: reza }, new_reaction: [{ emoji: '🎉' }] });
  await reaction.click();
  await reaction.waitFor({ state: 'detached' });
  await bot('setMessageReaction', {
    chat_id: reza,
    message_id: sent.message_id,
    reaction: [{ type: 'emoji', emoji: '❤' }],
  });
  await reaction.filter({ hasText: '❤️' }).waitFor();

  await longPress(view.locator('.command'));
  await page.getByTestId('menu-forward').click();
  await page.locator('dialog button', { hasText: 'Nik Shop – Ops' }).click();
  await page.locator('.message.out .forwarded').waitFor();
  expect(page.url()).toContain(`chat=${group()}`);
  await page.getByTestId('attach').click();
  await page.getByTestId('menu-contact').click();
  await page.locator('.message.out .card', { hasText: 'رضا' }).waitFor();

  await page.goto(`${playground.pageUrl}#user=${reza}&chat=${reza}`);
  const keyboard = [[{ text: 'My number', request_contact: true }]];
  await send({ chat_id: reza, text: 'Who are you?', reply_markup: { keyboard, one_time_keyboard: true } });
  await page.getByTestId('reply-btn').click();
  const { message } = await update((one) => one.message?.contact !== undefined);
  expect(message?.contact?.user_id).toBe(reza);
  const said = playground.control.messages({ chat: reza, user: reza });
  expect(said.filter(({ text }) => text === '/status')).toEqual([]);
  expect(problems).toEqual([]);
});

test('the page is light or dark as the system is, until the other is chosen', async () => {
  const { page } = await open({ user: person('sara') });
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  expect(dark).not.toBe(light);

  await page.getByTestId('theme').click();
  expect(await ground()).toBe(light);
  await page.reload();
  await page.getByTestId('theme').waitFor();
  expect(await ground()).toBe(light);
  await page.getByTestId('theme').click();
  expect(await ground()).toBe(dark);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground()).toBe(light);
});

test('Persian letters are the page’s own, and nothing is asked of another server', async () => {
  const { page, problems } = await open({ user: person('reza') });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.reload();
  const used = "document.fonts.load('16px Vazirmatn', 'س').then(([font]) => font?.status)";
  await expect.poll(() => page.evaluate(used)).toBe('loaded');
  expect([...hosts]).toEqual([new URL(playground.pageUrl).host]);
  expect(problems).toEqual([]);
});

test('what a person sends from the page reaches the bot, with Enter and with the button', async () => {
  const { page, problems } = await open({ user: person('sara'), chat: group() });
  const composer = page.getByTestId('composer');

  await composer.fill('/credit');
  await composer.press('Escape');
  await composer.press('Enter');
  expect((await update((one) => one.message !== undefined && isText(one.message))).message?.text).toBe(
    '/credit',
  );
  await page.locator('.message.out', { hasText: '/credit' }).waitFor();
  expect(await composer.inputValue()).toBe('');

  await composer.pressSequentially('/send a');
  await composer.press('Shift+Enter');
  await composer.pressSequentially('b');
  await page.getByTestId('send').click();
  const { message } = await update((one) => one.message?.text !== '/credit' && isText(one.message));
  expect(message?.text).toBe('/send a\nb');
  expect(message?.from?.id).toBe(person('sara'));
  expect(problems).toEqual([]);
});

test('a tapped button is busy until the bot answers, and the answer is a toast or an alert', async () => {
  const { page, problems } = await open({ user: person('sara'), chat: group() });
  const sent = await send({
    chat_id: group(),
    text: 'Draft',
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'Send', callback_data: 'go', style: 'success' },
          { text: 'نه', callback_data: 'no', style: 'danger' },
        ],
        [{ text: 'Copy', copy_text: { text: '0912' } }],
      ],
    },
  });
  const buttons = page.getByTestId(`msg-${sent.message_id}`).getByTestId('btn');
  await buttons.first().waitFor();
  expect(await buttons.allInnerTexts()).toEqual(['Send', 'نه', 'Copy']);

  await buttons.nth(0).click();
  const first = (await update((one) => one.callback_query !== undefined)).callback_query;
  expect(first?.data).toBe('go');
  expect(first?.from.id).toBe(person('sara'));
  expect(await buttons.nth(0).getAttribute('aria-busy')).toBe('true');
  await bot('answerCallbackQuery', { callback_query_id: first?.id, text: 'Done' });
  await page.getByTestId('toast').filter({ hasText: 'Done' }).waitFor();
  expect(await buttons.nth(0).getAttribute('aria-busy')).toBeNull();

  await buttons.nth(1).click();
  const second = (await update((one) => one.callback_query !== undefined)).callback_query;
  expect(second?.data).toBe('no');
  await bot('answerCallbackQuery', { callback_query_id: second?.id, text: 'Not you', show_alert: true });
  await page.getByTestId('alert').filter({ hasText: 'Not you' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('alert').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

test('a label that begins with a name of the other direction is laid out as its own words are', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const labels = ['\u2068مشتریان\u2069 · 3 numbers', '\u2068Staff\u2069 · ۲ شماره', '➕ New', '➕ جدید'];
  const inline_keyboard = labels.map((text) => [{ text, callback_data: text }]);
  const sent = await send({ chat_id: group(), text: 'Which one?', reply_markup: { inline_keyboard } });
  const buttons = page.getByTestId(`msg-${sent.message_id}`).getByTestId('btn');
  await buttons.first().waitFor();

  // What is drawn anew meanwhile has no place: it is measured again.
  const directions = () =>
    buttons.locator('span').evaluateAll((spans) =>
      spans.map(({ firstChild, ownerDocument, textContent }) => {
        const [first, last] = [0, textContent.length - 1].map((at) => {
          const range = ownerDocument.createRange();
          const isMark = /[\u2066-\u2069]/u.test(textContent.charAt(at));
          range.setStart(firstChild ?? ownerDocument, isMark ? at + 1 : at);
          range.setEnd(firstChild ?? ownerDocument, isMark ? at + 2 : at + 1);
          return range.getBoundingClientRect().left;
        });
        return Number(first) < Number(last) ? 'ltr' : 'rtl';
      }),
    );
  await expect.poll(directions).toEqual(['ltr', 'rtl', 'ltr', 'rtl']);
});

test('the size of a file is in the words of the person', async () => {
  const { page } = await open({ user: person('reza'), chat: group() });
  const buffer = Buffer.alloc(1234, 'a,b\n');
  await page.getByTestId('file-input').setInputFiles([{ name: 'a.csv', mimeType: 'text/csv', buffer }]);
  await page.getByTestId('send').click();
  expect(await page.locator('.message.out .file').innerText()).toContain('۱٫۲ کیلوبایت');
});

test.each(['text', 'text_link', 'button'])(
  'a deep link in a %s opens the private chat with its payload',
  async (kind) => {
    const sara = person('sara');
    const { page } = await open({ user: sara, chat: group() });
    const url = `https://t.me/${playground.botUsername}?start=b_Jx3-9`;
    const forms: Record<string, object> = {
      text: { text: `Press ${url}.` },
      text_link: { text: 'Press here', entities: [{ type: 'text_link', offset: 6, length: 4, url }] },
      button: { text: 'Press', reply_markup: { inline_keyboard: [[{ text: 'Link', url }]] } },
    };
    const sent = await send({ chat_id: group(), ...forms[kind] });

    const message = page.getByTestId(`msg-${sent.message_id}`);
    await (kind === 'button' ? message.getByTestId('btn') : message.locator('.text a')).click();

    await page.locator('.message.out', { hasText: '/start b_Jx3-9' }).waitFor();
    expect(page.url()).toContain(`chat=${sara}`);
    const { message: start } = await update((one) => one.message?.chat.type === 'private');
    expect(start?.text).toBe('/start b_Jx3-9');
  },
);

test('a link to a message opens its chat and shows it there', async () => {
  const sara = person('sara');
  const { page } = await open({ user: sara, chat: sara });
  await page.getByTestId('start').click();
  await page.locator('.message.out', { hasText: '/start' }).waitFor();
  const target = await send({ chat_id: group(), text: 'Linked by Sara' });
  const url = `https://t.me/c/${-group() - 1_000_000_000_000}/${target.message_id}`;
  const reply_markup = { inline_keyboard: [[{ text: 'Open', url }]] };
  const sent = await send({ chat_id: sara, text: 'Go on there', reply_markup });

  await page.getByTestId(`msg-${sent.message_id}`).getByTestId('btn').click();

  await page.locator(`.flash[data-id="${target.message_id}"]`).waitFor();
  expect(page.url()).toContain(`chat=${group()}`);
});

test('the private chat of a new person has a Start button, and the bot cannot write before it', async () => {
  const sara = person('sara');
  const { page } = await open({ user: sara, chat: sara });
  await page.getByTestId('start').waitFor();
  await expect(send({ chat_id: sara, text: 'Hello' })).rejects.toThrow(/can't initiate|chat not found/);

  await page.getByTestId('start').click();

  await page.locator('.message.out', { hasText: '/start' }).waitFor();
  const sent = await send({ chat_id: sara, text: 'Hello' });
  await page.getByTestId(`msg-${sent.message_id}`).waitFor();
});

const HOSTILE: [string, string][] = [
  ['markup', '<img src=x onerror="document.title=1"><script>document.title=2</script>&lt;b&gt;'],
  ['bidi controls', '\u202Eevil \u2067 never closed \u202D and\u200F more'],
  ['emoji', '👨‍👩‍👧‍👦🇮🇷'.repeat(60)],
  ['one long word', 'W'.repeat(4096)],
  [
    'many lines',
    Array.from({ length: 400 }, (_, line) => `خط ${line} of text`)
      .join('\n')
      .slice(0, 4096)
      .trim(),
  ],
  ['a strange link', 'javascript:alert(1) https://t.me/ http://[bad /x //y'],
];

test.each(HOSTILE)('hostile text stays text and breaks no layout: %s', async (_name, text) => {
  const { page, problems } = await open({ user: person('sara'), chat: group() }, PHONE);
  const title = await page.title();
  const sent = await send({
    chat_id: group(),
    text,
    reply_markup: { inline_keyboard: [[{ text: text.slice(0, 200), callback_data: 'x' }]] },
  });

  const body = page.getByTestId(`msg-${sent.message_id}`).locator('.text');
  await body.waitFor();

  expect(await body.textContent()).toBe(text);
  expect(await body.locator('img, script, [onerror], a[href^="javascript"]').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  const element = `document.querySelector('[data-testid="msg-${sent.message_id}"] .text')`;
  expect(await page.evaluate(`${element}.scrollWidth - ${element}.clientWidth`)).toBeLessThanOrEqual(0);
  const box = await body.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  expect(await page.title()).toBe(title);
  expect(problems).toEqual([]);
});

test('hostile names of people and chats stay text', async () => {
  const name = '<b>\u202Ex</b>'.repeat(6);
  const user = playground.control.user({ first_name: name, language_code: 'en' }).id;
  const chat = playground.control.chat({ type: 'group', title: name, creator_id: user, bot: 'member' }).id;
  const { page, problems } = await open({ user, chat });
  playground.control.message({ user_id: user, chat_id: chat, text: 'hello' });

  await page.locator('.message.out').waitFor();
  expect(await page.locator('.chat-head h1').textContent()).toBe(name);
  expect(await page.getByTestId('person-switcher').textContent()).toContain(name);
  expect(await page.locator('b').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('entities nest and overlap by UTF-16 offsets', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const sent = await send({
    chat_id: group(),
    text: '😀 bold both italic\nquoted code',
    entities: [
      { type: 'bold', offset: 3, length: 9 },
      { type: 'italic', offset: 8, length: 11 },
      { type: 'blockquote', offset: 20, length: 11 },
      { type: 'spoiler', offset: 20, length: 6 },
    ],
  });

  const body = page.getByTestId(`msg-${sent.message_id}`).locator('.text');
  await body.waitFor();
  expect((await body.locator('strong').allTextContents()).join('')).toBe('bold both');
  expect((await body.locator('em').allTextContents()).join('')).toBe('both italic');
  expect(await body.locator('strong em, em strong').textContent()).toBe('both');
  expect(await body.locator('blockquote').textContent()).toBe('quoted code');
  await body.locator('blockquote .spoiler').click();
  expect(await body.locator('.spoiler.shown').textContent()).toBe('quoted');
});

test('edits, deletions, replies and files show up live in both directions', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const sent = await send({ chat_id: group(), text: 'First words' });
  const view = page.getByTestId(`msg-${sent.message_id}`);
  await view.waitFor();

  await view.hover();
  await view.getByTestId('reply').click();
  await page.getByTestId('composer').fill('An answer');
  await page.getByTestId('send').click();
  const { message: answer } = await update((one) => one.message?.text === 'An answer');
  expect(answer?.reply_to_message?.message_id).toBe(sent.message_id);

  await page.locator('.message.out', { hasText: 'An answer' }).waitFor();
  await page.getByTestId('composer').press('ArrowUp');
  await page.getByTestId('composer').fill('A better answer');
  await page.getByTestId('composer').press('Enter');
  const better = page.locator('.message.out', { hasText: 'A better answer' });
  await better.locator('.meta', { hasText: 'edited' }).waitFor();
  expect((await update((one) => one.edited_message !== undefined)).edited_message?.text).toBe(
    'A better answer',
  );

  await bot('editMessageText', { chat_id: group(), message_id: sent.message_id, text: 'Other words' });
  await view.filter({ hasText: 'Other words' }).waitFor();
  await bot('deleteMessage', { chat_id: group(), message_id: sent.message_id });
  await view.waitFor({ state: 'detached' });

  const file = { name: 'فهرست.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n') };
  await page.getByTestId('file-input').setInputFiles([file]);
  await page.getByTestId('composer').fill('/bulk');
  await page.getByTestId('send').click();
  const { message: received } = await update((one) => one.message?.document !== undefined);
  expect(received).toMatchObject({ caption: '/bulk', document: { file_name: 'فهرست.csv', file_size: 4 } });
  const download = page.waitForEvent('download');
  await page.locator('.message.out .file').click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('فهرست.csv');
  expect(await readFile(await saved.path(), 'utf8')).toBe('a,b\n');
});

test('a forum shows one topic at a time, and writes into it', async () => {
  const forum = chat((one) => one.is_forum === true);
  const topic = forum.topics?.[0]?.message_thread_id ?? 0;
  const { page } = await open({ user: person('sara'), chat: forum.id });
  const general = await send({ chat_id: forum.id, text: 'For everybody' });
  await page.getByTestId(`msg-${general.message_id}`).waitFor();

  await page.getByTestId(`topic-${topic}`).click();
  await page.getByTestId(`msg-${general.message_id}`).waitFor({ state: 'detached' });
  await page.getByTestId('composer').fill('/status');
  await page.getByTestId('send').click();

  const { message } = await update((one) => one.message?.text === '/status');
  expect(message).toMatchObject({ message_thread_id: topic, is_topic_message: true });
  await page.locator('.message.out', { hasText: '/status' }).waitFor();
});

test('what is unread in a topic stays so when the answer about all chats comes late', async () => {
  const forum = chat((one) => one.is_forum === true);
  const message_thread_id = forum.topics?.[0]?.message_thread_id ?? 0;
  const { page, problems } = await open({ user: person('sara'), chat: forum.id });
  await page.getByTestId('composer').waitFor();
  const unread = page.getByTestId(`topic-${message_thread_id}`).locator('.count');
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await bot('sendMessage', { chat_id: forum.id, message_thread_id, text: 'Seen before it was asked' });
  await unread.filter({ hasText: '1' }).waitFor();
  await page.route(/\/state\?/u, async (route) => {
    const answer = await route.fetch();
    asked.resolve();
    await held.promise;
    await route.fulfill({ response: answer });
  });
  await bot('createForumTopic', { chat_id: forum.id, name: 'Late' });
  await asked.promise;
  await bot('sendMessage', { chat_id: forum.id, message_thread_id, text: 'Seen after it was asked' });
  await unread.filter({ hasText: '2' }).waitFor();

  held.resolve();
  await page
    .getByTestId(/^topic-/u)
    .filter({ hasText: 'Late' })
    .waitFor();
  await bot('sendMessage', { chat_id: forum.id, message_thread_id, text: 'And one more' });
  await unread.filter({ hasText: '3' }).waitFor();
  expect(problems).toEqual([]);
});

test('what comes while the page is being opened is there, though nothing has told of it', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/events\?/u, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  const reloaded = page.reload();
  await asked.promise;
  await reloaded;
  // Until then nobody hears of anything.
  const sent = await send({ chat_id: group(), text: 'Said before anybody listened' });
  held.resolve();
  await page.locator('body[data-live="yes"]').waitFor();
  await page.getByTestId(`msg-${sent.message_id}`).waitFor();

  const answered = Promise.withResolvers<void>();
  const kept = Promise.withResolvers<void>();
  const isWhole = (url: URL): boolean => url.pathname.endsWith('/messages') && !url.searchParams.has('after');
  await page.route(isWhole, async (route) => {
    const answer = await route.fetch();
    answered.resolve();
    await kept.promise;
    await route.fulfill({ response: answer });
  });
  await page.reload();
  await answered.promise;
  const heard = await send({ chat_id: group(), text: 'Heard before the others were there' });
  await page.getByTestId(`msg-${heard.message_id}`).waitFor();
  kept.resolve();
  await page.getByTestId(`msg-${sent.message_id}`).waitFor();
  expect(await page.getByTestId(`msg-${heard.message_id}`).isVisible()).toBe(true);
});

test('the command menu and a reply keyboard write for the person', async () => {
  const sara = person('sara');
  const commands = [
    { command: 'credit', description: 'Credit left' },
    { command: 'send', description: 'Send an SMS' },
  ];
  await bot('setMyCommands', { commands });
  playground.control.start({ user_id: sara, bot: playground.botUsername });
  const { page } = await open({ user: sara, chat: sara });

  await page.getByTestId('commands').click();
  await page.getByTestId('command-send').waitFor();
  await page.getByTestId('composer').fill('/c');
  await page.getByTestId('command-send').waitFor({ state: 'detached' });
  await page.getByTestId('composer').press('Enter');
  expect((await update((one) => one.message?.text === '/credit')).message?.from?.id).toBe(sara);

  const keyboard = [[{ text: 'One' }, { text: 'Two' }]];
  await send({ chat_id: sara, text: 'Choose', reply_markup: { keyboard, one_time_keyboard: true } });
  await page.getByTestId('reply-btn').filter({ hasText: 'Two' }).click();
  expect((await update((one) => one.message?.text === 'Two')).message?.from?.id).toBe(sara);
  await page.getByTestId('reply-btn').first().waitFor({ state: 'hidden' });
});

test('a group that becomes a supergroup is followed to its new place', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });

  const target = playground.control.migrate({ chat_id: group() }).id;

  await page.waitForURL((url) => url.hash.includes(`chat=${target}`));
  await page.getByTestId('composer').fill('/credit');
  await page.getByTestId('send').click();
  expect((await update((one) => one.message?.text === '/credit')).message?.chat.id).toBe(target);
});

test('the log is closed until it is asked for, shows the calls of the bot, and a call can be made to fail', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  expect(await page.locator('#calls').isVisible()).toBe(false);
  await page.getByTestId('toggle-calls').click();
  await send({ chat_id: group(), text: 'Counted' });
  const call = page.getByTestId('call').filter({ hasText: 'sendMessage' });
  await call.first().locator('summary').click();
  await call.first().locator('pre', { hasText: '"Counted"' }).waitFor();

  await page.locator('.faults summary').click();
  await page.locator('.faults button[type=submit]').click();
  await page.getByTestId('toast').waitFor();

  await expect(send({ chat_id: group(), text: 'Refused' })).rejects.toThrow(
    'Too Many Requests: retry after 3',
  );
  await call.filter({ hasText: '429' }).waitFor();
});

test('what is typed to make a call fail stays when a chat comes, and is asked in the language of whoever is chosen', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  await page.getByTestId('toggle-calls').click();
  await page.locator('.faults summary').click();
  const typed = page.locator('.faults input').last();
  await typed.fill('half a word');
  const come = playground.control.chat({ type: 'group', title: 'New', creator_id: person('sara') }).id;
  await page.getByTestId(`chat-${come}`).waitFor();
  expect(await typed.inputValue()).toBe('half a word');

  await page.getByTestId('person-switcher').click();
  await page.getByTestId(`person-${person('reza')}`).click();
  await page.locator('.faults summary', { hasText: /[آ-ی]/u }).waitFor();
});

test('on a phone one pane is shown at a time, with a way back', async () => {
  const { page, problems } = await open({ user: person('reza') }, PHONE);
  const entry = page.getByTestId(`chat-${group()}`);
  await entry.waitFor();
  expect(await page.locator('#conversation').isVisible()).toBe(false);

  await entry.click();
  await page.getByTestId('composer').waitFor();
  expect(await entry.isVisible()).toBe(false);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

  await page.getByTestId('toggle-calls').click();
  await page.locator('#calls').waitFor();
  await page.locator('#calls > header button').click();
  await page.getByTestId('back').click();
  await entry.waitFor();
  await page.goBack();
  await page.getByTestId('composer').waitFor();
  expect(problems).toEqual([]);
});

test('after an outage the page says so, comes back by itself and shows what it missed', async () => {
  const { page } = await open({ user: person('sara'), chat: group() });
  const port = Number(new URL(playground.pageUrl).port);
  await page.getByTestId('composer').fill('half a thought');
  await playground.close();
  await page.getByTestId('banner').waitFor();

  playground = await startPlayground({ port, seedWorld: true });
  const sent = await send({ chat_id: group(), text: 'Said meanwhile' });

  await page.getByTestId(`msg-${sent.message_id}`).filter({ hasText: 'Said meanwhile' }).waitFor();
  await page.getByTestId('banner').waitFor({ state: 'hidden' });
  expect(await page.getByTestId('composer').inputValue()).toBe('half a thought');
});

async function open(
  place: { user: number; chat?: number },
  viewport = { width: 1280, height: 800 },
): Promise<OpenPage> {
  const chat = place.chat === undefined ? '' : `&chat=${place.chat}`;
  const one = await browser.open(`${playground.pageUrl}#user=${place.user}${chat}`, { viewport });
  opened.push(one);
  // Until the page listens for events, what happens is not shown live.
  await one.page.locator('body[data-live="yes"]').waitFor();
  if (place.chat !== undefined) await one.page.locator('.composer').waitFor();
  return one;
}

/** Calls the Bot API as the bot would. Throws the description of a refusal. */
async function bot(method: string, params: object): Promise<unknown> {
  const response = await fetch(`${playground.apiRoot}/bot${playground.token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  const answer = envelope.parse(await response.json());
  if (!answer.ok) throw new Error(answer.description);
  return answer.result;
}

async function send(params: object): Promise<Message> {
  return aMessage.parse(await bot('sendMessage', params));
}

/** Takes updates in order until one fits. */
async function update(fits: (update: Update) => boolean): Promise<Update> {
  for (;;) {
    const [next] = someUpdates.parse(await bot('getUpdates', { offset, limit: 1, timeout: 20 }));
    if (next === undefined) continue;
    offset = next.update_id + 1;
    if (fits(next)) return next;
  }
}

function isText(message: Message | undefined): boolean {
  return message?.text !== undefined;
}

function person(name: 'sara' | 'reza'): number {
  const found = playground.control.state().users.find((user) => user.username === `${name}_nik`);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.id;
}

function group(): number {
  return chat((one) => one.type === 'group').id;
}

type ShownChat = ReturnType<Playground['control']['state']>['chats'][number];

function chat(fits: (one: ShownChat) => boolean): ShownChat {
  const found = playground.control.state().chats.find(fits);
  if (found === undefined) throw new Error('no such chat');
  return found;
}
