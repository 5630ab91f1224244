import { NEWEST_ROWS } from '../../../domain/interface-limits.ts';
import type { ListedMessage } from '../../../domain/reconcile.ts';
import { displayRecipient, parseLine, parseRecipients } from '../../../domain/phone.ts';
import { splitDays, type TimeSpan } from '../../../domain/time-range.ts';
import type { SentMessage, SmsGateway } from '../../../ports/gateway.ts';
import type { Clock } from '../../../ports/runtime.ts';

export interface Look {
  readonly rows: readonly ListedMessage[];
  /** Proved to be all that the gateway lists for the span. */
  readonly complete: boolean;
}

/** Whoever asks shares the account with the calls of every job: a look reads so often at most. */
const MAX_READS = 40;
const RECENT_SECONDS = 600;
const COUNT_TRIES = 3;
const PAUSE_MS = 1000;

/**
 * Reads what the gateway lists for a span of its own time, and whether that is all. Lists may be capped, late and
 * in any order, and somebody else may be sending: all of it is there only when the gateway's own count says so before and
 * after, with the same number as there are rows; and only where that is known to be what it counts.
 */
export async function lookIntoOutbox(
  gateway: SmsGateway,
  span: TimeSpan,
  { clock, countsRecipients }: { readonly clock: Clock; readonly countsRecipients: boolean },
): Promise<Look> {
  const outbox = gateway.use('outbox');
  const counts = countsRecipients && gateway.has('counts') ? gateway.use('counts') : null;
  const found = new Map<string, ListedMessage>();
  let reads = 0;
  let complete = true;

  /** Keeps what lies within a span; returns how many rows that are. */
  const keep = (messages: readonly SentMessage[], within: TimeSpan): number => {
    const seen = new Set<string>();
    for (const message of messages) {
      const row = toRow(message);
      if (row === null || row.date < within.from || row.date > within.to) continue;
      const key = `${row.id} ${row.recipient}`;
      seen.add(key);
      found.set(key, row);
    }
    return seen.size;
  };

  if (clock.now().getTime() / 1000 - span.from < RECENT_SECONDS) {
    reads += 1;
    const newest = await outbox.newest(NEWEST_ROWS);
    const rows = keep(newest, span);
    const reachesBack = newest.some(({ date }) => date !== undefined && date < span.from);
    const all = newest.every((message) => toRow(message) !== null);
    // The newest messages back to before the span: none of it can be missing.
    if (all && reachesBack) return { rows: [...found.values()], complete: true };
    if (all && counts !== null) {
      reads += 1;
      if ((await counts.sent(span)).messages === rows) return { rows: [...found.values()], complete: true };
    }
  }

  const pieces = splitDays(span);
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if (reads >= MAX_READS) return { rows: [...found.values()], complete: false };
    if (await readPiece(piece)) continue;
    if (counts !== null && piece.to > piece.from) {
      const middle = Math.floor((piece.from + piece.to) / 2);
      pieces.push({ from: piece.from, to: middle }, { from: middle + 1, to: piece.to });
    } else {
      complete = false;
    }
  }
  return { rows: [...found.values()], complete };

  async function readPiece(piece: TimeSpan): Promise<boolean> {
    if (counts === null) {
      reads += 1;
      keep(await outbox.inRange(piece), piece);
      return false;
    }
    for (let tries = 0; tries < COUNT_TRIES && reads < MAX_READS; tries += 1) {
      reads += 3;
      const before = (await counts.sent(piece)).messages;
      const rows = keep(await outbox.inRange(piece), piece);
      const after = (await counts.sent(piece)).messages;
      if (before === after) return rows === before;
      await clock.sleep(PAUSE_MS);
    }
    return false;
  }
}

/**
 * What the gateway has of single numbers. Their line is not told: it shows that a number has the text, not from where.
 */
export async function lookAtNumbers(
  gateway: SmsGateway,
  recipients: readonly string[],
  since: number,
): Promise<ListedMessage[]> {
  const rows: ListedMessage[] = [];
  for (const recipient of recipients) {
    for (const { id, text, date } of await gateway.use('outbox').byNumber({ recipient, since })) {
      if (date !== undefined) rows.push({ id, line: null, recipient, text, date });
    }
  }
  return rows;
}

/** What a list says in the words of the domain; null where it leaves out what evidence needs. */
function toRow({ id, line, recipient, text, date }: SentMessage): ListedMessage | null {
  if (line === undefined || recipient === undefined || date === undefined) return null;
  const [number] = parseRecipients(displayRecipient(recipient)).recipients;
  return { id, line: parseLine(line) ?? line, recipient: number ?? recipient, text, date };
}
