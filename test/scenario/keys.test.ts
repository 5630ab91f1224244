import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { createSealer } from '../../src/storage/keys/crypto.ts';
import type { MasterKey } from '../../src/storage/keys/master-keys.ts';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { restart } from '../support/restart.ts';
import { says, until } from '../support/story.ts';
import { surroundings } from '../support/surroundings.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* `peyk keys`, as an operator runs it beside a Peyk that works. */

// Processes start, some of them several times.
const ROOT = join(import.meta.dirname, '../..');
const NODE = join(ROOT, 'node_modules/.bin/node');
/** The one that worlds are sealed under. */
const OLD: MasterKey = { kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) };
const NEW: MasterKey = { kid: 'second', key: new Secret(randomBytes(32).toString('base64')) };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settingOf = (keys: readonly MasterKey[]): string =>
  keys.map(({ kid, key }) => `${kid}:${key.reveal()}`).join(',');

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(NODE, [join(ROOT, 'src/main.ts'), 'keys', ...args], {
    cwd: folder,
    env: { ...surroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
    });
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, text }));
  return { ended, kill: () => child.kill('SIGKILL') };
}

const run = async (...given: Parameters<typeof start>) => await start(...given).ended;

/** The world's database as other processes reach it. */
async function reach({ database }: World): Promise<{ readonly url: string } & AsyncDisposable> {
  const { user, socketDir, port, database: name } = database.target;
  const wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
  return {
    url: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
    [Symbol.asyncDispose]: async () => await wire.close(),
  };
}

describe('keys in the settings', () => {
  test('a new one is brought in, everything is sealed under it, and the old one is refused from then on', async () => {
    await using world = await startWorld();
    const talk = talkIn(world);
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    await using database = await reach(world);
    const env = { DATABASE_URL: database.url, MASTER_KEYS: settingOf([OLD]) };

    const made = await run(['new'], env);
    expect(made.code).toBe(0);
    expect(made.text).toMatch(/^k[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/mu);

    const both = { ...env, MASTER_KEYS: settingOf([NEW, OLD]) };
    const before = await run(['status'], both);
    expect(before.text).toContain('test is still needed.');
    const rotated = await run(['rotate'], both);
    expect(rotated).toMatchObject({ code: 0 });
    expect(rotated.text).toContain('1 credentials are under second now');
    // Peyk goes on with what it had in hand; its forms and updates are gone by themselves.
    await using app = await restart(world, {}, [NEW, OLD]);
    const credit = await talk.asks(sara, sara, '/credit', says('rial'));
    expect(credit).toBeDefined();
    await world.database.sql`delete from form`;
    await until(async () =>
      expect((await run(['status'], both)).text).toContain('test is not needed any more'),
    );
    await app.stop();

    await expect(restart(world, {}, [OLD])).rejects.toMatchObject({ code: 'config' });
    await using after = await restart(world, {}, [NEW]);
    await talk.asks(sara, sara, '/credit', says('rial'));
    await after.stop();
    expect(`${made.text}${before.text}${rotated.text}`).not.toContain(account.apiKey);
    expect(`${before.text}${rotated.text}`).not.toContain(NEW.key.reveal());
  });

  test('a run that is killed loses nothing, and the next one goes on', async () => {
    await using world = await startWorld();
    const talk = talkIn(world);
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const { sql } = world.database;
    const [chat] = await sql<{ id: string; owner: number }[]>`
      select c.id, b.created_by as owner from chat c join binding b on b.chat_id = c.id`;
    const [chatId, owner] = [chat?.id ?? '', chat?.owner ?? 0];
    const old = createSealer([OLD]);
    const rows = Array.from({ length: 4000 }, () => {
      const id = crypto.randomUUID();
      const sealed = old.seal(JSON.stringify({ apiKey: `key-${id}` }), {
        purpose: 'binding',
        binding: id,
        chat: chatId,
      });
      return { id, sealed: sealed.toString('hex') };
    });
    await sql`
      insert into binding (id, chat_id, state, credentials, kinds, prints, created_by)
      select r.id, ${chatId}, 'pending', decode(r.sealed, 'hex'), '{api_key}', '{}', ${owner}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id uuid, sealed text)`;
    const moved = async (): Promise<number> => {
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from binding
        where convert_from(substring(credentials from 3 for get_byte(credentials, 1)), 'LATIN1') = 'second'`;
      return row?.n ?? 0;
    };
    await using database = await reach(world);
    const env = { DATABASE_URL: database.url, MASTER_KEYS: settingOf([NEW, OLD]) };
    const killed = start(['rotate'], env);
    await until(async () => expect(await moved()).toBeGreaterThan(20));
    killed.kill();
    await killed.ended;
    expect(await moved()).toBeLessThan(4001);
    const { code, text } = await run(['rotate'], env);
    expect(code, text).toBe(0);
    expect(await moved()).toBe(4001);
    const only = createSealer([NEW]);
    const all = await sql<{ id: string; credentials: Buffer }[]>`
      select id, credentials from binding where state = 'pending'`;
    for (const { id, credentials } of all) {
      const plain = only.open(credentials, { purpose: 'binding', binding: id, chat: chatId });
      expect(plain.toString('utf8')).toBe(JSON.stringify({ apiKey: `key-${id}` }));
    }
  });
});

describe('the key in the data directory', () => {
  test('gets a newer one in front of it, in a file that is whole and that others cannot read', async () => {
    const file = join(folder, 'master.key');
    writeFileSync(file, `first:${Buffer.alloc(32, 3).toString('base64')}\n`, { mode: 0o600 });
    const { code, text } = await run(['new'], { DATA_DIR: folder });
    expect(code, text).toBe(0);
    const [newest = '', first] = readFileSync(file, 'utf8').trim().split('\n');
    expect(newest).toMatch(/^k[0-9a-f]{8}:/u);
    expect(first).toMatch(/^first:/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(text).not.toContain(newest.split(':')[1]);
  });

  test('is not made by this, where there is none', async () => {
    const { code, text } = await run(['new'], { DATA_DIR: join(folder, 'nothing') });
    expect(code).toBe(78);
    expect(text).toContain('master.key is not there');
  });
});

test.each([[[]], [['turn']], [['rotate', 'now']]])(
  'what is no command is told how to do it: %j',
  async (args) => {
    const { code, text } = await run(args, {});
    expect(code).toBe(64);
    expect(text).toContain('peyk keys rotate');
  },
);
