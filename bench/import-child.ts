import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamXlsxRows } from 'hucre/xlsx';
import { z } from 'zod';
import { createFileThread } from '../src/app/file-thread.ts';
import { AppError } from '../src/domain/errors.ts';
import { createCounter } from '../src/features/sending/bulk/counter.ts';
import { createProgress } from '../src/features/sending/bulk/progress.ts';
import { createReader } from '../src/features/sending/bulk/reader.ts';
import type { BulkWork, Uploads } from '../src/ports/bulk.ts';
import type { Gateways } from '../src/ports/gateways.ts';
import type { Clock } from '../src/ports/runtime.ts';
import { createLogger, createSecretRegistry } from '../src/process/log.ts';
import { createPeopleStore } from '../src/storage/people/people-store.ts';
import { createBulkStore } from '../src/storage/sending/bulk-store.ts';
import { openDatabase, type Database } from '../src/storage/database/database.ts';
import type { Stores } from '../src/storage/stores.ts';
import { serve } from './child.ts';
import { fairImport } from './fair-import.ts';
import { resources } from './resources.ts';

/*
 * The work behind a file, as the bot's tasks do it, on a database that is there and a file that has been fetched; and what it
 * is held against, in a process of its own.
 */

const Open = z.object({
  target: z.object({ socketDir: z.string(), port: z.int(), user: z.string(), database: z.string() }),
});
const File = z.object({ path: z.string() });
const Work = File.extend({ draftId: z.string(), version: z.int() });

const log = createLogger({
  level: 'info',
  pretty: false,
  secrets: createSecretRegistry(),
  destination: { write: () => undefined },
});
const signal = new AbortController().signal;
const clock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: async (ms, ended) => await sleep(ms, undefined, ended === undefined ? {} : { signal: ended }),
};
const nobody = (): never => {
  throw new AppError('not_connected', 'no account');
};
/** So many rows are counted without the account. */
const gateways: Gateways = {
  capabilities: nobody,
  accepted: nobody,
  of: () => Promise.reject(new AppError('not_connected', 'no account')),
  probe: nobody,
};

const files = createFileThread();
let database: Database | null = null;
let bulks: Stores['bulks'] | null = null;

serve(
  {
    open: async (payload) => {
      const { target } = Open.parse(payload);
      database = openDatabase({ target });
      await database.sql`select 1`;
      bulks = createBulkStore(database);
      return process.memoryUsage.rss() / 2 ** 20;
    },
    read: async (payload) => {
      const { path, ...work } = Work.parse(payload);
      const { progress, store, people } = parts();
      const uploads: Uploads = {
        take: () => Promise.resolve({ path, [Symbol.asyncDispose]: () => Promise.resolve() }),
        sweep: () => Promise.resolve(),
      };
      const read = createReader({
        bulks: store,
        people,
        uploads,
        files,
        progress,
      });
      return await timed(() => read(work, { signal, log }));
    },
    count: async (payload) => {
      const work: BulkWork = Work.omit({ path: true }).parse(payload);
      const { progress, store } = parts();
      const count = createCounter({ bulks: store, gateways, files, clock, progress });
      return await timed(() => count(work, { signal, log }));
    },
    fair: async (payload) => {
      const { path } = File.parse(payload);
      if (database === null) throw new Error('nothing is open');
      const { sql } = database;
      let found = {};
      return { ...(await timed(async () => void (found = await fairImport(sql, path)))), ...found };
    },
    workbook: async (payload) => {
      const { path, rows } = File.extend({ rows: z.int() }).parse(payload);
      return await timed(async () => {
        let found = 0;
        for await (const { values } of streamXlsxRows(await readFile(path)))
          if (values.length > 0) found += 1;
        if (found !== rows) throw new Error(`${found} rows`);
      });
    },
    resources: () => resources(),
  },
  async () => {
    await files.close();
    await database?.close();
  },
);

function parts() {
  if (bulks === null || database === null) throw new Error('nothing is open');
  const cards = { follow: () => Promise.resolve() };
  return {
    store: bulks,
    people: createPeopleStore(database),
    progress: createProgress({ bulks, cards, clock, log }),
  };
}

/** Milliseconds, those in which this process had a core, and the longest for which nothing else had a turn. */
async function timed(work: () => Promise<void>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const [began, before] = [performance.now(), resources().cpuMs];
  delay.enable();
  await work();
  delay.disable();
  return {
    ms: performance.now() - began,
    cpuMs: resources().cpuMs - before,
    holdMs: delay.max / 1e6,
  };
}
