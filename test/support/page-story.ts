import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { DEFAULT_ACCOUNTS } from '../../src/sandbox/world/default-accounts.ts';
import { spawnPeyk } from './peyk-process.ts';
import { given } from './talk.ts';
import { until } from './until.ts';
import { beSomeone, say } from './try-page.ts';

/* The steps that stories on the page have in common, done as a person does them. */

export type Locale = 'en' | 'fa';

/** The ids that the page's world begins with. */
export const OPS_GROUP = 'chat--4000001';
export const SUPPORT_FORUM = 'chat--1002000000001';
export const ALERTS_CHANNEL = 'chat--1002000000002';
export const LINE = '3000123456';
/** With these, what arrives and what changes at the gateway is seen soon. */
export const WATCHING = {
  ROLES: 'bot,worker,poller',
  INBOX_POLL_SECONDS: '0.5',
  CREDIT_POLL_SECONDS: '0.5',
  UNDO_SECONDS: '1',
} as const;

/** Long after a press that was heard has changed its card. */
const PRESS_AGAIN_MS = 20_000;

export interface PageStory extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly pageUrl: string;
  /** Where Peyk keeps its data. */
  readonly dataDir: string;
  /** Ends Peyk, has something happen meanwhile, and starts it again on the same data. */
  again(meanwhile: () => void): Promise<void>;
}

