import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDriver } from '../../src/playground/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { clusterFolder } from '../../src/storage/embedded/cluster.ts';
import { stopOrphan } from '../../src/storage/embedded/orphan.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { runTool } from '../support/run-tool.ts';
import { cardSays, draft, gatewaySaw, linkedPerson, PATIENT, says, type Stage } from '../support/story.ts';

/* The operator's commands while Peyk runs on the embedded database, as most do. */

let folder: string;
let stage: Stage;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-beside-'));
  const sandbox = await startSandbox({ deliverySeconds: 600 });
  const playground = await startPlayground();
  const driver = createDriver(playground);
  stage = { driver, playground, sandbox };
  close = async () => {
    driver.close();
    await playground.close();
    await sandbox.close();
  };
});
afterAll(async () => {
  await close();
  // A test that failed may have left the database of a killed process behind.
  await stopOrphan(clusterFolder(folder));
  rmSync(folder, { recursive: true, force: true });
});

test('the switch holds all sends and lets them go, and the others look, while it works on', async () => {
  const { playground, sandbox } = stage;
  const env = {
    TELEGRAM_BOT_TOKEN: playground.token,
    TELEGRAM_API_ROOT: playground.apiRoot,
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_WS_URL: sandbox.wsUrl,
    DATA_DIR: folder,
    UNDO_SECONDS: '0',
    PORT: '0',
  };
  await using peyk = spawnPeyk(env, folder);
  await peyk.line('Peyk is running');
  const { person, account } = await linkedPerson(stage, 'Sara');

  const on = await runTool('halt', ['on'], env, folder);
  expect(on).toMatchObject({ code: 0 });
  expect(on.text).toContain('All sends are held since');
  const card = await draft(stage, person, { to: '9125550001', text: 'held' });
  person.tap(card, '✅ Send');
  await stage.driver.waitForMessage(person, says('The sends of all chats are stopped since'), PATIENT);
  expect(gatewaySaw(stage, account).calls).toBe(0);

  expect(await runTool('audit', ['verify'], env, folder)).toMatchObject({ code: 0 });
  const keys = await runTool('keys', ['status'], env, folder);
  expect(keys).toMatchObject({ code: 0 });
  expect(keys.text).toContain('(newest)');
  // The running process could not open what is brought under a key that it has not read.
  const rotated = await runTool('keys', ['rotate'], env, folder);
  expect(rotated).toMatchObject({ code: 78 });
  expect(rotated.text).toContain('already runs on the data directory');

  expect((await runTool('halt', ['off'], env, folder)).text).toContain('Sends are not held.');
  const released = await draft(stage, person, { to: '9125550001', text: 'let go' });
  person.tap(released, '✅ Send');
  await cardSays(stage, released, '1 accepted');
  expect(await peyk.stop()).toBe(0);
  // What a tool leaves behind starts again.
  expect(await runTool('halt', ['status'], env, folder)).toMatchObject({ code: 0 });
});
