import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { useBrowser } from '../support/browser.ts';
import { answer as reply, link, said } from '../support/page-story.ts';
import { DESKTOP, fits, PHONE, picture, press, say, startTryMode } from '../support/try-page.ts';

/* The page of the sandbox gateway: the phones at the other end. */

const browser = useBrowser();
const TEHRAN = { colorScheme: 'light', timezoneId: 'Asia/Tehran' } as const;

/** From the chat to the phones, by the link that stands there. */
async function openPhones(page: Page): Promise<{ phones: Page; problems: string[] }> {
  const opening = page.waitForEvent('popup');
  await page.locator('.chat-head').getByTestId('beside').click();
  const phones = await opening;
  const problems: string[] = [];
  phones.on('pageerror', (error) => problems.push(error.message));
  phones.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await phones.locator('body[data-live=yes]').waitFor();
  return { phones, problems };
}

test('in try mode an SMS is seen arriving on a phone, is answered there, and the answer is in the chat', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, ...TEHRAN });
  await link(page, 'en');
  const other = await openPhones(page);
  const { phones } = other;
  await phones.setViewportSize(DESKTOP);

  await say(page, '/send 09121234567 Hello, the meeting is at ten.');
  await press(page, '✅ Send');
  const message = phones.getByTestId('message').filter({ hasText: 'the meeting is at ten' });
  await message.filter({ hasText: '09121234567' }).filter({ hasText: '3000123456' }).waitFor();
  await message.filter({ hasText: /v\d send/u }).waitFor();
  await message
    .getByTestId('state')
    .filter({ hasText: /^delivered$/u })
    .waitFor();
  await message.click();
  await phones.getByTestId('open-phone').filter({ hasText: '09121234567' }).click();
  await phones.getByTestId('arrived').filter({ hasText: 'the meeting is at ten' }).waitFor();
  await phones.getByTestId('answer').fill('I will be there');
  await phones.getByTestId('answer').press('Enter');
  await phones.getByTestId('written').filter({ hasText: 'I will be there' }).waitFor();

  const card = said(page, 'I will be there');
  await card.waitFor();
  await reply(card, page, 'Good, see you then.');
  const answered = phones.getByTestId('arrived').filter({ hasText: 'Good, see you then.' });
  await answered
    .getByTestId('state')
    .filter({ hasText: /^delivered$/u })
    .waitFor();
  await picture(phones, 'phones.png');

  expect([...problems, ...other.problems]).toEqual([]);
  expect(await peyk.interrupt()).toBe(0);
});

test('the same in Persian on a phone, and back to the same place in the chat', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, {
    viewport: PHONE,
    ...TEHRAN,
    isMobile: true,
    hasTouch: true,
  });
  await link(page, 'fa');
  await say(page, '/send 09121234567 جلسه فردا ساعت ۱۰ است.');
  await press(page, '✅');
  const { phones, problems: others } = await openPhones(page);
  await phones.locator('html[lang=fa][dir=rtl]').waitFor();
  const message = phones.getByTestId('message').filter({ hasText: 'جلسه فردا' });
  await message.getByTestId('state').filter({ hasText: 'تحویل شد' }).waitFor();
  await message.click();
  await phones.getByTestId('open-phone').click();
  // The message has a field to answer in, too: the phone's own is the one that stays.
  await phones.getByTestId('arrived').filter({ hasText: 'جلسه فردا' }).waitFor();
  await phones.getByTestId('answer').fill('سلام، می‌آیم');
  await phones.getByTestId('send').click();
  await phones.getByTestId('written').filter({ hasText: 'می‌آیم' }).waitFor();
  await picture(phones, 'phones-fa.png');
  await fits(phones, PHONE);

  await phones.getByTestId('back').click();
  await phones.getByTestId('beside').click();
  await said(page, 'سلام، می‌آیم').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('fa');
  expect([...problems, ...others]).toEqual([]);
  expect(await peyk.interrupt()).toBe(0);
});

let sandbox: Sandbox | undefined;
afterEach(() => sandbox?.close());

