import { eachReport, type ReportWord } from '../../../src/domain/call-reports.ts';
import type { JobView } from '../../../src/ports/stores.ts';
import { countUp, spansOf, type CountRow } from '../../../src/storage/sending/job-counts.ts';
import { messageIn, NOTHING_TO_RESEND } from '../../../src/storage/sending/job-view.ts';
import { callsIn, must, type CallRow, type Connection, type Db } from './db.ts';
import { earlier, isHeldUp, isToSettle, nothingLeft, resendsOf } from './job-rules.ts';

type Counted = ReturnType<typeof countUp>;

/** What one statement tells of the job that a draft has become. */
interface Now {
  readonly view: Omit<JobView, 'refusals' | 'doubt' | 'resend'>;
  readonly draftId: string;
  readonly isKept: boolean;
  readonly isAgain: boolean;
  readonly counted: Counted;
}

/** What is read of a job with its draft; null: that is none. */
export function jobRow(db: Db, draftId: string): Now | null {
  const job = db.jobOf.get(draftId);
  if (job === undefined) return null;
  const calls = callsIn(db, job.id);
  const counted = countUp(countRows(db, calls));
  const { counts, asked, resent, said, open } = counted;
  const nameOf = (id: number | null): string | null => db.people.get(id ?? 0)?.name ?? null;
  const { ended_at: endedAt, started_at: startedAt } = job;
  const leftSince = ({ state, on_wire_at: left }: CallRow): boolean =>
    left !== null &&
    startedAt !== null &&
    left >= startedAt &&
    !['planned', 'reserved', 'on_wire'].includes(state);
  const left = calls.flatMap((call) => call.on_wire_at?.getTime() ?? []);
  const view = {
    id: job.id,
    state: job.state,
    isEmptied: job.kept !== 'all',
    holdUntil: job.hold_until,
    confirmedByName: nameOf(job.confirmed_by) ?? '',
    approvedByName: nameOf(job.approved_by),
    stoppedByName: nameOf(job.stopped_by),
    startedAt,
    leftSinceStart:
      job.state === 'running'
        ? calls.reduce((n, call) => n + (leftSince(call) ? call.recipients.length : 0), 0)
        : 0,
    endedAt,
    tookMs: endedAt === null || left.length === 0 ? null : endedAt.getTime() - Math.min(...left),
    parts: job.parts,
    priceRial: job.price_rial,
    stopReason: job.state === 'missed' ? null : job.stop_reason,
    isLinked: db.bindings.get(job.binding_id)?.state === 'live',
    missReason: job.state === 'missed' ? (job.stop_reason as JobView['missReason']) : null,
    counts,
    asked,
    resent,
    said,
    settled: endedAt !== null && (open === 0 || job.poll_after_seconds < 0),
    toSettle: (job.state === 'paused' && nothingLeft(db, job.id)) || isToSettle(db, job),
  };
  const { details } = must(db.drafts.get(draftId));
  const isAgain = 'resends' in details || 'resendOf' in details;
  return { view, draftId, isKept: job.kept === 'all', isAgain, counted };
}

/** The same with what further statements tell of it. */
export async function readJob(
  connection: Connection,
  { view, draftId, isKept, isAgain, counted }: Now,
): Promise<JobView> {
  const { id } = view;
  const { refusals, asked, failures } = counted;
  const named =
    refusals.length === 0 ? [] : await connection.run('words', (db) => withWords(callsIn(db, id), refusals));
  const doubt = asked === 0 ? null : await connection.run('doubt of job', (db) => doubtOf(callsIn(db, id)));
  const isResendable = view.endedAt !== null && failures > 0 && isKept;
  const resend = isResendable ? await readResend(connection, draftId, failures) : NOTHING_TO_RESEND;
  const isOut = (view.state === 'paused' || view.state === 'stopped') && view.counts.planned > 0;
  const again =
    isOut && isKept && isAgain ? await connection.run('earlier', (db) => earlier(db, draftId)) : null;
  return { ...view, refusals: named, doubt, resend, ...(again === null ? {} : { earlier: again }) };
}

