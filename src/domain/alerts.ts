/** What a team is told without asking. A closed list: each kind has its own switch, texts and, where it has one, threshold. */
export const ALERT_KINDS = [
  /** A message was received. */
  'inbound',
  /** The credit is low, or will not do for what is scheduled. */
  'credit',
  /** A send has ended, has failed, or needs a decision. */
  'job',
  /** Too many of a send were not delivered. */
  'failures',
  /** The account's status has changed, or it expires soon. */
  'account',
  /** The gateway cannot be reached, or can again. */
  'gateway',
  /** The inbox is not read as often as it should be, or does not match the gateway's counts. */
  'inbox',
  /** The day, or the week, in one message. */
  'digest',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The kinds of what stands until it has ended, and is told at both. The others are told once. */
export type AlarmKind = Extract<AlertKind, 'credit' | 'account' | 'gateway' | 'inbox'>;

/** What is on in the chat that links an account. */
export const FIRST_KINDS: readonly AlertKind[] = ['inbound', 'credit', 'job', 'gateway', 'inbox'];
