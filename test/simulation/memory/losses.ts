import { cardJob, FIRST_LOOK_MS } from '../../../src/storage/enqueue.ts';
import {
  type Doubted,
  HEIR_SECONDS,
  type LossStore,
  type LostTime,
} from '../../../src/storage/restore/losses.ts';
import {
  APART_MS,
  BUTTON_DAYS,
  CARDS_AHEAD,
  MAY_HAVE_GONE_ON,
  OVERLAP_SECONDS,
} from '../../../src/storage/restore/restored-backup.ts';
import { IN_DOUBT, reconcileTask } from './calls.ts';
import {
  at,
  attemptTo,
  callsIn,
  change,
  type Connection,
  type Db,
  drop,
  type JobRow,
  jobTo,
  must,
  put,
  writeAudit,
} from './db.ts';
import { wakeDue } from './halt.ts';
import { isHeldUp, miss, raise, resumeJob, settle, trackTask } from './job-rules.ts';
import { limitsOf, showOpenDrafts } from './limits.ts';
import { enqueue, enqueueAll, forgetTasks } from './queue.ts';

/** What is asked of a database that may have lost commits. */
export function createLosses(connection: Connection, timeZone: string): LossStore {
  return {
    enter: async (id) =>
      await connection.run('enter', (db) => {
        const row = { id, beats: 1, server: db.server, seen_at: at(db), gone_at: null };
        put(db.processes, id, row);
        return { server: row.server, since: row.seen_at };
      }),

    look: async ({ id, beats }, proofs) =>
      await connection.run('look', (db) => {
        const forgotten = proofs.filter((each) => (db.calls.get(each.id)?.fenced ?? -1) < each.epoch);
        const row = db.processes.get(id);
        const had = row?.beats ?? null;
        const isFound = row !== undefined && row.beats >= beats && forgotten.length === 0;
        if (isFound) change(row, { beats: row.beats + 1, seen_at: at(db), gone_at: null, server: db.server });
        const { lost_at: lost, lost_done_at: done } = db.deployment;
        return {
          beats: isFound ? row.beats : null,
          had,
          server: db.server,
          forgotten,
          is_weak: false,
          is_lost: lost !== null,
          is_unfinished: lost !== null && lost < at(db, -HEIR_SECONDS * 1000) && done === null,
        };
      }),

    leave: async (id) => await connection.run('leave', (db) => drop(db.processes, id)),

    hold: async ({ id, beats, server, began }) =>
      await connection.run('hold', (db) => {
        const kept = db.processes.get(id)?.seen_at ?? began;
        const time = begin(db, kept, kept);
        change(db.deployment, { lost_at: db.deployment.lost_at ?? at(db), lost_done_at: null });
        put(db.processes, id, { id, beats, server, seen_at: at(db), gone_at: null });
        return time;
      }),

    restore: async (since) => await connection.run('restore', (db) => begin(db, since, null)),

    unfinished: async () =>
      await connection.run('unfinished', ({ deployment }) => {
        const { lost_at: lost, lost_done_at: done, restored_from: from } = deployment;
        return lost === null || done !== null ? null : (from ?? lost);
      }),

    chats: async () =>
      await connection.run('chats', (db) => [
        ...new Set(
          [
            ...db.jobs.values(),
            ...db.drafts.values().filter(({ state }) => state === 'open' || state === 'asked'),
          ].map((each) => each.chat_id),
        ),
      ]),

    doubt: async (chatId, from) =>
      await connection.run('doubt all', (db) => doubt(db, connection, chatId, from)),

    finished: async () =>
      await connection.run('finished', (db) => {
        if (db.deployment.lost_at !== null) change(db.deployment, { lost_done_at: at(db) });
      }),

    letGo: async () =>
      await connection.run('let go', (db) => {
        const { held_at: held, restored_from: from, restored_at: restored } = db.deployment;
        if (held !== null)
          change(db.deployment, {
            held_at: null,
            restored_from: null,
            lost_at: null,
            lost_done_at: null,
            restored_at: from === null ? restored : at(db),
          });
        showOpenDrafts(db, connection, null);
      }),

    heldChats: async () =>
      await connection.run('held chats', (db) => {
        const held = jobsIn(db, ({ state, stop_reason: reason, hold_until: due }) =>
          state === 'scheduled' ? due <= at(db) : state === 'paused' && reason === 'held',
        );
        return [...new Set(held.map((job) => job.chat_id))].map((chatId) => {
          return { chatId, timeZone: must(db.chats.get(chatId)).time_zone ?? timeZone };
        });
      }),

    goOn: async ({ chatId, timeZone: zone }) =>
      await connection.run('go on', (db) => {
        const { halted } = limitsOf(db, chatId);
        const jobs = jobsIn(
          db,
          (job) => job.chat_id === chatId && job.state === 'paused' && job.stop_reason === 'held',
        );
        let resumed = 0;
        for (const job of jobs) {
          if (resumeJob(db, connection, { jobId: job.id, timeZone: zone }).result === 'resumed') resumed += 1;
          else if (halted === null) change(job, { stop_reason: 'person' });
          else change(job, { stop_reason: 'halted', stopped_by: db.limits.get(chatId)?.halted_by ?? null });
          enqueue(db, cardJob(job.draft_id));
        }
        wakeDue(db, chatId);
        const kept = jobs.length - resumed;
        const details = { resumed, kept };
        if (jobs.length > 0)
          writeAudit(db, { chatId, personId: null, updateId: null, action: 'sends_released', details });
        return details;
      }),
  };
}

