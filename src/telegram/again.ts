import { z } from 'zod';
import { defineAction, LOOKING } from './action.ts';
import type { ActionButton } from './buttons.ts';
import type { IncomingFile } from './forms/file-reference.ts';
import type { RequestContext } from './request-context.ts';

/**
 * What a line takes from the message that the button's one answers: its file alone, its words too, those behind the first one,
 * or its words whole, as the text that they are.
 */
const takes = z.enum(['file', 'words', 'rest', 'text']);
type Takes = z.infer<typeof takes>;

/** As long as somebody may take to press what they were offered. */
export const OFFER_SECONDS = 3600;

const fileSchema = z.object({ id: z.string(), name: z.string(), size: z.number() });

/** A line once more, by whoever presses. */
export const AGAIN = defineAction({
  name: 'kit.again',
  permission: null,
  payload: z.object({ line: z.string(), takes: takes.optional(), file: fileSchema.optional() }),
  ttlSeconds: 60,
});

/** Makes a button that gives a command as if it had been typed, to be tried as often as one likes. */
export function tryButton(label: string, line: string): ActionButton {
  return AGAIN.button(label, { line }, LOOKING);
}

/**
 * Makes a button by which a person gives a line once, with what it takes from the message that the button's one answers.
 * @param what absent: nothing
 * @param file what they have sent before, where that message has none
 */
export function offerButton(
  { person }: Pick<RequestContext, 'person'>,
  line: string,
  label: string,
  what?: Takes,
  file?: IncomingFile,
): ActionButton {
  return AGAIN.button(label, { line, takes: what, file }, { personId: person.id, ttlSeconds: OFFER_SECONDS });
}
