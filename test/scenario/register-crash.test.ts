import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { createDriver } from '../../src/playground/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { clusterFolder } from '../../src/storage/embedded/cluster.ts';
import { stopOrphan } from '../../src/storage/embedded/orphan.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import { PASSWORD, registeringIn, shortSteps } from '../support/registering.ts';
import { until } from '../support/story.ts';
import { dataOf, PATIENCE, plain } from '../support/talk.ts';
import type { World } from '../support/world.ts';

// The process is started twice.
test('a process that is killed during the call leaves one call, and nothing that says more than is known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-register-'));
  const sandbox = await startSandbox();
  const playground = await startPlayground();
  const driver = createDriver(playground);
  onTestFinished(async () => {
    driver.close();
    await playground.close();
    await sandbox.close();
    await stopOrphan(clusterFolder(folder));
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (): Promise<PeykProcess> => {
    const peyk = spawnPeyk(
      {
        TELEGRAM_BOT_TOKEN: playground.token,
        TELEGRAM_API_ROOT: playground.apiRoot,
        GATEWAY_BASE_URL: sandbox.baseUrl,
        GATEWAY_WS_URL: sandbox.wsUrl,
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'trace',
      },
      folder,
    );
    onTestFailed(
      () => void process.stdout.write(`${peyk.lines.slice(-40).join('\n')}\n${peyk.complaints()}\n`),
    );
    await peyk.line('Peyk is running');
    return peyk;
  };
  // The database is the process's own, and nothing here asks it.
  const talk = registeringIn({
    driver,
    playground,
    sandbox,
    logs: [] as string[],
    database: {},
  } as unknown as World);
  const person = driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.manager();

  const first = await start();
  await talk.connects(person, { apiKey: account.apiKey });
  const summary = await talk.prepares(person, {
    parent: account.username,
    ...shortSteps(`${account.username}new`),
  });
  const fault = talk.harms(account.username, { kind: 'hang' });
  person.tap(summary, '✅');
  await until(() => expect(sandbox.faults.list().find(({ id }) => id === fault)?.used).toBe(1));
  await first.kill();
  sandbox.faults.remove(fault);

  await using second = await start();
  // The press was not done, so it is handled again.
  await talk.settled(person, person);
  const shown = await talk.turns(summary, 'Waiting for the gateway’s answer');
  expect(plain(shown)).not.toMatch(/registered\.|was not registered/u);
  const again = person.forge(summary, dataOf(summary, '✅'));
  expect((await driver.waitForAnswer(again, PATIENCE)).text).toMatch(/^Already pressed/u);
  await talk.asks(person, person, '/register', 'Registered through me today: 1 of 2');
  expect(talk.calls(account.username)).toHaveLength(1);
  expect(talk.exists(`${account.username}new`)).toBe(false);
  expect([...first.lines, ...second.lines, first.complaints(), second.complaints()].join('\n')).not.toContain(
    PASSWORD,
  );
});
