import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { type Pooling, startPooler } from '../support/pooler.ts';
import { runTool } from '../support/run-tool.ts';

/* A pooler in the way of the sessions: a commit would be worth what somebody else has set, and Peyk does not start. */

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase({ max: 1 });
  folder = mkdtempSync(join(tmpdir(), 'peyk-pooler-'));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each<[Pooling, RegExp]>([
  ['swallows', /synchronous_commit, application_name, statement_timeout.* did not reach the server/u],
  ['refuses', /it refuses what a session asks for/u],
])(
  'a pooler that %s the settings of a session is told at the start, with code 78',
  async (pooling, words) => {
    const { socketDir, port, user, database: name } = database.target;
    const pooler = await startPooler(`${socketDir}/.s.PGSQL.${port}`, pooling);
    const settings = {
      TELEGRAM_BOT_TOKEN: '12345678:of-nobody',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
      GATEWAY_BASE_URL: 'http://127.0.0.1:9',
      GATEWAY_WS_URL: 'http://127.0.0.1:9',
      DATABASE_URL: `postgres://${user}:a-secret@127.0.0.1:${pooler.port}/${name}`,
      MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      PORT: '0',
    };
    await using peyk = spawnPeyk(settings, folder);
    expect(await peyk.ended).toBe(78);
    expect(peyk.complaints()).toMatch(words);
    expect(peyk.complaints()).toContain('give the address of the server itself, past the pooler');
    expect(peyk.complaints()).not.toContain('a-secret');
    const { code, text } = await runTool(['halt', 'status'], settings, folder);
    expect(code).toBe(78);
    expect(text).toMatch(words);
    await pooler.close();
  },
);
