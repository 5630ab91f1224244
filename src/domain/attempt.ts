import { foldLetters } from './fold.ts';
import type { Moves } from './machine.ts';

/**
 * One attempt is one HTTP send call for at most 200 recipients. This file holds its rules and no I/O:
 * which states follow which, and what an observed call proves. The gateway has no idempotency key, so
 * the rules lean one way: whatever is not proven unsent and not proven refused stays unknown.
 */

export const ATTEMPT_STATES = [
  'planned',
  'reserved',
  'on_wire',
  'accepted',
  'rejected',
  'unknown',
  'asked',
  'sent',
  'not_sent',
  'closed',
] as const;

export type AttemptState = (typeof ATTEMPT_STATES)[number];

type States = readonly AttemptState[];

/** Nothing of it was written to the wire. */
export const UNWRITTEN = ['planned', 'reserved'] as const satisfies States;
/** A process has it in hand. */
export const IN_HAND = ['reserved', 'on_wire'] as const satisfies States;
/** Its answer is still to come. */
export const UNANSWERED = [...UNWRITTEN, 'on_wire'] as const satisfies States;
/** The gateway has it. */
export const GONE = ['accepted', 'sent'] as const satisfies States;
/** Whether the gateway has it is not known, and is looked up or asked. */
export const IN_DOUBT = ['unknown', 'asked'] as const satisfies States;
/** It may have left, which nothing has proved. */
export const MAY_BE_OUT = ['on_wire', ...IN_DOUBT] as const satisfies States;
/** It was begun, and how it ends is not known. */
export const UNPROVEN = ['reserved', ...MAY_BE_OUT] as const satisfies States;
/** It surely did not leave, and will not. */
export const FAILED = ['rejected', 'not_sent'] as const satisfies States;
/** It has not left so far. */
export const UNSENT = [...UNWRITTEN, ...FAILED] as const satisfies States;

/**
 * What can happen to an attempt. What a call proves is heard by its holder (`hear_…`), or `late`, when others have gone on
 * without it: another process, the gateway's lists, a person. What the call itself proves goes before an open question
 * and before a person's word (`belie_…`); the lists are left in their right, for a number that has the text must not get
 * it twice. What did not leave after all waits for a person then: its job may have ended, and nothing goes out by itself
 * that was in doubt.
 */
export const ATTEMPT_MOVES = {
  reserve: { planned: 'reserved' },
  /** Nothing was committed as on the wire, so nothing can have been written. */
  take_back: { reserved: 'planned' },
  /** All its recipients are blocked. */
  leave_out: { reserved: 'rejected' },
  write_ahead: { reserved: 'on_wire' },
  /** The process that held it is dead. What is on the wire may have left: never back to planned. */
  lose_owner: { reserved: 'planned', on_wire: 'unknown' },

  hear_accepted: { reserved: 'accepted', on_wire: 'accepted' },
  hear_rejected: { reserved: 'rejected', on_wire: 'rejected' },
  hear_unknown: { reserved: 'unknown', on_wire: 'unknown' },
  hear_not_sent: { reserved: 'planned', on_wire: 'planned' },

  // One that went again by a person's word can only be told what its first call did.
  late_accepted: { unknown: 'accepted', asked: 'accepted', closed: 'accepted' },
  late_rejected: { unknown: 'rejected', asked: 'rejected' },
  late_unknown: { unknown: 'unknown' },
  late_not_sent: { unknown: 'not_sent', asked: 'not_sent' },
  belie_accepted: { sent: 'accepted', not_sent: 'accepted' },
  belie_rejected: { sent: 'rejected' },
  belie_unknown: {},
  belie_not_sent: { sent: 'not_sent' },

  /** The gateway's lists have it, or say that a recipient is blocked. */
  find: { unknown: 'sent' },
  find_blocked: { unknown: 'not_sent' },
  /** They do not settle it, and a person is asked. */
  ask: { unknown: 'asked' },
  look_again: { asked: 'unknown' },
  decide_sent: { asked: 'sent' },
  decide_not_sent: { asked: 'not_sent' },
  send_again: { asked: 'closed' },
  /** What was to send it again was taken back. */
  ask_again: { closed: 'asked' },
  /** What was refused for the state of its account alone goes on with its job, by a person's press. */
  resume: { rejected: 'planned' },
  /** A backup was brought back, and it may have left at any time since. */
  doubt: {
    planned: 'unknown',
    reserved: 'unknown',
    on_wire: 'unknown',
    unknown: 'unknown',
    asked: 'unknown',
    rejected: 'unknown',
  },
} as const satisfies Moves<AttemptState>;

