import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEMO_KEY = 'sandbox-key-demo';
const DEMO_LINE = '3000123456';
/** Below 1100 the page leaves the log of calls away. */
const DESKTOP = { width: 1040, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Undo hold, a queue, the gateway and its deliveries: nothing of it is hurried here. */
const SOON = { timeout: 45_000 };

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

test('a newcomer with no settings at all links the demo account and sees a send delivered', async () => {
  await using peyk = await startTryMode();
  expect(peyk.screen).toContain(DEMO_KEY);
  expect(peyk.screen).toContain(DEMO_LINE);
  const { page, problems } = await browser.open(peyk.pageUrl, { viewport: DESKTOP, colorScheme: 'light' });
  await beSomeone(page, 'Sara');
  await page
    .getByTestId(/^chat-\d/)
    .filter({ hasText: 'Peyk' })
    .click();

  await page.getByTestId('start').click();
  await said(page, 'I am Peyk').waitFor(SOON);
  await say(page, '/connect');
  await said(page, 'Send the API key').waitFor(SOON);
  await say(page, DEMO_KEY);
  await said(page, 'Account:').waitFor(SOON);
  expect(await page.locator('#conversation').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅ Link');
  await said(page, 'Which sender line').waitFor(SOON);
  await say(page, DEMO_LINE);
  await said(page, 'Try: /send').waitFor(SOON);
  await say(page, '/credit');
  await said(page, '10,000,000 rial').filter({ hasText: 'as of' }).waitFor(SOON);

  await say(page, '/send 09121234567, ۰۹۳۵۱۱۱۲۲۳۳, 0912x Hello, the meeting is at ten.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '2 to send' }).waitFor(SOON);
  expect(await card.innerText()).toMatch(/Hello, the meeting is at ten\./);
  expect(await card.innerText()).toMatch(/0912x.*not a number/);
  await picture(page, 'first-send-preview.png');
  await press(page, '✅ Send');
  await page.getByTestId('btn').filter({ hasText: '↩️ Undo' }).waitFor(SOON);
  await card.filter({ hasText: '2 accepted' }).waitFor(SOON);
  await card.filter({ hasText: '2 delivered' }).waitFor(SOON);
  await picture(page, 'first-send.png');

  await fits(page, PHONE);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});

test('the same in Persian on a phone', async () => {
  await using peyk = await startTryMode();
  const { page, problems } = await browser.open(peyk.pageUrl, {
    viewport: PHONE,
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
  });
  await beSomeone(page, 'رضا');
  await page.locator('html[lang=fa][dir=rtl]').waitFor();
  await page
    .getByTestId(/^chat-\d/)
    .filter({ hasText: 'Peyk' })
    .click();

  await page.getByTestId('start').click();
  await said(page, 'من پیکم').waitFor(SOON);
  await say(page, '/connect');
  await said(page, 'کلید API را بفرستید').waitFor(SOON);
  await say(page, DEMO_KEY);
  await said(page, 'حساب:').waitFor(SOON);
  expect(await page.locator('#conversation').innerText()).not.toContain(DEMO_KEY);
  await press(page, '✅');
  await said(page, 'نخست از کدام خط').waitFor(SOON);
  await say(page, '۳۰۰۰۱۲۳۴۵۶');
  await said(page, 'امتحان کنید: /send').waitFor(SOON);
  await say(page, '/credit');
  await said(page, '💰').waitFor(SOON);

  await say(page, '/send 09121234567، ۰۹۳۵۱۱۱۲۲۳۳، ۰۹۱۲x جلسه فردا ساعت ۱۰ است.');
  const card = said(page, '#A1');
  await card.filter({ hasText: '۲ فرستاده می‌شود' }).waitFor(SOON);
  expect(await card.innerText()).toMatch(/جلسه فردا ساعت ۱۰ است\./);
  expect(await card.innerText()).toMatch(/۰۹۱۲x.*شماره نیست/);
  await press(page, '✅');
  await page.getByTestId('btn').filter({ hasText: '↩️' }).waitFor(SOON);
  await card.filter({ hasText: '۲ را درگاه پذیرفت' }).waitFor(SOON);
  await card.filter({ hasText: '۲ رسید' }).waitFor(SOON);
  await picture(page, 'first-send-fa.png');

  await fits(page, DESKTOP);
  expect(problems).toEqual([]);
  await page.close();
  expect(await peyk.interrupt()).toBe(0);
});

async function beSomeone(page: Page, name: string): Promise<void> {
  await page.getByTestId('person-switcher').click();
  await page
    .getByTestId(/^person-\d/)
    .filter({ hasText: name })
    .click();
  await page.getByTestId('person-switcher').filter({ hasText: name }).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByTestId('composer');
  await composer.fill(text);
  await page.getByTestId('send').click();
}

/** The newest message of the bot that holds the text. */
function said(page: Page, text: string) {
  return page.locator('.message:not(.out)', { hasText: text }).last();
}

async function press(page: Page, label: string): Promise<void> {
  await page.getByTestId('btn').filter({ hasText: label }).last().click();
}

/** At another size the page needs no scrolling sideways. */
async function fits(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overhang)).toBe(0);
}

/** The README's pictures are made by `UPDATE_IMAGES=1 npm run test:browser`. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_IMAGES'] !== '1') return;
  const folder = join(ROOT, 'docs/images');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, name), animations: 'disabled' });
}

interface PeykProcess extends AsyncDisposable {
  /** What stood on the screen when it was ready. */
  readonly screen: string;
  readonly pageUrl: string;
  /** Ctrl-C; gives the exit code. */
  interrupt(): Promise<number | null>;
}

/** Peyk as `npm start` runs it with no settings, on a database folder and a port of its own. */
async function startTryMode(): Promise<PeykProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-newcomer-'));
  const { PATH = '', HOME = folder } = process.env;
  const child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'src/main.ts')], {
    cwd: folder,
    env: { PATH, HOME, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  let output = '';
  const url = new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output)?.[0];
        if (address !== undefined && output.includes('Ctrl-C')) found(address);
      });
    }
    void ended.then((code) => failed(new Error(`Peyk ended with ${code} before it was ready:\n${output}`)));
  });
  onTestFailed(() => {
    process.stderr.write(output);
  });
  const interrupt = async (): Promise<number | null> => {
    // npm passes a terminal's Ctrl-C on to a process that has had it already.
    child.kill('SIGINT');
    await nextTurn();
    child.kill('SIGINT');
    return await ended;
  };
  const dispose = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await interrupt();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const pageUrl = await url;
    return { pageUrl, screen: output, interrupt, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
