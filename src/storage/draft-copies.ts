import type { TransactionSql } from 'postgres';
import type { NewDraft } from '../ports/stores.ts';
import { columnsBut, copyRows, type ColumnOf } from './copy-rows.ts';
import { bulkCall, bulkSkipped, bulkSource, draft } from './schema.ts';
import type { Row } from './row.ts';

/** What every draft has for itself: how it stands, what was looked up for it, its card. */
const OWN = [
  'state',
  'version',
  'blocked',
  'shownRow',
  'createdAt',
  'cardMessageId',
  'cardShownBy',
] as const satisfies readonly ColumnOf<typeof draft>[];

/** What a draft that sends part of another again is made with, by whoever asked for it. */
const MADE = [
  ...OWN,
  'id',
  'chatId',
  'bindingId',
  'code',
  'botId',
  'sourceUpdate',
  'authorId',
  'kind',
  'details',
  'text',
  'recipients',
  'repeated',
  'invalid',
  'line',
  'flash',
  'lang',
  'sendAt',
  'recur',
  'expiresAt',
  'threadId',
] as const satisfies readonly ColumnOf<typeof draft>[];

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
  await copyRows(tx, draft, {
    where: tx`id = ${draftId}`,
    given: {
      id: tx`${id}::uuid`,
      code: tx`${`A${numbered?.last_card ?? 0}`}`,
      sourceUpdate: tx`null`,
      details: tx`details - ${[...but]}::text[]`,
      expiresAt: tx`now()`,
    },
    fresh: OWN,
  });
  const ofIt = { where: tx`draft_id = ${draftId}`, given: { draftId: tx`${id}::uuid` } };
  for (const table of [bulkCall, bulkSkipped, bulkSource]) await copyRows(tx, table, ofIt);
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
  const columns = columnsBut(draft, resendOf === undefined ? [...MADE, 'tag'] : MADE).map(({ name }) => name);
  if (columns.length > 0)
    await tx`
      update draft set (${tx(columns)}) = (select ${tx(columns)} from draft where id = ${origin}) where id = ${id}`;
}
