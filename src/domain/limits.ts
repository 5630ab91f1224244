import { localTimeOf } from './calendar.ts';
import type { MissReason } from './job.ts';
import { kindOf, type Outgoing } from './kinds/index.ts';

/** What a chat allows itself. */
export interface Limits {
  /** A send of more parts needs a second person; null: none does. */
  readonly approvalParts: number | null;
  /** What one day of the chat may cost or hold; null: any amount. */
  readonly cap: Cap | null;
  /** The same for what each person confirms. */
  readonly personCap: Cap | null;
  /** When sends may leave; null: at any time. */
  readonly window: SendingWindow | null;
  /** The switch that stops every send of the chat is thrown; null: it is not. */
  readonly halted: Halt | null;
  /** Since when the operator's switch stops the sends of all chats; null: it does not. */
  readonly heldAt: Date | null;
  /** What it has said of its sender lines, by their numbers; most chats say nothing. */
  readonly lines: readonly LineRule[];
}

export const LINE_PURPOSES = ['service', 'advertising'] as const;

export type LinePurpose = (typeof LINE_PURPOSES)[number];

/** What holds for all that leaves from one sender line of a chat. */
export interface LineRule {
  readonly line: string;
  /** What it is for; null: nobody has said. */
  readonly purpose: LinePurpose | null;
  /** When it may be written from, beside the chat's own hours; null: at any time. */
  readonly window: SendingWindow | null;
  /** What a text has to say, or its card warns; null: nothing. */
  readonly required: string | null;
  /** Words and phrases for which a second person must agree. */
  readonly words: readonly string[];
}

/** What the rules of its lines find in a send: see `src/domain/line-rules.ts`. */
export interface LineFindings {
  readonly windows: readonly (SendingWindow & { readonly line: string })[];
  /** Of the words that are not sent, those that it says. */
  readonly words: readonly string[];
  /** What it would have to say, and on which line; null: it lacks nothing. */
  readonly lacks: { readonly line: string; readonly phrase: string } | null;
}

/** Since when nothing leaves, and by whom. */
export interface Halt {
  readonly at: Date;
  /** Null: nobody of the chat; the bot was removed from it, and could tell nothing there. */
  readonly byName: string | null;
}

/**
 * A cap in rial also says how many parts that buys at the price known when it was set: what has no price yet is
 * counted by it.
 */
export type Cap =
  | { readonly unit: 'parts'; readonly parts: number }
  | { readonly unit: 'rial'; readonly rial: number; readonly parts: number };

/** Minutes after midnight, 0 to 1439: `from` belongs to it, `to` does not. It may pass midnight (21:00 to 9:00). */
export interface SendingWindow {
  readonly from: number;
  readonly to: number;
}

/** What was confirmed and leaves on one day. */
export interface Spent {
  readonly parts: number;
  /** Of what has a price. */
  readonly rial: number;
  /** Parts of what has none. */
  readonly unpricedParts: number;
}

/** What a send adds on one day, and what else leaves then. */
export interface DayLoad {
  /** A moment of that day. */
  readonly at: Date;
  readonly parts: number;
  readonly priceRial: number | null;
  readonly spent: Spent;
  /** The share of `spent` that whoever confirms this send has confirmed. */
  readonly spentByPerson: Spent;
}

export type LimitVerdict =
  | { readonly kind: 'ok' }
  | ({ readonly kind: 'halted' } & Halt)
  | { readonly kind: 'held'; readonly at: Date }
  /** `above`: the chat's limit that it is over; null where it only says `words` that are not sent. */
  | { readonly kind: 'approval'; readonly above: number | null; readonly words: readonly string[] }
  | {
      readonly kind: 'cap';
      /** A moment of the day of which it is. */
      readonly at: Date;
      readonly whose: 'chat' | 'person';
      readonly unit: Cap['unit'];
      readonly cap: number;
      readonly used: number;
      readonly wanted: number;
    }
  | ({
      readonly kind: 'window';
      /** The line whose hours these are; null: they are the chat's. */
      readonly line: string | null;
      /** All hours that it has to keep to. */
      readonly all: readonly SendingWindow[];
    } & SendingWindow);

export type OverCap = Extract<LimitVerdict, { readonly kind: 'cap' }>;

export type Forbids = Exclude<LimitVerdict, { readonly kind: 'ok' }>;

/** What holds in a chat that has set nothing. */
export const DEFAULT_LIMITS: Limits = {
  approvalParts: 500,
  cap: null,
  personCap: null,
  window: null,
  halted: null,
  heldAt: null,
  lines: [],
};

/** What is found where no line has a rule. */
export const NOTHING_FOUND: LineFindings = { windows: [], words: [], lacks: null };

const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

/**
 * When a send is due to leave: at the time until which the gateway keeps it, or at its own, though never before its hold
 * is over. By this one moment it is judged, and on its day it counts, one with a pace from that day on.
 */
export function dueAt({
  outgoing,
  sendAt,
  holdUntil,
}: {
  readonly outgoing: Outgoing;
  /** Null: as soon as the hold is over. */
  readonly sendAt: Date | null;
  readonly holdUntil: Date;
}): Date {
  const keptUntil = kindOf(outgoing).keptUntil(outgoing);
  if (keptUntil !== null) return new Date(keptUntil * 1000);
  return sendAt !== null && sendAt > holdUntil ? sendAt : holdUntil;
}

