/** A text that a chat keeps under a name. What replaces it has an id of its own. */
export interface Template {
  readonly id: string;
  /** Without `#`; two that differ in case alone are the same. */
  readonly name: string;
  readonly text: string;
  readonly savedBy: { readonly id: number; readonly name: string };
  readonly savedAt: Date;
}

export type TemplateSaved =
  | { readonly result: 'saved' | 'replaced'; readonly template: Template }
  /** It says so already; nothing was written. */
  | { readonly result: 'same'; readonly template: Template }
  /** The name has another text than the one that was to be replaced. */
  | { readonly result: 'taken'; readonly template: Template }
  | { readonly result: 'full'; readonly limit: number };

export interface TemplateStore {
  /** Some of a chat's templates by name, and how many there are in all. */
  list(
    chatId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly templates: readonly Template[]; readonly all: number }>;
  find(chatId: string, by: { readonly name: string } | { readonly id: string }): Promise<Template | null>;
  /** Writes a text under a name, with a row in the audit. Only the template `replacing` gives way to it. */
  save(saving: {
    readonly chatId: string;
    readonly personId: number;
    readonly updateId: number;
    readonly name: string;
    readonly text: string;
    readonly replacing: string | null;
  }): Promise<TemplateSaved>;
  /** Deletes one, with a row in the audit; null where it is gone or was replaced. */
  remove(removing: {
    readonly chatId: string;
    readonly personId: number;
    readonly updateId: number;
    readonly id: string;
  }): Promise<Template | null>;
}
