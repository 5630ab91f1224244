import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { inTime } from '../support/patience.ts';
import { surroundings } from '../support/surroundings.ts';
import { deadPort } from './postgres.ts';
import type { Stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');
const NODE = join(ROOT, 'node_modules/.bin/node');

/** Processes that cannot start, each after `peyk doctor` on the same settings, or are ended by an error of their own; gives how each ended. */
export async function crash(stage: Stage, masterKeys: string): Promise<Record<string, number | string>> {
  const { secrets } = stage;
  const settings: Readonly<Record<string, string>> = { ...stage.settings, MASTER_KEYS: masterKeys };
  const dead = await deadPort();
  const elsewhere = (url: string): string => url.replace(/:\d+\/(?=[^/]*$)/u, `:${dead}/`);
  const proxy = (scheme: string): string =>
    `${scheme}://somebody:${encodeURIComponent(secrets['proxy password'])}@127.0.0.1:${dead}`;
  const misplaced = Object.fromEntries(
    ['PORT', 'ROLES', 'LOG_LEVEL', 'OWNER_IDS', 'DEFAULT_TZ', 'GATEWAY_VERSIONS', 'HOST', 'UNDO_SECONDS'].map(
      (name, at) => [name, Object.values(secrets)[at] ?? ''],
    ),
  );
  const ends: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'settings that are wrong': {
      ...misplaced,
      TELEGRAM_BOT_TOKEN: secrets['bot token'],
      DATABASE_URL: `mysql://peyk:${secrets['database password']}@127.0.0.1/x`,
      MASTER_KEYS: `${secrets['old master key']},old:${secrets['new master key']}x`,
      WEBHOOK_URL: `http://example.com/bot${settings['TELEGRAM_BOT_TOKEN']}`,
      WEBHOOK_SECRET: `${secrets['webhook secret']} `.repeat(2),
      PROXY_URL: `ftp://u:${secrets['proxy password']}@x`,
    },
    'an address that is none': {
      ...settings,
      DATABASE_URL: `postgres://peyk:${secrets['database password'].replaceAll('@', '%zz')}@[::/x`,
    },
    'a database that is not there': { ...settings, DATABASE_URL: elsewhere(settings['DATABASE_URL'] ?? '') },
    'a database of another name': { ...settings, DATABASE_URL: stage.postgres.url('nowhere') },
    'a wrong password': {
      ...settings,
      DATABASE_URL: stage.postgres.url().replace('@127', 'x@127'),
    },
    'a master key that opens nothing': { ...settings, MASTER_KEYS: otherKey() },
    'a token that Telegram refuses': {
      ...settings,
      // Whichever it ends in by chance, it is another one.
      TELEGRAM_BOT_TOKEN: (settings['TELEGRAM_BOT_TOKEN'] ?? '').replace(/.$/u, (last) =>
        last === '_' ? '-' : '_',
      ),
    },
  };
  const codes: Record<string, number | string> = {};
  const left = Object.entries(ends);
  // A few at a time: twenty at once would only wait for each other.
  const endNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, env] = next;
      const [foreseen] = await runTool(stage, ['doctor'], env, name);
      codes[name] = await inTime(stage.peyk(name, env).ended, () => `the end of ${name}`);
      if (foreseen !== codes[name]) codes[name] = `${codes[name]}, and the doctor said ${foreseen}`;
    }
  };
  await Promise.all([endNext(), endNext(), endNext()]);
  for (const scheme of ['http', 'socks5']) {
    const env = { ...settings, PROXY_URL: proxy(scheme), PROXY_GATEWAY: 'true' };
    const name = `a ${scheme} proxy that is not there`;
    await runTool(stage, ['doctor'], env, name);
    const peyk = stage.peyk(name, env);
    await peyk.line('Telegram does not answer yet');
    await peyk.kill();
  }
  for (const [how, pretty] of [
    ['rejection', false],
    ['exception', true],
  ] as const) {
    const name = `an ${how} that nobody caught`;
    const peyk = stage.peyk(pretty ? `${name}, pretty` : name, {
      ...settings,
      LOG_PRETTY: String(pretty),
      ROLES: 'worker',
      WEBHOOK_SECRET: secrets['webhook secret'],
      WEBHOOK_URL: 'https://peyk.example/updates',
      CANARY_CRASH: how,
    });
    await peyk.line('Peyk is running');
    process.kill(peyk.pid, 'SIGUSR2');
    codes[name] = await inTime(peyk.ended, () => `the end after ${name}`);
  }
  return codes;
}

/** Runs a command of the program to its end, with these settings alone; gives its exit code and its text. */
export async function runTool(
  stage: Stage,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  about = args.join(' '),
): Promise<readonly [code: number | string, text: string]> {
  const child = spawn(NODE, [join(ROOT, 'src/main.ts'), ...args], {
    cwd: stage.folders.work,
    env: { ...surroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stage.watch(`${args[0]} ${about}`, child.pid ?? 0);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
    });
  const [code, signal] = (await inTime(
    once(child, 'close'),
    () => `the end of peyk ${args.join(' ')}: ${about}\n${text}`,
  )) as [number | null, string | null];
  stage.keep(`output of peyk ${args[0]}`, about, text);
  return [code ?? signal ?? '', text];
}

/** `peyk keys`, with settings that are not right, and asked for what it does not do. */
export async function keysInTrouble(stage: Stage): Promise<void> {
  const dead = await deadPort();
  const url = stage.postgres.url();
  const urls = [
    url.replace(/:\d+\/(?=[^/]*$)/u, `:${dead}/`),
    url.replace('@127', 'x@127'),
    stage.postgres.url('nowhere'),
  ];
  const keys = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    await runTool(stage, ['keys', ...args], { ...stage.settings, ...more });
  await Promise.all([
    ...urls.map(async (other) => await keys(['status'], { DATABASE_URL: other })),
    keys(['status'], { MASTER_KEYS: otherKey() }),
    keys(['rotate', 'now']),
    keys(['new']),
  ]);
}

const otherKey = (): string => `other:${randomBytes(32).toString('base64')}`;
