import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed } from 'vitest';
import { createDriver } from '../../src/playground/control/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { type FaultyProxy, startFaultyProxy } from '../chaos/proxy.ts';
import { openDatabase, type SocketTarget } from '../../src/storage/database/database.ts';
import { freePort } from './free-port.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type PeykProcess, spawnPeyk } from './peyk-process.ts';
import { type Stage, until } from './story.ts';
import { strandedRows } from './stranded-rows.ts';

/** Everything that Peyk depends on, each behind a wire that can be cut, and Peyk in processes of its own. */
export interface BadDay extends Stage {
  readonly database: TestDatabase;
  readonly wires: { readonly postgres: FaultyProxy; readonly telegram: FaultyProxy };
  /** For what a process needs besides. */
  readonly folder: string;
  /** A process that is up, and has begun to ask for updates where it is to. It takes a free port, if none is set. */
  start(settings?: Readonly<Record<string, string>>): Promise<Started>;
  /** From now on it is so much later for Telegram. */
  later(ms: number): void;
  close(): Promise<void>;
}

export interface Started {
  readonly peyk: PeykProcess;
  readonly port: number;
  /** What stands behind `/readyz`: empty when all is well. */
  readonly reasons: () => Promise<readonly string[]>;
}

export async function startBadDay(
  options: {
    readonly deliverySeconds?: number;
    readonly webhookRetryMs?: number;
    /** Another server's database, empty, than one on the run's own. */
    readonly target?: SocketTarget;
  } = {},
): Promise<BadDay> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-bad-day-'));
  let aheadMs = 0;
  const sandbox = await startSandbox({ deliverySeconds: options.deliverySeconds ?? 600 });
  const playground = await startPlayground({
    now: () => Date.now() + aheadMs,
    ...(options.webhookRetryMs !== undefined && { webhookRetryMs: options.webhookRetryMs }),
  });
  const driver = createDriver(playground);
  const database = options.target === undefined ? await createTestDatabase() : opened(options.target);
  const { socketDir, port: pgPort, user, database: name } = database.target;
  const wires = {
    postgres: await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${pgPort}` }),
    telegram: await startFaultyProxy({ host: '127.0.0.1', port: Number(new URL(playground.apiRoot).port) }),
  };
  return {
    sandbox,
    playground,
    driver,
    database,
    wires,
    folder,
    later(ms) {
      aheadMs += ms;
    },
    async start(settings = {}) {
      const port = Number(settings['PORT'] ?? (await freePort()));
      const peyk = spawnPeyk(
        {
          TELEGRAM_BOT_TOKEN: playground.token,
          TELEGRAM_API_ROOT: `http://127.0.0.1:${wires.telegram.port}`,
          GATEWAY_BASE_URL: sandbox.baseUrl,
          GATEWAY_WS_URL: sandbox.wsUrl,
          DATABASE_URL: `postgres://${user}@127.0.0.1:${wires.postgres.port}/${name}`,
          MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
          UNDO_SECONDS: '0',
          STATUS_POLL_SECONDS: '0.5',
          INBOX_POLL_SECONDS: '1',
          PORT: String(port),
          ...settings,
        },
        folder,
      );
      onTestFailed(() => {
        process.stdout.write(`${peyk.lines.slice(-40).join('\n')}\n${peyk.complaints()}\n`);
      });
      await peyk.line('Peyk is running');
      return { peyk, port, reasons: async () => await reasonsAt(port) };
    },
    async close() {
      // A server of the story's own is the story's to ask.
      const stranded = options.target === undefined ? await strandedRows(database.sql) : [];
      driver.close();
      for (const wire of Object.values(wires)) await wire.close();
      await playground.close();
      await sandbox.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
      // Whatever the day was like, something leads out of each state that it has left behind.
      expect(stranded).toEqual([]);
    },
  };
}

/** The sends with such a text that wait for their time or their undo hold. It comes when what this gives is called. */
export async function upcoming(
  { database: { sql } }: Pick<BadDay, 'database'>,
  text: string,
): Promise<() => Promise<void>> {
  const jobs = await sql<{ id: string }[]>`
    select j.id from job j join draft d on d.id = j.draft_id
    where j.state in ('scheduled', 'holding') and d.text like ${text}`;
  expect(jobs.length).toBeGreaterThan(0);
  const ids = jobs.map(({ id }) => id);
  return async () => {
    // Also where nothing may be written otherwise.
    await sql.begin('read write', async (tx) => {
      await tx`update job set hold_until = now(), leaves_at = now() where id = any(${ids}::uuid[])`;
      await tx`
        update graphile_worker._private_jobs set run_at = now()
        where key = any(${ids.map((id) => `send:${id}`)}::text[]) and locked_at is null`;
    });
  };
}

/** As if the time of these had come. */
export async function comeDue(day: Pick<BadDay, 'database'>, text: string): Promise<void> {
  await (
    await upcoming(day, text)
  )();
}

/** Resolves when `/readyz` gives these reasons and no others; none: it is green. */
export async function readiness({ reasons }: Started, ...expected: readonly string[]): Promise<void> {
  await until(async () => expect(await reasons()).toEqual(expected));
}

function opened(target: SocketTarget): TestDatabase {
  return { ...openDatabase({ target, max: 2 }), target };
}

async function reasonsAt(port: number): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const told: unknown = await response.json();
  const { ready, reasons } = told as { ready: boolean; reasons: readonly string[] };
  expect(response.status).toBe(ready ? 200 : 503);
  return reasons;
}
