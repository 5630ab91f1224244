import type { TransactionSql } from 'postgres';
import { recounted, type Bulk } from '../../domain/bulk.ts';
import { fileOf, type Outgoing } from '../../domain/kinds/index.ts';
import { lineRuleOf, type LineRule } from '../../domain/limits.ts';
import { createMergedLook, isHeldTo } from '../../domain/line-rules.ts';
import type { SampleRow } from '../../ports/stores.ts';
import type { Queryable } from '../database/database.ts';
import { enqueueExpiry, openUntil, secondsLeft } from './draft-expiry.ts';
import { enqueue } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { readOutgoing, writeOutgoing } from './kinds/details.ts';
import type { Row } from '../row.ts';

/** Has the file of a new draft read, or counted where its rows are known. */
export async function enqueueStep(
  tx: TransactionSql,
  draftId: string,
  { version, bulk }: { readonly version: number; readonly bulk: Bulk },
): Promise<void> {
  if (bulk.step !== 'reading') return await enqueueCount(tx, draftId, { version, bulk });
  await enqueue(tx, 'bulk-read', { draftId, version }, { key: `bulk-read:${draftId}` });
}

/** Has the rows of a draft counted, or their people kept, where its step is to wait for that. */
export async function enqueueCount(
  tx: TransactionSql,
  draftId: string,
  { version, bulk }: { readonly version: number; readonly bulk: Bulk },
): Promise<void> {
  if (bulk.keep?.outcome === null)
    return await enqueue(tx, 'bulk-keep', { draftId, version }, { key: `bulk-keep:${draftId}` });
  if (!isCounted(bulk)) return;
  await enqueue(tx, 'bulk-count', { draftId, version }, { key: `bulk-count:${draftId}` });
}

function isCounted({ step, numbers, phone }: Bulk): boolean {
  return step === 'counting' || (step === 'columns' && phone !== null && numbers === null);
}

/** What was counted by an earlier line or text does not hold any more: it is counted again. */
export async function recountIn(tx: TransactionSql, draftId: string): Promise<void> {
  const [row] = await tx<Row<'draft', 'version' | 'kind' | 'details' | 'text'>[]>`
    select version, kind, details, text from draft where id = ${draftId} and kind = 'bulk' for no key update`;
  const bulk = row === undefined ? null : fileOf(readOutgoing(row));
  if (row === undefined || bulk === null) return;
  await forgetCalls(tx, draftId);
  const again = row.text === '' || !HAVE_TEXT.has(bulk.step) ? bulk : recounted(bulk, 'counting');
  await renew(tx, draftId, again);
  await enqueueCount(tx, draftId, { version: row.version, bulk: again });
}

const HAVE_TEXT: ReadonlySet<Bulk['step']> = new Set(['text', 'counting', 'review']);

export async function forgetCalls(tx: TransactionSql, draftId: string): Promise<void> {
  await tx`delete from bulk_call where draft_id = ${draftId}`;
  await tx`delete from bulk_skipped where draft_id = ${draftId}`;
}

/** Writes where a draft stands, and gives it its time anew; one that a second person was asked about keeps that of the question. */
export async function renew(tx: TransactionSql, draftId: string, bulk: Bulk): Promise<void> {
  const [row] = await tx<{ readonly seconds: number }[]>`
    update draft set details = details || ${jsonText(writeOutgoing(bulk).details)}::text::jsonb, shown_row = 0,
      expires_at = case state when 'asked' then expires_at else ${openUntil(tx)} end
    where id = ${draftId} returning ${secondsLeft(tx)} as seconds`;
  await enqueueExpiry(tx, draftId, row?.seconds ?? 0);
}

/**
 * A held draft with its messages held to the rule of its line, where they were counted before that said so: rows whose texts
 * are their own say what the draft's text does not.
 */
export async function lookedAtIn(
  tx: TransactionSql,
  { id, line, outgoing }: Row<'draft', 'id' | 'line'> & { readonly outgoing: Outgoing },
  rules: readonly LineRule[],
): Promise<Outgoing> {
  const file = fileOf(outgoing);
  const rule = lineRuleOf(rules, line);
  if (file?.summary?.personal !== true || isHeldTo(file.summary.found, rule)) return outgoing;
  const look = createMergedLook(rule);
  // Of a send that has begun, its calls may be all that is kept.
  const kept = tx<Row<'bulk_call', 'texts'>[]>`
    select texts from bulk_call where draft_id = ${id} union all
    select array(select m ->> 'text' from jsonb_array_elements(a.messages) as m)
    from attempt a join job j on j.id = a.job_id where j.draft_id = ${id} and a.messages is not null`;
  for await (const some of kept.cursor(8))
    for (const text of some.flatMap(({ texts }) => texts ?? [])) look.take(text);
  const looked = { ...file, summary: { ...file.summary, found: look.found() } };
  await tx`
    update draft set details = details || ${jsonText(writeOutgoing(looked).details)}::text::jsonb where id = ${id}`;
  return looked;
}

/** The calls of a draft, how many messages each has, and how many are before it. */
export function placedCalls(sql: Queryable, draftId: string) {
  return sql`(
    select chunk, cardinality(recipients) as size,
      (sum(cardinality(recipients)) over (order by chunk) - cardinality(recipients))::int as before
    from bulk_call where draft_id = ${draftId})`;
}

/** The message of a draft's calls that its card shows; null where nothing of it leaves. */
export async function sampleIn(
  sql: Queryable,
  { id, text, shownRow }: { readonly id: string; readonly text: string; readonly shownRow: number },
  { step, summary }: Bulk,
): Promise<SampleRow | null> {
  if (step !== 'review' || summary === null || summary.recipients === 0) return null;
  const index = Math.min(shownRow, summary.recipients - 1);
  const { perCall } = summary;
  const at =
    perCall === null
      ? sql`
        select chunk, ${index} - before + 1 as place from ${placedCalls(sql, id)} as calls
        where ${index} >= before and ${index} < before + size`
      : sql`select ${Math.floor(index / perCall)}::int as chunk, ${(index % perCall) + 1}::int as place`;
  const [row] = await sql<SampleRow[]>`
    select ${index}::int as index, b.row_numbers[at.place] as row, b.recipients[at.place] as recipient,
      coalesce(b.texts[at.place], ${text}) as text
    from (${at}) as at join bulk_call b on b.draft_id = ${id} and b.chunk = at.chunk`;
  return row ?? null;
}
