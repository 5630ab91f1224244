import type { Moves } from './machine.ts';

export const DRAFT_STATES = ['open', 'asked', 'confirmed', 'cancelled'] as const;

/** Where a message that is being prepared stands; `asked`: it waits for a second person's yes. */
export type DraftState = (typeof DRAFT_STATES)[number];

/** Nobody has confirmed it or put it away. */
export const UNDECIDED = ['open', 'asked'] as const satisfies readonly DraftState[];

/** How long a draft waits for a second person's yes, in seconds. */
export const ASKED_SECONDS = 86_400;
/** How long its author can take up again what was rejected or has lapsed, with the rows of its file, in seconds. */
export const TAKEN_UP_SECONDS = 86_400;

/** What can happen to a draft. One whose time is over is expired in whatever state it is. */
export const DRAFT_MOVES = {
  edit: { open: 'open', asked: 'open' },
  ask: { open: 'asked' },
  confirm: { open: 'confirmed', asked: 'confirmed' },
  reject: { asked: 'cancelled' },
  cancel: { open: 'cancelled', asked: 'cancelled' },
  /** Its job was missed, and is sent now. */
  reopen: { confirmed: 'open' },
} as const satisfies Moves<DraftState>;
