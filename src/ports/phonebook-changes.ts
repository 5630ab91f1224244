import type { ChatDoer } from './doer.ts';
import type { Lang } from './stores.ts';

/*
 * Changes of phonebooks: what a person was shown, confirmed, and what became of it. The numbers are kept, so a
 * change that stopped is taken up again by comparing them with the book, never by counting what was done.
 */

export type PhonebookChangeKind = 'create' | 'add' | 'remove' | 'delete';

/**
 * `open` until it is confirmed or cancelled; `running` while there is work in the queue; `stopped` when a person
 * has to say go on; `done`. A creation whose name was taken meanwhile ends as `cancelled`: nothing was made.
 */
export type PhonebookChangeState = 'open' | 'running' | 'stopped' | 'done' | 'cancelled';

export interface PhonebookChange {
  readonly id: string;
  readonly chatId: string;
  readonly chatTelegramId: number;
  readonly bindingId: string;
  readonly personId: number;
  readonly personName: string;
  readonly kind: PhonebookChangeKind;
  readonly state: PhonebookChangeState;
  /** The gateway's id; null until a new book has been seen there. */
  readonly bookId: string | null;
  readonly title: string;
  /** The label of a new book, the same at every try. */
  readonly flag: string;
  /** To put in, to take out, or (when a book is deleted) what was in it. Each once. */
  readonly numbers: readonly string[];
}

export interface NewPhonebookChange extends ChatDoer {
  readonly bindingId: string;
  readonly botId: number;
  readonly kind: PhonebookChangeKind;
  readonly bookId: string | null;
  readonly title: string;
  readonly numbers: readonly string[];
}

/** What the queue is told of a confirmed change. */
export interface PhonebookWork {
  readonly changeId: string;
  /** A person said go on: calls of an earlier run may have had an effect. */
  readonly again: boolean;
  /** The update that asked for it. */
  readonly updateId: number;
  /** Where its outcome is shown; without a message, in a new one. */
  readonly messageId: number | null;
  readonly threadId: number | null;
  readonly locale: Lang;
}

/** How far a change has come, as far as is known; together with those known to be left they are all of it. */
export interface PhonebookTally {
  /** In the book, or out of it, as asked. */
  readonly done: number;
  /** Asked for in a call without a clear answer. */
  readonly unknown: number;
}
