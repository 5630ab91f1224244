import { z } from 'zod';
import type { Argument, Command } from '../feature.ts';

/** What was asked, and what is known already. */
export const question = z.object({
  command: z.string(),
  typed: z.record(z.string(), z.string()),
  /** The argument that is asked for. */
  name: z.string(),
  /** Unix time in ms. */
  askedAt: z.number(),
  /** The command that has led to it, where that is another one: given once more it begins anew. */
  begunBy: z.string().optional(),
});

/** A question that waits for its answer. */
export const openForm = question.extend({
  /** Releases that keep forms in another way leave one of these in silence, and this one theirs. */
  version: z.tuple([z.literal(0), z.literal(2)]),
  messageId: z.number(),
  hasButtons: z.boolean(),
  /** The message that has offered to take up what its person said in the group without replying. */
  offerId: z.number().optional(),
  /** The argument that each message has answered, by the id of the message; empty: what the command came with. */
  said: z.record(z.string(), z.string()).optional(),
  /** The message that was refused and may have been cut off by the app: what came right behind it is the rest of it. */
  cutAt: z.number().optional(),
  /** A command has interrupted it: nothing is an answer until a button goes on with it. */
  isLeft: z.literal(true).optional(),
  /** The one that this one has interrupted. */
  left: question.optional(),
});
export type OpenForm = z.infer<typeof openForm>;
export type Question = z.infer<typeof question>;

export interface Remembered {
  readonly form: OpenForm;
  readonly command: Command;
  readonly argument: Argument;
}

/** What is kept of a question that something else comes before: no secret waits longer than its own form. */
export function withoutSecrets({ form, command }: Remembered): Pick<Question, 'typed' | 'name'> {
  const isSecret = (name: string): boolean => command.args[name]?.secret === true;
  const secret = Object.keys(form.typed).find(isSecret);
  return {
    typed: Object.fromEntries(Object.entries(form.typed).filter(([name]) => !isSecret(name))),
    name: secret ?? form.name,
  };
}

/** A form with what it has come of, and the one that it has interrupted, which can be gone on with. */
export function withOrigin(
  form: OpenForm | null,
  { left, begunBy, said }: Partial<OpenForm>,
): OpenForm | null {
  return form === null ? null : { ...form, begunBy, said, left: left && question.parse(left) };
}

/** The one that a form has interrupted, once that form is over. */
export function leftAlone({ left, version, messageId }: OpenForm): OpenForm | null {
  return left === undefined ? null : { ...left, version, messageId, hasButtons: false, isLeft: true };
}

/** A form without what was answered last, by the order of messages, and its name; null: nothing was, beside what the command came with. */
export function takenBack(form: OpenForm): OpenForm | null {
  const said = Object.entries(form.said ?? {});
  const name = said.at(-1)?.[1] ?? '';
  const { [name]: _, ...typed } = form.typed;
  return name === ''
    ? null
    : { ...form, name, typed, said: Object.fromEntries(said.filter(([, each]) => each !== name)) };
}
