import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { createDriver, type Driver } from '../../src/playground/driver.ts';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { type FaultyProxy, startFaultyProxy } from '../chaos/proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import { TEST_MS } from '../support/patience.ts';
import { linkedPerson, PATIENT, says, until } from '../support/story.ts';
import { given, plain } from '../support/talk.ts';

/* A credit that crosses its threshold again and again, looked at by two processes that are started anew now and then. */

const CROSSINGS = 100;
const RESTART_EVERY = 20;
/** Of the restarts this one is a kill: the other process then waits for the lease of the dead one to end. */
const KILLED = 40;
const LIMIT = 5_000_000;

let folder: string;
let sandbox: Sandbox;
let playground: Playground;
let driver: Driver;
let database: TestDatabase;
let wire: FaultyProxy;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-crossings-'));
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

async function start(): Promise<PeykProcess> {
  const { user, database: name } = database.target;
  const peyk = spawnPeyk(
    {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: playground.apiRoot,
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_WS_URL: sandbox.wsUrl,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
      MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      CREDIT_POLL_SECONDS: '0.05',
      INBOX_POLL_SECONDS: '0.2',
      PORT: '0',
    },
    folder,
  );
  onTestFailed(() => {
    process.stdout.write(`${peyk.lines.slice(-20).join('\n')}\n${peyk.complaints()}\n`);
  });
  await peyk.line('Peyk is running');
  return peyk;
}

async function beingSaid(): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from notice where state in ('queued', 'sending')`;
  return row?.n ?? 0;
}

test(
  'is told once for each crossing, by whichever process, and each alert ends with its own crossing back',
  { timeout: 4 * TEST_MS },
  async () => {
    const peyks = [await start(), await start()];
    try {
      const { person, account } = await linkedPerson({ driver, playground, sandbox }, 'Sara');
      person.send(person, `/alerts credit ${LIMIT}`);
      await driver.waitForMessage(person, says('Credit counts as low below'), PATIENT);
      const gateway = given(sandbox.world.account(account.username));
      const alerts = (): Message[] =>
        driver.messages(person).filter((message) => /Credit low|Credit is up again/u.test(plain(message)));
      const isLow = (message: Message | undefined): boolean =>
        message !== undefined && plain(message).includes('Credit low');

      for (let crossing = 1; crossing <= CROSSINGS; crossing += 1) {
        gateway.credit = LIMIT - crossing;
        await until(() => {
          expect(alerts()).toHaveLength(crossing);
          expect(isLow(alerts().at(-1))).toBe(true);
        });
        // A credit that wavers just above the threshold has not crossed it back.
        gateway.credit = Math.round(LIMIT * 1.1);
        if (crossing % RESTART_EVERY === 0) {
          // One that is killed before it knows which message tells the alert may tell it again: that is another story.
          await until(async () => expect(await beingSaid()).toBe(0));
          const which = (crossing / RESTART_EVERY) % 2;
          await (crossing === KILLED ? peyks[which]?.kill() : peyks[which]?.stop());
          peyks[which] = await start();
        }
        gateway.credit = LIMIT * 10;
        await until(() => expect(alerts().filter(isLow)).toEqual([]));
      }
      expect(alerts()).toHaveLength(CROSSINGS);
      const rows = await database.sql<{ raised: number; open: number }[]>`
        select count(*)::int as raised, count(*) filter (where ended_at is null)::int as open
        from alarm where kind = 'credit' and subject = ''`;
      expect(rows).toEqual([{ raised: CROSSINGS, open: 0 }]);
    } finally {
      await Promise.all(peyks.map((peyk) => peyk.kill()));
    }
  },
);
