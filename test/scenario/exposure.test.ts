import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlayground } from '../../src/playground/server.ts';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { spawnPeyk } from '../support/peyk-process.ts';

/* Nobody looks into the memory of a Peyk that works with real keys. */

// Processes start.
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-exposure-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOWHERE = 'http://127.0.0.1:9';
const REAL = {
  TELEGRAM_BOT_TOKEN: '1:token-of-a-real-bot',
  TELEGRAM_API_ROOT: NOWHERE,
  GATEWAY_BASE_URL: NOWHERE,
  GATEWAY_WS_URL: NOWHERE,
};

test.each(['--inspect=127.0.0.1:0', '--heapsnapshot-signal=SIGUSR2', '--abort-on-uncaught-exception'])(
  'with a real token it does not start with %s, and says so with exit code 78',
  async (option) => {
    await using peyk = spawnPeyk({ ...REAL, NODE_OPTIONS: option }, folder);
    expect(await peyk.ended).toBe(78);
    expect(peyk.complaints()).toContain(option.split('=')[0]);
    expect(peyk.complaints()).toContain('ALLOW_INSPECTOR=1');
    expect(peyk.complaints()).not.toContain(REAL.TELEGRAM_BOT_TOKEN);
  },
);

test('while it runs, the signal for it opens no inspector, unless a setting lets it', async () => {
  const playground = await startPlayground();
  const database = await createTestDatabase();
  const { user, socketDir, port, database: name } = database.target;
  const wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
  const settings = {
    ...REAL,
    TELEGRAM_BOT_TOKEN: playground.token,
    TELEGRAM_API_ROOT: playground.apiRoot,
    DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
    MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    PORT: '0',
    ROLES: 'worker',
  };
  try {
    await using guarded = spawnPeyk(settings, folder);
    await guarded.line('Peyk is running');
    process.kill(guarded.pid, 'SIGUSR1');
    await guarded.line('SIGUSR1 opens no inspector here');
    expect(await guarded.stop()).toBe(0);
    expect(guarded.complaints()).not.toContain('Debugger listening');

    await using open = spawnPeyk(
      { ...settings, ALLOW_INSPECTOR: '1', NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      folder,
    );
    await open.line('Peyk is running');
    expect(open.complaints()).toContain('Debugger listening');
  } finally {
    await playground.close();
    await wire.close();
    await database.close();
  }
});
