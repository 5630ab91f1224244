import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFaultyProxy } from '../../../test/chaos/proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { until } from '../../../test/support/until.ts';
import { Secret } from '../../domain/secret.ts';
import type { Leader } from '../../ports/runtime.ts';
import { startLeader, type LeaderOptions } from './leader.ts';

const QUICK = { lookMs: 20, confirmMs: 40, beatMs: 2000 };

let database: TestDatabase;
let name: string;
let made = 0;
/** Who works now, and who has ever worked, in order. */
let working: Set<string>;
let history: string[];
const open: Leader[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  made += 1;
  name = `test ${made}`;
  working = new Set();
  history = [];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((leader) => leader.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.close());

/** A contender whose work notes when it begins and ends, and that never works beside another one. */
function contend(who: string, more: Partial<LeaderOptions> = {}, ending: () => unknown = () => undefined) {
  const log = createMemoryLog();
  const leader = startLeader({
    target: database.target,
    name,
    log,
    ...QUICK,
    work: async (signal) => {
      expect([...working]).toEqual([]);
      working.add(who);
      history.push(who);
      if (!signal.aborted) await once(signal, 'abort');
      await ending();
      working.delete(who);
    },
    ...more,
  });
  open.push(leader);
  return { leader, log };
}

async function leads(leader: Leader): Promise<void> {
  await until(() => expect(leader.leads()).toBe(true));
}

const standsBy = (line: { message: string }): boolean => line.message.includes('stands by');

/** Ends the session that holds the lock, as a restart of the server does with all of them. */
async function cut(): Promise<void> {
  const rows = await database.sql`
    select pg_terminate_backend(pid, 5000) from pg_locks
    where locktype = 'advisory' and granted
      and (classid::bigint << 32 | objid::bigint) = hashtextextended(${name}, 4118027736550921)`;
  expect(rows.length).toBe(1);
}

async function sessions(): Promise<number> {
  const rows = await database.sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'peyk-leader'`;
  return rows.length;
}

/** Resolves when those who contend have looked so many times from now. */
async function looks(count: number): Promise<void> {
  let last = '';
  for (let seen = 0; seen < count;) {
    const [row] = await database.sql<{ at: string }[]>`
      select max(query_start)::text as at from pg_stat_activity
      where datname = current_database() and application_name = 'peyk-leader'`;
    if (row !== undefined && row.at !== last) seen += 1;
    last = row?.at ?? '';
  }
}

const victim = join(import.meta.dirname, '../../../test/support/leader-victim.ts');

async function spawnVictim(): Promise<ChildProcess> {
  const { socketDir, port, user, database: db } = database.target;
  const child = spawn(process.execPath, [victim, socketDir, String(port), user, db, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const [said]: unknown[] = await once(stdout, 'data');
  expect(String(said)).toBe('leads\n');
  return child;
}

describe('one of several', () => {
  test('leads, the others stand by, and one of them follows when it closes', async () => {
    const first = contend('first');
    await leads(first.leader);
    const second = contend('second');
    const third = contend('third');
    await second.log.line(standsBy);
    await third.log.line(standsBy);
    await looks(5);
    expect(history).toEqual(['first']);
    expect([second.leader.leads(), third.leader.leads()]).toEqual([false, false]);

    await first.leader.close();
    expect(first.leader.leads()).toBe(false);
    await until(() => expect(working.size).toBe(1));
    expect(history).toHaveLength(2);
    expect(second.leader.leads()).not.toBe(third.leader.leads());
  });

  test('leads only what it was named for', async () => {
    const one = contend('one');
    await leads(one.leader);
    working.clear();
    const other = contend('other', { name: `${name} other` });
    await leads(other.leader);
    expect(one.leader.leads()).toBe(true);
  });

  test('leads again after work that ended with an error, and says so', async () => {
    let runs = 0;
    const { log } = contend('failing', {
      work: async () => {
        runs += 1;
        throw new Error('broken');
      },
    });
    await until(() => expect(runs).toBeGreaterThan(1));
    expect(log.lines.some(({ level }) => level === 'error')).toBe(true);
  });
});

describe('a leader that is gone', () => {
  test('by kill -9 is followed by the one that stood by', async () => {
    const victim = await spawnVictim();
    const { leader, log } = contend('heir');
    await log.line(standsBy);
    victim.kill('SIGKILL');
    await leads(leader);
    expect(history).toEqual(['heir']);
  });

  test('by SIGSTOP keeps its lock, and is followed once it is killed', async () => {
    const victim = await spawnVictim();
    const { leader, log } = contend('heir');
    await log.line(standsBy);
    victim.kill('SIGSTOP');
    await looks(10);
    expect(leader.leads()).toBe(false);
    victim.kill('SIGKILL');
    await leads(leader);
  });
});

describe('a leader whose connection ends', () => {
  test('ends its work before it asks again, and comes before those that stood by', async () => {
    const release = Promise.withResolvers<void>();
    const old = contend('old', {}, () => (history.length === 1 ? release.promise : undefined));
    await leads(old.leader);
    const other = contend('other', { confirmMs: 60_000 });
    await other.log.line(standsBy);

    await cut();
    await old.log.line(({ level }) => level === 'warn');
    expect(old.leader.leads()).toBe(false);
    expect([...working]).toEqual(['old']);
    expect(await sessions()).toBe(1);
    release.resolve();
    await until(() => expect(history).toEqual(['old', 'old']));
    expect(other.leader.leads()).toBe(false);
  });

  test('while its work takes long to end is followed by another one', async () => {
    const release = Promise.withResolvers<void>();
    const old = contend('old', {}, () => {
      working.delete('old');
      return release.promise;
    });
    await leads(old.leader);
    const other = contend('other');
    await other.log.line(standsBy);
    await cut();
    await leads(other.leader);
    release.resolve();
    await old.log.line(standsBy);
    expect(history).toEqual(['old', 'other']);
  });

  test('without a word stops within two beats, while the server still keeps its lock', async () => {
    const { socketDir, port, user, database: db } = database.target;
    const proxy = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
    const url = new Secret(`postgres://${user}@127.0.0.1:${proxy.port}/${db}`);
    const remote = contend('remote', { target: { url }, beatMs: 300 });
    await leads(remote.leader);
    const near = contend('near');
    await near.log.line(standsBy);

    proxy.harmOpen({ kind: 'blackhole', way: 'up', after: 0 });
    await until(() => expect(remote.leader.leads()).toBe(false));
    await looks(5);
    expect(near.leader.leads()).toBe(false);

    await proxy.heal();
    await until(() => expect(working.size).toBe(1));
    await remote.leader.close();
    await proxy.close();
  });
});

describe('a database that is not there', () => {
  test('is asked again, without leading, until the process closes', async () => {
    const { leader, log } = contend('lonely', { target: { ...database.target, port: 1 } });
    await log.line(({ level, fields }) => level === 'debug' && fields['code'] === 'ENOENT');
    expect(leader.leads()).toBe(false);
    await leader.close();
    await leader.close();
    expect(history).toEqual([]);
  });
});

test('the leader alone hears news, from its first moment, and the next leader after it', async () => {
  const channel = `news ${name}`;
  const heard: string[] = [];
  const hearing = (who: string) => ({ news: { channel, heard: () => void heard.push(who) } });
  const tell = async (): Promise<void> => void (await database.sql`select pg_notify(${channel}, '')`);
  const one = contend('one', hearing('one'));
  await leads(one.leader);
  const two = contend('two', hearing('two'));
  await two.log.line(standsBy);
  await tell();
  await until(() => expect(heard).toEqual(['one']));
  await one.leader.close();
  await leads(two.leader);
  await tell();
  await until(() => expect(heard).toEqual(['one', 'two']));
});
