import { mkdtempDisposable, open } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { z } from 'zod';
import { newBulk, recounted } from '../src/domain/bulk.ts';
import { Secret } from '../src/domain/secret.ts';
import { createBulkStore } from '../src/storage/bulk-store.ts';
import { openDatabase, pgPoolConfig } from '../src/storage/database.ts';
import { createDraftStore } from '../src/storage/draft-store.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded.ts';
import { migrate } from '../src/storage/migrate.ts';
import { bareCount, bareParser } from './bare-import.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { LINE, linkOwner } from './people.ts';
import { Resources } from './resources.ts';
import { BOT_ID } from './stage.ts';

const ROWS = 1_000_000;
const PERSONAL = 'Hello {name}, your code is {code}.';
const ALIKE = 'Hello, the shop is closed tomorrow.';
const Took = z.object({ ms: z.number(), cpuMs: z.number() });

/** A long file as it becomes a send that can be looked through, beside a loop that only splits it. */
export const importing: Benchmark = {
  about: `a CSV of ${ROWS} rows to a reviewed draft, in a process of its own, on a durable database`,
  async run(say) {
    await using stage = await setImportStage();
    const { sql } = stage.database;
    const bulks = createBulkStore(stage.database);
    const path = await writeFile(stage.folder);
    const draftId = await stage.draft();
    const child = startChild('import-child.ts');
    try {
      const rssMb = await child.ask('open', { target: stage.target }, z.number());
      const before = { parser: await bareParser(path, ROWS), count: await bareCount(path, ROWS, PERSONAL) };
      const read = await child.ask('read', { draftId, version: 1, path }, Took);
      say(`read: ${read.ms.toFixed()} ms`);

      const count = async (text: string): Promise<z.output<typeof Took>> => {
        const [draft] = await sql<{ version: number }[]>`select version from draft where id = ${draftId}`;
        const work = { draftId, version: draft?.version ?? 0 };
        const found = await bulks.find(work);
        if (found?.bulk.numbers?.good !== ROWS || found.bulk.columns.length !== 3)
          throw new Error('the file was not read');
        const change = { bulk: recounted(found.bulk, 'counting'), text };
        const version = await bulks.change(work, change);
        const took = await child.ask('count', { draftId, version }, Took);
        const counted = await bulks.find({ draftId, version: version ?? 0 });
        if (counted?.bulk.step !== 'review' || counted.bulk.summary?.recipients !== ROWS)
          throw new Error('the messages were not counted');
        return took;
      };
      const personal = await count(PERSONAL);
      const { peakMb } = await child.ask('resources', {}, Resources);
      say(`a text for each: ${personal.ms.toFixed()} ms`);
      const alike = await count(ALIKE);
      say(`one text for all: ${alike.ms.toFixed()} ms`);
      const after = { parser: await bareParser(path, ROWS), count: await bareCount(path, ROWS, PERSONAL) };
      say(`bare parser: ${before.parser.toFixed()} and ${after.parser.toFixed()} ms`);
      say(`bare count: ${before.count.toFixed()} and ${after.count.toFixed()} ms`);
      const bareMs = Math.min(before.parser, after.parser);
      const bareCountMs = Math.min(before.count, after.count);
      return figuresOf({ bareMs, bareCountMs, read, personal, alike, grownMb: peakMb - rssMb });
    } finally {
      await child.stop();
    }
  },
};

type Took = z.output<typeof Took>;

function figuresOf({
  bareMs,
  bareCountMs,
  read,
  personal,
  alike,
  grownMb,
}: {
  readonly bareMs: number;
  readonly bareCountMs: number;
  readonly read: Took;
  readonly personal: Took;
  readonly alike: Took;
  readonly grownMb: number;
}): Figure[] {
  const what = 'import';
  const rate = { digits: 0, unit: 'rows/s' };
  const rateOf = (ms: number): number => (ROWS / ms) * 1000;
  const seconds = { unit: 's' };
  const stages = { 'reading the file': read, 'a text for each': personal, 'one text for all': alike };
  return [
    {
      what,
      measure: 'file to review, a text for each ÷ bare parser',
      figure: bareMs / (read.ms + personal.ms),
      goal: 'import',
    },
    { what, measure: 'the same, one text for all', figure: bareMs / (read.ms + alike.ms) },
    {
      what,
      measure: 'the same, a text for each ÷ bare loop that finds repeated numbers and makes the texts too',
      figure: bareCountMs / (read.ms + personal.ms),
      isTold: true,
    },
    {
      what,
      measure: 'memory above what it had before',
      figure: grownMb,
      digits: 0,
      unit: 'MB',
      goal: 'import-memory',
    },
    { what, measure: 'bare parser', figure: rateOf(bareMs), ...rate },
    { what, measure: 'bare loop with repeated numbers and texts', figure: rateOf(bareCountMs), ...rate },
    ...Object.entries(stages).flatMap(([name, { ms, cpuMs }]): Figure[] => [
      { what, measure: name, figure: rateOf(ms), ...rate },
      { what, measure: `${name}, took`, figure: ms / 1000, ...seconds },
      { what, measure: `${name}, CPU of the process`, figure: cpuMs / 1000, ...seconds },
    ]),
  ];
}

const NAMES = ['Ali', 'Sara', 'رضا', 'Mina', 'Omid'];

/** Within what Telegram hands to a bot. */
async function writeFile(folder: string): Promise<string> {
  const path = join(folder, 'customers.csv');
  await using file = await open(path, 'w');
  await file.write('phone,name,code\n');
  const at = 10_000;
  for (let from = 0; from < ROWS; from += at) {
    const rows = Array.from({ length: at }, (_, index) => {
      const row = from + index;
      return `0912${String(row).padStart(7, '0')},${NAMES[row % NAMES.length]},${row % 100}\n`;
    });
    await file.write(rows.join(''));
  }
  return path;
}

async function setImportStage() {
  const ends = new AsyncDisposableStack();
  try {
    const folder = ends.use(await mkdtempDisposable(join(tmpdir(), 'peyk-bench-')));
    const server = await startEmbeddedPostgres({ dataDir: folder.path });
    ends.defer(() => server.stop());
    const database = openDatabase({ target: server.target, max: 4 });
    ends.defer(() => database.close());
    await migrate(database.sql, join(import.meta.dirname, '../drizzle'));
    // What a draft's steps put into the queue stays there: the steps are taken by hand.
    await runMigrations({
      connectionString: pgPoolConfig(server.target).connectionString,
      logger: new Logger(() => () => undefined),
    });
    const masterKey = { kid: 'bench', key: new Secret(randomBytes(32).toString('base64')) };
    const owner = await linkOwner({ database, masterKey }, 5_500_001, 'demo');
    return {
      folder: folder.path,
      target: server.target,
      database,
      /** A draft as `/bulk` makes it. */
      async draft(): Promise<string> {
        const { id } = await createDraftStore(database).create({
          chatId: owner.chatId,
          bindingId: owner.bindingId,
          botId: BOT_ID,
          updateId: -1,
          authorId: owner.id,
          outgoing: newBulk({ name: 'customers.csv', reference: 'none' }),
          text: '',
          recipients: [],
          repeated: [],
          invalid: [],
          line: LINE,
          lang: 'en',
          threadId: undefined,
          ttlSeconds: 7200,
        });
        return id;
      },
      [Symbol.asyncDispose]: () => ends.disposeAsync(),
    };
  } catch (error) {
    await ends.disposeAsync();
    throw error;
  }
}
