import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import { defineTexts, type Locale } from '../i18n/define.ts';
import type { Neighbour } from '../pages/neighbour.ts';
import { startPlayground, type Playground } from '../playground/server.ts';
import type { Welcome } from '../playground/welcome.ts';
import type { Config } from '../process/config.ts';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { code, html, type Html } from '../telegram/html.ts';

export interface TryMode {
  /** The settings, with what was missing filled in by the local parts. */
  readonly config: Config;
  /** What a newcomer reads first. */
  readonly screen: (botUsername: string) => string;
  stop(): Promise<void>;
}

const ALL_ROLES = 3;
const LAST_PORT = 65_535;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
const DEMO = { key: 'sandbox-key-demo', line: '3000123456' };

/**
 * With no settings at all: a sandbox gateway and a Bot API emulator, each with a page. The pages are where HOST says, all
 * else is on loopback.
 * @param tell told what the start does next
 * @throws AppError `config` where the process is to have some of the roles only
 */
export async function startTryMode(config: Config, tell: (step: string) => void): Promise<TryMode> {
  checkTryRoles(config);
  tell('starting the sandbox gateway and the chat page');
  const { host, port } = config.http;
  const sandbox = await startPhones(config.http, () => ({
    url: playground.pageUrl,
    icon: 'chat',
    name: nameIn('chat'),
  }));
  const phonesUrl = `${sandbox.adminUrl}/`;
  const playground = await startPage(config.http, { url: phonesUrl, icon: 'phone', name: nameIn('phones') });
  const isElsewhere = port !== 0 && Number(new URL(playground.pageUrl).port) !== port;
  return {
    config: {
      ...config,
      telegram: { ...config.telegram, token: new Secret(playground.token), apiRoot: playground.apiRoot },
      gateway: {
        ...config.gateway,
        baseUrl: config.gateway.baseUrl ?? sandbox.baseUrl,
        wsUrl: config.gateway.wsUrl ?? sandbox.wsUrl,
      },
    },
    screen: (botUsername) =>
      [
        '',
        '  Peyk is ready. Nothing here leaves this machine.',
        '',
        ...(LOOPBACK.has(host) ? [] : warningOf(host, [playground.pageUrl, phonesUrl])),
        `  Open     ${playground.pageUrl}`,
        ...(isElsewhere ? [`           Not on port ${port} as usual: another program has it.`] : []),
        `           The card at the top of the chat with @${botUsername} says what to do. Who you are is at the top left.`,
        '',
        `  Phones   ${phonesUrl}`,
        '           What was sent arrives there, and the phones can answer.',
        '',
        `  Account  API key ${DEMO.key}, sender line ${DEMO.line} (a sandbox: its rial are play money)`,
        '',
        '  Type     /connect                    send the API key when asked, press Link, send the line',
        '           /send 09121234567 Hello     see the preview, press Send',
        '           /help                       for the rest',
        '',
        `  Ctrl-C stops all of it. What Peyk knows stays in ${config.database.dataDir}, what was said on the page does not.`,
        '',
      ].join('\n'),
    async stop() {
      await playground.close();
      await sandbox.close();
    },
  };
}

/** @throws AppError `config` where the process is to have some of the roles only */
export function checkTryRoles({ roles }: Config): void {
  if (roles.length < ALL_ROLES) {
    throw new AppError('config', 'one process does everything in try mode', {
      params: { ROLES: 'needs TELEGRAM_BOT_TOKEN: without it one process does everything' },
    });
  }
}

function warningOf(host: string, pages: readonly string[]): readonly string[] {
  const ports = pages.map((page) => new URL(page).port);
  return [
    `  Careful  HOST is ${host}, and these are test servers without a password: let no strangers reach ports ${ports.join(' and ')}.`,
    '           From a container, publish them for its own machine alone, under the same numbers:',
    `           ${ports.map((port) => `-p 127.0.0.1:${port}:${port}`).join(' ')}`,
    '',
  ];
}

