import type { TransactionSql } from 'postgres';
import { WAITING, SELF_STARTING, type MissReason } from '../../domain/job.ts';
import { approvalNeed } from '../../domain/limits.ts';
import { canStillLeave, messageCount, takesTime, withoutBlocked } from '../../domain/outgoing.ts';
import { readRecurrence } from '../../domain/recurrence.ts';
import { isAsked } from '../../jobs/queue-tables.ts';
import type { Refused, WaitingPress, WaitingSend } from '../../ports/schedule.ts';
import type { ApproveResult, AskResult, ConfirmResult, DraftChange } from '../../ports/stores.ts';
import { reviewCreditIn } from '../accounts/account-in.ts';
import { isLinked } from '../accounts/gateway-user.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { approveIn, askIn, confirmIn } from './draft-confirmation.ts';
import { countedParts, holdUnder } from './draft-press.ts';
import { enqueue } from '../enqueue.ts';
import { settleIn } from './job-charge.ts';
import { readOutgoing } from './kinds/details.ts';
import { holdLimits } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import { type PaceRow, readPace } from './pace-in.ts';
import { hasResends, readResendOf } from './resent-in.ts';
import type { Row } from '../row.ts';
import { endChangesIn, forgetQueued, giveBackIn, standsFor } from './schedule-change.ts';
import { changeIn, type HeldJob, holdWaiting, reopenIn } from './schedule-reopen.ts';
import { followUpIn, missIn } from './series.ts';

/** By then the queue has woken what is due. */
const OVERDUE_SECONDS = 5;

interface SendNowPress extends WaitingPress {
  readonly undoSeconds: number;
  readonly timeZone: string;
  readonly warned?: boolean;
  readonly lacking?: boolean;
  readonly words?: readonly string[];
  /** It has seen that some had been sent to the first time. */
  readonly answered?: boolean;
}

/** `code`: the change's own; `of`, `at`: the send that it changes, and when that one leaves, null where it was missed. */
type ChangeResult =
  | {
      readonly result: 'opened';
      readonly draftId: string;
      readonly code: string;
      readonly of: string;
      readonly at: Date | null;
      readonly authorId: number;
      readonly authorName: string;
    }
  | Refused;

/** What the press of "send now" came to. Unless it was confirmed or asked for, everything stays as it was. */
type SendNowResult =
  | { readonly draftId: string; readonly pressed: ConfirmResult | AskResult | ApproveResult }
  | { readonly draftId: string | null; readonly pressed: Refused | { readonly result: 'answered' } };

/**
 * Sends that wait for their time. Each change takes the chat's limits, the draft and the job, so that of a press and
 * the clock, or of two presses, one comes first and the other finds what it has left.
 * @param timeZone of chats that have none of their own.
 */