test('the page steers the gateway, finds messages, and is used with the keyboard and in both languages', async () => {
  sandbox = await startSandbox({ adminPort: 0, deliverySeconds: 3600 });
  const send = async (message: string) => {
    const body = JSON.stringify({
      from: '3000123456',
      recipients: ['09121234567', '09351112233'],
      message,
      type: 0,
    });
    const answer = await fetch(`${sandbox?.baseUrl}/api/v3/rest/sms/send`, {
      method: 'POST',
      headers: { authorization: 'sandbox-key-demo' },
      body,
    });
    return await answer.text();
  };
  const { page, problems } = await browser.open(`${sandbox.adminUrl}/?lang=en`, {
    viewport: DESKTOP,
    ...TEHRAN,
  });
  await page.locator('body[data-live=yes]').waitFor();
  await send('One for two phones');
  const row = page.getByTestId('message').filter({ hasText: 'One for two phones' });
  await row.filter({ hasText: '2 queued' }).waitFor();

  await row.click();
  await page.getByTestId('exchange').locator('summary').click();
  const exchange = page.getByTestId('exchange').filter({ hasText: 'POST /api/v3/rest/sms/send' });
  await exchange
    .filter({ hasText: '"recipients":["09121234567","09351112233"]' })
    .filter({ hasText: 'HTTP 200' })
    .waitFor();

  await page.getByTestId('set-state').first().selectOption('returned');
  await row.filter({ hasText: '1 queued' }).filter({ hasText: '1 returned' }).waitFor();

  await page.getByTestId('steer').click();
  await page.getByTestId('advance-day').click();
  await row.filter({ hasText: '1 delivered' }).filter({ hasText: '1 returned' }).waitFor();
  await page.getByTestId('freeze').click();
  await page.getByTestId('freeze').filter({ hasText: 'Go on' }).waitFor();
  expect(sandbox.world.clock.frozen).toBe(true);
  const faults = page.getByTestId('part-faults');
  await faults.getByLabel('What happens').selectOption({ label: 'Refused with a code' });
  await faults.getByRole('spinbutton', { name: 'Code' }).fill('22');
  await faults.getByRole('button', { name: 'Set' }).click();
  await faults.getByRole('listitem').filter({ hasText: '22' }).waitFor();
  expect(await send('Refused')).toContain('کد 22');
  await faults
    .getByRole('listitem')
    .filter({ hasText: /used .?1/u })
    .getByRole('button', { name: 'Remove' })
    .click();
  await faults.filter({ hasText: 'Nothing goes wrong' }).waitFor();
  await page.getByTestId('switch-shuffled').check();
  await expect.poll(() => sandbox?.world.switches.shuffled).toBe(true);
  await page.getByTestId('part-accounts').getByRole('spinbutton').first().fill('5000');
  await page.getByTestId('part-accounts').getByRole('button', { name: 'Set' }).first().click();
  await page.getByTestId('credit-demo').filter({ hasText: '5,000' }).waitFor();

  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('ساعت');
  await page.getByTestId('message').filter({ hasText: 'ساعت کاری' }).waitFor();
  await expect.poll(() => page.getByTestId('message').count()).toBe(1);
  await page.getByTestId('search').fill('');
  await page.getByTestId('filter-kind').selectOption('received');
  await expect.poll(() => page.getByTestId('message').count()).toBe(3);

  await page.getByTestId('message').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.one').filter({ hasText: '11' }).waitFor();
  await page.getByTestId('other-language').click();
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page.locator('.one').filter({ hasText: 'شناسه' }).waitFor();
  await fits(page, PHONE);
  expect(problems).toEqual([]);
});

