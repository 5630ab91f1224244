import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../domain/errors.ts';
import { createFileWorks } from '../features/sending/bulk/works.ts';
import type { FileThread } from '../ports/bulk.ts';
import { createTables } from '../tables/tables.ts';
import { createFileThread } from './file-thread.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peyk-thread-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string) {
  const path = join(folder, name);
  await writeFile(path, content);
  return { name, path };
}

function started(...given: Parameters<typeof createFileThread>) {
  const files = createFileThread(...given);
  onTestFinished(async () => await files.close());
  return files;
}

/** A file from its first block to its last call. */
async function whole(files: FileThread, source: { readonly name: string; readonly path: string }) {
  await using reading = files.begin('read', source);
  const kept: string[] = [];
  for (let next = reading.next(null); ;) {
    const part = await next;
    if ('rows' in part) {
      next = reading.next(null);
      kept.push(part.rows);
      continue;
    }
    const bulk = { ...part.found, onMissing: { way: 'skip' } } as const;
    const blocked = new Set(['989120000007']);
    const spec = { bulk, text: 'Hello {name}', line: '3000', blocked, inAddress: false, rule: null };
    await using planning = files.begin('plan', spec);
    return [part, kept, await Promise.all([...kept, null].map((text) => planning.next(text)))];
  }
}

const people = (count: number, name: string): string =>
  [
    'mobile,name',
    ...Array.from({ length: count }, (_, n) => `0912${String(n).padStart(7, '0')},${name} ${n}`),
  ].join('\n');

it('does for several files at once what would be done without it, each in its order', async () => {
  const files = started();
  const here = createFileWorks(createTables());
  const sources = [
    await file('long.csv', people(4200, 'Sara')),
    await file('other.csv', people(1700, 'رضا')),
    await file('short.csv', people(2, 'Ali')),
  ];
  const there = await Promise.all(sources.map((source) => whole(files, source)));
  expect(there).toEqual(await Promise.all(sources.map((source) => whole(here, source))));
  expect(there[0]?.[1]).toHaveLength(5);
});

it('says what is wrong with a file as it would be said without it, and goes on', async () => {
  const files = started();
  const [named, quoted, fine] = await Promise.allSettled([
    whole(files, await file('names.csv', 'mobile,name\n')),
    whole(files, await file('quote.csv', `mobile,name\n0912,"${'x\n'.repeat(20_000)}`)),
    whole(files, await file('fine.csv', people(3, 'Sara'))),
  ]);
  const problem = (params: object) => ({
    status: 'rejected',
    reason: { name: 'AppError', code: 'bad_input', params: { field: 'file', ...params } },
  });
  expect(named).toMatchObject(problem({ reason: 'only_header', row: 1 }));
  expect(named).toHaveProperty('reason', expect.any(AppError));
  expect(quoted).toMatchObject(problem({ reason: 'open_quote', row: 2 }));
  expect(fine).toMatchObject({ status: 'fulfilled', value: [{ found: { rows: 4 } }, {}, {}] });
});

it('ends alone when a file is too much for it: who waits is told, and the next file finds another', async () => {
  const files = started({ heapMb: 20 });
  await using tally = files.begin('tally', { bulk: { phone: 0, header: 0, rows: 1 }, listed: false });
  await using beside = files.begin('read', await file('beside.csv', people(3000, 'Sara')));
  const rows = `[${'[1,["a"]],'.repeat(400_000)}[1,["a"]]]`;
  const answers = await Promise.allSettled([
    tally.next(rows),
    tally.next('[]'),
    ...Array.from({ length: 5 }, () => beside.next(null)),
  ]);
  expect(answers.at(0)).toMatchObject({ status: 'rejected', reason: { code: 'ERR_WORKER_OUT_OF_MEMORY' } });
  expect(answers.at(1)).toMatchObject({ status: 'rejected', reason: { code: 'ERR_WORKER_OUT_OF_MEMORY' } });
  await expect(beside.next(null)).rejects.toThrow('has ended');
  expect(await whole(files, await file('next.csv', people(3, 'Sara')))).toMatchObject([
    { found: { rows: 4 } },
    {},
    {},
  ]);
});

it('has room for many wide files at once', async () => {
  const files = started({ heapMb: 150 });
  const line = `,${'x1234,'.repeat(250)}`;
  const wide = Array.from({ length: 1500 }, (_, n) => `0912${String(n).padStart(7, '0')}${line}`).join('\n');
  const source = await file('wide.csv', wide);
  const read = async (): Promise<number> => {
    await using reading = files.begin('read', source);
    for (;;) {
      const part = await reading.next(null);
      if ('found' in part) return part.found.rows;
    }
  };
  // One that is given up while it waits leaves its place to the next.
  const first = Array.from({ length: 14 }, read);
  const waiting = files.begin('read', source);
  void waiting.next(null);
  await waiting[Symbol.asyncDispose]();
  expect(await Promise.all([...first, read()])).toEqual(Array.from({ length: 15 }, () => 1500));
});

it('ends with what is under way, and whoever waits is told', async () => {
  const files = started();
  await using reading = files.begin('read', await file('end.csv', people(5000, 'Sara')));
  const first = reading.next(null);
  // Asked ahead, and nobody waits for it any more.
  void reading.next(null);
  await files.close();
  await expect(first).rejects.toThrow('has ended');
  await expect(reading.next(null)).rejects.toThrow('has ended');
});
