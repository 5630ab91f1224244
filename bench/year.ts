import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { Secret } from '../src/domain/secret.ts';
import { createCallsInHand } from '../src/storage/restore/calls-in-hand.ts';
import { createSealer } from '../src/storage/keys/crypto.ts';
import { openDatabase, pgPoolConfig, type SocketTarget } from '../src/storage/database/database.ts';
import { migrate } from '../src/storage/database/migrate.ts';
import { readOpenWork } from '../src/storage/sending/open-work.ts';
import { createStores, type Stores } from '../src/storage/stores.ts';
import { timed } from './bare.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { linkOwner, LINE, type Owner } from './people.ts';
import { startPostgres } from './postgres.ts';
import { median } from './statistics.ts';
import { fillYear, shareOfYear } from './year-data.ts';

/** A fiftieth of a whole year; `YEAR_SHARE=1` has all of it, and takes an hour. */
const SHARE = Number(process.env['YEAR_SHARE'] ?? 0.02);
const PAIRS = 5;
const TIMES = 30;
const WARM_UP = 5;
const DAY_MS = 86_400_000;

/** What commands and sweeps ask the database for, on a generated year and on an empty database beside it, in turns. */
export const year: Benchmark = {
  about: `what commands and sweeps do in storage, on ${SHARE} of a generated year ÷ on an empty database, ${PAIRS} times ${TIMES} each in turns`,
  async run(say) {
    await using server = await startPostgres();
    const [empty, full] = [await open(server.target, 'empty'), await open(server.target, 'filled')];
    const began = performance.now();
    const filling = openDatabase({ target: full.target, max: 1 });
    await fillYear(filling.sql, full.owner, shareOfYear(SHARE));
    await filling.close();
    say(`filled in ${((performance.now() - began) / 1000).toFixed()} s`);
    const [kept] = await full.database.sql<{ bytes: number }[]>`
      select sum(pg_total_relation_size(name::regclass))::float8 / (select sum(size) from attempt) as bytes
      from unnest(array['attempt', 'call_report', 'sent_number']) as name`;
    const figures: Figure[] = [];
    for (const [name, work] of Object.entries(WORKS)) {
      const usual =
        (place: Place, times = TIMES) =>
        async (): Promise<number> => {
          const taken: number[] = [];
          for (let count = 0; count < times; count += 1) taken.push(await timed(() => work(place)));
          return median(taken);
        };
      for (const place of [empty, full]) await usual(place, WARM_UP)();
      const pairs = await inPairs(PAIRS, { product: usual(full), peer: usual(empty) });
      const least = median(pairs.map(({ peer }) => peer));
      const ratio = ratioOf(pairs);
      say(`${name}: ${ratio.figure.toFixed(2)} × ${least.toFixed(2)} ms`);
      figures.push({ what: name, measure: `on a year ÷ on none (${least.toFixed(2)} ms), p50`, ...ratio });
    }
    await Promise.all([empty.database.close(), full.database.close()]);
    const [slowest] = figures.toSorted((left, right) => right.figure - left.figure);
    if (slowest === undefined) throw new Error('nothing was measured');
    return [
      ...figures,
      {
        what: 'a year',
        measure: 'kept for a recipient, the same people in each large send',
        figure: kept?.bytes ?? 0,
        digits: 0,
        unit: 'bytes',
        isTold: true,
      },
      { ...slowest, measure: 'the slowest of all above', goal: 'year' },
    ];
  },
};

interface Place {
  readonly stores: Stores;
  readonly database: ReturnType<typeof openDatabase>;
  readonly target: SocketTarget;
  readonly owner: Owner;
  /** The send that reports are asked of, the same in both. */
  readonly draftId: string;
  readonly jobId: string;
  /** Of some received message. */
  readonly inboundId: number;
}

let updates = 1_000_000;

const ONE = '989120000001';
/** What a reply to it is about is looked for in vain, which takes longest. */
const NO_MESSAGE = 2_000_000_000;

