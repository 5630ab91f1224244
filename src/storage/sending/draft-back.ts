import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { UNDECIDED } from '../../domain/draft.ts';
import { fileOf } from '../../domain/kinds/index.ts';
import { enqueueStep } from './bulk-in.ts';
import type { Queryable } from '../database/database.ts';
import { copyDraft } from './draft-copies.ts';
import { enqueueExpiry, openUntil, secondsLeft } from './draft-expiry.ts';
import { enqueue, enqueueGauge } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { readOutgoing } from './kinds/details.ts';
import { listed } from '../move.ts';
import type { Maybe, Row } from '../row.ts';

/** By then whoever has brought it back has been shown it, unless the process ended. */
export const SHOWN_MS = 3000;

const backSchema = z.object({
  undoOf: z.object({ code: z.string(), by: z.string(), rowsGone: z.boolean() }).exactOptional(),
  againOf: z.object({ code: z.string(), rejectedBy: z.string().nullable() }).exactOptional(),
  backAs: z.string().exactOptional(),
  slot: z.object({ rule: z.string(), at: z.coerce.date() }).exactOptional(),
  byDate: z.object({ tag: z.string(), field: z.string() }).exactOptional(),
  untold: z.array(z.object({ line: z.string(), isNone: z.boolean() })).exactOptional(),
});

/** What a draft was before it came back, the draft that it has become since, which time of a series it stands for, by whose date it was made, and which lines did not tell who is blocked; from its details. */
export function readBack(details: unknown): z.infer<typeof backSchema> {
  return backSchema.safeParse(details).data ?? {};
}

/** Who has said no to a draft `d`; null: nobody. */
export function rejectedBy(sql: Queryable) {
  return sql`(
    select o.name from audit a join person o on o.telegram_id = a.person_id
    where d.state = 'cancelled' and a.chat_id = d.chat_id and a.action = 'send_rejected_by_approver'
      and a.details ->> 'code' = d.code limit 1)`;
}

/** Makes what a draft held a draft again, under a code of its own, which the old one names; for the account of now. */
export async function bringBackIn(tx: TransactionSql, draftId: string): Promise<string> {
  const id = randomUUID();
  await copyDraft(tx, draftId, {
    id,
    but: ['replaces', 'replacedBy', 'undoOf', 'againOf', 'backAs'],
  });
  const [back] = await tx<(Row<'draft', 'binding_id' | 'code'> & { readonly seconds: number })[]>`
    update draft d set
      expires_at = ${openUntil(tx)},
      binding_id = coalesce((select b.id from binding b where b.chat_id = d.chat_id and b.state = 'live'), binding_id)
    where id = ${id} returning binding_id, code, ${secondsLeft(tx)} as seconds`;
  if (back === undefined) return id;
  await tx`
    update draft set details = details || ${jsonText({ backAs: back.code })}::text::jsonb where id = ${draftId}`;
  await enqueueExpiry(tx, id, back.seconds);
  await enqueueGauge(tx, { bindingId: back.binding_id, draftId: id });
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  await enqueue(tx, 'card', { draftId: id }, { key: `card:${id}`, afterMs: SHOWN_MS });
  return id;
}

/**
 * Has the author take up again what was rejected or has lapsed: the id of the draft that it is since, the same for each
 * press. Null: nothing of it can be taken up, for the rows of its file are no longer kept, or a backup was brought back.
 */
export async function takeUpIn(
  tx: TransactionSql,
  draftId: string,
  personId: number,
): Promise<string | null> {
  // As for a new draft, before the draft: the second of two presses sees what the first has made.
  await tx`select 1 from chat where id = (select chat_id from draft where id = ${draftId}) for no key update`;
  const [over] = await tx<
    (Row<'draft', 'code' | 'kind' | 'details'> &
      Maybe<Row<'draft', 'id as back_id'>> & { readonly rejected_by: string | null })[]
  >`
    select d.code, d.kind, d.details, ${rejectedBy(tx)} as rejected_by, b.id as back_id
    from draft d left join draft b on b.chat_id = d.chat_id and b.code = d.details ->> 'backAs'
    where d.id = ${draftId} and d.author_id = ${personId} and d.details -> 'restored' is null
      and (d.state = 'cancelled' or (d.state in ${listed(tx, UNDECIDED)} and d.expires_at <= now()))`;
  if (over === undefined) return null;
  if (over.back_id !== null) return over.back_id;
  const file = fileOf(readOutgoing(over));
  if (file?.head.length === 0) return null;
  const id = await bringBackIn(tx, draftId);
  const againOf = { code: over.code, rejectedBy: over.rejected_by };
  await tx`update draft set details = details || ${jsonText({ againOf })}::text::jsonb where id = ${id}`;
  if (file !== null) await enqueueStep(tx, id, { version: 1, bulk: file });
  return id;
}