/** As `npm start` runs it, with a gateway that can be looked at and made slow, and at which messages arrive. */
export async function startPeyk({
  deliverySeconds = 1,
  settings = {},
}: {
  readonly deliverySeconds?: number;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<PageStory> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-page-'));
  const dataDir = join(folder, 'data');
  const sandbox = await startSandbox({
    deliverySeconds,
    accounts: DEFAULT_ACCOUNTS.map((each) => ({ ...each, profile: { fullname: 'Nik Shop' } })),
  });
  const gateway = { GATEWAY_BASE_URL: sandbox.baseUrl, GATEWAY_WS_URL: sandbox.wsUrl };
  const start = () => spawnPeyk({ ...gateway, DATA_DIR: dataDir, PORT: '0', ...settings }, folder);
  let peyk = start();
  onTestFailed(() => {
    process.stderr.write(`${peyk.lines.join('\n')}\n${peyk.complaints()}`);
  });
  const dispose = async (): Promise<void> => {
    await peyk.stop();
    await peyk[Symbol.asyncDispose]();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const pageUrl = /http\S+/.exec(await peyk.line('  Open '))?.[0] ?? '';
    await peyk.line('Ctrl-C');
    const again = async (meanwhile: () => void): Promise<void> => {
      await peyk.stop();
      meanwhile();
      peyk = start();
      await peyk.line('Ctrl-C');
    };
    return { sandbox, pageUrl, dataDir, again, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A message reaches the demo account. */
export function receive({ world }: Sandbox, from: string, text: string, line = LINE): void {
  world.receive(given(world.account('demo')), { from, line, text });
}

/** The newest message of the bot that says this. */
export function said(page: Page, part: string): Locator {
  // What a message quotes stands outside of its text.
  const text = page.locator('.text', { hasText: loosely(part) });
  return page.locator('.message:not(.out)', { has: text }).last();
}

/** Waits until a message says all of this, whatever marks of direction stand in between. */
export async function shows(message: Locator, ...parts: (string | RegExp)[]): Promise<void> {
  const wanted = parts.reduce<Locator>((found, part) => found.filter({ hasText: loosely(part) }), message);
  await wanted.waitFor().catch(async (cause: unknown) => {
    const texts = await message.allInnerTexts();
    throw new Error(`a message does not say ${parts.join(', ')}, but ${texts.join('')}`, { cause });
  });
}

export async function press(message: Locator, label: string): Promise<void> {
  await message
    .getByTestId('btn')
    .filter({ hasText: loosely(label) })
    .click();
}

/**
 * Presses a button until the card has it no more: while reports come in the card is drawn anew. A press of a button that was
 * drawn before is answered with an alert; a finger that comes down on one button and up on the next presses none.
 */
export async function insist(message: Locator, label: string): Promise<void> {
  const button = message.getByTestId('btn').filter({ hasText: loosely(label) });
  const alert = message.page().getByTestId('alert');
  await press(message, label);
  let pressed = Date.now();
  await until(async () => {
    const isRefused = await alert.isVisible();
    if (isRefused) await alert.getByRole('button').click();
    if (isRefused || ((await button.count()) > 0 && Date.now() - pressed > PRESS_AGAIN_MS)) {
      await press(message, label);
      pressed = Date.now();
    }
    expect(await button.count()).toBe(0);
  });
}

/** What stands on the buttons of a message. */
export async function labels(message: Locator): Promise<string[]> {
  const texts = await message.getByTestId('btn').allInnerTexts();
  return texts.map((text) => text.replaceAll(/[\u2066-\u2069]/gu, ''));
}

/** In a group a bot that is no administrator hears only answers to its messages. */
export async function answer(question: Locator, page: Page, text: string): Promise<void> {
  await question.waitFor();
  await question.hover();
  await question.getByTestId('more').click();
  await page.getByTestId('menu-reply').click();
  await say(page, text);
}

/** Opens a chat, from wherever the page is. */
export async function open(page: Page, chat: string): Promise<void> {
  const back = page.getByTestId('back');
  if (await back.isVisible()) await back.click();
  await page.getByTestId(chat).click();
}

/** Somebody else looks at the page, in a chat. */
export async function as(page: Page, name: string, chat = OPS_GROUP): Promise<void> {
  await beSomeone(page, name);
  await open(page, chat);
}

/** Links the demo account to one's private chat. */
export async function link(page: Page, locale: Locale): Promise<void> {
  await beSomeone(page, WORDS[locale].who);
  await page
    .getByTestId(/^chat-\d/)
    .filter({ hasText: 'Peyk' })
    .click();
  await page.getByTestId('start').click();
  await said(page, WORDS[locale].hello).waitFor();
  await say(page, '/connect');
  await giveKey(page, locale);
}

/** Links the demo account to a group. */
export async function linkGroup(page: Page, locale: Locale, group = OPS_GROUP): Promise<void> {
  const words = WORDS[locale];
  await beSomeone(page, words.who);
  await page.getByTestId(group).click();
  await say(page, '/connect');
  await press(said(page, words.connect), words.link);
  await giveKey(page, locale);
  await open(page, group);
  await said(page, words.linked).waitFor();
}

const WORDS = {
  en: {
    who: 'Sara',
    hello: 'I am Peyk',
    connect: 'links it in private',
    link: 'Link an account',
    key: 'Send the API key',
    account: 'Account:',
    line: 'Which sender line',
    done: 'Try: /send',
    linked: 'Linked by',
  },
  fa: {
    who: 'رضا',
    hello: 'من پیکم',
    connect: 'در گفتگوی خصوصی',
    link: 'وصل',
    key: 'کلید API را بفرستید',
    account: 'حساب:',
    line: 'اول از کدام خط',
    done: 'امتحان کنید:',
    linked: 'حساب را وصل کرد',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string>>>;

async function giveKey(page: Page, locale: Locale): Promise<void> {
  const words = WORDS[locale];
  await said(page, words.key).waitFor();
  await say(page, 'sandbox-key-demo');
  await press(said(page, words.account), '✅');
  await said(page, words.line).waitFor();
  await say(page, LINE);
  await said(page, words.done).waitFor();
}

function loosely(part: string | RegExp): RegExp {
  if (typeof part !== 'string') return part;
  const signs = Array.from(part, (sign) => sign.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&'));
  return new RegExp(signs.join('[\u2066-\u2069]*'), 'u');
}
