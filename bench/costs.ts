import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { tapToWire } from './confirm.ts';
import { askCredit } from './credit.ts';
import { fileDraftAndTap, forgetReports } from './file-draft.ts';
import { age, keptOf, type Kept } from './kept.ts';
import { approveAll, linkOwner, seedOwners } from './people.ts';
import { addAccounts, linkTemplate, sleepAll, wake } from './polling-accounts.ts';
import { alertsOf, sendEvenly } from './polling-alerts.ts';
import { add, costOf, divided, type Cost } from './polling-cost.ts';
import { setStage, type Stage } from './stage.ts';

const CALLS = 'calls of the gateway';
const RECIPIENT = 'recipient of a large send';
const SEND = 'send to one, with its reports';

const REST_MS = 3000;
const IDLE_SECONDS = 10;
const UPDATES = 20_000;
const COMMANDS = 300;
const SENDS = 150;
const RECIPIENTS = 40_000;
const MESSAGES = 300;
const READERS = Array.from({ length: 100 }, (_, index) => `reader${index}`);
/** What is told of them is past its time before anything is measured, and would be told anew if they were read again. */
const EARLIER = Array.from({ length: 20 }, (_, index) => `earlier${index}`);
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
  await approveAll(stage, owner);
  await seedOwners(stage, 1_000_001, 2000);
  for (let count = 0; count < 100; count += 1) await askCredit(stage, owner);
  for (let nonce = 1; nonce <= 20; nonce += 1) await tapToWire(stage, owner, nonce);
  await send(stage, owner, 21, 8000);
  await calm(stage);
  // What is kept of all this does not become less while what follows is measured.
  await age(stage);
  const { cost, seconds } = await costOf(stage, () => sleep(IDLE_SECONDS * 1000));
  const idle = divided(cost, seconds);
  const each = async (name: string, count: number, work: () => Promise<unknown>): Promise<Figure[]> => {
    await calm(stage);
    let costed: Cost = idle;
    const kept = await keptOf(stage, async () => {
      const { cost: whole, seconds: took } = await costOf(stage, work);
      costed = divided(add(whole, idle, -took), count);
      await calm(stage);
    });
    say(`${name}: ${told(costed)}`);
    return figuresOf(name, costed, perEach(kept, count));
  };
  return [
    ...figuresOf('no account, a second', idle, null).filter(({ measure }) => measure !== CALLS),
    ...(await each('update of a flood', UPDATES, async () => {
      const flood = { count: UPDATES, chats: 2000, firstChat: 1_000_001, text: '/whoami', delayMs: 0 };
      await stage.telegram.ask('flood', flood, z.number());
      await sleep(500);
    })),
    ...(await each('/credit by itself', COMMANDS, async () => {
      for (let count = 0; count < COMMANDS; count += 1) await askCredit(stage, owner);
    })),
    ...(await each(SEND, SENDS, async () => {
      for (let nonce = 100; nonce < 100 + SENDS; nonce += 1) await tapToWire(stage, owner, nonce);
      await sleep(8000);
    })),
    ...(await each(RECIPIENT, RECIPIENTS, () => send(stage, owner, 1000, RECIPIENTS))),
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
    accounts: ['mass', ...READERS, ...EARLIER],
    countStatements: true,
    standIns: 'polling-',
  });
  const template = await linkTemplate(stage, 5_000_000, 'mass');
  const group = { firstId: 5_200_000, count: READERS.length };
  await addAccounts(stage, template, group, { keys: READERS, inbox: false });
  const earlier = { firstId: 5_300_000, count: EARLIER.length };
  await addAccounts(stage, template, earlier, { keys: EARLIER, inbox: false });
  const pace = { inbox: 14.25, sinceInbound: 0 };
  await wake(stage, earlier, pace);
  const every = (READERS.length * WINDOW_SECONDS) / MESSAGES;
  await alertsOf(stage, await sendEvenly(stage, EARLIER, { seconds: 5, every }));
  await sleepAll(stage);
  await age(stage);
  await wake(stage, group, pace);
  await sleep(REST_MS);
  const quiet = await costOf(stage, () => sleep(WINDOW_SECONDS * 1000));
  let added: Cost = quiet.cost;
  let count = 0;
  const kept = await keptOf(stage, async () => {
    const busy = await costOf(stage, async () => {
      const sent = await sendEvenly(stage, READERS, { seconds: WINDOW_SECONDS, every });
      count = sent.size;
      await alertsOf(stage, sent);
    });
    added = divided(add(busy.cost, divided(quiet.cost, quiet.seconds), -busy.seconds), count);
    await sleepAll(stage);
  });
  say(`received message: ${told(added)}`);
  return figuresOf('received message, told', added, perEach(kept, count)).filter(
    ({ measure }) => measure !== CALLS,
  );
}

function perEach({ atOnce, month, year }: Kept, count: number): Kept {
  return { atOnce: atOnce / count, month: month / count, year: year / count };
}

function figuresOf(
  what: string,
  { statements, calls, botMs, postgresMs }: Cost,
  kept: Kept | null,
): Figure[] {
  const isTold = true;
  const bytes = { what, digits: 0, unit: 'bytes', isTold } as const;
  return [
    {
      what,
      measure: 'statements',
      figure: statements,
      digits: 3,
      isTold,
      ...(what === SEND ? { goal: 'send-statements' as const } : {}),
    },
    { what, measure: CALLS, figure: calls, digits: 3, isTold },
    { what, measure: 'CPU of the bot', figure: botMs, digits: 3, unit: 'ms', isTold },
    { what, measure: 'CPU of Postgres', figure: postgresMs, digits: 3, unit: 'ms', isTold },
    ...(kept === null
      ? []
      : ([
          { ...bytes, measure: 'kept at once', figure: kept.atOnce },
          {
            ...bytes,
            measure: 'kept after 30 days',
            figure: kept.month,
            ...(what === RECIPIENT ? { goal: 'bytes' as const } : {}),
          },
          { ...bytes, measure: 'kept after 402 days', figure: kept.year },
        ] satisfies Figure[])),
  ];
}

function told({ statements, calls, botMs, postgresMs }: Cost): string {
  const numbers = [statements, calls, botMs, postgresMs].map((value) => value.toFixed(3)).join(', ');
  return `${numbers} (statements, calls, ms of the bot, ms of Postgres)`;
}