async function startPage({ host, port }: Config['http'], beside: Neighbour): Promise<Playground> {
  const welcome = { en: welcomeIn('en'), fa: welcomeIn('fa') };
  // What looks whether the process is alive looks here in try mode too.
  const answers = { '/livez': { live: true } };
  const world = { seedWorld: true, firstId: secondsSince2026(), welcome, beside, answers, host };
  return await onPort(port, (usual) => startPlayground({ ...world, port: usual }));
}

/** The gateway, with its page one port above that of the chat. */
async function startPhones({ host, port }: Config['http'], beside: () => Neighbour): Promise<Sandbox> {
  const world = { deliverySeconds: 6, demoWeek: true, beside, adminHost: host };
  const above = port === 0 || port === LAST_PORT ? 0 : port + 1;
  return await onPort(above, (adminPort) => startSandbox({ ...world, adminPort }));
}

/** On the usual port, so that a bookmark lasts; on any other where that one is taken. */
async function onPort<T>(usual: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(usual);
  } catch {
    return await start(0);
  }
}

function nameIn(page: 'chat' | 'phones'): Neighbour['name'] {
  return { en: tryTexts('en')[page], fa: tryTexts('fa')[page] };
}

/** What stands above the first message of the chat page. */
function welcomeIn(locale: Locale): Welcome {
  const t = tryTexts(locale);
  const steps = [
    t.link(code(DEMO.key), code(DEMO.line)),
    t.look(code('/report 7d')),
    t.send(code(`/send 09121234567 ${t.hello}`)),
    t.answer(t.phones),
    t.more,
  ];
  return { title: t.title, about: t.about.markup, steps: steps.map(({ markup }) => markup) };
}

/** The emulator forgets with the process and the database does not: each run's ids come after those of the last. */
function secondsSince2026(): number {
  return Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 1000);
}

/** What a newcomer reads on the chat page of try mode. */
export const tryTexts = defineTexts({
  en: {
    title: 'SMS from your team’s chat',
    about: html`Peyk sends SMS to one person or to everybody in a file, shows what was delivered, and brings the answers into the chat. This is a sandbox with play money: nothing leaves this machine.`,
    link: (key: Html, line: Html): Html =>
      html`Press Start, then /connect. Send the key ${key}, press ✅ Link and then the line ${line}.`,
    look: (week: Html): Html => html`See the last week of this account: /credit, /inbox, /report or ${week}.`,
    send: (command: Html): Html => html`Send an SMS: ${command}. You see a preview, ✅ sends it.`,
    hello: 'Hello',
    answer: (phones: Html | string): Html =>
      html`Open 📱 ${phones} to see it arrive, and answer it from there.`,
    phones: 'Phones',
    chat: 'Chat',
    more: html`Attach a CSV of customers and write /bulk as its caption. For the rest: /help.`,
  },
  fa: {
    title: 'پیامک از گفتگوی تیم شما',
    about: html`پیک به یک نفر یا به همهٔ شماره‌های یک فایل پیامک می‌فرستد، نشان می‌دهد چه چیزی تحویل شد و جواب‌ها را به گفتگو می‌آورد. این پنل آزمایشی است: هیچ پیامکی از این دستگاه بیرون نمی‌رود و پولی خرج نمی‌شود.`,
    link: (key, line) =>
      html`«شروع» و بعد /connect را بزنید. کلید ${key} را بفرستید، «✅ وصل شود» و بعد خط ${line} را بزنید.`,
    look: (week) => html`هفتهٔ گذشتهٔ این حساب را ببینید: /credit، /inbox، /report یا ${week}.`,
    send: (command) => html`پیامک بفرستید: ${command}. اول پیش‌نمایش را می‌بینید، با ✅ ارسال می‌شود.`,
    hello: 'سلام',
    answer: (phones) => html`«📱 ${phones}» را باز کنید: پیامک را ببینید و از همان جا جواب بدهید.`,
    phones: 'گوشی‌ها',
    chat: 'گفتگو',
    more: html`فایل CSV مشتری‌ها را پیوست کنید و در کپشن آن /bulk بنویسید. بقیهٔ دستورها: /help.`,
  },
});
