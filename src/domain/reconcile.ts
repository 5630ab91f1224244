import { matchText, type TextMatch } from './text-match.ts';
import type { TimeSpan } from './time-range.ts';

/*
 * What the gateway's own lists prove about a call whose answer was lost. The question is never whose row it is, but
 * whether sending again would give a number the same text twice. Nothing here reads or writes anything.
 */

/** A row of the gateway's outbox. Line and recipient are canonical. */
export interface ListedMessage {
  readonly id: string;
  /** Null where the gateway does not tell it. */
  readonly line: string | null;
  readonly recipient: string;
  readonly text: string;
  /** Epoch seconds by the gateway's clock. */
  readonly date: number;
}

/** An attempt whose outcome is unknown. */
export interface InDoubt {
  /** What each recipient was to get, and from which line; a recipient stands here once. */
  readonly messages: ReadonlyMap<string, { readonly line: string; readonly text: string }>;
  /** When the call can have been carried out, by the gateway's clock, with every allowance made. */
  readonly window: TimeSpan;
  /** How long the call was under way: rows of one call lie no further apart. */
  readonly callSeconds: number;
}

/** A message of another call that was surely accepted, by an id that stands for several of its recipients, or by none: ''. */
export interface UnnamedMessage {
  readonly recipient: string;
  readonly id: string;
  /** When the gateway can have taken it, by its clock. */
  readonly window: TimeSpan;
  /** False: its account may be another one, and its row then stands elsewhere. */
  readonly isSure: boolean;
}

export interface Evidence {
  /** Of all lists that were read, in any order, doubles included. */
  readonly rows: readonly ListedMessage[];
  /** The lists are proved to hold everything that was sent in the window. */
  readonly complete: boolean;
  /** The gateway's clock has been compared with ours. */
  readonly clockKnown: boolean;
  /** The window has passed, and complete lists some minutes apart agree. */
  readonly settled: boolean;
  /** No further reading will tell more: a day has gone by, or the account cannot list. */
  readonly exhausted: boolean;
  /** Rows that are proved to be another attempt's. */
  readonly claimed: (row: ListedMessage) => boolean;
  /** Messages of other calls, equal to ours, whose rows may bear ids that nobody was told. */
  readonly unnamed: readonly UnnamedMessage[];
  /** Endings that the gateway is known to append on this line. */
  readonly endings: readonly string[];
  /** Recipients that are on the line's blacklist now. */
  readonly blocked: ReadonlySet<string>;
}

export interface Claim {
  readonly recipient: string;
  readonly messageId: string;
  readonly match: TextMatch;
}

export type Resolution =
  /** Everybody got it. `shared`: an equal message of somebody else cannot be told apart. */
  | { readonly kind: 'sent'; readonly shared: boolean; readonly claims: readonly Claim[] }
  /** A person has to decide about `absent`. `proven`: the lists are complete and these are not in them. */
  | {
      readonly kind: 'asked';
      readonly proven: boolean;
      readonly claims: readonly Claim[];
      readonly blocked: readonly string[];
      readonly absent: readonly string[];
    }
  /** Nothing can be said yet. */
  | { readonly kind: 'open'; readonly found: number };

/** Decides, from the top down: found in full, found in part, proved absent, not yet known. Total and deterministic. */
export function resolve(doubt: InDoubt, evidence: Evidence): Resolution {
  const { candidates, contested } = candidatesOf(doubt, evidence);
  const found = new Set(candidates.map(({ row }) => row.recipient));
  if (found.size === doubt.messages.size) return allFound(doubt, candidates);

  const { complete, clockKnown, settled, exhausted, blocked } = evidence;
  const missing = [...doubt.messages.keys()].filter((recipient) => !found.has(recipient));
  const proven = complete && clockKnown && settled && !missing.some((recipient) => contested.has(recipient));
  if (!proven && !exhausted) return { kind: 'open', found: found.size };
  // A blacklist explains an absence only beside proof of it, and only where the rest of the call went through.
  const explained = proven && found.size > 0 ? missing.filter((recipient) => blocked.has(recipient)) : [];
  return {
    kind: 'asked',
    proven,
    claims: nearest(candidates),
    blocked: explained,
    absent: missing.filter((recipient) => !explained.includes(recipient)),
  };
}

/** Whether two sender lines are one: equal, or one with a prefix that the other leaves out. */
function isSameLine(one: string, other: string): boolean {
  const shared = Math.min(one.length, other.length);
  return one === other || (shared >= SUFFIX_DIGITS && one.slice(-shared) === other.slice(-shared));
}

