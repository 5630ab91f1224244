import type { TransactionSql } from 'postgres';
import { kindOf } from '../../domain/kinds/index.ts';
import { countsRial, dueAt, nextTurn, type LineFindings, type Limits } from '../../domain/limits.ts';
import { heldToLines } from '../../domain/line-rules.ts';
import { messageCount, partsOf, withoutBlocked, type Payload, isTooNear } from '../../domain/outgoing.ts';
import { encodedParts, estimate, type Gauge } from '../../domain/price.ts';
import { can, ROLES, type Permission } from '../../domain/roles.ts';
import type { CardView, Limited, NotOpen } from '../../ports/stores.ts';
import { lookedAtIn } from './bulk-in.ts';
import type { Queryable } from '../database/database.ts';
import { readOutgoing } from './kinds/details.ts';
import { judgeIn, slowOf } from './judge-in.ts';
import { holdLimitsOf, limitsColumns, limitsJoins, toLimits, type LimitsRow } from './limits-in.ts';
import type { PaceRow } from './pace-in.ts';
import { costIn } from '../accounts/gauge-in.ts';
import { readChange } from './schedule-change.ts';
import type { Row } from '../row.ts';

/** A draft that is held for a decision about it, and what the decision goes by. */
export interface HeldDraft {
  readonly draft: HeldRow;
  /** What leaves: without those who were found blocked. */
  readonly payload: Payload;
  readonly limits: Limits;
  /** What the rules of its lines say of it. */
  readonly found: LineFindings;
}

type HeldRow = Row<
  'draft',
  | 'id'
  | 'code'
  | 'chat_id'
  | 'binding_id'
  | 'author_id'
  | 'state'
  | 'version'
  | 'kind'
  | 'details'
  | 'text'
  | 'recipients'
  | 'blocked'
  | 'line'
  | 'flash'
  | 'recur'
  | 'pace_per_hour'
  | 'pace_from'
  | 'pace_to'
  | 'send_at'
> & {
  readonly expired: boolean;
  readonly live: boolean;
  readonly is_private: boolean;
  readonly now: Date;
};

/**
 * Holds a draft and the chat's limits until the transaction ends; or says why nothing can be decided about that
 * version any more. Limits are always taken first, so that no two transactions wait for each other.
 */
export async function holdDraft(
  tx: TransactionSql,
  { draftId, version }: { readonly draftId: string; readonly version: number },
): Promise<HeldDraft | NotOpen> {
  const held = (await holdLimitsOf(tx, draftId)) ? await holdUnder(tx, draftId) : null;
  if (held === null || held.draft.state === 'cancelled') return { result: 'cancelled' };
  if (held.draft.state === 'confirmed') return { result: 'already' };
  if (held.draft.version !== version) return { result: 'changed' };
  return held.draft.expired ? { result: 'expired' } : held;
}

/**
 * Holds a draft in whatever state, under limits that are held already, and reads both. Its key stays free: whoever holds the job, as an
 * undo does at the moment in which it starts, and writes it looks whether the draft is there, and must not wait.
 */
export async function holdUnder(tx: TransactionSql, draftId: string): Promise<HeldDraft | null> {
  const [draft] = await tx<(HeldRow & LimitsRow)[]>`
    select d.*, d.expires_at <= now() as expired, b.state = 'live' as live, c.type = 'private' as is_private, now() as now,
      ${limitsColumns(tx)}
    from draft d join binding b on b.id = d.binding_id join chat c on c.id = d.chat_id ${limitsJoins(tx)}
    where d.id = ${draftId} for no key update of d for share of b`;
  if (draft === undefined) return null;
  const { line, text, flash, recipients } = draft;
  const limits = toLimits(draft);
  const outgoing = await lookedAtIn(tx, { id: draftId, line, outgoing: readOutgoing(draft) }, limits.lines);
  const payload = withoutBlocked({ outgoing, line, text, flash, recipients }, draft.blocked ?? []);
  return { draft, payload, limits, found: heldToLines(limits.lines, payload) };
}

/** The same for what is to leave: there is an account for it, and time. */
export async function holdForSending(
  tx: TransactionSql,
  press: { readonly draftId: string; readonly version: number },
): Promise<HeldDraft | NotOpen> {
  const held = await holdDraft(tx, press);
  if ('result' in held) return held;
  const { draft, payload } = held;
  const { outgoing } = payload;
  if (!draft.live) return { result: 'not_connected' };
  if (isTooNear(outgoing, draft.now.getTime() / 1000)) return { result: 'past' };
  if (draft.send_at !== null && draft.send_at < draft.now) return { result: 'past' };
  // What was counted is what leaves: as long as it is counted anew, there is nothing to say yes to.
  if (messageCount(payload) === 0 || !kindOf(outgoing).isReady(outgoing)) return { result: 'changed' };
  return held;
}

