import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { isStill, longSendsIn, tallyOf } from '../support/long-send.ts';
import { quiet } from '../support/quiet.ts';
import { runTool } from '../support/run-tool.ts';
import { plain, rows } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* `peyk halt`, `peyk audit` and `peyk forget`, as an operator runs them beside a Peyk that works. */

const PASSWORD = 'a-password-that-nobody-sees';
const MASTER_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-tools-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The world's database as other processes reach it. */
async function reach({ database }: World) {
  const { user, socketDir, port, database: name } = database.target;
  const wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
  const url = `postgres://${user}:${PASSWORD}@127.0.0.1:${wire.port}/${name}`;
  return {
    env: { DATABASE_URL: url, MASTER_KEYS },
    [Symbol.asyncDispose]: async () => await wire.close(),
  };
}

const run = async (
  name: 'halt' | 'audit' | 'forget',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly text: string }> => {
  const done = await runTool([name, ...args], env, folder);
  expect(done.text).not.toContain(PASSWORD);
  expect(done.text).not.toContain(MASTER_KEYS.slice(5));
  return done;
};

describe('the switch over all chats', () => {
  test('stops what runs, tells people why, and lets exactly that go on', async () => {
    await using world = await startWorld({}, { deliverySeconds: 600 });
    await using database = await reach(world);
    const on = longSendsIn(world);
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = on.talk.account({ credit: 100_000_000 });
    await on.talk.connects(sara, { apiKey: account.apiKey });
    await on.talk.asks(sara, sara, '/limits approval off', 'Set by');
    const card = await on.longDraft(sara, sara, 'to many', 3000);
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(sara, card, '✅');
    await struck();
    const said = await run('halt', ['on'], database.env);
    expect(said).toMatchObject({ code: 0 });
    expect(said.text).toContain('1 send paused now.');
    expect(said.text).toMatch(/All sends are held since 2\d{3}-.*Z; 1 send waits/u);
    heal();
    const isHeld = (m: Message) => plain(m).includes('the bot’s administrator has stopped') && isStill(m);
    const halted = await on.talk.turns(card, isHeld);
    expect(rows(halted)).toEqual([['⏹ Stop']]);
    await quiet(world);
    const before = tallyOf(halted)[0];
    expect(before).toBeLessThan(3000);
    expect(on.gotIn(account).messages).toBe(before);

    const other = await on.talk.asks(sara, sara, '/send 09121234567 later', '#A2');
    await on.talk.presses(sara, other, '✅');
    const refused = await on.talk.hears(sara, 'The sends of all chats are stopped since', other.message_id);
    expect(plain(refused)).toContain('Nothing was sent.');
    await on.talk.asks(sara, sara, '/limits', 'The sends of all chats are stopped');
    expect((await run('halt', ['status'], database.env)).text).toContain('All sends are held');
    expect(on.gotIn(account).messages).toBe(before);

    expect((await run('halt', ['off'], database.env)).text).toContain('1 send went on.');
    await on.talk.turns(card, '3,000 accepted');
    await on.insists(sara, other, '✅');
    await on.talk.turns(other, '1 accepted');
    expect(on.gotIn(account)).toEqual({ messages: 3001, people: 3001 });
    const audit = await on.talk.asks(sara, sara, '/audit', 'let sends continue · 1 resumed');
    expect(plain(audit)).toContain('stopped the sends of all chats · 1 paused');
    expect(on.talk.errors()).toEqual([]);
  });

  test('is told in Persian, by the card of limits too, and a chat cannot take it back', async () => {
    await using world = await startWorld();
    const { talk } = longSendsIn(world);
    const sara = world.driver.user({ first_name: 'سارا', language_code: 'fa' });
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    await world.database.sql`update deployment set held_at = now()`;
    const draft = await talk.asks(sara, sara, '/send 09121234567 سلام', /#A1/u);
    await talk.presses(sara, draft, '✅');
    await talk.hears(sara, /چیزی ارسال نشد\.\n⏹ از/u, draft.message_id);
    await talk.asks(sara, sara, '/limits بایست', 'ارسال‌های همهٔ گفتگوها متوقف است');
    await talk.asks(sara, sara, '/limits ادامه', 'ارسال‌های این گفتگو را دوباره روشن کرد');
    await talk.asks(sara, sara, '/limits ادامه', 'کسی در این گفتگو ارسال‌ها را خاموش نکرده است');
    expect(talk.sends(account.username)).toEqual([]);
    expect(talk.errors()).toEqual([]);
  });

  test('is not thrown for a restore while a Peyk works on the database', async () => {
    await using world = await startWorld();
    await using database = await reach(world);
    const said = await run('halt', ['restored'], database.env);
    expect(said.code).toBe(78);
    expect(said.text).toContain('stop every Peyk first');
    expect((await run('halt', ['status'], database.env)).text).toContain('Sends are not held.');
  });
});

describe('the audit', () => {
  test('is verified whole, against heads that were written down, and a change is named with exit code 1', async () => {
    await using world = await startWorld();
    await using database = await reach(world);
    const talk = longSendsIn(world).talk;
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    await talk.asks(sara, sara, '/limits cap 500 parts', 'Set by');
    const whole = await run('audit', ['verify'], database.env);
    expect(whole.code).toBe(0);
    expect(whole.text).toMatch(/^Everything is as it was written: rows \d+, chains \d+\.$/mu);
    const heads = await run('audit', ['heads'], database.env);
    expect(heads.text).toMatch(/^[0-9a-f-]{36} \d+ [0-9a-f]{64} \S+Z$/mu);
    const file = join(folder, 'heads.txt');
    writeFileSync(file, heads.text);
    await talk.asks(sara, sara, '/limits cap off', 'Set by');
    expect(await run('audit', ['verify', file], database.env)).toMatchObject({ code: 0 });

    const { sql } = world.database;
    const [row] = await sql<{ id: number; chat_id: string; at: string }[]>`
      select id, chat_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as at from audit
      where action = 'limits_changed' order by id limit 1`;
    await sql`alter table audit disable trigger audit_append_only`;
    await sql`update audit set details = '{}' where id = ${row?.id ?? 0}`;
    const broken = await run('audit', ['verify'], database.env);
    expect(broken.code).toBe(1);
    expect(broken.text).toContain(
      `The chain of chat ${row?.chat_id} is broken at row ${row?.id} of ${row?.at}`,
    );
    expect((await run('audit', ['heads'], database.env)).code).toBe(1);
  });
});

describe('a number that is to be forgotten', () => {
  test('goes once nothing open has it, and the report of its send still counts it', async () => {
    await using world = await startWorld({}, { deliverySeconds: 0 });
    await using database = await reach(world);
    const { talk } = longSendsIn(world);
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const card = await talk.asks(sara, sara, '/send 09121234567 09127654321 Hello', '#A1');
    const held = await run('forget', ['۰۹۱۲', '۱۲۳', '۴۵۶۷'], database.env);
    expect(held.code).toBe(1);
    expect(held.text).toContain('the draft #A1 of «');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, '2 delivered');
    await quiet(world);
    const done = await run('forget', ['+989121234567'], database.env);
    expect(done).toMatchObject({ code: 0 });
    expect(done.text).toMatch(/rows that had it: [1-9]/u);
    const [left] = await world.database.sql<{ n: number }[]>`
      select count(*)::int as n from attempt where '989121234567' = any(recipients)`;
    expect(left?.n).toBe(0);
    const report = await talk.asks(sara, sara, '/report A1', 'delivered');
    expect(plain(report)).toMatch(/2 delivered|delivered: 2|100/u);
    expect((await run('audit', ['verify'], database.env)).code).toBe(0);
    expect(talk.errors()).toEqual([]);
  });
});

