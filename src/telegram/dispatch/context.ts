import type { ConversationFlavor } from '@grammyjs/conversations';
import type { Context } from 'grammy';
import type { Refusal } from '../../domain/rate-limits.ts';
import type { FormStart } from '../forms/form.ts';
import type { Turn } from '../turn.ts';

/** What a press of a button of ours means, once its token has been checked and used up. */
export interface Press {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface KitFlavor {
  turn: Turn;
  /** The form row as it was read with the identity. */
  formRow: { readonly updateId: number; readonly state: Uint8Array } | null;
  formKey: string;
  press?: Press;
  /** More was pressed than is let through: only what is urgent is done, where even that may be. */
  refusal?: Refusal;
  /** A form has read this message, or taken this press. */
  readByForm?: boolean;
  /** Set by a form that has all its answers; the router then runs the command. */
  formDone?: FormStart;
}

export type KitContext = ConversationFlavor<Context & KitFlavor>;
