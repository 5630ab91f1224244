import { join } from 'node:path';
import { startApp, type App } from '../../src/app/app.ts';
import { Secret } from '../../src/domain/secret.ts';
import { loadConfig } from '../../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../../src/process/log.ts';
import type { MasterKey } from '../../src/storage/keys/master-keys.ts';
import type { World } from './world.ts';

const WORLD_KEY: MasterKey = { kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) };

/**
 * Stops the application of a world and starts another one on the same database, gateway and chats, as a
 * restart of the process does. Stop it before the world.
 */
export async function restart(
  world: World,
  settings: Readonly<Record<string, string>> = {},
  masterKeys: readonly MasterKey[] = [WORLD_KEY],
): Promise<App & AsyncDisposable> {
  await world.app.stop();
  const { playground, sandbox, database, logs } = world;
  const secrets = createSecretRegistry();
  const loaded = loadConfig({
    UNDO_SECONDS: '0',
    STATUS_POLL_SECONDS: '0.1',
    // Polling has stories of its own: elsewhere its calls would only stand in the ledger.
    ROLES: 'bot,worker',
    RATE_LIMIT: '0',
    ...settings,
  });
  const app = await startApp({
    config: {
      ...loaded,
      telegram: { ...loaded.telegram, token: new Secret(playground.token), apiRoot: playground.apiRoot },
      gateway: { ...loaded.gateway, baseUrl: sandbox.baseUrl, wsUrl: sandbox.wsUrl },
      masterKeys,
    },
    secrets,
    log: createLogger({
      level: 'trace',
      pretty: false,
      secrets,
      destination: { write: (line: string) => void logs.push(line) },
    }),
    migrations: join(import.meta.dirname, '../../drizzle'),
    database: database.target,
  });
  return { ...app, [Symbol.asyncDispose]: () => app.stop() };
}