test('refused requests are listed with their reason, faults meet some calls, answers take another shape', async () => {
  sandbox = await startSandbox({ adminPort: 0, deliverySeconds: 3600 });
  const ask = async (path: string, body: object) => {
    const headers = { authorization: 'sandbox-key-demo' };
    const answer = await fetch(`${sandbox?.baseUrl}/api/v3/rest/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return await answer.text();
  };
  const send = async (message: string, recipient = '09121234567') =>
    await ask('sms/send', { from: '3000123456', recipients: [recipient], message, type: 0 });
  for (let at = 1; at <= 60; at += 1) await send(`Number ${at}`);
  await ask('sms/send', { from: '3000123456', recipient: '09121234567', message: 'x' });
  const { page, problems } = await browser.open(`${sandbox.adminUrl}/?lang=en`, {
    viewport: DESKTOP,
    ...TEHRAN,
  });
  await page.locator('body[data-live=yes]').waitFor();

  // What is older than the first page moves too.
  await page.getByRole('button', { name: 'Older messages' }).click();
  const oldest = page
    .getByTestId('message')
    .filter({ hasText: /^SentNumber|Number 1(?!\d)/u })
    .last();
  await oldest.filter({ hasText: 'queued' }).waitFor();
  sandbox.world.advance(2 * 3600_000);
  await oldest.filter({ hasText: 'delivered' }).waitFor();

  await page.getByTestId('filter-kind').selectOption('refused');
  const refused = page.getByTestId('message');
  await refused.filter({ hasText: 'did you mean `recipients`?' }).filter({ hasText: 'v3 send' }).waitFor();
  expect(await page.getByTestId('filter-state').isVisible()).toBe(false);
  await ask('sms/select', { messageid: [5] });
  await refused.filter({ hasText: 'v3 select' }).waitFor();
  await page.getByTestId('search').fill('SELECT');
  await expect.poll(() => refused.count()).toBe(1);
  await refused.click();
  await page.getByTestId('refused-request').filter({ hasText: '{"messageid":[5]}' }).waitFor();
  await page.getByTestId('search').fill('');

  await page.getByTestId('steer').click();
  const faults = page.getByTestId('part-faults');
  await faults.getByLabel('What happens').selectOption({ label: 'Refused with a code' });
  await faults.getByLabel('How many times').selectOption('');
  await faults.getByText('Only some calls').click();
  await faults.getByLabel('To the number').fill('0912 000 00 01');
  await faults.getByLabel('With these words').fill('meeting');
  await faults.getByLabel('Each one in').fill('2');
  await faults.getByRole('button', { name: 'Set' }).click();
  await faults
    .getByRole('listitem')
    .filter({ hasText: '09120000001' })
    .filter({ hasText: 'meeting' })
    .filter({ hasText: /each one in .?2/u })
    .waitFor();
  // What strikes meanwhile disturbs nobody who fills in the next one.
  const words = faults.getByLabel('With these words');
  await words.focus();
  const outcomes = [
    await send('A meeting', '09120000001'),
    await send('A meeting', '09120000001'),
    await send('A meeting'),
    await send('Something else', '09120000001'),
  ];
  expect(outcomes.map((text) => text.includes('کد 22'))).toEqual([false, true, false, false]);
  await faults
    .getByRole('listitem')
    .filter({ hasText: /used .?1.? times/u })
    .waitFor();
  expect(await words.and(page.locator(':focus')).count()).toBe(1);
  await faults.getByLabel('What happens').selectOption({ label: 'Late, each time differently' });
  await faults.getByRole('spinbutton', { name: 'Seconds', exact: true }).fill('0');
  await faults.getByLabel('Until (seconds)').fill('0.01');
  await faults.getByLabel('Chance (percent)').fill('50');
  await faults.getByRole('button', { name: 'Set' }).click();
  await faults
    .getByRole('listitem')
    .filter({ hasText: /50.?% at random/u })
    .waitFor();

  // Two in a row, before the page has heard of the first.
  await page
    .locator('[data-testid=shape-text-ids], [data-testid=shape-plain-numbers]')
    .evaluateAll((boxes) => boxes.forEach((box) => box.click()));
  await expect.poll(() => sandbox?.world.switches.shapes).toEqual(['text-ids', 'plain-numbers']);
  await page.getByTestId('switch-strict').check();
  await expect.poll(() => sandbox?.world.switches.strict).toBe(true);
  expect(await send('Shaped')).toMatch(/"messageid":"\d{19}".*"from":"3000123456"/u);

  // A message that is open is gone with the others.
  await page.getByTestId('filter-kind').selectOption('sent');
  await page.getByTestId('message').filter({ hasText: 'Shaped' }).click();
  await page.getByTestId('answer').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await expect.poll(() => sandbox?.world.switches.strict).toBe(false);
  await page.goForward();
  await page.getByText('This message is no longer kept').waitFor();
  expect(await page.getByTestId('answer').count()).toBe(0);

  await send('Here again');
  await page.getByTestId('message').filter({ hasText: 'Here again' }).click();
  await page.locator('.one .bubble').filter({ hasText: 'Here again' }).waitFor();
  sandbox.world.reset();
  await page.getByText('This message is no longer kept').waitFor();
  expect(await page.getByTestId('answer').count()).toBe(0);

  await page.getByTestId('other-language').click();
  await page.getByTestId('filter-kind').selectOption('refused');
  await page.getByTestId('steer').click();
  await page.getByTestId('part-shapes').filter({ hasText: 'شناسه‌ها به‌صورت متن' }).waitFor();
  await page.getByTestId('fault-conditions').locator('summary').click();
  await fits(page, PHONE);
  expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
});
