import type { Context } from 'grammy';
import type { Refusal } from '../../domain/rate-limits.ts';
import type { Html } from '../html.ts';
import type { RequestContext } from '../request-context.ts';

/** A form is a command and what is known of its arguments already. */
export interface FormStart {
  readonly command: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly before?: string | Html | undefined;
}

/** What a handler may do to the form of whoever speaks. */
export interface FormControl {
  /** Leaves any form, and asks the first question of this one. */
  enter(start: FormStart): Promise<void>;
  leave(): void;
  /** Tells that a question is over to whom answers it too late; what is said in secret is deleted. False: there is none such. */
  late(words: string): Promise<boolean>;
  /** Ends the form where all this is known to it, and takes its question away. */
  end(known: Readonly<Record<string, string>>): Promise<void>;
}

/** What a press of a button of ours means, once its token has been checked and used up. */
export interface Press {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface KitFlavor {
  request: RequestContext;
  /** The form row as it was read with the identity. */
  formRow: { readonly updateId: number; readonly state: Uint8Array } | null;
  formKey: string;
  form: FormControl;
  press?: Press;
  /** More was pressed than is let through: only what is urgent is done, where even that may be. */
  refusal?: Refusal;
  /** A form has read this message, or taken this press. */
  readByForm?: boolean;
  /** A command that would leave the form is about something else, and leaves it as it is. */
  isPastForm?: boolean;
  /** Set by a form that has all its answers; the router then runs the command. */
  formDone?: FormStart;
}

export type KitContext = Context & KitFlavor;
