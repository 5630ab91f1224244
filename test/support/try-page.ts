import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { surroundings } from './surroundings.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Below 1100 the page leaves the log of calls away. */
export const DESKTOP = { width: 1040, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Chooses who is on screen, on a phone from the list of chats. */
export async function beSomeone(page: Page, name: string): Promise<void> {
  const back = page.getByTestId('back');
  await page.locator('[data-testid=back]:visible, [data-testid=person-switcher]:visible').first().waitFor();
  if (await back.isVisible()) await back.click();
  await page.getByTestId('person-switcher').click();
  await page
    .getByTestId(/^person-\d/)
    .filter({ hasText: name })
    .click();
  await page.getByTestId('person-switcher').filter({ hasText: name }).waitFor();
}

export async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByTestId('composer');
  await composer.fill(text);
  await page.getByTestId('send').click();
}

/** The newest message of the bot that holds the text. */
export function said(page: Page, text: string) {
  return page.locator('.message:not(.out)', { hasText: text }).last();
}

export async function press(page: Page, label: string): Promise<void> {
  await page.getByTestId('btn').filter({ hasText: label }).last().click();
}

/** Holds a finger on a place until its menu is there, and lifts it: the browser makes the events of it. */
export async function longPress(place: Locator, at = { x: 5, y: 5 }): Promise<void> {
  await place.click({ trial: true, position: at });
  // What is drawn anew meanwhile has no place: it is asked again.
  let box = await place.boundingBox();
  while (box === null) box = await place.boundingBox();
  const page = place.page();
  const fingers = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + at.x, y: box.y + at.y }];
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.getByTestId('menu').waitFor();
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await fingers.detach();
}

/** At another size the page needs no scrolling sideways. */
export async function fits(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overhang)).toBe(0);
}

/** The README's pictures are made by `UPDATE_IMAGES=1 npm run test:browser`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_IMAGES'] !== '1') return;
  const folder = join(ROOT, 'docs/images');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, name), animations: 'disabled' });
}

export interface PeykProcess extends AsyncDisposable {
  /** What stood on the screen when it was ready. */
  readonly screen: string;
  readonly pageUrl: string;
  /** Ctrl-C; gives the exit code. */
  interrupt(): Promise<number | null>;
}

/** Peyk as `npm start` runs it with no settings, on a database folder and a port of its own. */
export async function startTryMode(): Promise<PeykProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-newcomer-'));
  const child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'src/main.ts')], {
    cwd: folder,
    env: { ...surroundings(), DATA_DIR: join(folder, 'data'), PORT: '0' },
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
