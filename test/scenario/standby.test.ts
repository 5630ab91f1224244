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
import { PATIENT, says, until } from '../support/story.ts';

// Each test starts two processes.
let folder: string;
let sandbox: Sandbox;
let playground: Playground;
let driver: Driver;
let database: TestDatabase;
let wire: FaultyProxy;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-standby-'));
  sandbox = await startSandbox();
  playground = await startPlayground();
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

async function start(): Promise<{ peyk: PeykProcess; ready: () => Promise<number> }> {
  const port = await freePort();
  const { user, database: name } = database.target;
  const peyk = spawnPeyk(
    {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: playground.apiRoot,
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_WS_URL: sandbox.wsUrl,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
      MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      PORT: String(port),
    },
    folder,
  );
  onTestFailed(() => {
    process.stdout.write(`${peyk.lines.slice(-30).join('\n')}\n${peyk.complaints()}\n`);
  });
  await peyk.line('Peyk is running');
  const ready = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  return { peyk, ready };
}

/** A person of whom the application hears for the first time, and the answer that they get. */
async function greets(name: string): Promise<void> {
  const person = driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await driver.waitForMessage(person, says('I am Peyk'), PATIENT);
}

const conflicts = (): number => driver.calls('getUpdates').filter((call) => call.error_code === 409).length;

test('of several processes one asks Telegram, all are ready, and another takes over from a killed one', async () => {
  const first = await start();
  await first.peyk.line('this process leads');
  await using second = (await start()).peyk;
  await using heir = await start().then(({ peyk, ready }) => Object.assign(peyk, { ready }));
  await second.line('this one stands by');
  await heir.line('this one stands by');
  await until(async () => expect(await first.ready()).toBe(200));
  expect(await heir.ready()).toBe(200);
  await greets('Before');

  await first.peyk.kill();
  await greets('After');
  const led = [second, heir].filter((peyk) => peyk.lines.some((line) => line.includes('this process leads')));
  expect(led).toHaveLength(1);
  expect(await heir.ready()).toBe(200);
  expect(conflicts()).toBe(0);

  expect(await led[0]?.stop()).toBe(0);
  await greets('Last');
  expect(conflicts()).toBe(0);
});

test('a leader that is cut off from the database leaves Telegram to nobody but itself', async () => {
  await using first = (await start()).peyk;
  await first.line('this process leads');
  await using second = (await start()).peyk;
  await second.line('this one stands by');

  wire.cutAll();
  await first.line('lock was lost');
  await greets('Meanwhile');
  expect(second.lines.some((line) => line.includes('this process leads'))).toBe(false);
  expect(conflicts()).toBe(0);
});