const SUFFIX_DIGITS = 7;
/** Rows of one call may differ by so much even when it was quick. */
const SAME_CALL_SECONDS = 5;

interface Candidate {
  readonly row: ListedMessage;
  readonly match: TextMatch;
}

/** `contested`: who has a row that may be ours, or that of a call of an account which may be another one. */
function candidatesOf(
  { messages, window }: InDoubt,
  evidence: Evidence,
): { readonly candidates: Candidate[]; readonly contested: ReadonlySet<string> } {
  const { rows, claimed, endings, unnamed } = evidence;
  const equal = new Map<string, Candidate>();
  for (const row of rows) {
    const sent = messages.get(row.recipient);
    if (sent === undefined || (row.line !== null && !isSameLine(row.line, sent.line)) || claimed(row))
      continue;
    const match = matchText(sent.text, row.text, endings);
    if (match !== null) equal.set(`${row.id} ${row.recipient} ${row.date} ${match}`, { row, match });
  }
  const candidates = [...equal.values()].toSorted(byDateAndId);
  const { others, contested } = rowsOf(unnamed, rows, candidates);
  return {
    candidates: candidates.filter(
      ({ row }) => row.date >= window.from && row.date <= window.to && !others.has(nameOf(row)),
    ),
    contested,
  };
}

/**
 * Rows that have to be left to other calls. Each of their messages has one somewhere: under the id that the gateway gave,
 * or else under one that it did not tell, from the time of that call. As many rows are taken so as can be.
 */
function rowsOf(
  unnamed: readonly UnnamedMessage[],
  rows: readonly ListedMessage[],
  candidates: readonly Candidate[],
): { readonly others: ReadonlySet<string>; readonly contested: ReadonlySet<string> } {
  const listed = new Set(rows.map(nameOf));
  const others = new Set<string>();
  const contested = new Set<string>();
  for (const { recipient, id, window, isSure } of unnamed.toSorted(
    (left, right) => left.window.to - right.window.to,
  )) {
    if (listed.has(nameOf({ id, recipient }))) continue;
    const own = candidates.find(
      ({ row }) =>
        row.recipient === recipient &&
        row.date >= window.from &&
        row.date <= window.to &&
        !others.has(nameOf(row)),
    );
    if (own === undefined) continue;
    others.add(nameOf(own.row));
    if (!isSure) contested.add(recipient);
  }
  return { others, contested };
}

function nameOf({ id, recipient }: Pick<ListedMessage, 'id' | 'recipient'>): string {
  return `${id} ${recipient}`;
}

function allFound(doubt: InDoubt, candidates: readonly Candidate[]): Resolution {
  const groups = groupsOf(doubt, candidates);
  const whole = groups.find((group) => group.length === doubt.messages.size);
  const claims = nearest(whole ?? candidates);
  // One row each, all of one call from our line: ours. Else each has the text, whoever sent it, and none may get it again.
  const isOurs = whole?.every(({ row }) => row.line !== null) ?? false;
  return { kind: 'sent', shared: !isOurs, claims };
}

/** Runs of rows that one call can have made: of one id, or close together in time, each recipient once. */
function groupsOf({ callSeconds }: InDoubt, candidates: readonly Candidate[]): Candidate[][] {
  const byId = [...Map.groupBy(candidates, ({ row }) => row.id).values()].map(onePerRecipient);
  const reach = Math.max(SAME_CALL_SECONDS, callSeconds);
  const byTime = candidates.map((first) =>
    onePerRecipient(
      candidates.filter(({ row }) => row.date >= first.row.date && row.date <= first.row.date + reach),
    ),
  );
  return [...byId, ...byTime];
}

function nearest(candidates: readonly Candidate[]): Claim[] {
  return onePerRecipient(candidates).map(({ row, match }) => ({
    recipient: row.recipient,
    messageId: row.id,
    match,
  }));
}

/** The earliest row of each recipient. */
function onePerRecipient(candidates: readonly Candidate[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    if (!first.has(candidate.row.recipient)) first.set(candidate.row.recipient, candidate);
  }
  return [...first.values()];
}

function byDateAndId(left: Candidate, right: Candidate): number {
  return (
    left.row.date - right.row.date ||
    Number(BigInt(left.row.id) - BigInt(right.row.id)) ||
    left.row.recipient.localeCompare(right.row.recipient) ||
    left.match - right.match
  );
}
