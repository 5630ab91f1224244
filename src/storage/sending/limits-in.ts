import { randomUUID } from 'node:crypto';
import type { Fragment, Sql, TransactionSql } from 'postgres';
import { DEFAULT_LIMITS, type Cap, type LineRule, type Limits } from '../../domain/limits.ts';
import type { Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { canBeDecided } from '../move.ts';
import type { Maybe, Row } from '../row.ts';

export type LimitsRow = Row<
  'chat_limits',
  | 'approval_parts'
  | 'cap_rial'
  | 'cap_parts'
  | 'person_cap_rial'
  | 'person_cap_parts'
  | 'window_from'
  | 'window_to'
  | 'halted_at'
> &
  Row<'deployment', 'held_at'> &
  Maybe<Row<'person', 'name as halted_by'>> & {
    readonly is_unset: boolean;
    readonly line_rules: readonly LineRule[];
  };

/**
 * Holds the limits of a chat, for a decision that is written in the same transaction: until it ends, no other transaction
 * that asks so goes on, so two sends never both fit under what is left of a cap.
 */
export async function holdLimits(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${limitsKey(tx, tx`${chatId}::text`)})`;
}

/** Holds the limits of a draft's chat; false: there is no such draft. */
export async function holdLimitsOf(tx: TransactionSql, draftId: string): Promise<boolean> {
  const rows = await tx`
    select pg_advisory_xact_lock(${limitsKey(tx, tx`d.chat_id::text`)}) from draft d where d.id = ${draftId}`;
  return rows.length > 0;
}

/** Holds the limits of a chat, and reads them. */
export async function limitsIn(tx: TransactionSql, chatId: string): Promise<Limits> {
  await holdLimits(tx, chatId);
  return await readLimits(tx, chatId);
}

function limitsKey(tx: TransactionSql, chatId: Fragment) {
  return tx`hashtextextended('limits ' || ${chatId}, 0)`;
}

/** Reads what a chat has set, or the defaults. */
export async function readLimits(tx: Queryable, chatId: string): Promise<Limits> {
  const [row] = await tx<LimitsRow[]>`
    select ${limitsColumns(tx)} from (select ${chatId}::uuid as id) c ${limitsJoins(tx)}`;
  if (row === undefined) throw new Error('the deployment has lost its row');
  return toLimits(row);
}

/** What `toLimits` reads of a chat `c`, with `limitsJoins`. */
export function limitsColumns(sql: Queryable) {
  return sql`l.chat_id is null as is_unset, l.approval_parts, l.cap_rial, l.cap_parts, l.person_cap_rial, l.person_cap_parts,
    l.window_from, l.window_to, l.halted_at, h.name as halted_by, o.held_at,
    (select coalesce(json_agg(json_build_object('line', r.line, 'purpose', r.purpose, 'required', r.required, 'words', r.words,
      'window', case when r.window_from is not null then json_build_object('from', r.window_from, 'to', r.window_to) end)
      order by r.line), '[]') from line_rule r where r.chat_id = c.id) as line_rules`;
}

/** The tables of `limitsColumns`. */
export function limitsJoins(sql: Queryable) {
  return sql`cross join deployment o left join chat_limits l on l.chat_id = c.id left join person h on h.telegram_id = l.halted_by`;
}

/** What a chat has set, or the defaults, of a row with `limitsColumns`. */
export function toLimits(row: LimitsRow): Limits {
  const { window_from: from, window_to: to, halted_at: haltedAt, held_at: heldAt, line_rules: lines } = row;
  if (row.is_unset) return { ...DEFAULT_LIMITS, heldAt, lines };
  return {
    heldAt,
    lines,
    approvalParts: row.approval_parts,
    cap: capOf(row.cap_rial, row.cap_parts),
    personCap: capOf(row.person_cap_rial, row.person_cap_parts),
    window: from === null || to === null ? null : { from, to },
    halted: haltedAt === null ? null : { at: haltedAt, byName: row.halted_by },
  };
}

/**
 * What counts against the caps of a chat is more or less than before: its open drafts show it, where there is a cap.
 * @param limits as they were read while they were held
 */
export async function showCapUseIn(tx: TransactionSql, chatId: string, limits?: Limits): Promise<void> {
  const { cap, personCap } = limits ?? (await readLimits(tx, chatId));
  if (cap !== null || personCap !== null) await showOpenDraftsIn(tx, chatId);
}

/**
 * The cards of drafts that can still be confirmed show how they are judged: of a chat, or of all. A task asks for them one
 * by one: transactions that each asked for several would wait for each other.
 */
export async function showOpenDraftsIn(tx: TransactionSql, chatId: string | null): Promise<void> {
  await enqueue(tx, 'open-drafts', { chatId }, { key: `open-drafts:${randomUUID()}` });
}

/** Does what `showOpenDraftsIn` asks for. */
export async function showOpenDrafts(sql: Sql, chatId: string | null): Promise<void> {
  const open = await sql<Row<'draft', 'id'>[]>`
    select id from draft where (${chatId}::uuid is null or chat_id = ${chatId}::uuid)
      and ${canBeDecided(sql)}`;
  for (const { id: draftId } of open)
    await sql.begin(async (tx) => {
      await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
    });
}

function capOf(rial: number | null, parts: number | null): Cap | null {
  if (parts === null) return null;
  return rial === null ? { unit: 'parts', parts } : { unit: 'rial', rial, parts };
}
