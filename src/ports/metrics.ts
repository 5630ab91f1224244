import type { LimitedKind, LimitScope } from '../domain/rate-limits.ts';

/**
 * What is counted of the work of a process. No name of a chat, an account or a person is ever among the labels: each is one
 * of a few words from the code.
 */
export interface Metrics {
  /** One that came in and had not come before. */
  update(kind: 'message' | 'press' | 'member' | 'other'): void;
  /** `refused`: the person was told why not, before the command began. */
  command(name: string, outcome: 'done' | 'asked' | 'refused' | 'failed'): void;
  gatewayCall(call: {
    readonly version: number;
    readonly operation: string;
    readonly outcome: string;
    readonly ms: number;
  }): void;
  telegramCall(call: { readonly method: string; readonly status: number; readonly ms: number }): void;
  /** A message whose answer was lost is sent again: it may be there twice. */
  possibleDuplicate(): void;
  /** Somebody asked for more than is let through, and this was left out. */
  limited(scope: LimitScope, kind: LimitedKind): void;
}

/** What stands in the database at one moment, over all chats. Ages in seconds, 0 where there is nothing. */
export interface OpenWork {
  /** Calls that are not settled. */
  readonly attempts: Readonly<Record<'reserved' | 'on_wire' | 'unknown' | 'asked', number>>;
  readonly oldestOnWireSeconds: number;
  readonly oldestUnknownSeconds: number;
  /** Jobs that are due and that nobody has taken yet. */
  readonly jobsDue: number;
  readonly oldestJobSeconds: number;
  /** Jobs that have failed for good. */
  readonly jobsFailed: number;
  readonly updatesOpen: number;
  readonly accounts: number;
  /** Those in whose chat every send is switched off. */
  readonly accountsHalted: number;
  /** For how long whoever runs the deployment has held all sends; null: they are not held. */
  readonly heldSeconds: number | null;
  /** Those that cannot be asked, or of which the gateway says that something is wrong. */
  readonly accountsFailing: number;
  /** By how much the account that is most overdue is late to be looked at. */
  readonly pollLagSeconds: number;
  /** Open alarms by their kind. */
  readonly alarms: Readonly<Record<string, number>>;
  /** Processes of Peyk that are alive, whatever their roles. */
  readonly processes: number;
  /** Those that handle updates now: one, or none for the moment in which another one takes over. */
  readonly leaders: number;
  /** What this database takes on its disk. */
  readonly databaseBytes: number;
  /** Connections to this database, whoever has them. */
  readonly databaseConnections: number;
}
