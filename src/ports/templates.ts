/** A text that a chat keeps under a name. What replaces it has an id of its own. */
export interface Template {
  readonly id: string;
  /** Without `#`; two that differ in case alone are the same. */
  readonly name: string;
  readonly text: string;
  readonly savedBy: { readonly id: number; readonly name: string };
  readonly savedAt: Date;
}
