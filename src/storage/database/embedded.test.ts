import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase, type SocketTarget } from './database.ts';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const CHILD = join(import.meta.dirname, '../../../test/support/embedded-child.ts');
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

const Line = z.object({
  ready: z
    .object({
      target: z.object({ socketDir: z.string(), port: z.number(), user: z.string(), database: z.string() }),
      pid: z.number(),
      uid: z.number(),
    })
    .optional(),
  refused: z.string().optional(),
  stopped: z.string().optional(),
});

let model: string;
let base: string;
let started: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  model = mkdtempSync(join(tmpdir(), 'peyk-model-'));
  await (await startEmbeddedPostgres({ dataDir: model, durable: false })).stop();
});

afterAll(() => rmSync(model, { recursive: true, force: true }));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'peyk-embedded-'));
  started = [];
  children = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

describe('startEmbeddedPostgres', () => {
  it('keeps the data over a restart, and leaves neither process nor socket behind', async () => {
    const first = await start({ dataDir: join(base, 'data') });
    await run(first.target, `create table note as select 'kept' as text`);
    await first.stop();
    await first.exited;
    expect(isAlive(first.pid)).toBe(false);
    expect(existsSync(first.target.socketDir)).toBe(false);

    const second = await start({ dataDir: join(base, 'data') });
    expect(await run(second.target, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('is safe against a power cut unless told otherwise', async () => {
    const server = await start({ dataDir: join(base, 'data'), durable: undefined });
    const settings = `select string_agg(current_setting(name), ' ') as state
      from unnest(array['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) name`;
    expect(await run(server.target, settings)).toEqual([{ state: 'on on on on' }]);
  });

  it('ends the server of a Peyk that was killed, and finds its data', async () => {
    const child = launch(madeBefore());
    const { ready } = await child.next();
    if (ready === undefined) throw new Error('the child did not start');
    await run(ready.target, `create table note as select 'acknowledged' as text`);
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    expect(isAlive(ready.pid)).toBe(true);

    const next = await start({ dataDir: join(base, 'data') });
    expect(isAlive(ready.pid)).toBe(false);
    expect(existsSync(ready.target.socketDir)).toBe(false);
    expect(await run(next.target, 'select text from note')).toEqual([{ text: 'acknowledged' }]);
  });

  it('comes back after the server itself was killed', async () => {
    const dataDir = madeBefore();
    const first = await start({ dataDir, durable: true });
    await run(first.target, `create table note as select 'kept' as text`);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await first.stop();

    const second = await start({ dataDir, durable: true });
    expect(await run(second.target, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('refuses a second Peyk on the directory, in this process and another, under any name of it', async () => {
    const dataDir = madeBefore();
    await start({ dataDir });
    const other = join(base, 'x', '..', 'data');
    await expect(start({ dataDir: other })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining(`another Peyk (process ${process.pid}) already runs`),
    });
    const { refused } = await launch(dataDir).next();
    expect(refused).toMatch(/^config: another Peyk \(process \d+\) already runs on the data directory/);
  });

  it('lets exactly one of four win that start at the same moment on a new directory', async () => {
    expect(await race(join(base, 'data'))).toEqual({ ready: 1, refused: 3 });
  });

  it('lets exactly one of four win after a kill, too', async () => {
    const dataDir = madeBefore();
    const killed = launch(dataDir);
    await killed.next();
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(await race(dataDir)).toEqual({ ready: 1, refused: 3 });
  });

  it('works as an ordinary user', async () => {
    const user = isRoot && canRead(CHILD) ? NOBODY : undefined;
    chmodSync(base, 0o755);
    const home = join(base, 'home');
    mkdirSync(home, { mode: 0o700 });
    if (user !== undefined) chownSync(home, user.uid, user.gid);
    const child = launch(join(home, 'data'), user);
    const line = await child.next();
    expect(line).toMatchObject({ ready: { uid: user?.uid ?? process.getuid?.() } });
    child.process.kill('SIGINT');
    expect(await child.next()).toEqual({ stopped: 'alive' });
  });

  it('works below a private home', async () => {
    const home = join(base, 'home');
    mkdirSync(home, { mode: 0o700 });
    const server = await start({ dataDir: join(home, 'data') });
    expect(await run(server.target, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('works as root where user namespaces are closed, on data made with them', async () => {
    chmodSync(base, 0o755);
    const dataDir = madeBefore();
    const before = await start({ dataDir });
    await run(before.target, `create table note as select 'kept' as text`);
    await before.stop();
    const after = await start({ dataDir, namespaces: !canRead(CHILD) });
    expect(await run(after.target, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('says what to change when root has no user that may enter the directory', async () => {
    const home = join(base, 'home');
    mkdirSync(home, { mode: 0o700 });
    const outcome = await start({ dataDir: join(home, 'data'), namespaces: false }).then(
      () => 'started',
      (error: unknown) => String(error),
    );
    expect(outcome).toMatch(isRoot ? /may not enter .*home.* or set DATABASE_URL/ : /^started$/);
  });

  it('works with spaces, quotes and Persian letters in the path, and with a relative one', async () => {
    const dataDir = relative(process.cwd(), join(base, `it's a "پیک" folder`, 'داده‌ها'));
    const server = await start({ dataDir });
    expect(await run(server.target, `select lower('ÉLAN') as text`)).toEqual([{ text: 'élan' }]);
  });

  it('works with a path far longer than a socket may have', async () => {
    const server = await start({ dataDir: join(base, 'x'.repeat(100), 'y'.repeat(100)) });
    expect(await run(server.target, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('clears away a database that was half made', async () => {
    const dataDir = join(base, 'data');
    mkdirSync(join(dataDir, 'postgres.new-123', 'base'), { recursive: true });
    await start({ dataDir });
    expect(existsSync(join(dataDir, 'postgres.new-123'))).toBe(false);
  });

  it('leaves a foreign process alone that has the process id of a server long gone', async () => {
    const dataDir = madeBefore();
    const foreign = spawn('sleep', ['1000'], { stdio: 'ignore' });
    children.push(foreign);
    const notes = [foreign.pid, join(dataDir, 'postgres'), 1, 5432, '/tmp', '', '', 'ready'];
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${notes.join('\n')}\n`, { mode: 0o600 });

    const server = await start({ dataDir });
    expect(await run(server.target, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  });

  it('refuses data of another major version, a directory that is a file, and one without a database', async () => {
    const dataDir = madeBefore();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(start({ dataDir })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/made by Postgres 15, this Peyk brings Postgres \d+/),
    });

    writeFileSync(join(base, 'file'), '');
    await expect(start({ dataDir: join(base, 'file') })).rejects.toMatchObject({ code: 'config' });

    mkdirSync(join(base, 'odd', 'postgres'), { recursive: true });
    await expect(start({ dataDir: join(base, 'odd') })).rejects.toMatchObject({
      message: expect.stringContaining('holds no database'),
    });
  });

  it('can start on the directory again after a start that failed', async () => {
    const dataDir = madeBefore();
    const control = join(dataDir, 'postgres', 'global', 'pg_control');
    const good = readFileSync(control);
    writeFileSync(control, '');
    await expect(start({ dataDir })).rejects.toMatchObject({
      message: expect.stringMatching(/does not start: .+/),
    });
    writeFileSync(control, good);
    await start({ dataDir });
  });

  it('outlives Ctrl-C in a terminal until Peyk itself has stopped it', async () => {
    const child = launch(madeBefore());
    const { ready } = await child.next();
    process.kill(-(child.process.pid ?? 0), 'SIGINT');
    expect(await child.next()).toEqual({ stopped: 'alive' });
    expect(isAlive(ready?.pid ?? 0)).toBe(false);
  });

  it('logs no statement, value or error of a statement, and knows nothing of this environment', async () => {
    const dataDir = madeBefore();
    process.env['PEYK_CANARY'] = 'canary-environment';
    const server = await start({ dataDir });
    delete process.env['PEYK_CANARY'];
    for (const bad of [
      `select 'canary-value'::int`,
      'select canary_name',
      `do $$ begin raise exception 'canary-raised'; end $$`,
    ]) {
      await expect(run(server.target, bad)).rejects.toThrow(/./);
    }
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('canary');
    expect(environmentOf(server.pid)).not.toContain('canary');
  });
});

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ durable: false, ...options });
  started.push(server);
  return server;
}

async function run(target: SocketTarget, statement: string): Promise<unknown[]> {
  const database = openDatabase({ target, max: 1 });
  try {
    return [...(await database.sql.unsafe(statement))];
  } finally {
    await database.close();
  }
}

/** A data directory with a database in it, faster than making a new one. */
function madeBefore(): string {
  const dataDir = join(base, 'data');
  expect(spawnSync('cp', ['-a', model, dataDir]).status).toBe(0);
  return dataDir;
}

/** A Peyk of its own in a process group of its own, as a shell would start it. */
function launch(dataDir: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [CHILD, dataDir], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<z.infer<typeof Line>> => {
    const { value, done } = await lines.next();
    return done === true ? {} : Line.parse(JSON.parse(value));
  };
  return { process: child, next };
}

/** Four at once. The winner is stopped in order, so that its server does not outlive the test. */
async function race(dataDir: string): Promise<{ ready: number; refused: number }> {
  const racers = Array.from({ length: 4 }, () => launch(dataDir));
  const results = await Promise.all(racers.map(async (racer) => ({ racer, line: await racer.next() })));
  const winners = results.filter(({ line }) => line.ready !== undefined);
  for (const { racer } of winners) {
    racer.process.kill('SIGINT');
    await racer.next();
  }
  const refused = results.filter(({ line }) => line.refused?.includes('already runs') === true);
  return { ready: winners.length, refused: refused.length };
}

function environmentOf(pid: number): string {
  const file = `/proc/${pid}/environ`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false;
  }
}

/**
 * Where nobody collects the ended children of a process that was killed, they stay in the process
 * table.
 */
function isZombie(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8'));
}

/** Whether another user may run these sources. */
function canRead(file: string): boolean {
  const asNobody = isRoot ? NOBODY : {};
  return spawnSync(process.execPath, ['--check', file], { ...asNobody, cwd: '/' }).status === 0;
}