/** What a call proves. */
export type CallOutcome = 'accepted' | 'rejected' | 'unknown' | 'not_sent';

/**
 * Gives the state of an attempt whose own call is heard of late; undefined where that changes nothing.
 * @param byPerson whether a person has decided about it.
 */
export function heardLate(
  state: AttemptState,
  outcome: CallOutcome,
  byPerson: boolean,
): AttemptState | undefined {
  const late: Moves<AttemptState>[string] = ATTEMPT_MOVES[`late_${outcome}`];
  const belie: Moves<AttemptState>[string] = ATTEMPT_MOVES[`belie_${outcome}`];
  return late[state] ?? (byPerson ? belie[state] : undefined);
}

/** How far a call got. Up to and including `fence` no byte of the request has been written. */
export type WireStage = 'dial' | 'fence' | 'request' | 'answer' | 'complete';

/** Why no answer was read in full. Closed, so that each can be worded for a person. */
export type WireFailure =
  | 'dns'
  /** The name leads into an inner network, where nobody has said that the gateway is. */
  | 'inner_address'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'too_big'
  | 'protocol'
  | 'aborted'
  | 'fence';

/** An identifier the gateway gave: digits as text, since it is a 64-bit integer on the wire. */
export interface AcceptedId {
  readonly id: string;
  /** Canonical number (989…) when the answer names one id per recipient; absent for one id per call. */
  readonly recipient?: string;
}

/** What was seen of one call, in words common to all versions of the interface. */
export type Observation =
  | {
      readonly kind: 'failed';
      readonly stage: WireStage;
      readonly reason: WireFailure;
      readonly bytesMayHaveLeft: boolean;
    }
  | { readonly kind: 'unreadable'; readonly httpStatus: number }
  | {
      readonly kind: 'envelope';
      readonly httpStatus: number;
      /** The envelope's own status (`return.status`, or the top-level status of version 1). */
      readonly status: number;
      /** The code inside: `result.status` of version 1, or the number in a refusal's text. */
      readonly code?: number;
      readonly messageIds: readonly AcceptedId[];
      readonly sent: { readonly text: string; readonly line: string };
      readonly echo: { readonly text?: string; readonly line?: string };
    };

/** Why a call's outcome is unknown. It is recorded with the call; nothing asks which one it is. */
export type UnknownReason =
  | WireFailure
  /** A mistake of ours in the middle of the call. */
  | 'internal'
  | 'unreadable'
  | 'ambiguous_code'
  | 'no_message_id'
  | 'echo_differs'
  | 'http_status';

export type Classification =
  | { readonly outcome: 'accepted'; readonly messageIds: readonly [AcceptedId, ...AcceptedId[]] }
  | { readonly outcome: 'rejected'; readonly code: number }
  | {
      readonly outcome: 'unknown';
      readonly reason: UnknownReason;
      readonly stage: WireStage;
      readonly code?: number;
      readonly messageIds?: readonly AcceptedId[];
    }
  | { readonly outcome: 'not_sent'; readonly reason: WireFailure; readonly bytesMayHaveLeft: false };

const SUCCESS = 200;
// 3 to 6 are the user states that close an account; 2, a trial account, is not proof that nothing went out.
const DEFINITE_REFUSALS = new Set([400, 401, 414, 419, 3, 4, 5, 6, 21, 22, 23, 24, 25, 26, 28, 29]);
const USER_NOT_FOUND = 1;
/**
 * Refusals too, unless something that looks like an id stands beside them: 1 is in other answers a word for yes, 40 (no
 * such phonebook) is of another table, and the rest is of a sibling interface. Each says what the request was not taken for.
 */
const REFUSALS_ALONE = new Set([USER_NOT_FOUND, 40, 403, 404, 405, 406, 407, 411, 412, 413, 417, 418]);
/** Errors after which the message may nevertheless have gone out. They win over any other number. */
const MAY_HAVE_SENT = new Set([27, 429, 500, 1000, 2000]);