/** The limit that forbids a held draft to leave when it is due, if there is one. */
export async function limitedIn(
  tx: TransactionSql,
  { draft, payload, limits, found }: HeldDraft,
  {
    timeZone,
    confirmedBy: personId,
    approved,
    leavesAt,
    exceptJob,
  }: {
    readonly timeZone: string;
    readonly confirmedBy: number;
    readonly approved: boolean;
    /** When it is due, see `dueOf`. */
    readonly leavesAt: Date;
    /** The draft's own job, or the one that it stands for, which is decided about anew. */
    readonly exceptJob?: string | undefined;
  },
): Promise<Limited | null> {
  const verdict = await judgeIn(tx, {
    limits,
    found,
    chatId: draft.chat_id,
    parts: countedParts(payload),
    priceRial: countsRial(limits) ? (await costIn(tx, draft.binding_id, payload)).price : null,
    slow: slowly(draft, { payload, limits, found }),
    personId,
    timeZone,
    leavesAt,
    approved,
    exceptJob,
  });
  return verdict.kind === 'ok' ? null : { result: 'limited', verdict, leavesAt };
}

function slowly(row: PaceRow, { payload, limits, found }: Pick<HeldDraft, 'payload' | 'limits' | 'found'>) {
  const all = messageCount(payload);
  return slowOf(row, { limits, found, outgoing: payload.outgoing, left: all, all });
}

/** When a draft that is confirmed now is due to leave, after a hold of so many seconds. */
export function dueOf(
  {
    draft,
    payload,
  }: {
    readonly draft: Pick<HeldRow, 'send_at' | 'now'>;
    readonly payload: Pick<Payload, 'outgoing'>;
  },
  holdSeconds: number,
): Date {
  return dueAt({
    outgoing: payload.outgoing,
    sendAt: draft.send_at,
    holdUntil: new Date(draft.now.getTime() + holdSeconds * 1000),
  });
}

/** How a draft would be judged if its author confirmed it now, or a second person who was asked; nothing is held for it. */
export async function judgeDraft(
  sql: Queryable,
  draft: Pick<HeldRow, 'chat_id' | 'author_id' | 'state' | 'details' | 'send_at' | 'now'> &
    PaceRow &
    Row<'draft', 'expires_at'>,
  { payload, gauge, limits }: Pick<HeldDraft, 'payload' | 'limits'> & { readonly gauge: Gauge | null },
  { undoSeconds, timeZone }: { readonly undoSeconds: number; readonly timeZone: string },
): Promise<CardView['judged']> {
  const leavesAt = dueOf({ draft, payload }, undoSeconds);
  const found = heldToLines(limits.lines, payload);
  const verdict = await judgeIn(sql, {
    limits,
    found,
    chatId: draft.chat_id,
    parts: countedParts(payload),
    priceRial: estimate(encodedParts(payload), gauge).price,
    slow: slowly(draft, { payload, limits, found }),
    personId: draft.author_id,
    timeZone,
    leavesAt,
    approved: draft.state === 'asked',
    exceptJob: readChange(draft.details).replaces?.jobId,
  });
  return { verdict, leavesAt, turnsInMs: turnsIn(draft, { limits, found, leavesAt, undoSeconds, timeZone }) };
}

/** After how many milliseconds, within the life of a draft, the clock may change how it is judged; null: it does not. */
export function turnsIn(
  { now, expires_at: end }: Pick<HeldRow, 'now'> & Row<'draft', 'expires_at'>,
  {
    limits,
    found,
    leavesAt,
    undoSeconds,
    timeZone,
  }: {
    readonly limits: Limits;
    readonly found: LineFindings;
    readonly leavesAt: Date;
    readonly undoSeconds: number;
    readonly timeZone: string;
  },
): number | null {
  // One with a time of its own is due then, whatever the clock says now.
  const isDueByClock = leavesAt.getTime() === now.getTime() + undoSeconds * 1000;
  const turn = isDueByClock ? nextTurn(limits, found, leavesAt, timeZone) : null;
  const turnsInMs = turn === null ? null : turn.getTime() - leavesAt.getTime();
  return turnsInMs !== null && now.getTime() + turnsInMs < end.getTime() ? turnsInMs : null;
}

/** What a draft counts: of a pattern, whose parts the gateway alone knows, one for each recipient. */
export function countedParts(payload: Payload): number {
  return partsOf(payload) ?? messageCount(payload);
}

/** The roles that hold a permission, for a comparison in SQL. */
export function rolesWith(permission: Permission): string[] {
  return ROLES.filter((role) => can(role, permission));
}
