import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { freePort } from '../support/free-port.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { until } from '../support/story.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

// Processes start.
const keyOf = (kid: string, byte: number): string => `${kid}:${Buffer.alloc(32, byte).toString('base64')}`;

test('a process is not ready while a credential is stored under a master key that it does not have, and says so', async () => {
  await using world = await startWorld();
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  // One more, which another process has stored under a newer key.
  await world.database.sql`
    insert into binding (id, chat_id, state, credentials, kinds, prints, created_by)
    select gen_random_uuid(), chat_id, 'pending', overlay(credentials placing ${Buffer.from('next')} from 3), kinds, '{}', created_by
    from binding`;
  await world.app.stop();

  const { user, socketDir, port, database } = world.database.target;
  await using wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` }).then((proxy) =>
    Object.assign(proxy, { [Symbol.asyncDispose]: async () => await proxy.close() }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'peyk-ready-'));
  const readyWith = async (keys: string, answer: number): Promise<unknown> => {
    const httpPort = await freePort();
    await using peyk = spawnPeyk(
      {
        TELEGRAM_BOT_TOKEN: world.playground.token,
        TELEGRAM_API_ROOT: world.playground.apiRoot,
        GATEWAY_BASE_URL: world.sandbox.baseUrl,
        GATEWAY_WS_URL: world.sandbox.wsUrl,
        DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${database}`,
        MASTER_KEYS: keys,
        PORT: String(httpPort),
        ROLES: 'worker',
      },
      folder,
    );
    await peyk.line('Peyk is running');
    let body: unknown;
    await until(async () => {
      const said = await fetch(`http://127.0.0.1:${httpPort}/readyz`);
      body = await said.json();
      expect(said.status).toBe(answer);
    });
    return body;
  };
  try {
    expect(await readyWith(keyOf('test', 7), 503)).toEqual({
      ready: false,
      reasons: ['keys: credentials are stored under a master key that this process does not have'],
    });
    expect(await readyWith(`${keyOf('next', 8)},${keyOf('test', 7)}`, 200)).toEqual({
      ready: true,
      reasons: [],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
