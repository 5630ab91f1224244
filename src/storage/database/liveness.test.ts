import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Liveness } from '../../ports/runtime.ts';
import { createLiveness, type LivenessOptions } from './liveness.ts';

let database: TestDatabase;
const open: Liveness[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all(open.map((liveness) => liveness.close()));
  await database.close();
});

async function create(more: Partial<LivenessOptions> = {}): Promise<Liveness> {
  const liveness = await createLiveness({
    target: database.target,
    log: createMemoryLog(),
    confirmMs: 10,
    ...more,
  });
  open.push(liveness);
  return liveness;
}

async function cut(id: string): Promise<void> {
  await database.sql`
    select pg_terminate_backend(pid, 5000) from pg_locks
    where locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = hashtextextended(${id}, 7310579601243119)`;
}

describe('liveness', () => {
  test('a process is alive until it closes, and gone right after', async () => {
    const watcher = await create();
    const other = await create();

    expect(await watcher.gone([other.id, watcher.id])).toEqual([]);

    await other.close();
    expect(await watcher.gone([other.id, watcher.id])).toEqual([other.id]);
  });

  test('an id that nobody ever held is gone, once however often it is named', async () => {
    const watcher = await create();
    expect(await watcher.gone(['never', 'never'])).toEqual(['never']);
    expect(await watcher.gone([])).toEqual([]);
  });

  test('further ids live with their process and are let go one by one', async () => {
    const watcher = await create();
    const other = await create();
    await other.hold(['extra-a', 'extra-b']);
    expect(await watcher.gone(['extra-a', 'extra-b'])).toEqual([]);

    await other.release(['extra-a']);
    expect(await watcher.gone(['extra-a', 'extra-b'])).toEqual(['extra-a']);

    await other.close();
    expect(await watcher.gone(['extra-a', 'extra-b'])).toEqual(['extra-a', 'extra-b']);
  });

  test('its own ids are never gone to a process, released ones are', async () => {
    const self = await create();
    await self.hold(['own']);
    expect(await self.gone(['own', self.id])).toEqual([]);
    await self.release(['own']);
    expect(await self.gone(['own', self.id])).toEqual(['own']);
  });

  test('an id held twice is free after one release', async () => {
    const watcher = await create();
    const other = await create();
    await Promise.all([other.hold(['twice']), other.hold(['twice'])]);
    await other.release(['twice']);
    expect(await watcher.gone(['twice'])).toEqual(['twice']);
  });

  test('an id that someone else holds is refused, and not held later by surprise', async () => {
    const first = await create();
    const second = await create();
    await first.hold(['shared']);

    await expect(second.hold(['shared'])).rejects.toThrow('held by someone else');
    await first.release(['shared']);
    expect(await second.gone(['shared'])).toEqual(['shared']);
  });

  test('a cut connection comes back with all its locks, and tells of both', async () => {
    const watcher = await create();
    const log = createMemoryLog();
    const states: string[] = [];
    const held = Promise.withResolvers<void>();
    const other = await create({
      log,
      onChange: (state) => {
        states.push(state);
        if (state === 'held') held.resolve();
      },
    });
    await other.hold(['extra-c']);

    await cut(other.id);
    await held.promise;

    expect(states).toEqual(['lost', 'held']);
    expect(await watcher.gone([other.id, 'extra-c'])).toEqual([]);
    expect(log.lines.map((line) => line.level)).toContain('warn');
  });

  test('whoever takes its lock within the time to be sure is not gone', async () => {
    const other = await create();
    const watcher = await create({ confirmMs: 1500 });
    const verdict = watcher.gone(['late']);
    // Questions are put one after the other: when this one is answered, the first look is over.
    await watcher.gone([other.id]);
    await other.hold(['late']);
    expect(await verdict).toEqual([]);
  });

  test('a process that closes while it waits to be sure calls nobody gone', async () => {
    const watcher = await create({ confirmMs: 60_000 });
    const verdict = watcher.gone(['nobody']);
    await watcher.gone([watcher.id]);
    await watcher.close();
    expect(await verdict).toEqual([]);
  });

  test('closing twice is harmless, and a cut after closing wakes nothing', async () => {
    const log = createMemoryLog();
    const once = await create({ log });
    await once.close();
    await once.close();
    expect(log.lines).toEqual([]);
  });

  test('a database that is not there is an error at the start', async () => {
    const target = { ...database.target, port: 1 };
    await expect(create({ target })).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  });
});
