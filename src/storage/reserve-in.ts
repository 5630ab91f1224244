import type { TransactionSql } from 'postgres';
import type { Outgoing, OutgoingRow } from '../domain/outgoing.ts';
import type { AttemptView, JobState, Reservation } from '../ports/jobs.ts';
import { jsonText } from './json.ts';
import { KEY_DIGITS, messageKeys, readMessages, readOutgoing } from './outgoing-details.ts';

/**
 * A reservation whose commit was not heard of belongs to nobody who knows of it. It lasts longer than any
 * call takes to reach its fence, and the new epoch keeps out whoever may still come.
 */
const FORGOTTEN_SECONDS = 300;
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
}

/** The job of the calls, and what all of them have in common. */
interface Job {
  readonly chat_id: string;
  readonly prints: string[];
  readonly text: string;
  readonly flash: boolean;
  readonly outgoing: Outgoing;
  /** The place of its last call. */
  readonly last: number;
}

interface PlannedCall {
  readonly id: string;
  readonly chunk: number;
  readonly epoch: number;
  readonly binding_id: string;
  readonly line: string;
  readonly recipients: string[];
  readonly message_keys: string[];
  readonly messages: unknown;
  readonly texts: string[] | null;
  readonly tries: number;
}

/** A planned call with all that it holds. `isNew`: its messages and their keys are not written down yet. */
interface WholeCall {
  readonly planned: PlannedCall;
  readonly keys: readonly string[];
  readonly messages: readonly OutgoingRow[] | null;
  readonly isNew: boolean;
}

type Obstacle = 'earlier_unknown' | 'earlier_in_flight';

/** Takes calls of a job, unless an equal message is in flight or in doubt. */
export async function reserveIn(tx: TransactionSql, request: ReserveRequest): Promise<Reservation> {
  const { jobId, owner, most, from } = request;
  let window: Window = { from, to: from + WINDOW, limit: most };
  // All sent at once: each statement begins when the one before it has ended.
  const [job, , first] = await Promise.all([
    holdJob(tx, jobId),
    holdAccount(tx, jobId),
    planned(tx, jobId, window),
  ]);
  if (job === null) return { ok: false, reason: 'not_running' };

  const taken: WholeCall[] = [];
  const obstacles = new Set<Obstacle>();
  let [page, next] = [first, from];
  for (;;) {
    const calls = page.map((call) => wholeCall(job, call));
    const found = await take(tx, { jobId, owner, most: most - taken.length, job, calls });
    for (const call of calls) {
      if (taken.length === most) break;
      next = call.planned.chunk + 1;
      const obstacle = found.get(call.planned.id);
      if (obstacle === null) taken.push(call);
      else if (obstacle !== undefined) obstacles.add(obstacle);
    }
    if (taken.length === most) break;
    if (page.length < window.limit) next = Math.min(window.to, job.last + 1);
    if (next > job.last) break;
    window = { from: next, to: next + (window.to - window.from) * 4, limit: PAGE };
    page = await planned(tx, jobId, window);
  }

  const [one, ...more] = taken.map((call) => toView(jobId, job, call));
  if (one !== undefined) return { ok: true, attempts: [one, ...more], next };
  if (obstacles.has('earlier_in_flight')) return { ok: false, reason: 'earlier_in_flight' };
  return { ok: false, reason: obstacles.has('earlier_unknown') ? 'earlier_unknown' : 'none_left' };
}

/** Null unless the job runs, and goes on to run until the transaction ends. */
async function holdJob(tx: TransactionSql, jobId: string): Promise<Job | null> {
  const [job] = await tx<(Omit<Job, 'outgoing'> & { state: JobState; kind: string; details: unknown })[]>`
    select j.state, b.chat_id, b.prints, d.text, d.flash, d.kind, d.details,
      coalesce((select max(chunk) from attempt where job_id = j.id), -1) as last
    from job j join binding b on b.id = j.binding_id join draft d on d.id = j.draft_id
    where j.id = ${jobId} for share of j`;
  return job?.state === 'running' ? { ...job, outgoing: readOutgoing(job) } : null;
}

/**
 * Two equal messages to the same number must never be in doubt together: nobody could tell which one arrived. The
 * account may have been linked anew in between, or be linked in another chat by the same key.
 */
