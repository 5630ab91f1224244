import type { TransactionSql } from 'postgres';
import { IN_HAND, UNPROVEN } from '../../domain/attempt.ts';
import { type Outgoing, kindOf } from '../../domain/kinds/index.ts';
import type { OutgoingRow } from '../../domain/kinds/kind.ts';
import { jsonText } from '../json.ts';
import { KEY_DIGITS } from './kinds/details.ts';
import { listed, move } from '../move.ts';
import type { Maybe, Row } from '../row.ts';

/** The job of the calls, and what all of them have in common. */
export type Job = Row<'binding', 'gateway_user'> &
  Row<'draft', 'text' | 'flash'> & {
    readonly outgoing: Outgoing;
    /** The place of its last call. */
    readonly last: number;
  };

/** A call as it was planned; one of a file with its texts where it has no messages yet. */
export type PlannedRow = Row<
  'attempt',
  'id' | 'chunk' | 'binding_id' | 'line' | 'recipients' | 'message_keys' | 'messages' | 'tries'
> &
  Maybe<Row<'bulk_call', 'texts'>>;

/** A planned call with all that it holds. `isNew`: its messages and their keys are not written down yet. */
export interface WholeCall {
  readonly planned: PlannedRow;
  readonly keys: readonly string[];
  readonly messages: readonly OutgoingRow[] | null;
  readonly isNew: boolean;
}

export type Obstacle = 'earlier_unknown' | 'earlier_in_flight';

/** Epochs are drawn from so many: one that the database has given out and forgotten is not given out again. */
export const EPOCHS = 1_000_000;
/** There they begin anew. */
export const LAST_EPOCH = 2_000_000_000;

/**
 * Takes the first of these calls, at most `most`, that equal none in flight or in doubt, nor one that is taken with
 * them: their new epochs by their ids. By the ids of the others what stands against them: one in flight goes first, it ends by
 * itself. Within a job only rows that people gave can be equal: elsewhere each number stands in it once.
 */
export async function takeCalls(
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
): Promise<ReadonlyMap<string, Obstacle | number>> {
  if (calls.length === 0) return new Map();
  const ids = calls.map(({ planned: { id } }) => id);
  const fresh = calls
    .filter(({ isNew }) => isNew)
    .map(({ planned: { id }, keys, messages }) => ({ id, keys, messages }));
  const reserve = move(tx, 'attempt', 'reserve', 'a');
  const rows = await tx<{ id: string; obstacle: Obstacle; epoch: number | null }[]>`
    with given as (
      select a.id, a.chunk, g.keys, g.messages, coalesce(g.keys, a.message_keys) as all_keys
      from attempt a
      left join json_to_recordset(${jsonText(fresh)}::text::json) as g(id uuid, keys text[], messages jsonb) using (id)
      where a.id = any(${ids}::uuid[])
    ), wanted as (
      select id, chunk, left(k.key, ${KEY_DIGITS}) as key from given cross join lateral unnest(all_keys) as k(key)
    ), doubtful as materialized (
      select a.state in ${listed(tx, IN_HAND)} as in_flight, left(k.key, ${KEY_DIGITS}) as key
      from attempt a join binding b on b.id = a.binding_id cross join lateral unnest(a.message_keys) as k(key)
      where a.state in ${listed(tx, UNPROVEN)} and a.id <> all(${ids}::uuid[])
        and b.gateway_user = ${job.gateway_user}
        and (a.job_id <> ${jobId} or ${kindOf(job.outgoing).repeatsRecipients})
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
      update attempt a set state = ${reserve.to}, epoch = (a.epoch + 1 + floor(random() * ${EPOCHS})::int) % ${LAST_EPOCH}, owner = ${owner}, reserved_at = now(), pace_ms = null,
        message_keys = coalesce(g.keys, a.message_keys), messages = coalesce(g.messages, a.messages)
      from given g
      where a.id = g.id and ${reserve.may} and g.id in (
        select id from given where id not in (select id from hindered union all select id from doubled)
        order by chunk limit ${most})
      returning a.id, a.epoch
    )
    select id, case when in_flight then 'earlier_in_flight' else 'earlier_unknown' end as obstacle, null::int as epoch from hindered
    union all select distinct id, 'earlier_in_flight', null::int from doubled
    union all select id, null, epoch from taken`;
  return new Map(rows.map(({ id, obstacle, epoch }) => [id, epoch ?? obstacle]));
}
