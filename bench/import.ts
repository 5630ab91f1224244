import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { z } from 'zod';
import { newBulk, recounted, skippedRows } from '../src/domain/bulk.ts';
import { Secret } from '../src/domain/secret.ts';
import { createBulkStore } from '../src/storage/sending/bulk-store.ts';
import { openDatabase, pgPoolConfig } from '../src/storage/database/database.ts';
import { createDraftStore } from '../src/storage/sending/draft-store.ts';
import { migrate } from '../src/storage/database/migrate.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild, type Child } from './child.ts';
import { makeFairTables } from './fair-import.ts';
import { writeCsvOf, writeWorkbookOf } from './import-files.ts';
import { ratioOf } from './pairs.ts';
import { LINE, linkOwner } from './people.ts';
import { startPostgres } from './postgres.ts';
import { Resources } from './resources.ts';
import { BOT_ID } from './stage.ts';
import { median } from './statistics.ts';

const ROWS = 1_000_000;
const WORKBOOK_ROWS = 200_000;
const PAIRS = 5;
const PERSONAL = 'Hello {name}, your code is {code}.';
const ALIKE = 'Hello, the shop is closed tomorrow.';

const Took = z.object({ ms: z.number(), cpuMs: z.number(), holdMs: z.number() });
const Fair = Took.extend({ messages: z.number(), skipped: z.number() });

type Took = z.output<typeof Took>;
type Stage = Awaited<ReturnType<typeof setImportStage>>;

/** Long files as they become sends that can be looked through, beside loops that do the same at one go. */
export const importing: Benchmark = {
  about: `a CSV of ${ROWS} rows and a workbook of ${WORKBOOK_ROWS} to a reviewed draft, on a durable database`,
  async run(say) {
    await using stage = await setImportStage();
    const csv = await csvFigures(stage, say);
    return [...csv, ...(await workbookFigures(stage, say))];
  },
};

async function csvFigures(stage: Stage, say: (progress: string) => void): Promise<Figure[]> {
  const path = await writeCsvOf(ROWS, stage.folder);
  await makeFairTables(stage.database.sql);
  await using bot = await stage.child();
  await using loop = await stage.child();
  const pairs: { readonly read: Took; readonly count: Took; readonly fair: Took }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const made = await stage.imported(bot.child, path, PERSONAL);
    const fair = await loop.child.ask('fair', { path }, Fair);
    if (fair.messages !== made.messages || fair.skipped !== made.skipped)
      throw new Error(
        `the loop has found ${fair.messages} and ${fair.skipped}, the bot ${made.messages} and ${made.skipped}`,
      );
    pairs.push({ ...made, fair });
    say(`read ${made.read.ms.toFixed()}, counted ${made.count.ms.toFixed()}, loop ${fair.ms.toFixed()} ms`);
    await stage.empty();
  }
  const { peakMb } = await bot.child.ask('resources', {}, Resources);
  const alike = await stage.imported(bot.child, path, ALIKE);
  say(`one text for all: counted ${alike.count.ms.toFixed()} ms`);
  await stage.empty();
  const whole = ({ read, count }: (typeof pairs)[number]): number => read.ms + count.ms;
  const what = 'import';
  const rate = { digits: 0, unit: 'rows/s' };
  const rateOf = (ms: number): number => (ROWS / ms) * 1000;
  const stages = {
    'reading the file': pairs.map(({ read }) => read),
    'a text for each': pairs.map(({ count }) => count),
    'one text for all': [alike.count],
    'the loop': pairs.map(({ fair }) => fair),
  };
  return [
    {
      what,
      measure: 'file to review, a text for each ÷ a loop that does the same at one go',
      ...ratioOf(pairs.map((pair) => ({ product: pair.fair.ms, peer: whole(pair) }))),
      goal: 'import',
    },
    {
      what,
      measure: 'longest time for which the event loop was held',
      figure: Math.max(...pairs.flatMap(({ read, count }) => [read.holdMs, count.holdMs])),
      digits: 0,
      unit: 'ms',
      goal: 'import-hold',
    },
    {
      what,
      measure: 'memory above what it had before',
      figure: peakMb - bot.rssMb,
      digits: 0,
      unit: 'MB',
      goal: 'import-memory',
    },
    ...Object.entries(stages).flatMap(([name, took]): Figure[] => [
      { what, measure: name, figure: rateOf(median(took.map(({ ms }) => ms))), ...rate },
      { what, measure: `${name}, took`, figure: median(took.map(({ ms }) => ms)) / 1000, unit: 's' },
      {
        what,
        measure: `${name}, CPU of the process`,
        figure: median(took.map(({ cpuMs }) => cpuMs)) / 1000,
        unit: 's',
      },
    ]),
  ];
}