export function createScheduleStore(database: Database, timeZone: string, decide = createDecide(database)) {
  const { sql } = database;
  return {
    /** What waits in a chat, soonest first, and how many there are in all. */
    async waiting(
      chatId: string,
      page: { readonly skip: number; readonly limit: number },
    ): Promise<{ readonly sends: readonly WaitingSend[]; readonly all: number }> {
      const [counted] = await sql<{ all: number }[]>`
        select count(*)::int as all from job where chat_id = ${chatId} and state in ${listed(sql, WAITING)}`;
      return { sends: await readWaiting(sql, chatId, page), all: counted?.all ?? 0 };
    },

    async one(chatId: string, jobId: string): Promise<WaitingSend | null> {
      const [send] = await readWaiting(sql, chatId, { jobId });
      return send ?? null;
    },

    /**
     * Opens a draft that stands for a job that waits once it is confirmed, or changes the one that is open; no earlier
     * approval counts for it. The job itself stays as it is, and leaves at its time if nobody confirms the change before.
     * Of an account that was linked anew, the draft is the new one's.
     */
    async change(press: WaitingPress, { when }: Pick<DraftChange, 'when'>): Promise<ChangeResult> {
      return await sql.begin(async (tx) => {
        const job = await holdWaiting(tx, press);
        if ('result' in job) return job;
        if (hasResends(job.details)) return { result: 'gone' };
        const to =
          when === undefined ? undefined : { sendAt: when?.sendAt ?? null, recur: when?.recur ?? null };
        const { draftId, code } = await changeIn(tx, press, job, to);
        return {
          result: 'opened',
          draftId,
          code,
          of: job.code,
          at: job.state === 'scheduled' ? job.hold_until : null,
          authorId: job.author_id,
          authorName: job.author_name,
        };
      });
    },

    /**
     * Ends a job that waits. One of a series makes way for the next, unless `series` is to end too. False: it waits no
     * longer.
     */
    async cancel({
      jobId,
      chatId,
      personId,
      updateId,
      series,
    }: WaitingPress & { readonly series: boolean }): Promise<boolean> {
      return await decide(async (tx) => {
        await holdLimits(tx, chatId);
        const off = move(tx, 'job', 'cancel', 'j');
        const [row] = await tx<(Row<'job', 'draft_id'> & Row<'draft', 'code' | 'recur'>)[]>`
          update job j set state = ${off.to}, ended_at = now(), stop_reason = null, stopped_by = ${personId} from draft d
          where j.id = ${jobId} and j.chat_id = ${chatId} and ${off.may} and d.id = j.draft_id
          returning j.draft_id, d.code, d.recur`;
        if (row === undefined) return false;
        await settleIn(tx, jobId);
        await forgetQueued(tx, jobId);
        await endChangesIn(tx, jobId);
        await giveBackIn(tx, row.draft_id);
        const details = { code: row.code, jobId, ...(row.recur === null ? {} : { series }) };
        await writeAudit(tx, { chatId, personId, updateId, action: 'schedule_cancelled', details });
        await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
        if (!series) await followUpIn(tx, row.draft_id, timeZone);
        await reviewCreditIn(tx, chatId);
        return true;
      });
    },

    /** Keeps one that waits for its time from leaving by itself, so that somebody has to say what shall happen. */
    async pause(press: WaitingPress): Promise<{ readonly result: 'paused' } | Refused> {
      return await decide(async (tx) => {
        const job = await holdWaiting(tx, press);
        if ('result' in job) return job;
        if (job.state !== 'scheduled') return { result: 'gone' };
        await endChangesIn(tx, press.jobId);
        await missIn(tx, press.jobId, 'paused');
        await reviewCreditIn(tx, press.chatId);
        return { result: 'paused' };
      });
    },

    /**
     * Has a missed one confirmed again, to leave at once: by its author, or by somebody who may approve it, in the
     * author's name. Above the chat's limit the author's press asks for a second person.
     */
    async sendNow(press: SendNowPress): Promise<SendNowResult> {
      const nothing = new Error('nothing of it is to stay');
      let told: SendNowResult | null = null;
      try {
        return await decide(async (tx) => {
          const job = await holdWaiting(tx, press);
          if ('result' in job) return { draftId: null, pressed: job };
          if (job.state !== 'missed') return { draftId: null, pressed: { result: 'gone' } };
          if (press.answered !== true && readResendOf(job.details)?.answered === true)
            return { draftId: job.draft_id, pressed: { result: 'answered' } };
          await reopenIn(tx, press, job);
          const done = await confirmAgain(tx, press, job);
          if (done.pressed.result === 'confirmed' || done.pressed.result === 'asked') return done;
          told = done;
          throw nothing;
        });
      } catch (error) {
        if (error === nothing && told !== null) return told;
        throw error;
      }
    },

    /** Wakes jobs whose time has come, or that run, and calls of unknown outcome, where nothing else will; how many. */
    async wake(): Promise<number> {
      return await sql.begin(async (tx) => {
        const due = await tx<Row<'job', 'id'>[]>`
          select j.id from job j
          where j.state in ${listed(tx, SELF_STARTING)} and j.hold_until < now() - ${OVERDUE_SECONDS} * interval '1 second'
            and not ${isAsked(tx, tx`'send:' || j.id`)}`;
        for (const { id: jobId } of due) await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}` });
        const unsought = await tx<Row<'attempt', 'id'>[]>`
          select a.id from attempt a
          where a.state = 'unknown' and a.ended_at < now() - ${OVERDUE_SECONDS} * interval '1 second'
            and not ${isAsked(tx, tx`'reconcile:' || a.id`)}`;
        for (const { id: attemptId } of unsought)
          await enqueue(tx, 'reconcile', { attemptId }, { key: `reconcile:${attemptId}` });
        const unheard = await tx<Row<'job', 'id'>[]>`
          select j.id from job j
          where j.ended_at < now() - ${OVERDUE_SECONDS} * interval '1 second' and j.poll_after_seconds >= 0 and j.id in (
              select job_id from call_report where open > 0 union select job_id from attempt where message_ids is not null)
            and not ${isAsked(tx, tx`'track:' || j.id`)}`;
        for (const { id: jobId } of unheard) await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
        return due.length + unsought.length + unheard.length;
      });
    },
  };
}

/** The author's own yes, or the question for a second person's; anybody else is that second person. */
async function confirmAgain(
  tx: TransactionSql,
  press: SendNowPress,
  { draft_id: draftId, version, author_id: authorId }: HeldJob,
): Promise<SendNowResult> {
  const again = { ...press, draftId, version: version + 1 };
  if (press.personId !== authorId) {
    const { to, may } = move(tx, 'draft', 'ask');
    await tx`update draft set state = ${to} where id = ${draftId} and ${may}`;
    return { draftId, pressed: await approveIn(tx, again) };
  }
  const held = await holdUnder(tx, draftId);
  const asks = held !== null && approvalNeed(held.limits, held.found, countedParts(held.payload)) !== null;
  return { draftId, pressed: asks ? await askIn(tx, again) : await confirmIn(tx, again) };
}

type WaitingRow = Row<'job', 'id as job_id' | 'draft_id' | 'price_rial' | 'hold_until'> &
  Row<'draft', 'code' | 'recur' | 'kind' | 'details' | 'recipients' | 'blocked' | 'line' | 'text' | 'flash'> &
  PaceRow &
  Row<'person', 'name as author_name'> & {
    readonly state: WaitingSend['state'];
    readonly reason: MissReason | null;
    readonly unlinked: boolean;
    readonly change: string | null;
  };

/** Sends of a chat that wait for their time, or for somebody's word since it passed; one of them, or a page. */
async function readWaiting(
  sql: Queryable,
  chatId: string,
  which: { readonly jobId: string } | { readonly skip: number; readonly limit: number },
): Promise<WaitingSend[]> {
  const rows = await sql<WaitingRow[]>`
    select j.id as job_id, j.draft_id, d.code, j.state, j.hold_until, d.recur,
      p.name as author_name, d.kind, d.details, d.recipients, d.blocked, d.line, d.text, d.flash, j.price_rial,
      d.pace_per_hour, d.pace_from, d.pace_to,
      case when j.state = 'missed' then j.stop_reason end as reason, j.state = 'scheduled' and not ${isLinked(sql)} as unlinked,
      (select d.code from draft d where ${standsFor(sql)} and ${canBeDecided(sql, 'd')} limit 1) as change
    from job j join draft d on d.id = j.draft_id join person p on p.telegram_id = d.author_id
    where j.chat_id = ${chatId} and j.state in ${listed(sql, WAITING)}
    ${'jobId' in which ? sql`and j.id = ${which.jobId}` : sql`order by j.hold_until, j.id offset ${which.skip} limit ${which.limit}`}`;
  return rows.map((row) => {
    const outgoing = readOutgoing(row);
    const messages = messageCount(withoutBlocked({ ...row, outgoing }, row.blocked ?? []));
    const isResentUnknown = hasResends(row.details);
    return {
      jobId: row.job_id,
      draftId: row.draft_id,
      code: row.code,
      state: row.state,
      at: row.hold_until,
      recur: readRecurrence(row.recur),
      pace: readPace(row),
      authorName: row.author_name,
      messages,
      priceRial: row.price_rial,
      canLeaveNow: row.state === 'missed' && canStillLeave(row.reason, { messages, isResentUnknown }),
      isUnlinked: row.unlinked,
      change: row.change,
      takesTime: takesTime(outgoing, isResentUnknown),
    };
  });
}
