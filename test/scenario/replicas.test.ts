import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { createDriver, type Driver } from '../../src/playground/driver.ts';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { type FaultyProxy, startFaultyProxy } from '../chaos/proxy.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import { linkedPerson, PATIENT, says, until } from '../support/story.ts';
import { given, rows } from '../support/talk.ts';

/* Several processes on one database: each with roles of its own, and updates that Telegram brings to any of them. */

// Each test starts some processes.
const SECRET = 'webhook-secret-0123456789-abcdefgh';

let folder: string;
let sandbox: Sandbox;
let playground: Playground;
let driver: Driver;
let database: TestDatabase;
let wire: FaultyProxy;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-replicas-'));
  sandbox = await startSandbox({ deliverySeconds: 0.3 });
  playground = await startPlayground({ webhookRetryMs: 100 });
  driver = createDriver(playground);
  database = await createTestDatabase();
  const { socketDir, port } = database.target;
  wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
});
afterAll(async () => {
  driver.close();
  await playground.close();
  await sandbox.close();
  await wire.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly peyk: PeykProcess;
  readonly port: number;
  readonly ready: () => Promise<number>;
}

async function start(settings: Readonly<Record<string, string>>, at?: number): Promise<Started> {
  const port = at ?? (await freePort());
  const { user, database: name } = database.target;
  const peyk = spawnPeyk(
    {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: playground.apiRoot,
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_WS_URL: sandbox.wsUrl,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
      MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      UNDO_SECONDS: '0',
      INBOX_POLL_SECONDS: '1',
      PORT: String(port),
      ...settings,
    },
    folder,
  );
  onTestFailed(() => {
    process.stdout.write(`${peyk.lines.slice(-30).join('\n')}\n${peyk.complaints()}\n`);
  });
  await peyk.line('Peyk is running');
  const ready = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  return { peyk, port, ready };
}

async function greets(name: string): Promise<void> {
  const person = driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await driver.waitForMessage(person, says('I am Peyk'), PATIENT);
}

const hook = (port: number) => ({
  WEBHOOK_URL: `http://127.0.0.1:${port}/updates`,
  WEBHOOK_SECRET: SECRET,
});

test('bot, worker and poller may be processes of their own, and a send goes through all of them once', async () => {
  const first = await start({ ROLES: 'bot' });
  await using bot = first.peyk;
  await using worker = (await start({ ROLES: 'worker' })).peyk;
  const poller = await start({ ROLES: 'poller' });
  await using looking = poller.peyk;
  await bot.line('this process leads');
  const { person, account } = await linkedPerson({ driver, playground, sandbox }, 'Sara');
  person.send(person, '/send 09121234567 Hello from three processes');
  const draft = await driver.waitForMessage(
    person,
    (message) =>
      rows(message)
        .flat()
        .some((label) => label.startsWith('✅ Send')),
    PATIENT,
  );
  person.tap(draft, '✅ Send');
  const sent = () => sandbox.ledger.sends().filter((send) => send.account === account.username).length;
  await until(() => expect(sent()).toBe(1));
  const gateway = given(sandbox.world.account(account.username));
  sandbox.world.receive(gateway, {
    line: account.line,
    from: '09121234567',
    text: 'An answer for all of you',
  });
  await driver.waitForMessage(person, says('An answer for all of you'), PATIENT);
  expect(sent()).toBe(1);
  expect(await poller.ready()).toBe(200);
  const told = await (await fetch(`http://127.0.0.1:${first.port}/metrics`)).text();
  expect(told).toMatch(/^peyk_commands_total\{command="send",outcome="done"\} 1$/mu);
  expect(told).toMatch(/^peyk_updates_total\{kind="press"\} \d+$/mu);
  expect(told).toMatch(/^peyk_accounts 1$/mu);
  for (const word of [
    account.username,
    account.apiKey,
    account.line,
    String(person.id),
    playground.token,
    'Sara',
  ])
    expect(told).not.toContain(word);
  for (const { lines } of [worker, looking]) {
    expect(lines.some((line) => line.includes('this process leads'))).toBe(false);
  }
});

test('what Telegram brings to a process that stands by is handled by the leader, and by that one when the leader is killed', async () => {
  const port = await freePort();
  const first = await start(hook(port));
  await first.peyk.line('this process leads');
  const second = await start(hook(port), port);
  await using heir = second.peyk;
  await heir.line('this one stands by');
  await until(async () => expect(await first.ready()).toBe(200));
  await greets('Early');
  const person = driver.user({ first_name: 'Form', language_code: 'en' });
  person.start();
  await driver.waitForMessage(person, says('I am Peyk'), PATIENT);
  // Question and answer come to another process than the one that handles both, close together.
  person.send(person, '/connect');
  person.send(person, '/cancel');
  person.send(person, '/nowhere');
  await driver.waitForMessage(person, says('I do not know /nowhere'), PATIENT);
  const answers = driver
    .messages(person)
    .flatMap(({ text = '', from }) => (from?.is_bot === true ? [text] : []));
  expect(answers.slice(1).map((text) => text.split(' ')[0])).toEqual(['Linking', 'Question', 'I']);
  expect(heir.lines.some((line) => line.includes('this process leads'))).toBe(false);

  await first.peyk.kill();
  await greets('After the kill');
  await heir.line('this process leads');
  expect(await second.ready()).toBe(200);
  expect(await heir.stop()).toBe(0);
});

test('while the database is away Telegram is asked to come again, and nothing is lost', async () => {
  const port = await freePort();
  const { peyk } = await start(hook(port), port);
  await using one = peyk;
  await one.line('this process leads');
  await greets('Before');
  await wire.refuse(true);
  wire.cutAll();
  const person = driver.user({ first_name: 'Meanwhile', language_code: 'en' });
  person.start();
  await until(async () => {
    const { result } = (await (
      await fetch(`${playground.apiRoot}/bot${playground.token}/getWebhookInfo`)
    ).json()) as {
      result: { last_error_message?: string };
    };
    expect(result.last_error_message).toContain('503');
  });
  await wire.refuse(false);
  await driver.waitForMessage(person, says('I am Peyk'), PATIENT);
});

test('from a webhook back to long polling nothing has to be done by hand', async () => {
  const port = await freePort();
  const before = await start(hook(port), port);
  await before.peyk.line('this process leads');
  await greets('By webhook');
  expect(await before.peyk.stop()).toBe(0);
  await using after = (await start({})).peyk;
  await after.line('this process leads');
  await greets('By polling');
});
