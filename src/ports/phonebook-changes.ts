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

export interface NewPhonebookChange {
  readonly chatId: string;
  readonly bindingId: string;
  readonly botId: number;
  readonly updateId: number;
  readonly personId: number;
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

/** A press that starts the work. */
export type PhonebookPress = Omit<PhonebookWork, 'again'> & {
  readonly chatId: string;
  readonly personId: number;
};

/** `other`: it is not open (or not stopped) any more, so there is nothing to start. */
export type PhonebookStart = 'started' | 'other' | 'not_connected';

/** How far a change has come, as far as is known; together with those known to be left they are all of it. */
export interface PhonebookTally {
  /** In the book, or out of it, as asked. */
  readonly done: number;
  /** Asked for in a call without a clear answer. */
  readonly unknown: number;
}

export interface PhonebookChangeStore {
  /** One change for one update: a replay returns the change that is there. */
  create(change: NewPhonebookChange): Promise<{ readonly id: string; readonly numbers: readonly string[] }>;
  read(changeId: string): Promise<PhonebookChange | null>;
  /** Open to running, and the work in the queue, in one transaction; by the person who asked for it. */
  confirm(press: PhonebookPress): Promise<PhonebookStart>;
  /** Stopped to running, in the same way. */
  resume(press: PhonebookPress): Promise<PhonebookStart>;
  /** False when it is not open any more. */
  cancel(changeId: string, chatId: string, personId: number): Promise<boolean>;
  /** Puts the work of a running change into the queue once more: this process has to go. */
  requeue(work: PhonebookWork): Promise<void>;
  /** The new book has been seen at the gateway. */
  setBook(changeId: string, bookId: string): Promise<void>;
  /**
   * Ends a run, with its row in the audit in the same transaction where something was changed or may have been
   * (`tally`). False when the change was not running: then another run has ended it.
   */
  settle(
    changeId: string,
    outcome: {
      readonly state: 'stopped' | 'done' | 'cancelled';
      readonly tally: PhonebookTally | null;
      readonly updateId: number;
    },
  ): Promise<boolean>;
}
