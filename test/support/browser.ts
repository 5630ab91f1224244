import { existsSync } from 'node:fs';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface TestBrowser {
  /** Opens a page in a profile of its own. */
  open: (url: string, options?: BrowserContextOptions) => Promise<OpenPage>;
  close: () => Promise<void>;
}

export interface OpenPage {
  page: Page;
  /** What went wrong on the page so far: uncaught errors and console errors, refused resources among them. */
  problems: string[];
  close: () => Promise<void>;
}

/** Gives the file that asks one browser for all its tests; it is started before the first and ends with the last. */
export function useBrowser(): Pick<TestBrowser, 'open'> {
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  return {
    open: (...asked) => {
      if (browser === undefined) throw new Error('No page is opened outside of a test.');
      return browser.open(...asked);
    },
  };
}

/** Starts Chromium from CHROMIUM_PATH or /usr/bin/chromium, headless, with a fresh profile. */
async function launchBrowser(): Promise<TestBrowser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(`There is no Chromium at ${executablePath}: install it, or set CHROMIUM_PATH.`);
  }
  const browser = await chromium.launch({ executablePath, args: ARGS });
  return {
    open: async (url, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.goto(url);
      return { page, problems, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}
