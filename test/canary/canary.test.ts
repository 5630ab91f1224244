import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crash, keysInTrouble, runTool } from './crashes.ts';
import { searchRunning } from './evidence.ts';
import { failStatements, knock, plant, repeatTheToken } from './hardship.ts';
import { leaveHalfway, linkKian, linkSara, linkShop, openAccounts, writeKeysInPrivate } from './linking.ts';
import { deadPort } from './postgres.ts';
import { createRun, LINE, type Run } from './run.ts';
import { createScanner, type Hit, type Scanner, toLines } from './scanner.ts';
import { createPlanted } from './secrets.ts';
import { type Stage, startStage } from './stage.ts';
import { askEverything, register, sendAndExport } from './working.ts';

/*
 * A whole installation is used, troubled and ended, in processes of its own; then everything that it has left anywhere is
 * searched for every secret in twelve encodings. The totals are printed.
 */

const GENERATED = 'generated password';
const planted = createPlanted();

let stage: Stage;
let run: Run;
let scanner: Scanner;
let leaks: readonly Hit[];
let leftOver: number;
let shownTimes: number;
let ended: Readonly<Record<string, number | string>>;
let rotated: string;
let examined: string;

beforeAll(async () => {
  stage = await startStage();
  run = createRun(stage);
  openAccounts(run);
  const { made, left } = await inTwoProcesses();
  leftOver = left;
  [ended] = await Promise.all([crash(stage, bothKeys()), whileKeysAreExchanged(), keysInTrouble(stage)]);
  scanner = createScanner({ ...stage.secrets, [GENERATED]: made, ...planted });
  await searchRunning(stage, scanner, GENERATED);
  await stage.postgres.stop();
  scanner.folder('files of the database, with WAL', join(stage.postgres.dataDir, 'postgres'));
  shownTimes = stage.taps.telegram.asked.filter(({ body }) => body.includes(made)).length;
  leaks = scanner.hits.filter(({ secret }) => !Object.hasOwn(planted, secret));
  process.stdout.write(`${toLines({ ...scanner, hits: leaks }, 'search for secrets')}\n`);
});
afterAll(async () => {
  await stage.close();
});

const bothKeys = (): string =>
  `new:${stage.secrets['new master key']},old:${stage.secrets['old master key']}`;

/** By webhook, on versions 3, 4 and 1, one log in lines of JSON and one for people. */
async function inTwoProcesses() {
  const port = await deadPort();
  await using bot = stage.peyk('bot', {
    ...stage.settings,
    ROLES: 'bot',
    PORT: String(port),
    WEBHOOK_URL: `http://127.0.0.1:${port}/updates`,
    WEBHOOK_SECRET: stage.secrets['webhook secret'],
  });
  await bot.line('this process leads');
  await using others = stage.peyk('worker and poller, pretty', {
    ...stage.settings,
    ROLES: 'worker,poller',
    LOG_PRETTY: 'true',
  });
  await others.line('Peyk is running');
  const [registered, , , sara] = await Promise.all([
    register(run),
    linkKian(run),
    leaveHalfway(run),
    linkSara(run).then(async (sara) => {
      await sendAndExport(run, sara);
      return sara;
    }),
    linkShop(run).then(async (shop) => await askEverything(run, shop)),
  ]);
  await writeKeysInPrivate(run, sara);
  await repeatTheToken(run);
  await failStatements(run);
  await knock(run, port);
  await run.quiet();
  await bot.stop();
  await others.stop();
  return registered;
}

/** By long polling, on versions 4 and 1, with two master keys. */
async function whileKeysAreExchanged(): Promise<void> {
  await using peyk = stage.peyk('all in one', {
    ...stage.settings,
    GATEWAY_VERSIONS: '4,1',
    MASTER_KEYS: bothKeys(),
    CANARY_PLANT: planted['planted in a log'],
  });
  await peyk.line('Peyk is running');
  const { talk } = run;
  const { driver, secrets } = stage;
  const olga = driver.user({ first_name: 'Olga', language_code: 'fa' });
  await talk.connects(olga, { token: secrets['token of the old one'] }, { line: LINE });
  const amir = driver.user({ first_name: 'Amir', language_code: 'en' });
  await talk.connects(amir, { apiKey: secrets['key of the second manager'] }, { line: LINE });
  const settings = { ...stage.settings, MASTER_KEYS: bothKeys() };
  rotated = (await runTool(stage, ['keys', 'rotate'], settings)).join(' ');
  await runTool(stage, ['keys', 'status'], settings);
  examined = (await runTool(stage, ['doctor'], settings)).join(' ');
  for (const person of [olga, amir]) await talk.asks(person, person, '/credit', () => true);
  await plant(stage, planted, peyk, olga.id);
  await run.quiet();
  await peyk.stop();
}

test('no secret is anywhere in what a whole run leaves behind, in twelve encodings', () => {
  expect(leaks).toEqual([]);
});

test('every message in which a secret was typed is gone', () => {
  const left = run.typed.filter(({ message }) =>
    stage.driver.messages(message.chat.id).some(({ message_id: id }) => id === message.message_id),
  );
  expect(left.map(({ what }) => what)).toEqual([]);
  expect(leftOver).toBe(0);
  // The password that was made up was shown once, and again in the answer to its press.
  expect(shownTimes).toBeGreaterThan(0);
  expect(shownTimes).toBeLessThan(3);
});

test('what was planted in a log, a chat and a row of the running installation is found there', () => {
  const where = (secret: keyof typeof planted): string[] => [
    ...new Set(scanner.hits.filter((hit) => hit.secret === secret).map(({ kind }) => kind)),
  ];
  expect(where('planted in a log')).toEqual(['log, JSON']);
  expect(where('planted in a chat')).toEqual(['messages of the bot']);
  expect(where('planted in a row')).toEqual(
    expect.arrayContaining([
      'dump of the database',
      'log of the database server',
      'files of the database, with WAL',
    ]),
  );
});

test('the run did what it should, and every kind of artefact had something in it', () => {
  expect(rotated).toMatch(/^0 \d+ credentials are under new now/u);
  expect(examined).toMatch(/^0 [^]*^✓ gateway[^]*\nIt can run\.\n$/mu);
  expect(ended).toEqual({
    'settings that are wrong': 78,
    'an address that is none': 78,
    'a database that is not there': 69,
    'a database of another name': 78,
    'a wrong password': 78,
    'a master key that opens nothing': 78,
    'a token that Telegram refuses': 78,
    'an rejection that nobody caught': 1,
    'an exception that nobody caught': 1,
  });
  const kinds = [...scanner.searched].filter(([, { bytes }]) => bytes > 0).map(([kind]) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining([
      'log, JSON',
      'log, pretty',
      'standard error',
      'requests to Telegram',
      'requests to the gateway',
      'requests to the collector',
      'traces',
      'messages of the bot',
      'messages of people that are left',
      'documents',
      'parts of documents',
      'pictures',
      'answers to presses',
      'answers of the HTTP port',
      'output of peyk keys',
      'output of peyk doctor',
      'pg_stat_activity',
      'process titles',
      'wire, to the database',
      'wire, from the database',
      'dump of the database',
      'log of the database server',
      'files of the database, with WAL',
    ]),
  );
  const logs = stage.processes.flatMap(({ peyk }) => peyk.lines).join('\n');
  expect(logs).toMatch(/"level":"trace"|TRACE|"level":"debug"/u);
  expect(stage.taps.rest.asked.some(({ target }) => target.startsWith('/api/v4/'))).toBe(true);
  expect(stage.taps.ws.asked.length).toBeGreaterThan(0);
});