const WORKS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  '/report of a card': async ({ stores, owner, draftId, jobId }) => {
    await stores.reports.card(owner.chatId, 'A1');
    await stores.drafts.card(draftId);
    await stores.reports.reported(jobId);
  },
  '/report of yesterday': async ({ stores, owner }) => {
    const to = Math.floor(Date.now() / 1000);
    await stores.reports.refusals(owner.chatId, { from: to - 86_400, to });
    await stores.reports.estimates(owner.chatId, owner.bindingId, { from: to - 86_400, to });
  },
  '/unknown': async ({ stores, owner }) => await stores.reconciles.waiting(owner.chatId, 900),
  '/audit': async ({ stores, owner }) => await stores.audit.newest({ chatId: owner.chatId, limit: 20 }),
  'the inbox': async ({ stores, owner }) =>
    await stores.inbound.open(owner.chatId, { takenBy: null, line: null, skip: 0, most: 10 }),
  'the credit': async ({ stores, owner }) => await stores.gauges.of(owner.bindingId),
  'what is to be read of an account': async ({ stores, owner }) => await stores.gauges.due(owner.bindingId),
  'a received message': async ({ stores, inboundId }) => await stores.inbound.lastSent(inboundId),
  'a reply to a card': async ({ stores, owner }) =>
    await stores.drafts.findByMessage(owner.chatId, NO_MESSAGE),
  'an edited message': async ({ stores, owner }) =>
    await stores.drafts.findBySource(owner.chatId, NO_MESSAGE),
  'plain words': async ({ stores, owner }) => {
    await stores.jobs.lastLetGo(owner.chatId, owner.id, 0);
    for (const which of ['any', 'open'] as const) await stores.drafts.newest(owner.chatId, owner.id, which);
  },
  'what is scheduled': async ({ stores, owner }) =>
    await stores.schedule.waiting(owner.chatId, { skip: 0, limit: 10 }),
  'a digest': async ({ stores, owner }) =>
    await stores.alertReads.digest(owner.chatId, { from: new Date(Date.now() - DAY_MS), to: new Date() }),
  'abandoned calls': async ({ stores }) => {
    await stores.jobs.takeUp('nobody');
    await stores.jobs.owners();
  },
  'sends that are due': async ({ stores }) => await stores.schedule.wake(),
  'alerts that are due': async ({ stores }) => {
    await stores.alarms.remind();
    await stores.alarms.digests();
    await stores.notifications.wakeAll();
  },
  metrics: async ({ database }) => await readOpenWork(database),
  'the purge': async ({ stores }) => await stores.purge.run(),
  // Last, since they leave something open.
  '/send': async ({ stores, owner }) => {
    const { id } = await stores.drafts.create(draftOf(owner));
    await stores.drafts.card(id, { undoSeconds: 10, timeZone: 'Asia/Tehran' });
  },
  'a confirmation': async ({ stores, owner }) => await confirm(stores, owner),
};

function draftOf({ id, chatId, bindingId }: Owner) {
  updates += 1;
  return {
    chatId,
    bindingId,
    botId: 1,
    updateId: updates,
    authorId: id,
    outgoing: { kind: 'text' as const },
    text: 'Hello',
    recipients: [ONE, '989120000002'],
    repeated: [],
    invalid: [],
    line: LINE,
    lang: 'en' as const,
    threadId: undefined,
  };
}

/** A send, up to its queue; it is taken back, so that both places stay as they are. */
async function confirm(stores: Stores, owner: Owner): Promise<string> {
  const { id: draftId } = await stores.drafts.create(draftOf(owner));
  updates += 1;
  const press = {
    draftId,
    version: 1,
    personId: owner.id,
    updateId: updates,
    undoSeconds: 60,
    timeZone: 'UTC',
  };
  const done = await stores.drafts.confirm(press);
  if (done.result !== 'confirmed') throw new Error(`not confirmed: ${done.result}`);
  return done.jobId;
}

/** A database of its own on the server, with one chat and one send to 200 people. */
async function open(server: SocketTarget, name: string): Promise<Place> {
  const main = openDatabase({ target: server, max: 1 });
  await main.sql.unsafe(`create database ${name}`);
  // Where there are rows Postgres plans each time anew, where there are none it soon does not: that is no matter of a year.
  await main.sql.unsafe(`alter database ${name} set plan_cache_mode = force_custom_plan`);
  await main.close();
  const target = { ...server, database: name };
  const database = openDatabase({ target, max: 4 });
  await migrate(database.sql, join(import.meta.dirname, '../drizzle'));
  const { connectionString } = pgPoolConfig(target);
  await runMigrations({ connectionString, logger: new Logger(() => () => undefined) });
  const masterKey = { kid: 'bench', key: new Secret(randomBytes(32).toString('base64')) };
  const owner = await linkOwner({ database, masterKey }, 7_000_001, 'demo');
  const stores = createStores({
    database,
    sealer: createSealer([masterKey]),
    masterKeys: [masterKey],
    timeZone: 'Asia/Tehran',
    gateway: '',
    hand: createCallsInHand(),
    keep: { sends: 400, inbox: 400, audit: 1100, other: 90 },
  });
  const jobId = await confirm(stores, owner);
  const draftId = (await stores.jobs.draftOf(jobId)) ?? '';
  await stores.gauges.readCredit(owner.bindingId, async () => 1_000_000);
  const [received] = await database.sql<{ id: number }[]>`
    with mine as (select id from account where chat_id = ${owner.chatId}),
      talks as (insert into talk (account_id, line, number, last_in_at) select id, ${LINE}, ${ONE}, now() from mine returning id, account_id)
    insert into inbound (account_id, talk_id, key, content_sha256, message_id, line, sender, text, folded)
    select account_id, id, 'one', sha256('one'), 'one', ${LINE}, ${ONE}, 'Thanks', 'thanks' from talks returning id::float8 as id`;
  return { stores, database, target, owner, draftId, jobId, inboundId: received?.id ?? 0 };
}