describe('a command that cannot be carried out', () => {
  test.each([
    ['halt', []],
    ['halt', ['now']],
    ['halt', ['on', 'please']],
    ['halt', ['restored', '--since']],
    ['halt', ['restored', '--since', 'yesterday']],
    ['halt', ['restored', '--since', '2026-13-41T00:00:00Z']],
    ['halt', ['on', '--since', '2026-11-22T09:30:00Z']],
    ['audit', []],
    ['audit', ['heads', 'x']],
    ['audit', ['verify', 'a', 'b']],
    ['audit', ['verify', '/nowhere/heads.txt']],
    ['forget', []],
    ['forget', ['0912']],
    ['forget', ['09121234567', '09127654321']],
  ] as const)('says how it is used: %s %j', async (name, args) => {
    const said = await run(name, args, {});
    expect(said.code).toBe(64);
    expect(said.text).toContain(`peyk ${name}`);
  });

  test.each([
    ['halt', 'status'],
    ['audit', 'verify'],
  ] as const)('says that there is no database, and shows no password: %s', async (name, command) => {
    const url = `postgres://peyk:${PASSWORD}@127.0.0.1:9/peyk`;
    const said = await run(name, [command], { DATABASE_URL: url, MASTER_KEYS });
    expect(said.code).toBe(69);
    expect(said.text).toContain('The database cannot be reached');
    expect(said.text).not.toMatch(/\bat .*\.ts:/u);
  });

  test('names wrong settings as Peyk does', async () => {
    const said = await run('halt', ['status'], { DATABASE_URL: `mysql://x:${PASSWORD}@y/z` });
    expect(said.code).toBe(78);
    expect(said.text).toContain('DATABASE_URL');
  });
});
