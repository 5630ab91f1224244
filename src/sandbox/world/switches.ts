import { z } from 'zod';
import { shapesSchema } from '../shapes.ts';

/**
 * Habits that a real gateway may have and that a client must survive; all off by default. They touch what answers, lists,
 * counts and details show, never what really happened.
 */
export const switchesSchema = z.strictObject({
  /** A message shows in lists, counts and as the latest one only so long after it was accepted or received. */
  lagMs: z.int().min(0),
  /** No list holds more entries than this; totals go on counting all. */
  cap: z.int().min(0).nullable(),
  /** The entries of every list of messages come in a different order each time. */
  shuffled: z.boolean(),
  /** Added to every date of a listed message; ranges are compared with what is shown. */
  dateOffsetSeconds: z.int(),
  /** Appended to the text of what is sent from now on; the answer of the send shows the text as it was asked for. */
  textSuffix: z.string(),
  /** The outbox count tells how many calls there were; otherwise how many recipients. */
  countsCalls: z.boolean(),
  /** The inbox lists the oldest messages first. */
  oldestFirst: z.boolean(),
  /** The inbox lists what is read only to those who ask for it. */
  hidesRead: z.boolean(),
  /** What the ids of received messages are good for: two messages share one, or there are none. */
  inboxIds: z.enum(['own', 'shared', 'missing']),
  /** What the answers look like where the interface is silent; an account may have its own. */
  shapes: shapesSchema,
  /** Refuses what a real gateway may refuse and this one otherwise lets pass. */
  strict: z.boolean(),
});

export type Switches = z.output<typeof switchesSchema>;

/** What may be changed; what is absent stays as it is. */
export type SwitchesChange = { readonly [Name in keyof Switches]?: Switches[Name] | undefined };

const OFF: Switches = {
  lagMs: 0,
  cap: null,
  shuffled: false,
  dateOffsetSeconds: 0,
  textSuffix: '',
  countsCalls: false,
  oldestFirst: false,
  hidesRead: false,
  inboxIds: 'own',
  shapes: [],
  strict: false,
};

/** The switches after a change; from all of them off when none were set before. Throws when a value is wrong. */
export function changeSwitches(change: SwitchesChange, before: Switches = OFF): Switches {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return switchesSchema.parse({ ...before, ...Object.fromEntries(given) });
}