async function holdAccount(tx: TransactionSql, jobId: string): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(lock) from (
      select distinct hashtextextended('reserve ' || name, 0) as lock
      from job j join binding b on b.id = j.binding_id cross join lateral unnest(b.chat_id::text || b.prints) as name
      where j.id = ${jobId} order by 1
    ) as locks`;
}

async function planned(
  tx: TransactionSql,
  jobId: string,
  { from, to, limit }: Window,
): Promise<readonly PlannedCall[]> {
  return await tx<PlannedCall[]>`
    select a.id, a.chunk, a.epoch, a.binding_id, a.line, a.recipients, a.message_keys, a.messages, c.texts, a.tries
    from attempt a join job j on j.id = a.job_id
    left join bulk_call c on c.draft_id = j.draft_id and c.chunk = a.chunk and a.message_keys = '{}'
    where a.job_id = ${jobId} and a.chunk >= ${from} and a.chunk < ${to} and (a.state = 'planned'
      or (a.state = 'reserved' and a.reserved_at < now() - ${FORGOTTEN_SECONDS} * interval '1 second'))
    order by a.chunk limit ${limit} for update of a skip locked`;
}

/**
 * Takes the first of these calls, at most `most`, that equal none in flight or in doubt, nor one that is taken with
 * them (of one job this can be only where people gave its rows: elsewhere each number stands in it once): null by their ids. By the ids of the others what stands against them: one in flight goes first, it ends by itself.
 */
async function take(
  tx: TransactionSql,
  {
    jobId,
    owner,
    most,
    job,
    calls,
  }: {
    readonly jobId: string;
    readonly owner: string;
    readonly most: number;
    readonly job: Job;
    readonly calls: readonly WholeCall[];
  },
): Promise<ReadonlyMap<string, Obstacle | null>> {
  if (calls.length === 0) return new Map();
  const ids = calls.map(({ planned: { id } }) => id);
  const fresh = calls
    .filter(({ isNew }) => isNew)
    .map(({ planned: { id }, keys, messages }) => ({ id, keys, messages }));
  const rows = await tx<{ id: string; obstacle: Obstacle | null }[]>`
    with given as (
      select a.id, a.chunk, g.keys, g.messages, coalesce(g.keys, a.message_keys) as all_keys
      from attempt a
      left join json_to_recordset(${jsonText(fresh)}::text::json) as g(id uuid, keys text[], messages jsonb) using (id)
      where a.id = any(${ids}::uuid[])
    ), wanted as (
      select id, chunk, left(k.key, ${KEY_DIGITS}) as key from given cross join lateral unnest(all_keys) as k(key)
    ), doubtful as materialized (
      select a.state in ('reserved', 'on_wire') as in_flight, left(k.key, ${KEY_DIGITS}) as key
      from attempt a join binding b on b.id = a.binding_id cross join lateral unnest(a.message_keys) as k(key)
      where a.state in ('reserved', 'on_wire', 'unknown', 'asked') and a.id <> all(${ids}::uuid[])
        and (b.chat_id = ${job.chat_id} or b.prints && ${job.prints}::text[])
        and (a.job_id <> ${jobId} or ${job.outgoing.kind === 'multi'})
    ), hindered as (
      select w.id, bool_or(d.in_flight) as in_flight from wanted w join doubtful d using (key) group by w.id
    ), doubled as (
      select w.id from wanted w
      join (
        select key, min(chunk) as first from wanted where id not in (select id from hindered)
        group by key having count(*) > 1
      ) as twice using (key)
      where w.chunk > twice.first and w.id not in (select id from hindered)
    ), taken as (
      update attempt a set state = 'reserved', epoch = epoch + 1, owner = ${owner}, reserved_at = now(),
        message_keys = coalesce(g.keys, a.message_keys), messages = coalesce(g.messages, a.messages)
      from given g
      where a.id = g.id and g.id in (
        select id from given where id not in (select id from hindered union all select id from doubled)
        order by chunk limit ${most})
      returning a.id
    )
    select id, case when in_flight then 'earlier_in_flight' else 'earlier_unknown' end as obstacle from hindered
    union all select distinct id, 'earlier_in_flight' from doubled
    union all select id, null from taken`;
  return new Map(rows.map(({ id, obstacle }) => [id, obstacle]));
}

/** What a planned call holds. One of a file gets its messages now: a million of them are not written twice. */
function wholeCall({ text, flash, outgoing }: Job, planned: PlannedCall): WholeCall {
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
  { planned, messages }: WholeCall,
): AttemptView {
  return {
    id: planned.id,
    jobId,
    bindingId: planned.binding_id,
    state: 'reserved',
    epoch: planned.epoch + 1,
    line: planned.line,
    recipients: planned.recipients,
    text,
    flash,
    outgoing,
    messages,
    tries: planned.tries,
  };
}
