import type { Fragment, TransactionSql } from 'postgres';
import { z } from 'zod';
import { FAILED, GONE, UNWRITTEN } from '../../domain/attempt.ts';
import { kindsWith } from '../../domain/kinds/index.ts';
import { FORGOTTEN } from '../../domain/number-spellings.ts';
import type { Earlier } from '../../ports/stores.ts';
import type { Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { heldUp } from './held-up.ts';
import { listed, move } from '../move.ts';
import { reportRows, reportWords } from '../reports/reported.ts';
import type { Row } from '../row.ts';

const resendOfSchema = z.object({
  resendOf: z.object({
    draftId: z.uuid(),
    code: z.string(),
    unknown: z.number(),
    blocked: z.number(),
    restored: z.boolean().exactOptional(),
    answered: z.boolean().exactOptional(),
    doubted: z.boolean().exactOptional(),
  }),
});

export type ResendOf = z.infer<typeof resendOfSchema>['resendOf'];

/** Whether a draft sends messages again whose outcome nobody knows. */
export function hasResends(details: unknown): boolean {
  return typeof details === 'object' && details !== null && 'resends' in details;
}

/** Whose failures a draft sends again, from its details; null: nobody's. */
export function readResendOf(details: unknown): ResendOf | null {
  return resendOfSchema.safeParse(details).data?.resendOf ?? null;
}

/** The card of the job whose failures a draft sends again tells what has become of them. */
export async function showResentIn(tx: TransactionSql, draftId: string): Promise<void> {
  const [row] = await tx<Row<'draft', 'details'>[]>`select details from draft where id = ${draftId}`;
  const of = readResendOf(row?.details);
  if (of !== null) await enqueue(tx, 'card', { draftId: of.draftId }, { key: `card:${of.draftId}` });
}

/** Has every draft void that was to send failures of a job again: not all of these are failures any more. */
export async function voidResendsIn(tx: TransactionSql, draftId: string): Promise<void> {
  const { to, may } = move(tx, 'draft', 'cancel');
  const drafts = await tx<Row<'draft', 'id'>[]>`
    update draft set state = ${to}, version = version + 1
    where id in (select id from ${resendsOf(tx, draftId)} as d) and ${may} returning id`;
  for (const { id } of drafts) await enqueue(tx, 'card', { draftId: id }, { key: `card:${id}` });
}

/** The drafts that send failures of another's job again. */
export function resendsOf(sql: Queryable, draftId: string) {
  return sql`(select id, code from draft where details -> 'resendOf' ->> 'draftId' = ${draftId})`;
}

/**
 * Messages of a draft's job of which it is proved that nobody got them, and that are in no other send since: refused or
 * not sent by a call, or reported as not delivered; who is blocked is left out, and so is what goes with the rest. Of a
 * kind in which somebody may get several, one message is another than the next by its text.
 */
export function failuresOf(sql: Queryable, draftId: string) {
  const again = sql`${resendsOf(sql, draftId)} as d
    join job k on k.draft_id = d.id and k.state <> 'undone' join attempt again on again.job_id = k.id`;
  const textOf = (messages: Fragment, place: Fragment) =>
    sql`case when o.kind = any(${kindsWith('repeatsRecipients')}) then coalesce(${messages} -> (${place} - 1)::int ->> 'text', '') else '' end`;
  return sql`(
    with call as (
      select a.* from attempt a join job j on j.id = a.job_id
      where j.draft_id = ${draftId}
        and ((a.state in ${listed(sql, FAILED)} and a.outcome is distinct from 'blocked' and not ${heldUp(sql)})
          or (a.state in ${listed(sql, GONE)} and exists (
            select 1 from ${reportWords(sql, sql`select a.id`)} w where w.kind = 'failed')))
    )
    select a.chunk, r.place, r.number as recipient, a.messages -> (r.place - 1)::int as message
    from call a join ${reportRows(sql, sql`select * from call`)} r on r.attempt_id = a.id join draft o on o.id = ${draftId}
    where (a.state in ${listed(sql, FAILED)} or r.kind = 'failed')
      -- A mark that stands in the place of a number is nobody to send to, and nothing to say: forget.ts.
      and not starts_with(r.number, ${FORGOTTEN})
      and not ${saysForgotten(sql, 'o', sql`coalesce(a.messages -> (r.place - 1)::int ->> 'text', o.text)`)}
      and r.number not in (select unnest(again.blocked) from ${again})
      and (r.number, ${textOf(sql`a.messages`, sql`r.place`)}) not in (
        select t.number, ${textOf(sql`again.messages`, sql`t.place`)}
        from ${again} join draft o on o.id = ${draftId}
        cross join unnest(again.recipients) with ordinality as t(number, place)))`;
}

/** Those whom the rest of a draft's job would go to. */
export function restOf(sql: Queryable, draftId: string) {
  return sql`(
    select unnest(a.recipients) as recipient from attempt a join job j on j.id = a.job_id
    where j.draft_id = ${draftId} and (a.state in ${listed(sql, UNWRITTEN)} or ${heldUp(sql)}))`;
}

/**
 * What came of an earlier try for somebody to whom a draft's rest or failures would go, where a person had it go again all the
 * same: `answered`, some had been accepted; `doubted`, nobody knows of some.
 * @param whom of the draft: `restOf`, `failuresOf`
 */
export async function earlierIn(sql: Queryable, draftId: string, whom: Fragment): Promise<Earlier> {
  const [row] = await sql<{ answered: boolean | null; doubted: boolean | null }[]>`
    with recursive earlier as (
      select id, details from draft where id = ${draftId}
      union select o.id, o.details from earlier e cross join lateral (
        select (e.details -> 'resendOf' ->> 'draftId')::uuid as id
        union all select k.draft_id from jsonb_array_elements_text(coalesce(e.details -> 'resends', '[]')) as r(id)
          join attempt c on c.id = r.id::uuid join job k on k.id = c.job_id) f join draft o on o.id = f.id
    )
    select bool_or(a.state in ${listed(sql, GONE)}) as answered, bool_or(a.state = 'closed') as doubted
    from earlier e join job j on j.draft_id = e.id join attempt a on a.job_id = j.id cross join unnest(a.recipients) as r(number)
    where e.id <> ${draftId} and a.settled_by is not null
      and r.number in (select recipient from ${whom} as f)`;
  if (row?.answered === true) return { answered: true };
  return row?.doubted === true ? { doubted: true } : {};
}

/** Whether a number was taken out of what a draft's job has sent: by forget.ts, which leaves no hash of what it stood in. */
export async function hasForgotten(sql: Queryable, draftId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from draft d join job j on j.draft_id = d.id
    where d.id = ${draftId} and (j.payload_sha256 = '' or ${saysForgotten(sql, 'd', sql`d.text`)})`;
  return rows.length > 0;
}

/** Whether a text of a draft, or what its pattern is filled with, says a number that was forgotten. */
function saysForgotten(sql: Queryable, draft: string, text: Fragment) {
  return sql`concat_ws(' ', ${text}, ${sql(draft)}.details ->> 'variables') ~ ${`${FORGOTTEN}[0-9a-f]{6}`}`;
}
