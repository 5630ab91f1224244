import { dayAfter, instantOf, localTimeOf, type CalendarDay } from './calendar.ts';

/** A received message as the gateway lists it. */
export interface Listed {
  readonly id?: string;
  readonly sender: string;
  readonly line: string;
  readonly text: string;
  /** Epoch seconds. */
  readonly date?: number;
}

/** What tells a message apart from all others of its account. */
export interface Mark {
  /** The gateway's id; null where there is none. */
  readonly id: string | null;
  /** Whether the id names this message alone. */
  readonly isOwn: boolean;
  /** What stands for the id where it does not, to be hashed: the message, and which of several equal ones it is. */
  readonly print: string;
}

/**
 * The marks of the messages of one page. An id that is missing, zero, or on the page with different messages does not
 * name one: such a message is known by sender, line, time and text, and by its place among equal ones of the page.
 */
export function marksOf(page: readonly Listed[]): readonly Mark[] {
  const prints = page.map(printOf);
  const byId = new Map<string, string>();
  const shared = new Set<string>();
  for (const [index, { id = '0' }] of page.entries()) {
    const print = prints[index] ?? '';
    if ((byId.get(id) ?? print) !== print) shared.add(id);
    byId.set(id, print);
  }
  const equal = new Map<string, number>();
  return page.map(({ id = '0' }, index) => {
    const print = prints[index] ?? '';
    const isId = /[1-9]/.test(id);
    const isOwn = isId && !shared.has(id);
    const place = isOwn ? 0 : (equal.get(print) ?? 0);
    if (!isOwn) equal.set(print, place + 1);
    return { id: isId ? id : null, isOwn, print: JSON.stringify([print, place]) };
  });
}

/**
 * Whether a gateway lists the newest messages first, by the times on its pages, in their order. The first page and the
 * last must have nothing in common, and the pages between must go the same way; a few messages that came late do not
 * matter. Null: it cannot be told, or there is no order.
 */
export function listsNewestFirst(pages: readonly (readonly number[])[]): boolean | null {
  const dated = pages.filter((page) => page.length > 0).map((page) => page.toSorted((a, b) => a - b));
  const [first, last] = [dated[0] ?? [], dated.at(-1) ?? []];
  const middles = dated.map((page) => at(page, page.length >> 1));
  const falls = middles.every((middle, index) => index === 0 || middle <= at(middles, index - 1));
  const rises = middles.every((middle, index) => index === 0 || middle >= at(middles, index - 1));
  if (falls === rises) return null;
  if (falls) return at(first, 0) >= at(last, last.length - 1) ? true : null;
  return at(first, first.length - 1) <= at(last, 0) ? false : null;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}

/** The shortest pause grows to so many times itself. */
const SLOWEST = 20;
const DOUBLINGS = 10;

/**
 * How long an inbox is left alone: a twentieth of the time since its last message, or twice as long with each failure,
 * between `baseMs` and 20 times that; up to a tenth less, so that accounts drift apart.
 * @param random 0 to 1
 */
export function inboxPauseMs(of: {
  readonly baseMs: number;
  readonly sinceInboundMs: number;
  readonly failures: number;
  readonly random: number;
}): number {
  const { baseMs, sinceInboundMs, failures, random } = of;
  const backOff = baseMs * 2 ** Math.min(failures, DOUBLINGS);
  const pause = Math.min(SLOWEST * baseMs, Math.max(sinceInboundMs / SLOWEST, backOff));
  return pause * (1 - random / 10);
}

/** Longer than this without a reading, and what has come meanwhile is told as one. */
const LONG_OUTAGE_MS = 86_400_000;

/** Whether new messages are a backlog: nobody wants a card for each of what came before anyone looked. */
export function isBacklog(sinceInboxOkMs: number | null, hasReadWhole: boolean): boolean {
  return !hasReadWhole || sinceInboxOkMs === null || sinceInboxOkMs > LONG_OUTAGE_MS;
}

/** A day of a time zone, `YYYY-MM-DD`, and its first and last second (epoch seconds). */
export interface DaySpan {
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

/** The last days of a time zone, today included, oldest first. */
export function lastDays(now: Date, timeZone: string, count: number): readonly DaySpan[] {
  const today = localTimeOf(now, timeZone);
  return Array.from({ length: count }, (_, index) => {
    const day = dayAfter(today, index + 1 - count);
    return {
      day: nameOf(day),
      from: midnightOf(day, timeZone),
      to: midnightOf(dayAfter(day, 1), timeZone) - 1,
    };
  });
}

/**
 * The day that an account is to be compared on by now, by a time of day of its own: not all accounts at midnight.
 * Null: it has been.
 */
export function auditDay(
  now: Date,
  timeZone: string,
  accountId: string,
  auditedOn: string | null,
): string | null {
  const { hour, minute, ...rest } = localTimeOf(now, timeZone);
  const own = Number.parseInt(accountId.slice(0, 4), 16) % (DAY_MINUTES - LAST_HOUR);
  const isTime = hour * 60 + minute >= own;
  const day = nameOf(isTime ? rest : dayAfter(rest, -1));
  return (auditedOn ?? '') >= day ? null : day;
}

const DAY_MINUTES = 1440;
/** So that there is time left on the day for every account. */
const LAST_HOUR = 60;

/** What an alarm of kind `inbox` tells. */
export type InboxFacts =
  | { readonly reason: 'stalled'; readonly since: string }
  /** Days on which the gateway counts more messages than it lists. */
  | {
      readonly reason: 'counts';
      readonly days: readonly { readonly day: string; readonly stored: number; readonly counted: number }[];
    }
  /** Messages that the gateway lists with another content than before; both are kept. */
  | { readonly reason: 'changed'; readonly count: number }
  /** Messages are not marked read any more: this gateway does not list what has been read. */
  | { readonly reason: 'marking' };

function printOf({ sender, line, text, date }: Listed): string {
  return JSON.stringify([sender, line, date ?? null, text]);
}

function nameOf({ year, month, day }: CalendarDay): string {
  return [year, pad(month), pad(day)].join('-');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Where the clock skips midnight, the day begins an hour later. */
function midnightOf(day: CalendarDay, timeZone: string): number {
  const at = [0, 1, 2]
    .map((hour) => instantOf({ ...day, hour, minute: 0 }, timeZone))
    .find((each) => each !== null);
  return Math.floor((at?.getTime() ?? Date.UTC(day.year, day.month - 1, day.day)) / 1000);
}
