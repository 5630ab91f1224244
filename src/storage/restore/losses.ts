import type { HeldCall } from '../sending/call-writes.ts';

/** Whoever has noticed a loss looks for what may have left; another one where that one has not come to its end. */
export const HEIR_SECONDS = 30;

/** A process, and how far it has counted up its row. */
export interface Beat {
  readonly id: string;
  readonly beats: number;
}

/** What a process sees when it looks for what it knows. */
export interface Look {
  /** Of the own row as it is now; null: it was not found as this process knows it. */
  readonly beats: number | null;
  /** The same as it was before. */
  readonly had: number | null;
  readonly server: string;
  readonly forgotten: readonly HeldCall[];
  readonly is_weak: boolean;
  readonly is_lost: boolean;
  readonly is_unfinished: boolean;
}

/** What in a chat was made unknown, or void. */
export interface Doubted {
  /** Calls that are looked for now. */
  readonly calls: number;
  /** Scheduled sends that people are asked about. */
  readonly asked: number;
  /** Drafts that nobody can confirm any more. */
  readonly drafts: number;
}

/** Between these times something may have left that the database does not know. */
export interface LostTime {
  readonly from: Date;
  readonly to: Date;
}

export interface ChatInZone {
  readonly chatId: string;
  readonly timeZone: string;
}

/**
 * What is asked of a database that may have lost commits, each in one transaction of its own. What makes a whole of them
 * stands below, in `continuity.ts`, `restored-backup.ts` and `operator-halt.ts`.
 */
export interface LossStore {
  /** Makes the row that a process counts up. */
  enter(id: string): Promise<{ readonly server: string; readonly since: Date }>;
  /** Counts it up where all is found that the process knows: these calls have passed the fence. */
  look(of: Beat, proofs: readonly HeldCall[]): Promise<Look>;
  leave(id: string): Promise<void>;
  /**
   * Holds all sends, of every chat and in every process, since the database has lost commits; who asks is known to it
   * again. Until the loss is seen to its end, nothing lets them go.
   * @param of `began`: since when the process knows the database
   */
  hold(of: Beat & { readonly server: string; readonly began: Date }): Promise<LostTime>;
  /** Holds all sends, since a backup was brought back. @throws AppError `config` while a Peyk works on the database */
  restore(since: Date | null): Promise<LostTime>;
  /** Since when something may have left, where a loss is not seen to its end; null: there is none. */
  unfinished(): Promise<Date | null>;
  /** Chats in which something may have left, or could be set off. */
  chats(): Promise<readonly string[]>;
  /** Makes unknown what could have left of a chat, and void what somebody could still set off. */
  doubt(chatId: string, from: Date): Promise<Doubted>;
  /** The loss is seen to its end. */
  finished(): Promise<void>;
  /** Takes the operator's switch back. */
  letGo(): Promise<void>;
  /** Chats in which something waited for that. */
  heldChats(): Promise<readonly ChatInZone[]>;
  /** Lets go on in a chat what may. */
  goOn(of: ChatInZone): Promise<{ readonly resumed: number; readonly kept: number }>;
}

/**
 * Has everything that may have left in the lost time looked for, as after a backup was brought back. Does nothing where
 * that is done; may be ended and begun again, and done by several at once.
 */
export async function finishLoss(store: LossStore): Promise<void> {
  const from = await store.unfinished();
  if (from === null) return;
  await doubtChats(store, from);
  await store.finished();
}

/** Makes unknown what could have left, and void what somebody could still set off, chat by chat. */
export async function doubtChats(store: LossStore, from: Date): Promise<Doubted> {
  const all = { calls: 0, asked: 0, drafts: 0 };
  for (const chatId of await store.chats()) {
    const { calls, asked, drafts } = await store.doubt(chatId, from);
    all.calls += calls;
    all.asked += asked;
    all.drafts += drafts;
  }
  return all;
}
