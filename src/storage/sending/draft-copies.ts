import type { TransactionSql } from 'postgres';
import type { NewDraft } from '../../ports/stores.ts';
import { columnsBut, copyRows } from '../database/copy-rows.ts';
import type { ColumnName, Row } from '../row.ts';

/** What every draft has for itself: how it stands, what was looked up for it, its card. */
const OWN = [
  'state',
  'version',
  'blocked',
  'shown_row',
  'panel',
  'created_at',
  'card_message_id',
  'card_shown_by',
  'call_message_id',
] as const satisfies readonly ColumnName<'draft'>[];

/** What a draft that sends part of another again is made with, by whoever asked for it. */
const MADE = [
  ...OWN,
  'id',
  'chat_id',
  'binding_id',
  'code',
  'bot_id',
  'source_update',
  'author_id',
  'kind',
  'details',
  'text',
  'recipients',
  'repeated',
  'invalid',
  'line',
  'flash',
  'lang',
  'send_at',
  'recur',
  'expires_at',
  'thread_id',
] as const satisfies readonly ColumnName<'draft'>[];

/**
 * Copies a draft under a code of its own, with all that it holds.
 * @param how `but`: what of its details is not copied.
 */
export async function copyDraft(
  tx: TransactionSql,
  draftId: string,
  { id, but }: { readonly id: string; readonly but: readonly string[] },
): Promise<void> {
  const [numbered] = await tx<Row<'chat', 'last_card'>[]>`
    update chat set last_card = last_card + 1 where id = (select chat_id from draft where id = ${draftId})
    returning last_card`;
  await copyRows(tx, 'draft', {
    where: tx`id = ${draftId}`,
    given: {
      id: tx`${id}::uuid`,
      code: tx`${`A${numbered?.last_card ?? 0}`}`,
      source_update: tx`null`,
      details: tx`details - ${[...but]}::text[]`,
      expires_at: tx`now()`,
    },
    fresh: OWN,
  });
  const ofIt = { where: tx`draft_id = ${draftId}`, given: { draft_id: tx`${id}::uuid` } };
  for (const table of ['bulk_call', 'bulk_skipped', 'bulk_source'] as const) await copyRows(tx, table, ofIt);
}

/** Gives a new draft that sends part of another again whatever else that one has. Does nothing for any other draft. */
export async function takeRestIn(
  tx: TransactionSql,
  id: string,
  { resendOf, resends: [resent] = [] }: Pick<NewDraft, 'resendOf' | 'resends'>,
): Promise<void> {
  if (resendOf === undefined && resent === undefined) return;
  const origin =
    resendOf === undefined
      ? tx`(select j.draft_id from attempt a join job j on j.id = a.job_id where a.id = ${resent ?? null})`
      : tx`${resendOf.draftId}::uuid`;
  // What is in doubt goes out under no tag until a person gives it one.
  const columns = await columnsBut(tx, 'draft', resendOf === undefined ? [...MADE, 'tag'] : MADE);
  if (columns.length > 0)
    await tx`
      update draft set (${tx(columns)}) = (select ${tx(columns)} from draft where id = ${origin}) where id = ${id}`;
}