/**
 * Whether a send may leave at the moment that `dueAt` names. What nobody may do comes first: while a switch is thrown, outside the hours of the chat
 * or of its line, over the chat's cap of the day, over the person's; only then whether a second person must agree.
 * @param found what the rules of its lines say of it.
 * @param spentByPerson the share of `spentToday` that whoever confirms this send has confirmed.
 * @param spentToday what leaves on the day of that moment, and the like of `spentByPerson`.
 * @param now minutes after midnight in the chat's time zone at that moment.
 * @param approved a second person has agreed to this very send.
 */
export function decide({
  limits: { approvalParts, cap, personCap, window, halted, heldAt },
  found,
  parts,
  days,
  now,
  approved = false,
}: {
  readonly limits: Limits;
  readonly found: LineFindings;
  readonly parts: number;
  readonly days: readonly DayLoad[];
  readonly now: number;
  readonly approved?: boolean;
}): LimitVerdict {
  if (heldAt !== null) return { kind: 'held', at: heldAt };
  if (halted !== null) return { kind: 'halted', ...halted };
  const hours = hoursOf(window, found.windows);
  const closed = hours.find((each) => !isWithin(each, now));
  if (closed !== undefined) return { kind: 'window', ...closed, all: hours };
  for (const day of days) {
    const over = overCaps({ cap, personCap }, day);
    if (over !== null) return over;
  }
  return (approved ? null : approvalNeed({ approvalParts }, found, parts)) ?? { kind: 'ok' };
}

/** For what a second person must agree to a send, whatever else forbids it; null: nobody must. */
export function approvalNeed(
  { approvalParts }: Pick<Limits, 'approvalParts'>,
  { words }: Pick<LineFindings, 'words'>,
  parts: number,
): Extract<LimitVerdict, { kind: 'approval' }> | null {
  const above = approvalParts !== null && parts > approvalParts ? approvalParts : null;
  return above === null && words.length === 0 ? null : { kind: 'approval', above, words };
}

/** The rule of one line; of a line without one, a rule that says nothing. */
export function lineRuleOf(rules: readonly LineRule[], line: string): LineRule {
  const none = { line, purpose: null, window: null, required: null, words: [] };
  return rules.find((each) => each.line === line) ?? none;
}

/** What a send is missed for that may not leave. */
export function missOf(verdict: Forbids): MissReason {
  if (verdict.kind === 'approval' && verdict.above === null) return 'words';
  return verdict.kind === 'window' && verdict.line !== null ? 'line_window' : verdict.kind;
}

/** Whether what a send costs counts, and not its parts alone. */
export function countsRial({ cap, personCap }: Limits): boolean {
  return cap?.unit === 'rial' || personCap?.unit === 'rial';
}

/** What of a cap is used, in its own unit. */
export function usedOf(cap: Cap, spent: Spent): number {
  return cap.unit === 'parts' ? spent.parts : spent.rial + rialOf(spent.unpricedParts, cap);
}

/** A window that ends where it begins is the whole day. */
export function isWithin({ from, to }: SendingWindow, now: number): boolean {
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/**
 * When the clock alone may change what `decide` says of a send that is due as soon as it is confirmed: its hours begin
 * or end, or the day of a cap is over. Null: at no time. Where clocks are put forward or back it may be off by that.
 */
export function nextTurn(
  { window, cap, personCap }: Limits,
  { windows }: Pick<LineFindings, 'windows'>,
  leavesAt: Date,
  timeZone: string,
): Date | null {
  const hours = hoursOf(window, windows);
  const turns = [...hours.flatMap(({ from, to }) => [from, to]), ...((cap ?? personCap) ? [0] : [])];
  if (turns.length === 0) return null;
  const minute = minuteOfDay(leavesAt, timeZone);
  const ahead = Math.min(...turns.map((turn) => (turn - minute + DAY_MINUTES - 1) % DAY_MINUTES)) + 1;
  return new Date((Math.floor(leavesAt.getTime() / MINUTE_MS) + ahead) * MINUTE_MS);
}

/** Minutes after midnight on the clocks of a time zone. */
export function minuteOfDay(at: Date, timeZone: string): number {
  const { hour, minute } = localTimeOf(at, timeZone);
  return hour * 60 + minute;
}

function hoursOf(
  window: SendingWindow | null,
  windows: LineFindings['windows'],
): (SendingWindow & { readonly line: string | null })[] {
  return [...(window === null ? [] : [{ ...window, line: null }]), ...windows];
}

/** Which cap a day has no room in for what is to leave on it; null: none. */
export function overCaps(
  { cap, personCap }: Pick<Limits, 'cap' | 'personCap'>,
  day: DayLoad,
): OverCap | null {
  return overCap('chat', cap, day, day.spent) ?? overCap('person', personCap, day, day.spentByPerson);
}

function overCap(
  whose: 'chat' | 'person',
  cap: Cap | null,
  { at, parts, priceRial }: Pick<DayLoad, 'at' | 'parts' | 'priceRial'>,
  spent: Spent,
): OverCap | null {
  if (cap === null) return null;
  const used = usedOf(cap, spent);
  const [most, wanted] =
    cap.unit === 'parts' ? [cap.parts, parts] : [cap.rial, priceRial ?? rialOf(parts, cap)];
  return used + wanted > most ? { kind: 'cap', at, whose, unit: cap.unit, cap: most, used, wanted } : null;
}

/** What parts without a price are taken to cost: never less than they did when the cap was set. */
function rialOf(parts: number, cap: { readonly rial: number; readonly parts: number }): number {
  const [rial, buys] = [BigInt(cap.rial), BigInt(Math.max(1, cap.parts))];
  return Number((BigInt(parts) * rial + buys - 1n) / buys);
}