/** In the order in which they were confirmed. */
function jobsIn(db: Db, which: (job: JobRow) => boolean): JobRow[] {
  return [...db.jobs.values()]
    .filter(which)
    .toSorted(
      (one, other) => Number(one.confirmed_at) - Number(other.confirmed_at) || (one.id < other.id ? -1 : 1),
    );
}

/** The switch, and the time since which something may have left. */
function begin(db: Db, since: Date | null, before: Date | null): LostTime {
  const { held_at: held, restored_from: begun } = db.deployment;
  const to = at(db);
  const known = [
    ...db.audit.map((entry) => entry.at),
    ...db.jobs.values().map((job) => job.confirmed_at),
    ...db.calls.values().map((call) => call.on_wire_at),
  ].flatMap((time) => (time !== null && time <= (before ?? to) ? [time.getTime()] : []));
  const last = begun === null && known.length > 0 ? Math.max(...known) - OVERLAP_SECONDS * 1000 : Infinity;
  const from = new Date(
    Math.min(since?.getTime() ?? Infinity, begun?.getTime() ?? Infinity, last, to.getTime()),
  );
  change(db.deployment, { held_at: held ?? to, restored_at: to, restored_from: from });
  if (begun === null)
    for (const chat of db.chats.values()) change(chat, { last_card: chat.last_card + CARDS_AHEAD });
  return { from, to };
}

function doubt(db: Db, connection: Connection, chatId: string, from: Date): Doubted {
  let [calls, asked, drafts] = [0, 0, 0];
  for (const draft of db.drafts.values()) {
    const { id, chat_id: chat, state, details, expires_at: ends } = draft;
    if (chat !== chatId || (state !== 'open' && state !== 'asked') || details['restored'] !== undefined)
      continue;
    drafts += 1;
    change(draft, {
      expires_at: ends < at(db) ? ends : at(db),
      details: { ...details, restored: true },
    });
    forgetTasks(db, `expiry:${id}`, `card:${id}`);
  }
  for (const job of jobsIn(db, (each) => each.chat_id === chatId && mayHaveGoneOn(db, each, from))) {
    const isOver = job.ended_at !== null;
    calls += doubtCalls(db, job.id, from);
    if (isOver) raise(db, connection, job);
    else {
      change(job, {
        state: jobTo('give_up', job.state) ?? job.state,
        stop_reason: 'restored',
        stopped_by: null,
        ended_at: at(db),
        started_at: job.started_at ?? from,
      });
      settle(db, connection, job);
      forgetTasks(db, `missed:${job.id}`);
    }
    enqueueAll(db, cardJob(job.draft_id), trackTask(job.id));
  }
  for (const job of jobsIn(db, (each) => each.chat_id === chatId && each.state === 'scheduled')) {
    asked += 1;
    miss(db, connection, job, 'restored');
  }
  for (const job of jobsIn(db, (each) => each.chat_id === chatId && each.poll_after_seconds >= 0)) {
    const isOpen = callsIn(db, job.id).some(
      ({ id, message_ids: ids }) => ids !== null || (db.reports.get(id)?.open ?? 0) > 0,
    );
    if (isOpen) enqueue(db, trackTask(job.id));
  }
  const details = { doubtful: calls, asked };
  if (calls + asked > 0)
    writeAudit(db, { chatId, personId: null, updateId: null, action: 'backup_restored', details });
  return { calls, asked, drafts };
}

function mayHaveGoneOn(db: Db, { id, state, hold_until: due, ended_at: end }: JobRow, from: Date): boolean {
  if (state === 'missed' || state === 'holding' || state === 'running' || state === 'paused') return true;
  if (state === 'scheduled' && due <= at(db)) return true;
  if (state === 'stopped' && end !== null && end.getTime() > from.getTime() - BUTTON_DAYS * 86_400_000)
    return true;
  return callsIn(db, id).some(({ state: of }) => IN_DOUBT.includes(of));
}

function doubtCalls(db: Db, jobId: string, from: Date): number {
  const doubtful = callsIn(db, jobId).filter(
    (call) =>
      attemptTo('doubt', call.state) !== undefined &&
      (call.state !== 'rejected' || isHeldUp(db, call, MAY_HAVE_GONE_ON)),
  );
  for (const [place, call] of doubtful.entries()) {
    const { on_wire_at: left } = call;
    change(call, {
      state: attemptTo('doubt', call.state) ?? call.state,
      epoch: call.epoch + 1,
      owner: null,
      outcome: 'restored',
      on_wire_at: left === null || left > from ? from : left,
      ended_at: at(db),
      checks: 0,
      last_look: null,
    });
    enqueue(db, reconcileTask(call.id, FIRST_LOOK_MS + place * APART_MS));
  }
  return doubtful.length;
}