function countRows(db: Db, calls: readonly CallRow[]): CountRow[] {
  const rows: CountRow[] = [];
  const whole = new Map<string, CountRow>();
  for (const call of calls) {
    const { outcome } = call;
    const state = isHeldUp(db, call) ? 'held_up' : call.state;
    const name = `${state} ${outcome ?? ''}`;
    const row = whole.get(name) ?? { state, kind: null, outcome, recipients: 0 };
    whole.set(name, row);
    row.recipients += call.recipients.length;
    for (const { kind, n } of wordsOf(db, call)) {
      rows.push({ state: call.state, kind, outcome, recipients: n });
      row.recipients -= n;
    }
    rows.push({ state: 'blocked', kind: null, outcome: null, recipients: call.blocked.length });
  }
  return [...rows, ...whole.values()];
}

function wordsOf(db: Db, { id }: CallRow): readonly ReportWord[] {
  return db.reports.get(id)?.words ?? [];
}

function withWords(calls: readonly CallRow[], refusals: JobView['refusals']): JobView['refusals'] {
  return refusals.map((each) => {
    const first = calls.find(({ state, outcome }) => state === 'rejected' && outcome === each.name);
    const said = messageIn(first?.raw ?? '');
    return said === '' ? each : { ...each, said };
  });
}

function doubtOf(calls: readonly CallRow[]): JobView['doubt'] {
  const asked = calls.filter(({ state }) => state === 'asked');
  const looks = asked.flatMap(({ last_look: look }) => look?.at ?? []);
  return {
    calls: asked.length,
    seen: spansOf(asked.map(({ chunk }) => chunk)),
    found: calls
      .filter(({ state, outcome }) => state === 'sent' && outcome === 'found')
      .reduce((n, { recipients }) => n + recipients.length, 0),
    listsAreWhole: asked.length > 0 && asked.every(({ outcome }) => outcome === 'absent'),
    looks: Math.max(0, ...asked.map(({ checks }) => checks)),
    lookedAt: looks.length === 0 ? null : new Date(Math.max(...looks) * 1000),
  };
}

/** Who failed and is in no other send since, and the cards by which others were sent again. */
async function readResend(
  connection: Connection,
  draftId: string,
  failures: number,
): Promise<JobView['resend']> {
  const again = (db: Db) =>
    resendsOf(db, draftId)
      .map((draft) => ({ code: draft.code, job: db.jobOf.get(draft.id) }))
      .filter(({ job }) => job !== undefined && job.state !== 'undone');
  const by = await connection.run('resent by', (db) => again(db));
  if (by.length === 0) return { failures, by: [] };
  const left = await connection.run('failures', (db) => {
    const sent = new Set(
      again(db).flatMap(({ job }) =>
        callsIn(db, must(job).id).flatMap(({ recipients, blocked }) => [...recipients, ...blocked]),
      ),
    );
    const failed = callsIn(db, must(db.jobOf.get(draftId)).id).flatMap((call) => failuresOf(db, call));
    return failed.filter((number) => !sent.has(number)).length;
  });
  const inOrder = by.toSorted(
    (one, other) => Number(one.job?.confirmed_at) - Number(other.job?.confirmed_at),
  );
  return { failures: left, by: inOrder.map(({ code }) => code) };
}

function failuresOf(db: Db, call: CallRow): string[] {
  const { state, outcome, recipients } = call;
  if (state === 'rejected' || state === 'not_sent')
    return outcome === 'blocked' || isHeldUp(db, call) ? [] : recipients;
  const report = db.reports.get(call.id);
  if (report === undefined || (state !== 'accepted' && state !== 'sent')) return [];
  const said = eachReport(report);
  return recipients.filter((_, place) => said[place]?.said?.kind === 'failed');
}
