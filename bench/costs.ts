import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { tapToWire } from './confirm.ts';
import { askCredit } from './credit.ts';
import { fileDraftAndTap, forgetReports } from './file-draft.ts';
import { linkOwner, seedOwners } from './people.ts';
import { addAccounts, linkTemplate, sleepAll, wake } from './polling-accounts.ts';
import { alertsOf, sendEvenly } from './polling-alerts.ts';
import { add, costOf, divided, type Cost } from './polling-cost.ts';
import { setStage, type Stage } from './stage.ts';

const REST_MS = 3000;
const IDLE_SECONDS = 10;
const UPDATES = 20_000;
const COMMANDS = 300;
const SENDS = 150;
const RECIPIENTS = 40_000;
const MESSAGES = 300;
const READERS = Array.from({ length: 100 }, (_, index) => `reader${index}`);
const WINDOW_SECONDS = 25;

/** What one of each thing costs: statements, CPU and bytes on the disk. The model of docs/scaling.md is made of these. */
export const costs: Benchmark = {
  about: 'what an update, a command, a send, a recipient and a received message cost',
  async run(say) {
    const acts = await actCosts(say);
    return [...acts, ...(await messageCosts(say))];
  },
};

type Say = (progress: string) => void;

async function actCosts(say: Say): Promise<Figure[]> {
  await using stage = await setStage({ countStatements: true });
  const owner = await linkOwner(stage, 5_000_001, 'demo');
  await stage.database.sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
  await seedOwners(stage, 1_000_001, 2000);
  for (let count = 0; count < 100; count += 1) await askCredit(stage, owner);
  for (let nonce = 1; nonce <= 20; nonce += 1) await tapToWire(stage, owner, nonce);
  await send(stage, owner, 21, 8000);
  await calm(stage);
  const { cost, seconds } = await costOf(stage, () => sleep(IDLE_SECONDS * 1000));
  const idle = divided(cost, seconds);
  const each = async (name: string, count: number, work: () => Promise<unknown>): Promise<Figure[]> => {
    await calm(stage);
    const measured = await measure(stage, idle, count, work);
    say(`${name}: ${told(measured)}`);
    return figuresOf(name, measured);
  };
  return [
    ...figuresOf('no account, a second', { ...idle, bytes: null }).filter(
      ({ measure }) => measure !== 'disk' && measure !== 'calls of the gateway',
    ),
    ...(await each('update of a flood', UPDATES, async () => {
      const flood = { count: UPDATES, chats: 2000, firstChat: 1_000_001, text: '/whoami', delayMs: 0 };
      await stage.telegram.ask('flood', flood, z.number());
      await sleep(500);
    })),
    ...(await each('/credit by itself', COMMANDS, async () => {
      for (let count = 0; count < COMMANDS; count += 1) await askCredit(stage, owner);
    })),
    ...(await each('send to one, with its reports', SENDS, async () => {
      for (let nonce = 100; nonce < 100 + SENDS; nonce += 1) await tapToWire(stage, owner, nonce);
      await sleep(8000);
    })),
    ...(await each('recipient of a large send', RECIPIENTS, () => send(stage, owner, 1000, RECIPIENTS))),
  ];
}

/** Nothing asks for anything that was done before. */
async function calm({ database, gateway }: Stage): Promise<void> {
  await database.sql`update job set poll_after_seconds = -1`;
  let before = -1;
  for (let looks = 0; looks < 8; looks += 1) {
    const requests = await gateway.ask('requests', {}, z.number());
    if (requests === before) return;
    before = requests;
    await sleep(REST_MS);
  }
}

async function send(
  stage: Stage,
  owner: Parameters<typeof fileDraftAndTap>[1],
  nonce: number,
  recipients: number,
): Promise<void> {
  const { sql } = stage.database;
  const { draftId, tap } = await fileDraftAndTap(stage, owner, nonce, recipients);
  await stage.telegram.ask('throwIn', tap, z.unknown());
  // Until each has been asked for.
  for (;;) {
    await sleep(100);
    const [row] = await sql<{ reported: number }[]>`
      select coalesce(sum(w.n), 0)::int as reported from job j join call_report c on c.job_id = j.id
      cross join lateral jsonb_to_recordset(c.words) as w(n int, at float8)
      where j.draft_id = ${draftId} and w.at is not null`;
    if ((row?.reported ?? 0) >= recipients) break;
  }
  await forgetReports(stage, draftId);
}

/** Two equal windows, in one of which messages come in. */
async function messageCosts(say: Say): Promise<Figure[]> {
  await using stage = await setStage({
    accounts: ['mass', ...READERS],
    countStatements: true,
    standIns: 'polling-',
  });
  const template = await linkTemplate(stage, 5_000_000, 'mass');
  const group = { firstId: 5_200_000, count: READERS.length };
  await addAccounts(stage, template, group, { keys: READERS, inbox: false });
  await wake(stage, group, { inbox: 14.25, sinceInbound: 0 });
  const every = (READERS.length * WINDOW_SECONDS) / MESSAGES;
  // Everything has run once.
  await alertsOf(stage, await sendEvenly(stage, READERS, { seconds: 5, every }));
  await sleep(REST_MS);
  const quiet = await costOf(stage, () => sleep(WINDOW_SECONDS * 1000));
  const bytes = await databaseBytes(stage);
  let count = 0;
  const busy = await costOf(stage, async () => {
    const sent = await sendEvenly(stage, READERS, { seconds: WINDOW_SECONDS, every });
    count = sent.size;
    await alertsOf(stage, sent);
  });
  const grown = (await databaseBytes(stage)) - bytes;
  await sleepAll(stage);
  const added = divided(add(busy.cost, divided(quiet.cost, quiet.seconds), -busy.seconds), count);
  const measured = { ...added, bytes: grown / count };
  say(`received message: ${told(measured)}`);
  return figuresOf('received message, told', measured).filter(
    ({ measure }) => measure !== 'calls of the gateway',
  );
}

interface Measured extends Cost {
  /** On the disk; null: not looked at. */
  readonly bytes: number | null;
}

async function measure(
  stage: Stage,
  idle: Cost,
  count: number,
  work: () => Promise<unknown>,
): Promise<Measured> {
  const bytes = await databaseBytes(stage);
  const { cost, seconds } = await costOf(stage, work);
  const grown = (await databaseBytes(stage)) - bytes;
  return { ...divided(add(cost, idle, -seconds), count), bytes: grown / count };
}

async function databaseBytes({ database }: Stage): Promise<number> {
  const [row] = await database.sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  return row?.bytes ?? Number.NaN;
}

function figuresOf(what: string, { statements, calls, botMs, postgresMs, bytes }: Measured): Figure[] {
  const isTold = true;
  return [
    { what, measure: 'statements', figure: statements, digits: 3, isTold },
    { what, measure: 'calls of the gateway', figure: calls, digits: 3, isTold },
    { what, measure: 'CPU of the bot', figure: botMs, digits: 3, unit: 'ms', isTold },
    { what, measure: 'CPU of Postgres', figure: postgresMs, digits: 3, unit: 'ms', isTold },
    ...(bytes === null ? [] : [{ what, measure: 'disk', figure: bytes, digits: 0, unit: 'bytes', isTold }]),
  ];
}

function told({ statements, calls, botMs, postgresMs, bytes }: Measured): string {
  const numbers = [statements, calls, botMs, postgresMs].map((value) => value.toFixed(3)).join(', ');
  return `${numbers} (statements, calls, ms of the bot, ms of Postgres), ${bytes?.toFixed()} bytes`;
}
