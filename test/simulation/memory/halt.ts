import { DEFAULT_LIMITS, type Limits } from '../../../src/domain/limits.ts';
import { can } from '../../../src/domain/roles.ts';
import { cardJob } from '../../../src/storage/enqueue.ts';
import type { ChatDoer } from '../../../src/ports/doer.ts';
import type { LimitsStore } from '../../../src/ports/limits.ts';
import { at, change, jobTo, put, roleOf, writeAudit, type Connection, type Db, type JobRow } from './db.ts';
import { resumeJob, sendTask, takeBack } from './job-rules.ts';
import { limitsOf, showOpenDrafts } from './limits.ts';
import { enqueue } from './queue.ts';

/** The chat's switch. */
export function createHaltSwitch(connection: Connection): Pick<LimitsStore, 'halt' | 'go'> {
  return {
    halt: async (press) =>
      await connection.run('halt', (db) => {
        const before = heldBy(db, press);
        if (before === null) return null;
        if (before.halted !== null) return { halted: before.halted, isNew: false, paused: 0 };
        const { chatId, personId } = press;
        const now = at(db);
        const by = { updated_by: personId, updated_at: now };
        const row = db.limits.get(chatId);
        if (row === undefined) put(db.limits, chatId, { ...defaultRow(chatId), ...by });
        change(db.limits.get(chatId) ?? defaultRow(chatId), { ...by, halted_at: now, halted_by: personId });
        showOpenDrafts(db, connection, chatId);
        const jobs = jobsOf(db, chatId).filter(({ state }) => jobTo('halt', state) !== undefined);
        for (const job of jobs) {
          change(job, {
            state: jobTo('halt', job.state) ?? job.state,
            stop_reason: 'halted',
            stopped_by: personId,
          });
          takeBack(db, job.id);
          enqueue(db, cardJob(job.draft_id));
        }
        const paused = jobs.length;
        writeAudit(db, { ...press, action: 'sends_halted', details: { paused } });
        const byName = db.people.get(personId)?.name ?? null;
        return { halted: { at: now, byName }, isNew: true, paused };
      }),

    go: async ({ timeZone, ...press }) =>
      await connection.run('go', (db) => {
        const before = heldBy(db, press);
        if (before === null) return null;
        if (before.halted === null) return { was: null, resumed: 0, kept: 0 };
        const { chatId, personId } = press;
        const row = db.limits.get(chatId);
        if (row !== undefined) change(row, { halted_at: null, updated_by: personId, updated_at: at(db) });
        const jobs = jobsOf(db, chatId).filter(
          (job) => job.state === 'paused' && job.stop_reason === 'halted',
        );
        let resumed = 0;
        for (const job of jobs) {
          const { heldAt } = before;
          if (heldAt === null && resumeJob(db, connection, { jobId: job.id, timeZone }).result === 'resumed')
            resumed += 1;
          else
            change(
              job,
              heldAt === null ? { stop_reason: 'person' } : { stop_reason: 'held', stopped_by: null },
            );
          enqueue(db, cardJob(job.draft_id));
        }
        wakeDue(db, chatId);
        showOpenDrafts(db, connection, chatId);
        const kept = before.heldAt === null ? jobs.length - resumed : 0;
        writeAudit(db, { ...press, action: 'sends_allowed', details: { resumed, kept } });
        return { was: before.halted, resumed, kept };
      }),
  };
}

/** What came due while nothing could leave waits no longer. */
export function wakeDue(db: Db, chatId: string): void {
  for (const { id, state, hold_until: due } of jobsOf(db, chatId))
    if (state === 'scheduled' && due.getTime() <= db.now) enqueue(db, sendTask(id));
}

function jobsOf(db: Db, chatId: string): JobRow[] {
  return [...db.jobs.values()].filter((job) => job.chat_id === chatId);
}

function heldBy(db: Db, { chatId, personId }: ChatDoer): Limits | null {
  return can(roleOf(db, chatId, personId), 'limits.manage') ? limitsOf(db, chatId) : null;
}

function defaultRow(chatId: string) {
  return {
    chat_id: chatId,
    approval_parts: DEFAULT_LIMITS.approvalParts,
    cap_rial: null,
    cap_parts: null,
    person_cap_rial: null,
    person_cap_parts: null,
    window_from: null,
    window_to: null,
    halted_at: null,
    halted_by: null,
  };
}
