/** A text that a chat keeps under a name. What replaces it has an id of its own. */
export interface Template {
  readonly id: string;
  /** Without `#`; two that differ in case alone are the same. */
  readonly name: string;
  readonly text: string;
  /** The chat has marked it: it is offered to whoever answers a received message. */
  readonly isForAnswers: boolean;
  readonly savedBy: { readonly id: number; readonly name: string };
  readonly savedAt: Date;
}
