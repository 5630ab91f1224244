/** Who changes something, by which update. */
export interface Doer {
  readonly personId: number;
  readonly updateId: number;
}

/** The same, and the chat that it is changed for. */
export interface ChatDoer extends Doer {
  readonly chatId: string;
}
