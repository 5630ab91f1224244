import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, onTestFailed, test, vi } from 'vitest';
import { createDriver } from '../../src/playground/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { clusterFolder } from '../../src/storage/embedded/cluster.ts';
import { stopOrphan } from '../../src/storage/embedded/orphan.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  linkedPerson,
  PATIENT,
  says,
  shownOn,
  type Stage,
} from '../support/story.ts';

/* A backup is brought back: what it does not know must not be sent again. */

// Each test starts the process several times.
vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let stage: Stage;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-restore-'));
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
  for (const name of readdirSync(folder)) await stopOrphan(clusterFolder(join(folder, name)));
  rmSync(folder, { recursive: true, force: true });
});

/** A process that is up on this data directory. */
async function startOn(name: string, more: Readonly<Record<string, string>> = {}): Promise<PeykProcess> {
  const { playground, sandbox } = stage;
  const settings = {
    TELEGRAM_BOT_TOKEN: playground.token,
    TELEGRAM_API_ROOT: playground.apiRoot,
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_WS_URL: sandbox.wsUrl,
    DATA_DIR: join(folder, name),
    UNDO_SECONDS: '8',
    PORT: '0',
    LOG_LEVEL: 'trace',
    ...more,
  };
  const peyk = spawnPeyk(settings, folder);
  onTestFailed(() => {
    process.stdout.write(`${peyk.lines.slice(-40).join('\n')}\n${peyk.complaints()}\n`);
  });
  await peyk.line('Peyk is running');
  return peyk;
}

/** A send whose call is on the wire, one that waits for its undo hold to end, a kill, and a copy of the data. */
async function backedUp(name: string) {
  const [life, backup] = [`${name}-life`, `${name}-backup`];
  await using first = await startOn(life);
  const { person, account } = await linkedPerson(stage, name);
  const lost = await draft(stage, person, { to: '9125550001', text: `${name}: its answer is lost` });
  const { struck, heal } = harm(stage, account, { kind: 'hang', when: 'after', times: 1 });
  person.tap(lost, '✅ Send');
  await struck();
  const held = await draft(stage, person, { to: '9125550002 9125550003', text: `${name}: has not left yet` });
  person.tap(held, '✅ Send');
  const isHeld = (m: Message): boolean => m.message_id === held.message_id && hasButton(m, '↩️');
  await stage.driver.waitForMessage(person, isHeld, PATIENT);
  await first.kill();
  // The database of a killed Peyk is stopped in order before it is copied.
  await stopOrphan(clusterFolder(join(folder, life)));
  cpSync(join(folder, life), join(folder, backup), { recursive: true });
  heal();

  const told = async (text: string, part: string): Promise<Message> => {
    const { message_id: after } = person.send(person, text);
    return await stage.driver.waitForMessage(person, says(part), { ...PATIENT, after });
  };
  /** As the guide says: first without a worker, with the switch thrown, and then as ever. */
  const restore = async (): Promise<PeykProcess> => {
    const careful = await startOn(backup, { ROLES: 'bot' });
    await told('/limits stop', 'Nothing leaves this chat');
    expect(await careful.stop()).toBe(0);
    const looked = looksOf(account).length;
    const restored = await startOn(backup);
    // The first look comes 20 seconds after the call became unknown.
    const isFound = (m: Message): boolean => m.message_id === lost.message_id && says('1 accepted')(m);
    await stage.driver.waitForMessage(person, isFound, { timeoutMs: 90_000 });
    await cardSays(stage, held, 'switched all sends');
    expect(looksOf(account).length).toBeGreaterThan(looked);
    return restored;
  };
  return { life, person, account, lost, held, told, restore };
}

/** Questions to the gateway for what it has sent. */
function looksOf({ username }: { readonly username: string }) {
  return stage.sandbox.ledger
    .hits()
    .filter(({ account, operation }) => account === username && /outbox/u.test(operation ?? ''));
}

test('what was on the wire is looked for first, and the rest leaves when a person says so', async () => {
  const { account, lost, held, told, restore } = await backedUp('Lost');
  expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  await using restored = await restore();
  expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  await told('/limits go', 'switched sends on again');
  await cardSays(stage, held, '2 accepted');
  expect(await restored.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual({ calls: 2, sends: 2, recipients: 3 });
  for (const text of shownOn(stage, lost).slice(1)) expect(text).not.toMatch(/not sent|fail/u);
});

test('what left after the backup was taken is not sent again', async () => {
  const { life, person, account, held, told, restore } = await backedUp('Late');
  await using longer = await startOn(life);
  await cardSays(stage, held, '2 accepted');
  await longer.kill();
  const seen = gatewaySaw(stage, account);
  expect(seen).toEqual({ calls: 2, sends: 2, recipients: 3 });

  await using restored = await restore();
  expect(gatewaySaw(stage, account)).toEqual(seen);
  // The gateway's panel, and the chat above, tell the person that this one has left.
  person.tap(await cardSays(stage, held, 'switched all sends'), '⏹ Stop');
  await cardSays(stage, held, '⏹ Stopped');
  await told('/limits go', 'switched sends on again');
  expect(await restored.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual(seen);
});
