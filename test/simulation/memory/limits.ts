import { dayAfter, instantOf, localTimeOf } from '../../../src/domain/calendar.ts';
import {
  decide,
  DEFAULT_LIMITS,
  minuteOfDay,
  NOTHING_FOUND,
  type Cap,
  type Limits,
  type LimitVerdict,
  type Spent,
} from '../../../src/domain/limits.ts';
import { toLimits } from '../../../src/storage/sending/limits-in.ts';
import type { Connection, Db } from './db.ts';
import { enqueue } from './queue.ts';

/** What of the chat's limits a decision goes by. */
export interface Judgement {
  readonly limits: Limits;
  readonly chatId: string;
  readonly parts: number;
  readonly priceRial: number | null;
  readonly personId: number;
  readonly timeZone: string;
  readonly leavesAt: Date;
  readonly approved: boolean;
  readonly exceptJob?: string | undefined;
}

const NOTHING: Spent = { parts: 0, rial: 0, unpricedParts: 0 };

export function limitsOf(db: Db, chatId: string): Limits {
  const row = db.limits.get(chatId);
  const { held_at } = db.deployment;
  if (row === undefined) return { ...DEFAULT_LIMITS, heldAt: held_at };
  const haltedBy = row.halted_by === null ? null : (db.people.get(row.halted_by)?.name ?? null);
  return toLimits({ ...row, held_at, halted_by: haltedBy, is_unset: false, line_rules: [] });
}

export function judge(db: Db, { limits, leavesAt, timeZone, ...of }: Judgement): LimitVerdict {
  const { parts, priceRial, approved } = of;
  const spent = (cap: Cap | null, personId?: number): Spent =>
    cap === null ? NOTHING : spentOn(db, { ...of, personId, leavesAt, timeZone });
  return decide({
    limits,
    // No chat of the simulation says anything of its lines.
    found: NOTHING_FOUND,
    parts,
    days: [
      {
        at: leavesAt,
        parts,
        priceRial,
        spent: spent(limits.cap),
        spentByPerson: spent(limits.personCap, of.personId),
      },
    ],
    now: minuteOfDay(leavesAt, timeZone),
    approved,
  });
}

function spentOn(
  db: Db,
  of: Pick<Judgement, 'chatId' | 'exceptJob' | 'timeZone' | 'leavesAt'> & {
    readonly personId: number | undefined;
  },
): Spent {
  const day = { ...localTimeOf(of.leavesAt, of.timeZone), hour: 0, minute: 0 };
  const [from, to] = [day, { ...day, ...dayAfter(day, 1) }].map((each) => instantOf(each, of.timeZone));
  const sum = { parts: 0, rial: 0, unpricedParts: 0 };
  for (const job of db.jobs.values()) {
    if (job.chat_id !== of.chatId || job.id === of.exceptJob) continue;
    if (job.state === 'undone' || job.state === 'missed') continue;
    if (of.personId !== undefined && job.confirmed_by !== of.personId) continue;
    if (job.leaves_at < (from ?? 0) || job.leaves_at >= (to ?? 0)) continue;
    sum.parts += job.parts;
    if (job.price_rial === null) sum.unpricedParts += job.parts;
    else sum.rial += job.price_rial;
  }
  return sum;
}

/** Open drafts show what is left of a cap, where there is one. */
export function showCapUse(db: Db, connection: Connection, chatId: string): void {
  const { cap, personCap } = limitsOf(db, chatId);
  if (cap !== null || personCap !== null) showOpenDrafts(db, connection, chatId);
}

export function showOpenDrafts(db: Db, connection: Connection, chatId: string | null): void {
  enqueue(db, { task: 'open-drafts', payload: { chatId }, key: `open-drafts:${connection.id()}` });
}