/** What an observed send proves. Pure and total: every observation has exactly one class. */
export function classify(seen: Observation): Classification {
  if (seen.kind === 'failed') {
    return seen.bytesMayHaveLeft
      ? { outcome: 'unknown', reason: seen.reason, stage: seen.stage }
      : { outcome: 'not_sent', reason: seen.reason, bytesMayHaveLeft: false };
  }
  if (seen.kind === 'unreadable') return { outcome: 'unknown', reason: 'unreadable', stage: 'complete' };

  const code = seen.code === 0 ? undefined : seen.code;
  if (code === undefined && seen.status === SUCCESS) return classifySuccess(seen);
  const deciding = code ?? seen.status;

  const ambiguous = [seen.status, deciding].find((value) => MAY_HAVE_SENT.has(value));
  if (ambiguous === undefined && (DEFINITE_REFUSALS.has(deciding) || refusesAlone(seen, deciding))) {
    return { outcome: 'rejected', code: deciding };
  }
  return { outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: ambiguous ?? deciding };
}

function refusesAlone(seen: Extract<Observation, { kind: 'envelope' }>, deciding: number): boolean {
  // As the status of a whole answer nobody has explained 1.
  const isTold = deciding !== USER_NOT_FOUND || seen.code === USER_NOT_FOUND;
  return REFUSALS_ALONE.has(deciding) && isTold && seen.messageIds.length === 0;
}

function classifySuccess(seen: Extract<Observation, { kind: 'envelope' }>): Classification {
  const unknown = (reason: UnknownReason): Classification => ({
    outcome: 'unknown',
    reason,
    stage: 'complete',
    ...(seen.messageIds.length > 0 ? { messageIds: seen.messageIds } : {}),
  });
  if (seen.httpStatus < 200 || seen.httpStatus > 299) return unknown('http_status');
  const { messageIds } = seen;
  if (!provesAcceptance(messageIds)) return unknown('no_message_id');
  if (seen.echo.text !== undefined && foldText(seen.echo.text) !== foldText(seen.sent.text)) {
    return unknown('echo_differs');
  }
  if (seen.echo.line !== undefined && foldLine(seen.echo.line) !== foldLine(seen.sent.line)) {
    return unknown('echo_differs');
  }
  return { outcome: 'accepted', messageIds };
}

function provesAcceptance(ids: readonly AcceptedId[]): ids is readonly [AcceptedId, ...AcceptedId[]] {
  return ids.length > 0 && ids.every(({ id }) => /^[0-9]*[1-9][0-9]*$/.test(id));
}

/** Spellings that gateways are known to exchange: line ends, Arabic yeh and kaf, invisible joiners. */
function foldText(text: string): string {
  return foldLetters(text.normalize('NFC'))
    .replaceAll('\r\n', '\n')
    .replace(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '')
    .replace(/[ \t\u00A0]+/g, ' ')
    .trim();
}

/** A line with or without `+98`, `0098`, `98` or a leading zero is the same line. */
function foldLine(line: string): string {
  const digits = line.replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length > 6 && digits.startsWith('98') ? digits.slice(2) : digits;
}

/** What a result asks of whoever schedules the next call of the same account. */
export type PauseAdvice = 'none' | 'job' | 'account' | 'account_for_60_s';

const NO_CREDIT = [22, 418];
const ACCOUNT_CLOSED = [401, 403, 407, 1, 3, 4, 5, 6];
const OVERLOADED = [429, 1000, 2000];
/** Codes of refusals that say nothing about the message: the account is closed, or short of credit. */
export const REFUSED_FOR_ACCOUNT: readonly number[] = [...NO_CREDIT, ...ACCOUNT_CLOSED];

/** 22 and 418 (credit) stop the job; an account that is closed stops the account; an overloaded gateway rests it. */
export function pauseAfter({
  outcome,
  code = 0,
}: {
  readonly outcome: string;
  readonly code?: number;
}): PauseAdvice {
  if (outcome === 'rejected') {
    if (NO_CREDIT.includes(code)) return 'job';
    return ACCOUNT_CLOSED.includes(code) ? 'account' : 'none';
  }
  return OVERLOADED.includes(code) ? 'account_for_60_s' : 'none';
}
