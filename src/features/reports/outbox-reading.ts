import { isAppError, type AppError } from '../../domain/errors.ts';
import { splitDays, type TimeSpan } from '../../domain/time-range.ts';
import type { Outbox, SentMessage } from '../../ports/gateway.ts';
import { createTally, newestFirst, withoutRepeats, type OutboxTotals } from './outbox-totals.ts';

/** More rows than a person pages through or a small spreadsheet opens at once. */
export const MAX_ROWS = 20_000;

/** Why a question to the gateway has no answer; `not_asked`: after others without one it was not put any more. */
export interface Gap {
  readonly reason: 'refused' | 'no_answer' | 'unreadable' | 'not_asked';
  /** RefusalName, with `refused`. */
  readonly refusal?: string;
}

export interface OutboxReading {
  /** Newest first, at most {@link MOST_ROWS}. */
  readonly rows: readonly SentMessage[];
  /** Older rows that were counted and are not among `rows`. */
  readonly left: number;
  /** Of all that was read. */
  readonly totals: OutboxTotals;
  /** Days that are in none of it, oldest first. */
  readonly unread: readonly (TimeSpan & Gap)[];
}

/** The gateway is asked for so many days at the same time. */
const AT_ONCE = 3;
/** After so many days without an answer it is left alone. */
const PATIENCE = 2;
const SHORTEST_SECONDS = 600;

/**
 * Reads the outbox of a time, day by day from the newest. A day that cannot be read is told with its reason and
 * the others count without it; when there is no other, its error is thrown. Rows that are not to be kept do not count.
 */
export async function readOutbox(
  outbox: Pick<Outbox, 'inRange'>,
  span: TimeSpan,
  keep: (row: SentMessage) => boolean = () => true,
): Promise<OutboxReading> {
  const days = splitDays(span).toReversed();
  const tally = createTally();
  const unread: (TimeSpan & Gap)[] = [];
  let rows: SentMessage[] = [];
  let known: ReadonlySet<string> = new Set();
  let left = 0;
  let failure: AppError | undefined;

  for (let at = 0; at < days.length; at += AT_ONCE) {
    const asked = days.slice(at, at + AT_ONCE);
    if (isHopeless(unread)) {
      unread.push(...asked.map((day) => ({ ...day, reason: 'not_asked' as const })));
      continue;
    }
    const answers = await Promise.all(asked.map((day) => readDay(outbox, day)));
    for (const answer of answers) {
      if ('error' in answer) {
        failure ??= answer.error;
        unread.push({ ...answer.day, ...gapOf(answer.error) });
        continue;
      }
      // A row on the border of two days may be in both; further apart it cannot.
      const fresh = withoutRepeats(answer.rows.filter(keep), known);
      known = fresh.keys;
      tally.add(fresh.rows);
      rows = [...rows, ...fresh.rows.toSorted(newestFirst)];
      left += Math.max(0, rows.length - MAX_ROWS);
      rows = rows.slice(0, MAX_ROWS);
    }
  }
  if (failure !== undefined && unread.length === days.length) throw failure;
  return { rows: rows.toSorted(newestFirst), left, totals: tally.totals(), unread: unread.toReversed() };
}

/** The newest sent messages, whenever they were sent; at most 200. */
export async function readNewest(outbox: Pick<Outbox, 'newest'>): Promise<OutboxReading> {
  const { rows } = withoutRepeats(await outbox.newest(), new Set());
  const tally = createTally();
  tally.add(rows);
  return { rows: rows.toSorted(newestFirst), left: 0, totals: tally.totals(), unread: [] };
}

/** What kept the gateway's answer away; what is no error of the gateway's is thrown again. */
export function gapOf(error: unknown): Gap {
  if (isAppError(error, 'gateway_refused'))
    return { reason: 'refused', refusal: String(error.params['name'] ?? '') };
  if (isAppError(error, 'gateway_no_answer')) return { reason: 'no_answer' };
  if (isAppError(error, 'gateway_unreadable')) return { reason: 'unreadable' };
  throw error;
}

/** Whether a refusal is of the account or of the moment: asking in another way changes nothing. */
export function isForAll({ refusal }: Gap): boolean {
  return (
    refusal !== undefined &&
    (refusal.startsWith('user_') || refusal === 'not_authorized' || refusal === 'rate_limited')
  );
}

function isHopeless(unread: readonly Gap[]): boolean {
  return unread.filter(({ reason }) => reason === 'no_answer').length >= PATIENCE || unread.some(isForAll);
}

async function readDay(outbox: Pick<Outbox, 'inRange'>, day: TimeSpan) {
  try {
    return { day, rows: await readPiece(outbox, day) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { day, error };
  }
}

/** A busy day can be more than one answer holds: then its halves are asked for. */
async function readPiece(outbox: Pick<Outbox, 'inRange'>, span: TimeSpan): Promise<readonly SentMessage[]> {
  try {
    return await outbox.inRange(span);
  } catch (error) {
    const isTooBig = isAppError(error, 'gateway_no_answer') && error.params['reason'] === 'too_big';
    if (!isTooBig || span.to - span.from < SHORTEST_SECONDS) throw error;
    const middle = Math.floor((span.from + span.to) / 2);
    const later = await readPiece(outbox, { from: middle + 1, to: span.to });
    return [...later, ...(await readPiece(outbox, { from: span.from, to: middle }))];
  }
}
