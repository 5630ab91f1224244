import { isDeepStrictEqual } from 'node:util';
import type { TransactionSql } from 'postgres';
import { DEFAULT_LIMITS, type Cap, type Limits, type Spent } from '../domain/limits.ts';
import { can, type Role } from '../domain/roles.ts';
import type { LimitsStore } from '../ports/limits.ts';
import { writeAudit } from './audit.ts';
import type { Database, Queryable } from './database.ts';

interface LimitsRow {
  approval_parts: number | null;
  cap_rial: string | null;
  cap_parts: number | null;
  window_from: number | null;
  window_to: number | null;
}

/** What chats allow themselves. */
export function createLimitsStore({ sql }: Database): LimitsStore {
  return {
    of: async (chatId) => await readLimits(sql, chatId),

    spentToday: async (chatId, timeZone) => await spentTodayIn(sql, chatId, timeZone),

    async change({ chatId, personId, updateId, to }) {
      return await sql.begin(async (tx) => {
        const before = await limitsIn(tx, chatId);
        const [member] = await tx<{ role: Role }[]>`
          select role from member where chat_id = ${chatId} and person_id = ${personId}`;
        if (!can(member?.role ?? null, 'limits.manage')) return null;
        const after: Limits = { ...before, ...to };
        const changed = LIMITS.filter((name) => !isDeepStrictEqual(before[name], after[name]));
        if (changed.length === 0) return { before, after };
        await writeLimits(tx, chatId, personId, after);
        const values = (limits: Limits) => Object.fromEntries(changed.map((name) => [name, limits[name]]));
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'limits_changed',
          details: { old: values(before), new: values(after) },
        });
        return { before, after };
      });
    },
  };
}

/**
 * The limits of a chat, for a decision that is written in the same transaction: until it ends, no other transaction
 * that asks so goes on, so two sends never both fit under what is left of a cap.
 */
export async function limitsIn(tx: TransactionSql, chatId: string): Promise<Limits> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`limits ${chatId}`}, 0))`;
  return await readLimits(tx, chatId);
}

/** What the chat has confirmed since the last midnight of a time zone and not undone. */
export async function spentTodayIn(tx: Queryable, chatId: string, timeZone: string): Promise<Spent> {
  const [row] = await tx<{ parts: string; rial: string; unpriced: string }[]>`
    select coalesce(sum(parts), 0) as parts, coalesce(sum(price_rial), 0) as rial,
      coalesce(sum(parts) filter (where price_rial is null), 0) as unpriced
    from job
    where chat_id = ${chatId} and state <> 'undone'
      and confirmed_at >= date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone}`;
  return {
    parts: Number(row?.parts ?? 0),
    rial: Number(row?.rial ?? 0),
    unpricedParts: Number(row?.unpriced ?? 0),
  };
}

const LIMITS = ['approvalParts', 'cap', 'window'] as const satisfies readonly (keyof Limits)[];

async function readLimits(tx: Queryable, chatId: string): Promise<Limits> {
  const [row] = await tx<LimitsRow[]>`
    select approval_parts, cap_rial, cap_parts, window_from, window_to from chat_limits where chat_id = ${chatId}`;
  if (row === undefined) return DEFAULT_LIMITS;
  const { window_from: from, window_to: to } = row;
  return {
    approvalParts: row.approval_parts,
    cap: capOf(row),
    window: from === null || to === null ? null : { from, to },
  };
}

async function writeLimits(
  tx: TransactionSql,
  chatId: string,
  personId: number,
  { approvalParts, cap, window }: Limits,
): Promise<void> {
  await tx`
    insert into chat_limits (chat_id, approval_parts, cap_rial, cap_parts, window_from, window_to, updated_by)
    values (${chatId}, ${approvalParts}, ${cap?.unit === 'rial' ? cap.rial : null}, ${cap?.parts ?? null},
      ${window?.from ?? null}, ${window?.to ?? null}, ${personId})
    on conflict (chat_id) do update set approval_parts = excluded.approval_parts, cap_rial = excluded.cap_rial,
      cap_parts = excluded.cap_parts, window_from = excluded.window_from, window_to = excluded.window_to,
      updated_by = excluded.updated_by, updated_at = now()`;
}

function capOf({ cap_rial: rial, cap_parts: parts }: LimitsRow): Cap | null {
  if (parts === null) return null;
  return rial === null ? { unit: 'parts', parts } : { unit: 'rial', rial: Number(rial), parts };
}
