import { join } from 'node:path';
import { startApp, type App, type AppOptions } from '../../src/app/app.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createDriver, type Driver } from '../../src/playground/control/driver.ts';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../../src/process/log.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { strandedRows } from './stranded-rows.ts';

export const DEMO_KEY = 'sandbox-key-demo';
export const DEMO_TOKEN = 'sandbox-token-demo';
export const DEMO_LINE = '3000123456';

export interface World extends AsyncDisposable {
  readonly app: App;
  readonly sandbox: Sandbox;
  readonly playground: Playground;
  readonly driver: Driver;
  readonly database: TestDatabase;
  /** Every log line of the application, at trace level. */
  readonly logs: string[];
  stop(): Promise<void>;
}

/** A wait that ends in nothing says what the application has warned of last, and which updates are still in hand. */
function withReasons(driver: Driver, { logs, database }: Pick<World, 'logs' | 'database'>): Driver {
  const told =
    <A extends unknown[], R>(wait: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await wait(...args);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const open = await database.sql`select update_id from update where done_at is null`.catch(String);
        const warnings = logs
          .filter((line) => /"level":"(?:warn|error|fatal)"|call failed/u.test(line))
          .slice(-8);
        error.message += `\nopen: ${JSON.stringify(open)}\n${warnings.join('').slice(-4000)}`;
        throw error;
      }
    };
  return {
    ...driver,
    waitForMessage: told(driver.waitForMessage),
    waitIn: (chat, look, options) => told(() => driver.waitIn(chat, look, options))(),
    waitForAnswer: told(driver.waitForAnswer),
    waitForCall: told(driver.waitForCall),
  };
}

/** The real application on a database of its own, between a sandbox gateway and a Bot API emulator. */
export async function startWorld(
  settings: Readonly<Record<string, string>> = {},
  options: {
    readonly deliverySeconds?: number;
    /** `null` sets a limit aside: for stories of many words. */
    readonly outgoingLimits?: AppOptions['outgoingLimits'];
    readonly mostInHand?: number;
    readonly http?: AppOptions['http'];
    readonly webhookRetryMs?: number;
    /** Telegram's clock. */
    readonly now?: () => number;
  } = {},
): Promise<World> {
  const sandbox = await startSandbox({ deliverySeconds: options.deliverySeconds ?? 1.5 });
  const { webhookRetryMs, now } = options;
  const playground = await startPlayground({
    ...(webhookRetryMs === undefined ? {} : { webhookRetryMs }),
    ...(now === undefined ? {} : { now }),
  });
  const database = await createTestDatabase();
  const logs: string[] = [];
  const secrets = createSecretRegistry();
  const loaded = loadConfig({
    UNDO_SECONDS: '0',
    STATUS_POLL_SECONDS: '0.1',
    // Nobody polls here: else that no inbox is read would be told in the middle of a story that takes long.
    INBOX_POLL_SECONDS: '3600',
    // Polling has stories of its own: elsewhere its calls would only stand in the ledger.
    ROLES: 'bot,worker',
    // Stories say more in a second than people do in a minute.
    RATE_LIMIT: '0',
    ...settings,
  });
  const config: Config = {
    ...loaded,
    telegram: { ...loaded.telegram, token: new Secret(playground.token), apiRoot: playground.apiRoot },
    gateway: { ...loaded.gateway, baseUrl: sandbox.baseUrl, wsUrl: sandbox.wsUrl },
    masterKeys: [{ kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }],
  };
  const app = await startApp({
    config,
    secrets,
    log: createLogger({
      level: 'trace',
      pretty: false,
      secrets,
      destination: { write: (line: string) => void logs.push(line) },
    }),
    migrations: join(import.meta.dirname, '../../drizzle'),
    database: database.target,
    mostInHand: options.mostInHand,
    ...(options.http === undefined ? {} : { http: options.http }),
    // Telegram's pace has tests of its own; here it would only make stories long.
    outgoingLimits: options.outgoingLimits ?? { privateChat: null, group: null, overall: null },
  });
  const driver = withReasons(createDriver(playground), { logs, database });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      await app.stop();
      driver.close();
      await playground.close();
      await sandbox.close();
      // Whatever a story has come to, nothing in it may stand where nothing leads on.
      const stranded = await strandedRows(database.sql);
      await database.close();
      if (stranded.length > 0) throw new Error(`nothing leads out of ${stranded.join(', ')}`);
    })());
  return { app, sandbox, playground, driver, database, logs, stop, [Symbol.asyncDispose]: stop };
}
