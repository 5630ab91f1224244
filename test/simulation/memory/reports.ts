import { hearReports, openReports } from '../../../src/domain/call-reports.ts';
import type { DeliveryStore, ReportCursor, ReportPage } from '../../../src/ports/jobs.ts';
import { FILED_AT_ONCE, joinReports } from '../../../src/storage/reports/call-reports.ts';
import {
  CARD_AFTER_MS,
  OPEN_AT_ONCE,
  takeOpen,
  toHeard,
} from '../../../src/storage/sending/delivery-store.ts';
import { cardJob } from '../../../src/storage/enqueue.ts';
import { callsIn, change, must, notSimulated, put, type CallRow, type Connection, type Db } from './db.ts';
import { trackTask } from './job-rules.ts';
import { enqueue } from './queue.ts';

/** What the gateway reports of accepted messages. */
export function createReports(connection: Connection): DeliveryStore {
  return {
    async unsettled(jobId, after) {
      const of = await connection.run('to report', (db) => {
        const job = db.jobs.get(jobId);
        if (job === undefined || job.poll_after_seconds < 0) return null;
        const calls = callsIn(db, jobId);
        const accepted = calls.flatMap(({ state, ended_at: end }) =>
          (state === 'accepted' || state === 'sent') && end !== null ? [end.getTime()] : [],
        );
        const last = Math.max(job.leaves_at.getTime(), ...accepted);
        const account = must(db.bindings.get(job.binding_id)).gateway_user;
        const toFile = calls.some(({ message_ids: ids }) => ids !== null);
        return { toFile, bindingId: job.binding_id, account, ageSeconds: (db.now - last) / 1000 };
      });
      if (of === null) return null;
      let { toFile } = of;
      while (toFile) toFile = await connection.run('file', (db) => file(db, jobId));
      const page = await pageFrom(jobId, after);
      if (page.messageIds.length === 0 && after === undefined) return null;
      const { bindingId, account, ageSeconds } = of;
      return { ...page, bindingId, account, ageSeconds };
    },

    openReports: pageFrom,

    recordReports: async (jobId, entries, calls) =>
      await connection.run('record reports', (db) => {
        const heard = toHeard(entries);
        let [left, changed] = [0, false];
        for (const call of callsIn(db, jobId)) {
          const report = db.reports.get(call.id);
          if (report === undefined || report.open === 0) continue;
          if (calls !== undefined && (call.chunk < calls.from || call.chunk > calls.to)) continue;
          const after = hearReports(report, call.recipients, heard, Math.floor(db.now / 1000));
          if (after !== null) {
            changed = true;
            change(report, { marks: after.marks, words: [...after.words], open: openReports(after) });
          }
          left += report.open;
        }
        const { draft_id: draftId } = must(db.jobs.get(jobId));
        if (changed) enqueue(db, { ...cardJob(draftId), afterMs: CARD_AFTER_MS }, 'earliest');
        return { changed, left };
      }),

    trackOn: async (jobId, after) =>
      await connection.run('track on', (db) =>
        enqueue(db, { ...trackTask(jobId), payload: { jobId, after } }),
      ),

    endPolling: async (jobId) =>
      await connection.run('end polling', (db) => {
        const job = db.jobs.get(jobId);
        if (job === undefined) return;
        for (const { id } of callsIn(db, jobId)) {
          const report = db.reports.get(id);
          if (report !== undefined && report.open > 0) change(report, { open: 0 });
        }
        change(job, { poll_after_seconds: -1 });
        enqueue(db, cardJob(job.draft_id));
      }),

    moveReports: notSimulated,
  };

  async function pageFrom(jobId: string, after?: ReportCursor): Promise<ReportPage> {
    const rows = await connection.run('open reports', (db) =>
      callsIn(db, jobId).flatMap(({ id, chunk }) => {
        const report = db.reports.get(id);
        if (report === undefined || report.open === 0 || chunk < (after?.call ?? 0)) return [];
        return [{ ids: report.ids, marks: report.marks, words: report.words, call: chunk }];
      }),
    );
    const found = takeOpen(rows, after);
    return {
      messageIds: [...new Set(found.map(({ messageId }) => messageId))],
      calls: { from: found[0]?.call ?? 0, to: found.at(-1)?.call ?? 0 },
      next: found.length < OPEN_AT_ONCE ? null : (found.at(-1) ?? null),
    };
  }
}

/** Begins the reports of calls that were accepted; true while there may be more. */
function file(db: Db, jobId: string): boolean {
  const calls = callsIn(db, jobId)
    .filter(({ message_ids: ids }) => ids !== null)
    .slice(0, FILED_AT_ONCE);
  for (const call of calls) {
    nameCall(db, call, call.message_ids ?? []);
    change(call, { message_ids: null });
  }
  return calls.length === FILED_AT_ONCE;
}

/** Gives the recipients of a call the ids that became known. */
export function nameCall(db: Db, { id, job_id: jobId, chunk }: CallRow, ids: readonly string[]): void {
  const known = db.reports.get(id);
  const reports = joinReports(
    known,
    ids.map((each) => ({ id: each, said: null })),
  );
  const given = {
    ids: reports.ids,
    marks: reports.marks,
    words: [...reports.words],
    open: openReports(reports),
  };
  if (known !== undefined) change(known, given);
  else put(db.reports, id, { attempt_id: id, job_id: jobId, chunk, ...given });
}
