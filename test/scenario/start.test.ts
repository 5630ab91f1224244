import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { Secret } from '../../src/domain/secret.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../../src/process/log.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* What Peyk refuses to start with, although every setting is well formed. */

test('a start with other master keys than the stored accounts were sealed under is refused by name', async () => {
  await using world = await startWorld();
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const talk = talkIn(world);
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  await expect(startOn(world, { masterKeys: [key('other', 9)] })).rejects.toMatchObject({
    code: 'config',
    params: { MASTER_KEYS: expect.stringContaining('sealed under another key') },
  });
  // The same name with another key is no better.
  await expect(startOn(world, { masterKeys: [key('test', 9)] })).rejects.toMatchObject({ code: 'config' });
});

function key(kid: string, byte: number): Config['masterKeys'][number] {
  return { kid, key: new Secret(Buffer.alloc(32, byte).toString('base64')) };
}

/** Another Peyk on the world's database; whatever it is, it does not start. */
async function startOn(world: World, change: Partial<Config>): Promise<never> {
  const loaded = loadConfig({});
  const secrets = createSecretRegistry();
  const app = await startApp({
    config: {
      ...loaded,
      telegram: {
        ...loaded.telegram,
        token: new Secret(world.playground.token),
        apiRoot: world.playground.apiRoot,
      },
      gateway: { ...loaded.gateway, baseUrl: world.sandbox.baseUrl, wsUrl: world.sandbox.wsUrl },
      ...change,
    },
    secrets,
    log: createLogger({ level: 'silent', pretty: false, secrets, destination: { write: () => undefined } }),
    migrations: join(import.meta.dirname, '../../drizzle'),
    database: world.database.target,
  });
  await app.stop();
  throw new Error('it started');
}
