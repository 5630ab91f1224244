import type { ChatDoer } from './doer.ts';
import type { Lang } from './stores.ts';

/** One recipient whom a job has not reached, for certain. */
export interface Unsent {
  readonly recipient: string;
  /** `stopped`: its turn did not come; `refused` by the gateway; `blocked`: on the line's blacklist, in no call. */
  readonly why: 'stopped' | 'refused' | 'blocked';
  readonly line: string;
  /** What was meant for this one; null where it was the same for all. */
  readonly text: string | null;
}

/** Whoever wants to send something again, and where its card is to stand. */
export interface ResendPress extends ChatDoer {
  readonly jobId: string;
  /** The account that is linked now. */
  readonly bindingId: string;
  readonly botId: number;
  readonly lang: Lang;
  readonly threadId: number | undefined;
}

/** `open`: an earlier press has made a draft that still waits for its answer; `nothing`: nothing is proved to have failed. */
export type ResendResult =
  | { readonly result: 'made' | 'open'; readonly draftId: string; readonly code: string }
  | { readonly result: 'nothing' };

/** What of a job has not arrived. */
export interface UnsentStore {
  /** Whom a job has not left for, block by block, in the order of its calls: as many as its card says. */
  unsent(jobId: string): AsyncIterable<readonly Unsent[]>;
  /**
   * A new draft to those of an ended job of whom it is proved that they got nothing: refused, not sent, or reported as
   * not delivered. Never to those whose outcome is not known, nor to those who are blocked. There is one such draft of
   * a job at a time, and whom one of them has been sent to is in no later one.
   */
  resend(press: ResendPress): Promise<ResendResult>;
}