async function workbookFigures(stage: Stage, say: (progress: string) => void): Promise<Figure[]> {
  const path = await writeWorkbookOf(WORKBOOK_ROWS, stage.folder);
  await using bot = await stage.child();
  await using loop = await stage.child();
  const pairs: { readonly ms: number; readonly holdMs: number; readonly peerMs: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const { read, count } = await stage.imported(bot.child, path, PERSONAL);
    const peer = await loop.child.ask('workbook', { path, rows: WORKBOOK_ROWS + 1 }, Took);
    pairs.push({
      ms: read.ms + count.ms,
      holdMs: Math.max(read.holdMs, count.holdMs),
      peerMs: peer.ms,
    });
    say(`workbook: read ${read.ms.toFixed()}, counted ${count.ms.toFixed()}, peer ${peer.ms.toFixed()} ms`);
    await stage.empty();
  }
  const grown = async ({ child, rssMb }: typeof bot): Promise<number> =>
    (await child.ask('resources', {}, Resources)).peakMb - rssMb;
  const what = 'workbook';
  const memory = { digits: 0, unit: 'MB' };
  const seconds = { unit: 's' };
  return [
    {
      what,
      measure: 'file to review, a text for each ÷ the peer reading it',
      ...ratioOf(pairs.map(({ ms, peerMs }) => ({ product: peerMs, peer: ms }))),
      goal: 'workbook',
    },
    {
      what,
      measure: 'memory above what it had before',
      figure: await grown(bot),
      ...memory,
      goal: 'workbook-memory',
    },
    { what, measure: 'the same, the peer', figure: await grown(loop), ...memory },
    {
      what,
      measure: 'longest time for which the event loop was held',
      figure: Math.max(...pairs.map(({ holdMs }) => holdMs)),
      digits: 0,
      unit: 'ms',
    },
    { what, measure: 'file to review', figure: median(pairs.map(({ ms }) => ms)) / 1000, ...seconds },
    { what, measure: 'the peer', figure: median(pairs.map(({ peerMs }) => peerMs)) / 1000, ...seconds },
  ];
}

async function setImportStage() {
  const ends = new AsyncDisposableStack();
  try {
    const server = ends.use(await startPostgres());
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
    const bulks = createBulkStore(database);
    const { sql } = database;

    let updates = 0;
    /** A draft as `/bulk` makes it. */
    const draft = async (): Promise<string> => {
      const { id } = await createDraftStore(database).create({
        chatId: owner.chatId,
        bindingId: owner.bindingId,
        botId: BOT_ID,
        updateId: (updates -= 1),
        authorId: owner.id,
        outgoing: newBulk({ name: 'customers', reference: 'none' }),
        text: '',
        recipients: [],
        repeated: [],
        invalid: [],
        line: LINE,
        lang: 'en',
        threadId: undefined,
      });
      return id;
    };
    return {
      folder: server.folder,
      database,
      /** A process on the database, and what it has before it does anything. */
      async child() {
        const child = startChild('import-child.ts');
        const rssMb = await child.ask('open', { target: server.target }, z.number());
        return { child, rssMb, [Symbol.asyncDispose]: () => child.stop() };
      },
      /** A new draft from the file to its review. */
      async imported(child: Child, path: string, text: string) {
        const draftId = await draft();
        const read = await child.ask('read', { draftId, version: 1, path }, Took);
        const found = await bulks.find({ draftId, version: 1 });
        if (found?.bulk.step !== 'columns')
          throw new Error(`the file was not read: ${found?.bulk.problem?.reason}`);
        const version = await bulks.change(
          { draftId, version: 1 },
          { bulk: recounted(found.bulk, 'counting'), text },
        );
        const count = await child.ask('count', { draftId, version }, Took);
        const counted = await bulks.find({ draftId, version: version ?? 0 });
        const summary = counted?.bulk.summary;
        if (counted?.bulk.step !== 'review' || summary === undefined || summary === null)
          throw new Error('the messages were not counted');
        return { read, count, messages: summary.recipients, skipped: skippedRows(summary) };
      },
      /** Each run begins on empty tables that nothing is still written for. */
      async empty(): Promise<void> {
        await sql`truncate bulk_source, bulk_call, bulk_skipped`;
        await sql`truncate fair_call, fair_skipped`;
        await sql`checkpoint`;
      },
      [Symbol.asyncDispose]: () => ends.disposeAsync(),
    };
  } catch (error) {
    await ends.disposeAsync();
    throw error;
  }
}
