import type { TransactionSql } from 'postgres';
import type { AttemptView, Reservation } from '../../ports/jobs.ts';
import { holdAccountOf } from '../accounts/gateway-user.ts';
import { messageKeys, readMessages, readOutgoing } from './kinds/details.ts';
import { dayRoomIn } from './judge-in.ts';
import { readLimits } from './limits-in.ts';
import { openPace, readPace, type PaceClocks, type PaceGate, type PaceRow } from './pace-in.ts';
import { takeCalls, type Job, type Obstacle, type PlannedRow, type WholeCall } from './take-calls.ts';
import type { Row } from '../row.ts';

/** So many are looked at together behind the first that cannot be taken. */
const PAGE = 50;
/** Places of a job that are searched together; behind them ever more. A job may have thousands of planned calls. */
const WINDOW = 256;

interface Window {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

export interface ReserveRequest {
  readonly jobId: string;
  readonly owner: string;
  readonly most: number;
  readonly from: number;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
  readonly clocks: PaceClocks;
}

/** Takes calls of a job, unless an equal message is in flight or in doubt; of one with a pace one call, when that lets it. */
export async function reserveIn(tx: TransactionSql, request: ReserveRequest): Promise<Reservation> {
  const { jobId, owner, from } = request;
  let window: Window = { from, to: from + WINDOW, limit: request.most };
  // All sent at once: each statement begins when the one before it has ended.
  const [held, job, first] = await Promise.all([
    holdAccountOf(tx, jobId),
    holdJob(tx, jobId),
    planned(tx, jobId, window),
  ]);
  if (job === null) return { ok: false, reason: 'not_running' };
  // Read under what is held, it stays so. It became part of another account while this waited: that is held too.
  if (!held.has(job.gateway_user)) return await reserveIn(tx, request);
  const gate = await gateOf(tx, job, request);
  const most = gate === null ? request.most : 1;
  let waitMs = Number.POSITIVE_INFINITY;

  const taken: (WholeCall & { readonly epoch: number })[] = [];
  const obstacles = new Set<Obstacle>();
  let [page, next] = [first, from];
  for (;;) {
    const calls = page
      .map((call) => wholeCall(job, call))
      .filter(({ planned: { recipients } }) => {
        const ms = gate?.wait(recipients.length) ?? 0;
        if (ms > 0) waitMs = Math.min(waitMs, ms);
        return ms === 0;
      });
    const found = await takeCalls(tx, { jobId, owner, most: most - taken.length, job, calls });
    for (const call of calls) {
      if (taken.length === most) break;
      next = call.planned.chunk + 1;
      const result = found.get(call.planned.id);
      if (typeof result === 'number') taken.push({ ...call, epoch: result });
      else if (result !== undefined) obstacles.add(result);
    }
    if (taken.length === most || waitMs < Number.POSITIVE_INFINITY) break;
    if (page.length < window.limit) next = Math.min(window.to, job.last + 1);
    if (next > job.last) break;
    window = { from: next, to: next + (window.to - window.from) * 4, limit: PAGE };
    page = await planned(tx, jobId, window);
  }

  const [one, ...more] = taken.map((call) => toView(jobId, job, call));
  if (gate !== null && one !== undefined) {
    gate.take(one.recipients.length);
    await gate.shut(gate.wait(one.recipients.length));
  }
  if (one !== undefined) return { ok: true, attempts: [one, ...more], next };
  if (gate !== null && waitMs < Number.POSITIVE_INFINITY)
    return { ok: false, reason: 'paced', afterMs: await gate.shut(waitMs) };
  if (obstacles.has('earlier_in_flight')) return { ok: false, reason: 'earlier_in_flight' };
  return { ok: false, reason: obstacles.has('earlier_unknown') ? 'earlier_unknown' : 'none_left' };
}

type HeldJob = Job &
  PaceRow &
  Row<'job', 'draft_id' | 'chat_id'> &
  Row<'draft', 'line'> &
  Row<'chat', 'time_zone'>;

/** Null unless the job runs, and goes on to run until the transaction ends. */
async function holdJob(tx: TransactionSql, jobId: string): Promise<HeldJob | null> {
  const [job] = await tx<
    (Omit<HeldJob, 'outgoing'> & Row<'job', 'state'> & Row<'draft', 'kind' | 'details'>)[]
  >`
    select j.state, j.draft_id, j.chat_id, b.gateway_user, d.text, d.flash, d.kind, d.details, d.line, d.pace_per_hour, d.pace_from, d.pace_to,
      c.time_zone, coalesce((select max(chunk) from attempt where job_id = j.id), -1) as last
    from job j join binding b on b.id = j.binding_id join draft d on d.id = j.draft_id join chat c on c.id = j.chat_id
    where j.id = ${jobId} for share of j`;
  return job?.state === 'running' ? { ...job, outgoing: readOutgoing(job) } : null;
}

/** Null for a send without a pace. Whoever opens it holds the account. */
async function gateOf(
  tx: TransactionSql,
  job: HeldJob,
  { jobId, timeZone, clocks }: ReserveRequest,
): Promise<PaceGate | null> {
  const pace = readPace(job);
  if (pace === null) return null;
  const { draft_id: draftId, chat_id: chatId, outgoing, line, text, flash } = job;
  const limits = await readLimits(tx, chatId);
  const zone = job.time_zone ?? timeZone;
  return await openPace(tx, {
    jobId,
    draftId,
    pace,
    limits,
    room: await dayRoomIn(tx, { jobId, chatId, limits, timeZone: zone }),
    // Whom it goes to says nothing of its lines.
    payload: { outgoing, line, text, flash, recipients: [] },
    timeZone: zone,
    clocks,
  });
}

async function planned(
  tx: TransactionSql,
  jobId: string,
  { from, to, limit }: Window,
): Promise<readonly PlannedRow[]> {
  return await tx<PlannedRow[]>`
    select a.id, a.chunk, a.binding_id, a.line, a.recipients, a.message_keys, a.messages, c.texts, a.tries
    from attempt a join job j on j.id = a.job_id
    left join bulk_call c on c.draft_id = j.draft_id and c.chunk = a.chunk and a.message_keys = '{}'
    where a.job_id = ${jobId} and a.chunk >= ${from} and a.chunk < ${to} and a.state = 'planned'
    order by a.chunk limit ${limit} for update of a skip locked`;
}

/** What a planned call holds. One of a file gets its messages now: a million of them are not written twice. */
export function wholeCall(
  { text, flash, outgoing }: Pick<Job, 'text' | 'flash' | 'outgoing'>,
  planned: PlannedRow,
): WholeCall {
  const { line, recipients, texts } = planned;
  const stored = readMessages(planned.messages);
  if (planned.message_keys.length > 0)
    return { planned, keys: planned.message_keys, messages: stored, isNew: false };
  const messages =
    texts?.map((own, index) => ({ line, recipient: recipients[index] ?? '', text: own, flash })) ?? stored;
  const keys = messageKeys({ outgoing, line, text, flash, recipients }, { recipients, messages });
  return { planned, keys, messages, isNew: true };
}

function toView(
  jobId: string,
  { text, flash, outgoing }: Job,
  { planned, messages, epoch }: WholeCall & { readonly epoch: number },
): AttemptView {
  return {
    id: planned.id,
    jobId,
    bindingId: planned.binding_id,
    state: 'reserved',
    epoch,
    line: planned.line,
    recipients: planned.recipients,
    text,
    flash,
    outgoing,
    messages,
    tries: planned.tries,
  };
}
