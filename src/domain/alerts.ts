/** What rules and storage know of a kind of alert. Its words and its card: src/features/alerts/kind-cards.ts. */
interface Alert {
  readonly kind: string;
  /** It begins and ends, is told at both, and somebody can take it on meanwhile. The others are told once. */
  readonly stands: boolean;
  /** It is on in the chat that links an account, and in each place that is added. */
  readonly first: boolean;
  /** Several that have waited are told as one. What stands is not, for it has its buttons; once it is over it is. */
  readonly folds: boolean;
}

/** What a team is told without asking: a closed list, of which all others are made. */
const ALERTS = [
  // A message was received.
  { kind: 'inbound', stands: false, first: true, folds: true },
  // The credit is low, or will not do for what is scheduled.
  { kind: 'credit', stands: true, first: true, folds: false },
  // Nobody has answered a received message for too long.
  { kind: 'unanswered', stands: true, first: false, folds: false },
  // A send has ended, has failed, or needs a decision.
  { kind: 'job', stands: false, first: true, folds: true },
  // Too many of a send were not delivered.
  { kind: 'failures', stands: false, first: false, folds: true },
  // The account's status has changed, or it expires soon.
  { kind: 'account', stands: true, first: false, folds: false },
  // The gateway cannot be reached, or can again.
  { kind: 'gateway', stands: true, first: true, folds: false },
  // The inbox is not read as often as it should be, or does not match the gateway's counts.
  { kind: 'inbox', stands: true, first: true, folds: false },
  // The day, or the week, in one message.
  { kind: 'digest', stands: false, first: false, folds: false },
] as const satisfies readonly Alert[];

export type AlertKind = (typeof ALERTS)[number]['kind'];

/** The kinds of what stands until it has ended. */
export type AlarmKind = Extract<(typeof ALERTS)[number], { stands: true }>['kind'];

/** Every kind, in the order in which they are shown. */
export const ALERT_KINDS: readonly AlertKind[] = ALERTS.map(({ kind }) => kind);

/** What is on in a new place. */
export const FIRST_KINDS: readonly AlertKind[] = ALERTS.filter(({ first }) => first).map(({ kind }) => kind);

/** What is told as one where several have waited. */
export const FOLDED_KINDS: readonly AlertKind[] = ALERTS.filter(({ folds }) => folds).map(({ kind }) => kind);

/** From so many percent of a send's recipients on, that it did not reach them is told; a chat may set another share. */
export const FAILURES_PERCENT = 20;

/** After so many minutes of working hours it is told that nobody has answered; a chat may set another number. */
export const UNANSWERED_MINUTES = 30;

/** What becomes of a send that is told. `asks`: it is in doubt; `missed`: it did not leave at its time. */
export const SEND_EVENTS = ['ended', 'stopped', 'asks', 'missed'] as const;

export type SendEvent = (typeof SEND_EVENTS)[number];

/**
 * `sending` may have been said already: it is said again after a while. `folded`: told as part of a digest; `dropped`:
 * the place could not be reached any more, or was muted.
 */
export type NotificationState = 'queued' | 'sending' | 'sent' | 'folded' | 'dropped';

/** It is still to be said, or may have to be again. */
export const UNSAID = ['queued', 'sending'] as const satisfies readonly NotificationState[];
