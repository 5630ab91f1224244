import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startChild, type Child } from './child.ts';
import { pin, type Apart } from './cores.ts';
import { fileDraftAndTap, forgetReports } from './file-draft.ts';
import { approveAll, linkOwner, seedOwners, type Owner } from './people.ts';
import { watchCores } from './resources.ts';
import { BOT_ID, setStage, type Stage } from './stage.ts';

/** What some processes did together. */
export interface Shared {
  /** Recipients or updates a second. */
  readonly rate: number;
  /** At work on the whole machine meanwhile. */
  readonly cores: number;
  /** Lost or doubled. */
  readonly lost: number;
}

const ACCOUNTS = ['anna', 'bob', 'cleo', 'dan'] as const;
const RECIPIENTS = 60_000;
const PER_CALL = 200;
const CALLS = 8;
const GATEWAY_MS = 30;
const UPDATES = 24_000;
const CHATS = 500;
const FIRST_CHAT = 1_000_001;
const PATIENCE_MS = 180_000;

/** One large send of each account, with as many calls in flight as an account may have. */
export async function bulkOf(processes: number, apart: Apart | null): Promise<Shared> {
  await using stage = await setStage({ accounts: ACCOUNTS, mostCalls: CALLS, apart });
  for (let more = 1; more < processes; more += 1) await stage.startAnother();
  const owners: Owner[] = [];
  for (const [index, account] of ACCOUNTS.entries()) {
    const owner = await linkOwner(stage, 5_000_001 + index, account);
    await approveAll(stage, owner);
    owners.push(owner);
  }
  // Room for as many calls, in every process.
  for (let nonce = 1; nonce <= processes; nonce += 1) await send(stage, owners, nonce, 60 * PER_CALL);
  for (const operation of ['send', 'blacklist-exists'])
    await stage.gateway.ask('fault', { kind: 'delay', operation, ms: GATEWAY_MS }, z.unknown());
  await stage.gateway.ask('answered', { operation: 'send' }, z.unknown());
  const cores = watchCores();
  const { seconds, lost } = await send(stage, owners, processes + 1, RECIPIENTS);
  const used = cores();
  const calls = await stage.gateway.ask('answered', { operation: 'send' }, z.array(z.unknown()));
  const surplus = Math.abs(calls.length - (ACCOUNTS.length * RECIPIENTS) / PER_CALL);
  return { rate: (ACCOUNTS.length * RECIPIENTS) / seconds, cores: used, lost: lost + surplus * PER_CALL };
}

/** Updates of one bot: any process may lead, and the leader alone handles them. */
export async function intakeOfOne(processes: number, apart: Apart | null): Promise<Shared> {
  await using stage = await setStage({ apart });
  for (let more = 1; more < processes; more += 1) await stage.startAnother();
  return await take(stage, [stage.telegram]);
}

/** Updates of as many bots as there are processes. */
export async function intakeOfMany(processes: number, apart: Apart | null): Promise<Shared> {
  await using stage = await setStage({ apart });
  const telegrams = [stage.telegram];
  const added: Child[] = [];
  try {
    for (let more = 1; more < processes; more += 1) {
      const telegram = startChild('telegram-child.ts');
      added.push(telegram);
      if (apart !== null) pin(telegram.pid, apart.standIns);
      const botId = BOT_ID + more;
      await stage.startAnother({ botId, apiRoot: await telegram.ask('listen', { botId }, z.string()) });
      telegrams.push(telegram);
    }
    return await take(stage, telegrams);
  } finally {
    for (const telegram of added) await telegram.stop();
  }
}

async function take(stage: Stage, telegrams: readonly Child[]): Promise<Shared> {
  const { sql } = stage.database;
  await seedOwners(stage, FIRST_CHAT, CHATS * telegrams.length);
  const count = UPDATES / telegrams.length;
  const flood = async (): Promise<number> => {
    const began = performance.now();
    await Promise.all(
      telegrams.map(async (telegram, index) => {
        const firstChat = FIRST_CHAT + index * CHATS;
        const asked = { count, chats: CHATS, firstChat, text: '/whoami', delayMs: 0 };
        return await telegram.ask('flood', asked, z.number());
      }),
    );
    return performance.now() - began;
  };
  await flood();
  await settled(stage);
  const cores = watchCores();
  const ms = await flood();
  const used = cores();
  await settled(stage);
  const [row] = await sql<{ all: number }[]>`select count(*)::int as all from update where payload is null`;
  let sends = 0;
  for (const telegram of telegrams) sends += await telegram.ask('sends', {}, z.number());
  const lost = Math.abs((row?.all ?? 0) - 2 * UPDATES) + Math.abs(sends - 2 * UPDATES);
  return { rate: (UPDATES / ms) * 1000, cores: used, lost };
}

async function settled({ database }: Stage): Promise<void> {
  for (let open = 1; open > 0; await sleep(100)) {
    const [row] = await database.sql<
      { open: number }[]
    >`select count(*)::int as open from update where done_at is null`;
    open = row?.open ?? 0;
  }
  await sleep(500);
}

/** Sends of all at once: seconds from the first fence to the last end, and how many recipients have not one id. */
async function send(
  stage: Stage,
  owners: readonly Owner[],
  nonce: number,
  recipients: number,
): Promise<{ readonly seconds: number; readonly lost: number }> {
  const { sql } = stage.database;
  const drafts = [];
  // No two updates of a bot have one id.
  for (const [index, owner] of owners.entries())
    drafts.push(await fileDraftAndTap(stage, owner, nonce * 10 + index, recipients));
  for (const { tap } of drafts) await stage.telegram.ask('throwIn', tap, z.unknown());
  const ids = drafts.map(({ draftId }) => draftId);
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const jobs = await sql<{ state: string }[]>`select state from job where draft_id = any(${ids}::uuid[])`;
    if (jobs.some(({ state }) => state === 'stopped')) throw new Error('a send was stopped');
    if (jobs.length === ids.length && jobs.every(({ state }) => state === 'done')) break;
    if (performance.now() > end) throw new Error(`not sent after ${PATIENCE_MS} ms`);
    await sleep(50);
  }
  const [row] = await sql<{ seconds: number; ids: number }[]>`
    select extract(epoch from max(j.ended_at) - min(a.on_wire_at))::float8 as seconds,
      (sum(coalesce(cardinality(a.message_ids), 0))
        + (select coalesce(sum(w.n), 0) from call_report c cross join lateral jsonb_to_recordset(c.words) as w(n int)
            join job k on k.id = c.job_id where k.draft_id = any(${ids}::uuid[])))::int as ids
    from job j join attempt a on a.job_id = j.id where j.draft_id = any(${ids}::uuid[])`;
  if (row === undefined) throw new Error('no job is there');
  for (const { draftId } of drafts) await forgetReports(stage, draftId);
  return { seconds: row.seconds, lost: Math.abs(row.ids - owners.length * recipients) };
}
