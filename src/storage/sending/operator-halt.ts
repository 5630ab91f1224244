import type { Sql, TransactionSql } from 'postgres';
import { MAY_BE_OUT } from '../../domain/attempt.ts';
import { writeAudit } from '../audit.ts';
import { enqueue } from '../enqueue.ts';
import { resumeIn } from './job-resume.ts';
import { holdLimits, limitsIn, showOpenDraftsIn } from './limits-in.ts';
import { keepIn, wakeDueIn } from './limits-store.ts';
import { type ChatInZone, finishLoss, type LossStore } from '../restore/losses.ts';
import { listed, move } from '../move.ts';
import type { Row } from '../row.ts';
import { takeBackIn } from './take-back.ts';

/** Whether all sends are held, since when, and whether that began with a backup that was brought back. */
export interface HoldStatus {
  readonly heldAt: Date | null;
  readonly restoredFrom: Date | null;
  /** It began by itself, when the database had lost commits. */
  readonly isLost: boolean;
  /** Jobs that wait for the switch. */
  readonly waiting: number;
  /** Calls of which nobody knows what came of them, and those among them that people are asked about. */
  readonly unknown: number;
  readonly asked: number;
}

/** How the operator's switch stands. */
export async function readHold(sql: Sql): Promise<HoldStatus> {
  const [row] = await sql<
    {
      held_at: Date | null;
      restored_from: Date | null;
      is_lost: boolean;
      waiting: number;
      unknown: number;
      asked: number;
    }[]
  >`
    select held_at, restored_from, lost_at is not null as is_lost,
      (select count(*) from job where state = 'paused' and stop_reason = 'held')::int as waiting,
      (select count(*) from attempt where state in ${listed(sql, MAY_BE_OUT)})::int as unknown,
      (select count(*) from attempt where state = 'asked')::int as asked
    from deployment`;
  if (row === undefined) throw new Error('the deployment has lost its row');
  return {
    heldAt: row.held_at,
    restoredFrom: row.restored_from,
    isLost: row.is_lost,
    waiting: row.waiting,
    unknown: row.unknown,
    asked: row.asked,
  };
}

/**
 * Throws the switch over all chats: from its first commit on no call passes the fence, in any process. What runs or is in
 * its undo hold is paused, chat by chat. May be ended and begun again.
 * @returns how many jobs were paused now
 */
export async function holdSends(sql: Sql): Promise<number> {
  await sql`update deployment set held_at = coalesce(held_at, now())`;
  await sql.begin(async (tx) => await showOpenDraftsIn(tx, null));
  const chats = await sql<Row<'job', 'chat_id'>[]>`
    select distinct chat_id from job where ${move(sql, 'job', 'halt').may}`;
  let all = 0;
  for (const { chat_id: chatId } of chats) all += await sql.begin(async (tx) => await pauseIn(tx, chatId));
  return all;
}

/**
 * Takes the switch back. What it has paused goes on, as far as the chats' own switches and limits allow; the others wait
 * for a person of theirs. May be ended and begun again.
 */
export async function releaseSends(
  store: LossStore,
): Promise<{ readonly resumed: number; readonly kept: number }> {
  await finishLoss(store);
  await store.letGo();
  let [resumed, kept] = [0, 0];
  for (const each of await store.heldChats()) {
    const done = await store.goOn(each);
    resumed += done.resumed;
    kept += done.kept;
  }
  return { resumed, kept };
}

/** Takes the switch back, and has open drafts show it. */
export async function letGoIn(sql: Sql): Promise<void> {
  await sql`
    update deployment set held_at = null, restored_from = null, lost_at = null, lost_done_at = null,
      restored_at = case when restored_from is null then restored_at else now() end
    where held_at is not null`;
  await sql.begin(async (tx) => await showOpenDraftsIn(tx, null));
}

/** Chats in which something has waited for the switch. @param timeZone of chats that have none of their own */
export async function heldChatsIn(sql: Sql, timeZone: string): Promise<readonly ChatInZone[]> {
  return await sql<ChatInZone[]>`
    select c.id as "chatId", coalesce(c.time_zone, ${timeZone}) as "timeZone" from chat c where c.id in (
      select chat_id from job
      where (state = 'paused' and stop_reason = 'held') or (state = 'scheduled' and hold_until <= now()))`;
}

async function pauseIn(tx: TransactionSql, chatId: string): Promise<number> {
  await holdLimits(tx, chatId);
  const { to, may } = move(tx, 'job', 'halt');
  const paused = await tx<Row<'job', 'id' | 'draft_id'>[]>`
    update job set state = ${to}, stop_reason = 'held', stopped_by = null
    where chat_id = ${chatId} and ${may} returning id, draft_id`;
  if (paused.length === 0) return 0;
  await takeBackIn(
    tx,
    paused.map(({ id }) => id),
  );
  for (const { draft_id: draftId } of paused)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  const details = { paused: paused.length };
  await writeAudit(tx, { chatId, personId: null, updateId: null, action: 'sends_held', details });
  return paused.length;
}

/** Lets go on in a chat what may. */
export async function goIn(
  tx: TransactionSql,
  { chatId, timeZone }: ChatInZone,
): Promise<{ readonly resumed: number; readonly kept: number }> {
  const limits = await limitsIn(tx, chatId);
  const jobs = await tx<Row<'job', 'id' | 'draft_id'>[]>`
    select id, draft_id from job where chat_id = ${chatId} and state = 'paused' and stop_reason = 'held'
    order by confirmed_at, id for update`;
  let resumed = 0;
  for (const { id: jobId, draft_id: draftId } of jobs) {
    if ((await resumeIn(tx, { jobId, timeZone })).result === 'resumed') resumed += 1;
    else await keepIn(tx, jobId, limits.halted === null ? 'person' : 'halted');
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  }
  await wakeDueIn(tx, chatId);
  const kept = jobs.length - resumed;
  if (jobs.length > 0) {
    const details = { resumed, kept };
    await writeAudit(tx, { chatId, personId: null, updateId: null, action: 'sends_released', details });
  }
  return { resumed, kept };
}
