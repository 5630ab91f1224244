import type { OpenWork } from './metrics.ts';

/** How the deployment is: figures over all chats, and no word of any of them. What could not be read is null. */
export interface DeploymentHealth {
  readonly version: string;
  /** Of this process. */
  readonly upMs: number;
  readonly roles: readonly ('bot' | 'worker' | 'poller')[];
  readonly leadsHere: boolean;
  readonly database: { readonly answerMs: number } | null;
  readonly standing: OpenWork | null;
  readonly telegram: {
    readonly way: 'webhook' | 'polling';
    /** Updates come as they should, as far as this process has looked. */
    readonly isWell: boolean;
    /** Calls that Telegram has put off since the start of this process. */
    readonly putOff: number;
  };
  /** Stored credentials under a master key that this process does not have. */
  readonly foreignSeals: number | null;
  /** Where the embedded database is; null for a server of one's own. */
  readonly disk: { readonly freeBytes: number; readonly allBytes: number } | 'unread' | null;
  /** How often an inbox is looked at. */
  readonly inboxSeconds: number;
}

/** Reads all of it anew. */
export type ReadHealth = () => Promise<DeploymentHealth>;
